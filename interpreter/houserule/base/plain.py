"""Base models of plain values, which programs print and read."""

from pydantic import BaseModel, ConfigDict


class Plain(BaseModel):
    """A frozen value without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Strict(Plain):
    """A value that is read from a file: pydantic converts nothing in it."""

    model_config = ConfigDict(strict=True)
