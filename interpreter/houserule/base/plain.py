"""Base models of plain values that programs print and read."""

from pydantic import BaseModel, ConfigDict


class Plain(BaseModel):
    """A frozen model without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Strict(Plain):
    """A model read from a file: pydantic converts no values."""

    model_config = ConfigDict(strict=True)
