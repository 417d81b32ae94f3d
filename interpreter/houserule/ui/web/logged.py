"""The server's log: one JSON object per line, without keys and names."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """Formats log records as JSON lines, without keys and names."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a line: time, event, and the given fields."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat("T", "seconds"),
            "level": record.levelname.lower(),
            "says": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_lines(level: int) -> None:
    """Log JSON lines to standard error, from a level on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler])
