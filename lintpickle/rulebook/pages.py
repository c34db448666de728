"""The rule book: one Markdown page per rule, which is documentation, test and proof at once.

A page is named after its rule (`LP101-dict-view-attribute.md`) and looks like this:

* the first line is `# LP101: dict-view-attribute`, the next one `fix: safe`, `fix: unsafe` or `fix: none`;
* the sections of `HEADINGS`, in that order;
* fenced blocks with the info string `python bad`, `python fixed`, `python good` or `python proof`, each with
  an optional id (`python bad=values`). A comment `# LP101` (or `# LP101, LP102`) at the end of a line of a bad block
  marks the diagnostics expected there; it is not part of the code;
* errors on lines of their own, indented by four spaces, in the words of Python 3.11; if the newest Python words an
  error differently, that version must be on the page too;
* a table in *Proof* that says what the real library does with the blocks under every start method.

Rows are 1-based and count in the file that a message names.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from lintpickle.diagnostics import Applicability, LintpickleError, StartMethod

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

HEADINGS = (
    "What it finds",
    "Why it breaks",
    "Example",
    "Use instead",
    "Proof",
    "Fix safety",
    "Known gaps",
    "References",
)
BLOCK_KINDS = ("bad", "fixed", "good", "proof")
OWN_FAMILY = "LP9"
"""Rules about suppression comments and unreadable files: nothing crosses a boundary, nothing to prove."""

_FILE = re.compile(r"(LP\d{3})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md")
_FIX_LINE = re.compile(r"fix: (safe|unsafe|display|none)")
_FENCE = re.compile(r"(`{3,}|~{3,})\s*(.*)")
_INFO = re.compile(rf"python (?P<kind>{'|'.join(BLOCK_KINDS)})(?:=(?P<id>[a-z0-9-]+))?")
_MARK = re.compile(r"[ \t]*#[ ]*(LP\d{3}(?:,[ ]*LP\d{3})*)[ \t]*$")


class PageBlock(Struct, frozen=True):
    """An executable block of a page.

    `kind` is one of `BLOCK_KINDS`, `id` the word after `=` in the info string or "". `code` is the text
    without the marks of expected diagnostics; `expected` holds those: (row in `code`, rule code), in order.
    `row` is the row in the page of the first line of code.
    """

    kind: str
    id: str
    code: str
    expected: tuple[tuple[int, str], ...]
    row: int

    @property
    def label(self) -> str:
        """How proof tables and messages name the block: `bad` or `bad=values`."""
        return f"{self.kind}={self.id}" if self.id else self.kind


class ProofRow(Struct, frozen=True):
    """What the real library does with the block `label` (`bad`, `fixed=values`) under each start method."""

    label: str
    outcomes: Mapping[StartMethod, str]
    row: int


class Page(Struct, frozen=True):
    """One page of the rule book.

    `title` is the first line without its `#`. `summary` is the first paragraph of *What it finds*, on one
    line. `fix` says who may apply the fix shown in the `fixed` blocks; None if there is no fix. `text` is the
    whole page, `path` where it was read, `sections` maps each heading to its Markdown.
    """

    code: str
    name: str
    title: str
    fix: Applicability | None
    summary: str
    text: str
    path: str
    sections: Mapping[str, str]
    blocks: tuple[PageBlock, ...]
    proof: tuple[ProofRow, ...]

    def of_kind(self, kind: str) -> tuple[PageBlock, ...]:
        """The blocks of one kind, in the order of the page."""
        return tuple(block for block in self.blocks if block.kind == kind)

    def block(self, kind: str, id: str) -> PageBlock | None:
        """The block with this kind and id, or None."""
        return next((block for block in self.blocks if (block.kind, block.id) == (kind, id)), None)


def rules_root() -> Traversable:
    """The folder with the rule pages: inside the installed package, or beside it in a checkout.

    Raises LintpickleError if neither is there.
    """
    packaged = files("lintpickle").joinpath("_rules")
    if packaged.is_dir():
        return packaged
    checkout = Path(__file__).resolve().parents[2] / "rules"
    if checkout.is_dir():
        return checkout
    raise LintpickleError("the rule pages are missing from this installation; reinstall lintpickle")


def load_pages() -> tuple[Page, ...]:
    """Every page, sorted by code. Raises LintpickleError, naming page and line, if one is malformed."""
    entries = _entries()
    pages = tuple(parse_page(entry.read_text(encoding="utf-8"), str(entry)) for entry in entries.values())
    known = {page.code for page in pages}
    for page in pages:
        for block in page.blocks:
            for row, code in block.expected:
                if code not in known:
                    raise _error(page.path, block.row + row - 1, f"{code} has no page; correct the mark")
    return pages


def page_for(code_or_name: str) -> Page:
    """The page of a rule named by its code (any case) or its name.

    Raises LintpickleError, with the nearest match, if there is no such rule.
    """
    entries = _entries()
    wanted = code_or_name.strip()
    for (code, name), entry in entries.items():
        if wanted.upper() == code or wanted.lower() == name:
            return parse_page(entry.read_text(encoding="utf-8"), str(entry))
    words = {word.lower(): word for key in entries for word in key}
    near = difflib.get_close_matches(wanted.lower(), words, n=1)
    hint = f"did you mean {words[near[0]]}?" if near else "`lintpickle rule --all` lists the rules"
    raise LintpickleError(f"unknown rule {code_or_name!r}: {hint}")


def parse_page(text: str, path: str) -> Page:
    """The page in `text`; `path` names it in messages. Raises LintpickleError if it is malformed."""
    code, name = _file_key(path)
    lines = text.splitlines()
    title = f"{code}: {name}"
    if not lines or lines[0] != f"# {title}":
        raise _error(path, 1, f"the first line must be '# {title}'")
    fix, fix_row = _fix_line(lines, path)
    sections, rows = _sections(lines, fix_row, path)
    summary = " ".join(sections["What it finds"].split("\n\n")[0].split())
    if not summary:
        raise _error(path, rows["What it finds"], "'What it finds' must begin with a paragraph")
    blocks = _blocks(lines, path)
    proof = tuple(_proof_rows(lines, rows["Proof"], blocks, path)) if "Proof" in rows else ()
    if not proof and _needs_proof(path) and "Not proved here" not in sections["Proof"]:
        raise _error(path, rows["Proof"], "the section needs a table, or 'Not proved here' with a source")
    return Page(code, name, title, fix, summary, text, path, sections, blocks, proof)


def _entries() -> dict[tuple[str, str], Traversable]:
    found = {}
    for entry in rules_root().iterdir():
        if match := _FILE.fullmatch(entry.name):
            found[match[1], match[2]] = entry
    return dict(sorted(found.items()))


def _file_key(path: str) -> tuple[str, str]:
    match = _FILE.fullmatch(re.split(r"[/\\]", path)[-1])
    if match is None:
        raise LintpickleError(f"{path}: a rule page is named like LP101-dict-view-attribute.md")
    return match[1], match[2]


def _fix_line(lines: list[str], path: str) -> tuple[Applicability | None, int]:
    row, line = next(((row, line) for row, line in enumerate(lines[1:], 2) if line.strip()), (2, ""))
    match = _FIX_LINE.fullmatch(line.strip())
    if match is None:
        raise _error(path, row, "the title must be followed by 'fix: safe', 'fix: unsafe' or 'fix: none'")
    return (None if match[1] == "none" else Applicability(match[1])), row


def _sections(lines: list[str], start: int, path: str) -> tuple[dict[str, str], dict[str, int]]:
    """Heading -> text, and heading -> row. `start` is the row of the fix line."""
    rows: dict[str, int] = {}
    for row, line in _outside_blocks(lines, path):
        if line.startswith("## "):
            if line[3:].strip() in rows:
                raise _error(path, row, f"'{line}' stands twice")
            rows[line[3:].strip()] = row
    required = [name for name in HEADINGS if name != "Proof" or "Proof" in rows or _needs_proof(path)]
    for heading in required:
        if heading not in rows:
            raise _error(path, start, f"the heading '## {heading}' is missing")
    if list(rows) != required:
        stray = next(got for got, want in zip(rows, [*required, ""], strict=False) if got != want)
        raise _error(path, rows[stray], f"'## {stray}' is out of place; the order is {', '.join(required)}")
    ends = [row - 1 for row in list(rows.values())[1:]] + [len(lines)]
    spans = zip(rows.items(), ends, strict=True)
    return {name: "\n".join(lines[row:end]).strip() for (name, row), end in spans}, rows


def _needs_proof(path: str) -> bool:
    return not _file_key(path)[0].startswith(OWN_FAMILY)


def _outside_blocks(lines: list[str], path: str) -> Iterator[tuple[int, str]]:
    """Row and text of the lines that stand in no fenced block."""
    inside = {row for start, end, _ in _fences(lines, path) for row in range(start, end + 1)}
    return ((row, line) for row, line in enumerate(lines, 1) if row not in inside)


def _fences(lines: list[str], path: str) -> Iterator[tuple[int, int, str]]:
    """(row of the opening fence, row of the closing one, info string) of each fenced block."""
    opened: tuple[int, str, str] | None = None
    for row, line in enumerate(lines, 1):
        match = _FENCE.fullmatch(line)
        if match is None:
            continue
        if opened is None:
            opened = (row, match[1], match[2].strip())
        elif match[1] == opened[1] and not match[2]:
            yield opened[0], row, opened[2]
            opened = None
    if opened is not None:
        raise _error(path, opened[0], "this block is never closed")


def _blocks(lines: list[str], path: str) -> tuple[PageBlock, ...]:
    blocks: list[PageBlock] = []
    for start, end, info in _fences(lines, path):
        match = _INFO.fullmatch(info)
        if match is None:
            if info.startswith("python "):
                raise _error(path, start, f"unknown block {info!r}; known kinds are {', '.join(BLOCK_KINDS)}")
            continue
        block = _block(match["kind"], match["id"] or "", lines[start : end - 1], start + 1)
        if any(other.label == block.label for other in blocks):
            raise _error(path, start, f"there are two blocks {block.label!r}; give one an id ('bad=other')")
        if block.expected and block.kind != "bad":
            raise _error(path, block.row + block.expected[0][0] - 1, "only bad blocks can expect diagnostics")
        if block.kind == "bad" and not block.expected:
            raise _error(path, start, "a bad block needs a line that ends with the code it expects")
        blocks.append(block)
    for block in blocks:
        if block.kind == "fixed" and not any(b.kind == "bad" and b.id == block.id for b in blocks):
            raise _error(path, block.row - 1, f"{block.label!r} has no bad block with the same id")
    return tuple(blocks)


def _block(kind: str, id: str, lines: list[str], row: int) -> PageBlock:
    code: list[str] = []
    expected: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        match = _MARK.search(line)
        if match:
            expected += [(number, mark) for mark in re.findall(r"LP\d{3}", match[1])]
            line = line[: match.start()]
        code.append(line)
    return PageBlock(kind, id, "".join(f"{line}\n" for line in code), tuple(expected), row)


def _proof_rows(lines: list[str], heading: int, blocks: tuple[PageBlock, ...], path: str) -> Iterator[ProofRow]:
    header = ["block", *(method.value for method in StartMethod)]
    labels = {block.label for block in blocks if block.kind != "proof"}
    drivers = {block.id for block in blocks if block.kind == "proof"}
    table: list[tuple[int, list[str]]] = []
    for row, line in _outside_blocks(lines, path):
        if row <= heading:
            continue
        if line.startswith("## "):
            break
        if line.startswith("|"):
            table.append((row, [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]))
    if table and table[0][1] != header:
        raise _error(path, table[0][0], f"the proof table must begin with | {' | '.join(header)} |")
    for row, cells in table[2:]:  # below the header stands the line of dashes
        if len(cells) != len(header) or not all(cells):
            raise _error(path, row, f"a row of the proof table has {len(header)} cells, none of them empty")
        if cells[0] not in labels:
            raise _error(path, row, f"the page has no block {cells[0]!r}; it has {', '.join(sorted(labels))}")
        if not drivers & {cells[0].partition("=")[2], ""}:
            raise _error(path, row, f"no 'python proof' block drives {cells[0]!r}")
        yield ProofRow(cells[0], dict(zip(StartMethod, cells[1:], strict=True)), row)


def _error(path: str, row: int, message: str) -> LintpickleError:
    return LintpickleError(f"{path}:{row}: {message}")
