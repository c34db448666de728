"""Reading TOML from untrusted files: any fault raises the same error."""

from __future__ import annotations

import re
import sys
from typing import Any

from lintpickle.input_limits import KEY_PARTS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_DOT = re.compile(r"[ \t]*\.[ \t]*")
_PLACE = re.compile(r"\s*\(at line (\d+), column (\d+)\)$")


class BadToml(ValueError):
    """The text is no TOML, or beyond all measure. `row` and `column` are 1-based; None where they are not known."""

    def __init__(self, reason: str, row: int | None = None, column: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.row = row
        self.column = column


def read_toml(text: str) -> dict[str, Any]:
    """The table that a text holds. Raises `BadToml`."""
    row = _row_of_endless_key(text)
    if row is not None:
        raise BadToml(f"a key has more than {KEY_PARTS.most} parts", row, 1)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        reason = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise BadToml(reason, *map(int, place.groups() if place else ())) from None
    except RecursionError:
        raise BadToml("it is nested too deeply") from None
    except ValueError as error:  # a number that Python does not read, because of its length or its range
        raise BadToml(str(error).partition(";")[0]) from None


def _row_of_endless_key(text: str) -> int | None:
    """The first row on which a dotted key has too many parts. A text in a string looks like one only if it has as many
    dots and no space between them."""
    for row, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > KEY_PARTS.most:
            together = 0
            for part in _DOT.split(line):
                together = 0 if " " in part or "=" in part else together + 1
                if together > KEY_PARTS.most:
                    return row
    return None
