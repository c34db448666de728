"""Jupyter notebooks: their Python cells as one text, and edited cells written back into the JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Span
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.source.broken import explained, is_blank, is_no_python_3, is_of_another_language
from lintpickle.source.lines import LineIndex
from lintpickle.source.magics import is_indented, is_python, is_python_cell, mask_magics


class Cell(Struct, frozen=True):
    """A Python code cell. `number` counts all cells of the notebook from 1; `span` is its part of the joined
    text, which ends with a newline; `padded` says that this newline is not in the notebook."""

    number: int
    span: Span
    padded: bool


class BrokenCell(Struct, frozen=True):
    """A cell that IPython cannot parse either, by its span in the joined text, with the reason, the offset of the
    error, and whether the cell is to be run as it stands, as far as the notebook tells: not if only others were run, if
    the kernel is of Python 2, if it looks like Python 2 and others do not, if a value is to be filled in (`path = `),
    or if it shows YAML, JSON or a command of a shell."""

    span: Span
    offset: int
    reason: str
    is_to_be_run: bool


class Notebook(Struct, frozen=True):
    """A notebook's Python code: `text` joins the cells' sources; `code` is the same text with magics masked and broken
    cells replaced by spaces. Before a cell that is indented throughout, both have a row that makes it a block."""

    text: str
    code: str
    cells: tuple[Cell, ...]
    broken: tuple[BrokenCell, ...] = ()


_BLOCK = "if True:\n"
_VISIBLE = re.compile(r"[^\r\n]")


class BadNotebook(Exception):
    """The text is not a readable notebook. `offset` counts code points of the JSON text."""

    def __init__(self, reason: str, offset: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


def read_notebook(source: str) -> Notebook:
    """The Python cells of a notebook's JSON text. Raises `BadNotebook`."""
    parts: list[str] = []
    masked: list[str] = []
    cells: list[Cell] = []
    run: set[int] = set()
    offset = 0
    top = _top(source)
    for number, cell in enumerate(_cells(source, top), 1):
        text = cell.source
        if not text or not cell.is_python or not is_python_cell(text):
            continue
        padded = not text.endswith(("\n", "\r"))
        ending = "\n" if padded else ""
        code = mask_magics(text)
        if is_indented(code):
            parts.append(_BLOCK)
            masked.append(_BLOCK)
            offset += len(_BLOCK)
        parts.append(text + ending)
        masked.append(code + ending)
        cells.append(Cell(number, Span(offset, offset + len(parts[-1])), padded))
        if cell.was_run:
            run.add(number)
        offset = cells[-1].span.end
    text = "".join(parts)
    surrogate = re.search(r"[\ud800-\udfff]", text)
    if surrogate is not None:
        raise BadNotebook(f"a cell holds half a surrogate pair (U+{ord(surrogate[0]):X})")
    code = "".join(masked)
    asked = cells if not is_python(code) else ()
    is_old = _is_of_python_2(top)
    found = [(each, _broken(code, each, not is_old and (not run or each.number in run))) for each in asked]
    broken = [(each, said) for each, said in found if said is not None]
    if len(broken) < len(cells):
        broken = [(each, _left_behind(said)) for each, said in broken]
    for each, _ in broken:
        code = blanked(code, Span(each.span.start - _block_before(code, each), each.span.end))
    return Notebook(text, code, tuple(cells), tuple(said for _, said in broken))


def blanked(text: str, span: Span) -> str:
    """The text with spaces in place of a part of it."""
    return text[: span.start] + _VISIBLE.sub(" ", text[span.start : span.end]) + text[span.end :]


def _block_before(code: str, cell: Cell) -> int:
    """The length of the row that makes a cell a block; 0 if there is none."""
    return len(_BLOCK) if is_indented(_part(code, cell)) else 0


def _part(text: str, cell: Cell) -> str:
    return text[cell.span.start : cell.span.end]


def _broken(code: str, cell: Cell, is_meant_to_run: bool) -> BrokenCell | None:
    """The error in a cell that is parsed by itself."""
    own = _part(code, cell)
    before = _BLOCK[: _block_before(code, cell)]
    try:
        parse(before + own)
    except BrokenSyntax as error:
        said = explained(before + own, error)
        lines = LineIndex(before + own)
        start = lines.row_span(min(said.row, lines.row_count)).start
        offset = min(start + max(said.column, 1) - 1, len(before + own)) - len(before)
        is_text = is_blank(before + own, said) or is_of_another_language(before + own, said)
        is_to_be_run = is_meant_to_run and not is_text
        return BrokenCell(cell.span, cell.span.start + max(offset, 0), said.reason, is_to_be_run)
    return None


def _left_behind(broken: BrokenCell) -> BrokenCell:
    """A broken cell of a notebook whose other cells can be read: one that looks like Python 2 is forgotten."""
    return replace(broken, is_to_be_run=False) if is_no_python_3(broken.reason) else broken


def replace_sources(source: str, replacements: dict[int, str]) -> str:
    """The notebook's JSON text with new sources for some cells, by cell number from 1.

    Nothing but the changed rows' JSON strings differs from `source`. Raises `BadNotebook`.
    """
    pieces: list[str] = []
    done = 0
    for number, cell in enumerate(_cells(source, _top(source)), 1):
        if number in replacements and replacements[number] != cell.source:
            span = cell.source_span
            pieces += source[done : span.start], _render(source, span, replacements[number])
            done = span.end
    return "".join(pieces) + source[done:]


def cell_source(cell: Cell, text: str) -> str:
    """The source to store for a cell whose part of the joined text is now `text`."""
    return text[:-1] if cell.padded and text.endswith("\n") else text


class _RawCell(Struct, frozen=True):
    source: str
    source_span: Span
    is_python: bool
    was_run: bool


_Members: TypeAlias = "dict[str, tuple[object, Span]]"
"""The values of a JSON object by their keys, with the places where they stand."""
_WORKSHEETS = "worksheets"
"""What holds the lists of cells in notebook format 3, whose code cells have an `input` and a `prompt_number`."""
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_POINTS, _POINTER = "version https://git-lfs.github.com/spec/", " (this is a pointer of Git LFS)"
"""How files begin in whose place Git LFS puts others, and what is said of them."""


def _top(source: str) -> _Members:
    """What the notebook's JSON object holds."""
    try:
        _DECODER.decode(source)
    except json.JSONDecodeError as error:
        stands_for = _POINTER if source.startswith(_POINTS) else ""
        raise BadNotebook(f"the notebook is not valid JSON: {error.msg}{stands_for}", error.pos) from None
    except ValueError as error:
        raise BadNotebook(f"the notebook is not valid JSON: {error}") from None
    except RecursionError:
        raise BadNotebook("the notebook's JSON is nested too deeply") from None
    return _members(source, _skip_space(source, 0))


def _cells(source: str, top: _Members) -> Sequence[_RawCell]:
    python = _language(top.get("metadata", ({}, None))[0]) in (None, "python", "ipython")
    return [
        _raw_cell(source, span, python) for place in _lists_of_cells(source, top) for _, span in _items(source, place)
    ]


def _lists_of_cells(source: str, top: _Members) -> list[int]:
    """Where the lists of cells begin: the only one, or in notebook format 3 that of each worksheet."""
    cells, place = top.get("cells", (None, Span(0, 0)))
    if isinstance(cells, list):
        return [place.start]
    sheets, place = top.get(_WORKSHEETS, (None, place))
    if not isinstance(sheets, list):
        raise BadNotebook("the notebook has no list of cells; convert it to notebook format 4")
    held = [_members(source, span.start) for _, span in _items(source, place.start)]
    lists = [sheet.get("cells", (None, place)) for sheet in held]
    return [where.start for cells, where in lists if isinstance(cells, list)]


def _is_of_python_2(top: _Members) -> bool:
    """Whether the notebook's metadata declare a kernel of Python 2. Notebook format 3 does not say: when it was in use,
    most were."""
    if _WORKSHEETS in top and "cells" not in top:
        return True
    metadata = top.get("metadata", ({}, None))[0]
    info, kernel = (_dict_in(metadata, key) for key in ("language_info", "kernelspec"))
    return str(info.get("version", "")).startswith("2.") or kernel.get("name") == "python2"


def _dict_in(metadata: object, key: str) -> dict[str, object]:
    """The dict under a key of a dict; an empty one if there is none."""
    held = metadata.get(key) if isinstance(metadata, dict) else None
    return held if isinstance(held, dict) else {}


def _raw_cell(source: str, span: Span, python: bool) -> _RawCell:
    if source[span.start] != "{":
        raise BadNotebook("a cell of the notebook is not a JSON object", span.start)
    cell = _members(source, span.start)
    lines, lines_span = cell.get("source", cell.get("input", ("", span)))
    if isinstance(lines, list) and all(isinstance(line, str) for line in lines):
        lines = "".join(lines)
    if not isinstance(lines, str):
        raise BadNotebook("the source of a cell is neither a string nor a list of strings", lines_span.start)
    own = _dict_in(cell.get("metadata", ({}, None))[0], "vscode").get("languageId")
    language = own if own is not None else cell.get("language", (None, None))[0]
    is_code = cell.get("cell_type", (None, None))[0] == "code"
    was_run = isinstance(cell.get("execution_count", cell.get("prompt_number", (None, None)))[0], int)
    return _RawCell(lines, lines_span, python and is_code and language in (None, "python"), was_run)


def _language(metadata: object) -> object:
    """The notebook's language, from its metadata, or None."""
    info, kernel = _dict_in(metadata, "language_info"), _dict_in(metadata, "kernelspec")
    if str(kernel.get("name")).startswith("sagemath"):
        return "sage"  # which says that it is Python
    name = info.get("name") if info else kernel.get("language")
    return name.lower() if isinstance(name, str) else None


def _skip_space(source: str, offset: int) -> int:
    match = _SPACE.match(source, offset)
    return match.end() if match else offset


def _members(source: str, start: int) -> _Members:
    """What the JSON object at `start` holds; nothing for another kind of value."""
    found: dict[str, tuple[object, Span]] = {}
    if source[start : start + 1] != "{":
        return found
    offset = _skip_space(source, start + 1)
    while source[offset] != "}":
        key, offset = _DECODER.raw_decode(source, offset)
        offset = _skip_space(source, _skip_space(source, offset) + 1)
        value, end = _DECODER.raw_decode(source, offset)
        found[str(key)] = value, Span(offset, end)
        offset = _skip_space(source, end)
        offset = _skip_space(source, offset + 1) if source[offset] == "," else offset
    return found


def _items(source: str, start: int) -> Iterator[tuple[object, Span]]:
    """Values and spans of the JSON array at `start`."""
    offset = _skip_space(source, start + 1)
    while source[offset] != "]":
        value, end = _DECODER.raw_decode(source, offset)
        yield value, Span(offset, end)
        offset = _skip_space(source, end)
        offset = _skip_space(source, offset + 1) if source[offset] == "," else offset


def _render(source: str, span: Span, text: str) -> str:
    """`text` as JSON in the style of the value at `span`; lines that were there keep their spelling."""
    ascii_only = source.isascii()
    if source[span.start] == '"':
        return json.dumps(text, ensure_ascii=ascii_only)
    items = list(_items(source, span.start))
    old, spans = [value for value, _ in items], [item for _, item in items]
    new = text.splitlines(keepends=True)
    if not new:
        return "[]"
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    spelled = {value: source[item.start : item.end] for value, item in items}
    middle = [spelled.get(line) or json.dumps(line, ensure_ascii=ascii_only) for line in new[head : len(new) - tail]]
    gaps = [source[one.end : other.start] for one, other in pairwise(spans)]
    separator = gaps[0] if gaps else "," + (source[span.start + 1 : spans[0].start] or " ")
    inner = separator.join(middle)
    if head and (middle or tail):
        inner = (gaps[head - 1] if head <= len(gaps) else separator) + inner
    if tail and middle:
        inner += gaps[-tail] if tail <= len(gaps) else separator
    before = source[span.start : spans[head - 1].end if head else spans[0].start]
    after = source[spans[-tail].start if tail else spans[-1].end : span.end]
    return before + inner + after


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many items two sequences have in common at their start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))
