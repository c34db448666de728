"""How large and how deep what lintpickle reads may be: code, settings, patterns, catalogs.

Anybody may have written these files. Beyond a limit the parser could crash, or take very long. How far code is followed
is in `limits`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class InputLimit(Struct, frozen=True):
    """A limit: `counts` is what there may be at most, `beyond` what happens to an input that has more."""

    most: int
    counts: str
    beyond: str


CODE_NESTING = InputLimit(
    1000,
    "levels that code nests, each in units of 1.5 kB of the parser's stack: that is what a link of `a + b + …` takes",
    "the file is not analysed, and LP900 says so",
)
PATTERN_NESTING = InputLimit(
    10,
    "levels that the pattern of a `case` nests: 16 of them take 0.15 s to parse, and each one more doubles that",
    "the file is not analysed, and LP900 says so",
)
CHAINED_ROWS = InputLimit(
    800,
    "rows in succession that go on with an operator, and `elif`s, in code that this Python cannot parse itself",
    "the file is not analysed, and LP900 says so",
)
ROW = InputLimit(
    8000,
    "characters in one row of such code",
    "the file is not analysed, and LP900 says so",
)
IGNORE_FILE = InputLimit(
    1_000_000,
    "bytes in an ignore file such as `.gitignore`",
    "the run ends with an error that names the file",
)
PATTERN = InputLimit(
    4096,
    "characters in a pattern of paths: no path is longer",
    "the pattern matches nothing",
)
KEY_PARTS = InputLimit(
    100,
    "parts in a dotted key of a TOML file: the time that its parser takes grows with their square",
    "the file is refused with an error that names the line",
)
NAME_LENGTH = InputLimit(
    200,
    "characters of a dotted name, or from a name to its call, that are matched in text: longer ones would be matched "
    "anew from each of their parts",
    "the text is no such name",
)
MODULE_NAME = InputLimit(
    100,
    "dots in the name of a module: each is a folder to look for",
    "no such module is found",
)
CATALOG_ALIASES = InputLimit(
    100,
    "names in catalogs, each an alias of the one before",
    "the catalog is refused with an error that names the first",
)
EXTENDED = InputLimit(
    100,
    "settings files in a chain of `extend`",
    "the run ends with an error that names the file",
)
WORDINGS = InputLimit(
    100,
    "`[[wording]]` tables in a catalog",
    "the catalog is refused with an error",
)
WORDING_STEPS = InputLimit(
    2000,
    "steps of a compiled wording: characters, classes, and each repetition once more",
    "the catalog is refused with an error that names the line",
)
WORDED_TEXT = InputLimit(
    2000,
    "characters in a text that a wording is applied to",
    "the text stays as it is",
)
INPUT_LIMITS: Mapping[str, InputLimit] = {
    name: value for name, value in tuple(vars().items()) if isinstance(value, InputLimit)
}
"""All limits by the names that they have here, in the order of this file."""
