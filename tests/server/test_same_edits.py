"""The edits that the language server, the command line and the JSON format give are the same edits."""

from __future__ import annotations

import codecs
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

lsp = pytest.importorskip("lsprotocol.types")
pytest.importorskip("pygls")

from lintpickle.api import FixMode, lint_paths  # noqa: E402
from lintpickle.diagnostics import Edit, Position, Span  # noqa: E402
from lintpickle.fixes.edits import apply_edits  # noqa: E402
from lintpickle.report import ReportContext, render  # noqa: E402
from lintpickle.server.buffers import Buffer, CellText, file_buffer, notebook_buffer  # noqa: E402
from lintpickle.server.client import Client, ClientSettings  # noqa: E402
from lintpickle.server.convert import ClientConverter  # noqa: E402
from lintpickle.server.live_project import LiveProject  # noqa: E402
from lintpickle.server.positions import Units  # noqa: E402
from lintpickle.server.projects import Projects  # noqa: E402
from lintpickle.settings import SettingsResolver  # noqa: E402
from lintpickle.source.document import Document, read_document  # noqa: E402
from tests.server.editing import applied  # noqa: E402

IMPORTS = "import torch\nfrom torch.utils.data import DataLoader, Dataset\n"
HEAD = "class Frames(Dataset):\n    def __init__(self):\n        pass\n"
TAIL = "\n    def __getitem__(self, i):\n        return i\n"
USE = "DataLoader(Frames(), num_workers=2)\n"
MENDED = [
    "        self.names = {}.keys()\n",
    "        self.né = 'é😋'; self.values = {'😋': 1}.values()\n",
    "        self.items = dict(\n            a=1,\n        ).items()\n",
    "        self.mended = lambda é: '😋'\n",
]
OTHERS = [
    "        # \x0c a form feed, \u2028 and a separator\n",
    "\x0c\n",
    "        self.plain = 1\n",
]
DEFINED = "def _mended"
"""What mends the lambda. In a notebook it is told in its turn (LP204: no worker has it), so nothing is mended by it."""
INEXACT = "\x0c        self.fed = 2\n"
"""libcst does not give such a row back: in its class nothing is mended."""

rows = st.lists(st.sampled_from([*MENDED, *OTHERS, INEXACT]), min_size=1, max_size=6)
encodings = st.sampled_from(["utf-8", "utf-16", "utf-32"])
newlines = st.sampled_from(["\n", "\r\n", "\r"])
often = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def texts(draw: st.DrawFn) -> tuple[list[str], str]:
    """The rows of a class, and a file with it: with one kind of newline, or all kinds."""
    chosen = draw(rows)
    text = f"{IMPORTS}\n\n{HEAD}{''.join(chosen)}{TAIL}\n\n{USE}"
    if draw(st.booleans()):
        return chosen, text.replace("\n", draw(newlines))
    return chosen, "".join(row + draw(newlines) for row in text.split("\n")[:-1])


@often
@given(texts(), st.booleans(), encodings)
def test_fixing_all(drawn: tuple[list[str], str], bom: bool, encoding: str) -> None:
    chosen, text = drawn
    with tempfile.TemporaryDirectory() as folder:
        path = _write(Path(folder), text, bom)
        before = path.read_bytes()
        buffer, project, converter = _opened(path, encoding)
        edits = converter.edits(buffer, project.fixed(buffer)).get(buffer.uri, [])
        in_editor = applied(before.decode(), edits, encoding).encode()
        _fix_on_disk(path)
        assert in_editor == path.read_bytes()
        assert (in_editor != before) == (any(row in MENDED for row in chosen) and INEXACT not in chosen)


@often
@given(texts(), st.booleans(), encodings)
def test_each_quick_fix(drawn: tuple[list[str], str], bom: bool, encoding: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = _write(Path(folder), drawn[1], bom)
        before = path.read_bytes().decode()
        document = read_document(path)
        by_json = _json(path)
        buffer, project, converter = _opened(path, encoding)
        [result] = project.whole([buffer])
        shown = converter.shown(result, True)
        assert len(shown.findings) == len(by_json)
        results = []
        for finding, item in zip(shown.findings, by_json, strict=True):
            assert (finding.diagnostic.code, finding.diagnostic.message) == (item["code"], item["message"])
            if item["fix"] is None:
                assert finding.diagnostic.fix is None
                continue
            assert finding.diagnostic.fix is not None
            edits = converter.edits(buffer, finding.diagnostic.fix.edits)[buffer.uri]
            expected = ("\ufeff" if bom else "") + apply_edits(document.text, _json_edits(document, item))
            assert applied(before, edits, encoding) == expected
            results.append(expected)
        _fix_on_disk(path)
        if len(by_json) == 1 and results:
            assert path.read_bytes().decode() == results[0]


@st.composite
def notebooks(draw: st.DrawFn) -> list[tuple[str, str]]:
    """The cells of a notebook: kinds and sources."""
    newline = draw(newlines)
    magic = draw(st.sampled_from(["", "%matplotlib inline\n", "!ls 😋\nfiles = !ls\n"]))
    cells = [
        ("markdown", "# é 😋\nself.names = {}.keys()\n"),
        ("code", IMPORTS),
        ("code", f"{magic}{HEAD}{''.join(draw(rows))}{TAIL}"),
        ("code", "%%bash\necho {}.keys()"),
        ("code", ""),
        ("code", f"import torch\nother = 'é😋'; {USE}"),
    ]
    kept = [cell for number, cell in enumerate(cells) if number in (1, 2, 5) or draw(st.booleans())]
    bare = draw(st.booleans())
    return [(kind, (text.rstrip("\n") if bare else text).replace("\n", newline)) for kind, text in kept]


@often
@given(notebooks(), st.booleans(), st.booleans(), encodings)
def test_notebooks(cells: list[tuple[str, str]], joined: bool, ascii_only: bool, encoding: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve() / "frames.ipynb"
        (path.parent / "pyproject.toml").touch()
        path.write_bytes(_notebook(cells, joined, ascii_only))
        document = read_document(path)
        by_json = _json(path)
        buffer, project, converter = _opened_notebook(path, cells, encoding)
        [result] = project.whole([buffer])
        shown = converter.shown(result, True)
        named = [(finding.diagnostic.code, finding.diagnostic.location.cell) for finding in shown.findings]
        assert named == [(item["code"], item["cell"]) for item in by_json]
        results = []
        for finding, item in zip(shown.findings, by_json, strict=True):
            if item["fix"] is None:
                assert finding.diagnostic.fix is None
                continue
            assert finding.diagnostic.fix is not None
            sources = _in_editor(cells, converter.edits(buffer, finding.diagnostic.fix.edits), encoding)
            assert sources == _sources(document.encode_edits(_json_edits(document, item)))
            results.append(sources)
        sources = _in_editor(cells, converter.edits(buffer, project.fixed(buffer)), encoding)
        _fix_on_disk(path)
        assert sources == _sources(path.read_bytes())
        useful = [each for each in results if not any(DEFINED in text for text in each)]
        assert (sources != [text for _, text in cells]) == bool(useful)
        if len(by_json) == 1 and useful:
            assert sources == useful[0]


def _notebook(cells: Sequence[tuple[str, str]], joined: bool, ascii_only: bool) -> bytes:
    written: list[dict[str, Any]] = [
        {"cell_type": kind, "metadata": {}, "source": text if joined else text.splitlines(keepends=True)}
        for kind, text in cells
    ]
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": written}
    return (json.dumps(whole, indent=1, ensure_ascii=ascii_only) + "\n").encode()


def _sources(notebook: bytes) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(notebook)["cells"]]


def _in_editor(cells: Sequence[tuple[str, str]], edits: dict[str, list[Any]], encoding: str) -> list[str]:
    return [applied(text, edits.get(f"cell:{number}", ()), encoding) for number, (_, text) in enumerate(cells, 1)]


def _write(folder: Path, text: str, bom: bool) -> Path:
    (folder / "pyproject.toml").touch()
    path = folder.resolve() / "frames.py"
    path.write_bytes((codecs.BOM_UTF8 if bom else b"") + text.encode())
    return path


def _fix_on_disk(path: Path) -> None:
    lint_paths([str(path)], resolver=SettingsResolver(cwd=path.parent), fix=FixMode.WRITE)


def _json(path: Path) -> list[dict[str, Any]]:
    """What `--output-format json` says of a file."""
    outcome = lint_paths([str(path)], resolver=SettingsResolver(cwd=path.parent))
    context = ReportContext(cwd=path.parent, source=lambda _: read_document(path))
    found: list[dict[str, Any]] = json.loads(render("json", outcome, context))
    return found


def _json_edits(document: Document, item: dict[str, Any]) -> list[Edit]:
    def offset(edit: dict[str, Any], end: str) -> int:
        return document.offset(Position(edit[end]["row"], edit[end]["column"]), edit["cell"])

    edits = item["fix"]["edits"]
    return [Edit(Span(offset(each, "location"), offset(each, "end_location")), each["content"]) for each in edits]


def _opened(path: Path, encoding: str) -> tuple[Buffer, LiveProject, ClientConverter]:
    return _live(path, file_buffer(path.as_uri(), str(path), path.read_bytes().decode(), 1), encoding)


def _opened_notebook(
    path: Path, cells: Sequence[tuple[str, str]], encoding: str
) -> tuple[Buffer, LiveProject, ClientConverter]:
    texts = [
        CellText(f"cell:{number}", text, 1, kind == "code", "python" if kind == "code" else "markdown")
        for number, (kind, text) in enumerate(cells, 1)
    ]
    return _live(path, notebook_buffer(path.as_uri(), str(path), texts), encoding)


def _live(path: Path, buffer: Buffer, encoding: str) -> tuple[Buffer, LiveProject, ClientConverter]:
    project = Projects(ClientSettings(), [path.parent], lambda: None).of(str(path))
    return (
        buffer,
        project,
        ClientConverter(Client(data=True), Units(encoding), {str(path): buffer}.get, project.document),
    )
