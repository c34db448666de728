"""The edits that the language server, the command line and the JSON format give are the same edits."""

from __future__ import annotations

import codecs
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

lsp = pytest.importorskip("lsprotocol.types")
pytest.importorskip("pygls")

from lintpickle.api import FixMode, lint_paths  # noqa: E402
from lintpickle.diagnostics import Edit, Position, Span  # noqa: E402
from lintpickle.report import ReportContext, render  # noqa: E402
from lintpickle.server.buffers import Buffer, file_buffer  # noqa: E402
from lintpickle.server.client import Client, ClientSettings  # noqa: E402
from lintpickle.server.convert import Converter  # noqa: E402
from lintpickle.server.positions import Units  # noqa: E402
from lintpickle.server.projects import LiveProject, Projects  # noqa: E402
from lintpickle.settings import SettingsResolver  # noqa: E402
from lintpickle.source.document import Document, apply_edits, read_document  # noqa: E402
from tests.server.editing import applied  # noqa: E402

HEAD = "import torch\nfrom torch.utils.data import DataLoader, Dataset\n\n\nclass Frames(Dataset):\n"
TAIL = "\n    def __getitem__(self, i):\n        return i\n\n\nDataLoader(Frames(), num_workers=2)\n"
ROWS = [
    "        self.names = {}.keys()\n",
    "        self.né = 'é😋'; self.values = {'😋': 1}.values()\n",
    "        # \x0c a form feed, \u2028 and a separator\n",
    "        self.items = dict(\n            a=1,\n        ).items()\n",
    "\x0c\n",
    "        self.plain = 1\n",
]
texts = st.lists(st.sampled_from(ROWS), min_size=1, max_size=6).map(
    lambda rows: HEAD + "    def __init__(self):\n        pass\n" + "".join(rows) + TAIL
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_fixing_all(text: str, newline: str, bom: bool, encoding: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = _write(Path(folder), text.replace("\n", newline), bom)
        before = path.read_bytes()
        buffer, project, converter = _opened(path, encoding)
        edits = converter.edits(buffer, project.fixed(buffer)).get(buffer.uri, [])
        in_editor = applied(before.decode(), edits, encoding).encode()
        lint_paths([str(path)], resolver=SettingsResolver(cwd=path.parent), fix=FixMode.WRITE)
        assert in_editor == path.read_bytes()
        # libcst does not read lone carriage returns exactly, so nothing is fixed in such a file.
        assert (in_editor != before) == (
            newline != "\r" and ("keys()" in text or "items()" in text or "😋': 1" in text)
        )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_each_quick_fix(text: str, newline: str, bom: bool, encoding: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = _write(Path(folder), text.replace("\n", newline), bom)
        before = path.read_bytes().decode()
        buffer, project, converter = _opened(path, encoding)
        document = read_document(path)
        resolver = SettingsResolver(cwd=path.parent)
        outcome = lint_paths([str(path)], resolver=resolver)
        context = ReportContext(cwd=path.parent, source=lambda _: document)
        by_json = json.loads(render("json", outcome, context))
        [result] = project.whole([buffer])
        shown = converter.shown(result, True)
        assert len(shown.findings) == len(by_json)
        for finding, item in zip(shown.findings, by_json, strict=True):
            assert (finding.diagnostic.code, finding.diagnostic.message) == (item["code"], item["message"])
            if item["fix"] is None:
                assert finding.diagnostic.fix is None
                continue
            assert finding.diagnostic.fix is not None
            edits = converter.edits(buffer, finding.diagnostic.fix.edits)[buffer.uri]
            json_edits = [
                Edit(Span(_offset(document, e["location"]), _offset(document, e["end_location"])), e["content"])
                for e in item["fix"]["edits"]
            ]
            expected = ("\ufeff" if bom else "") + apply_edits(document.text, json_edits)
            assert applied(before, edits, encoding) == expected


def _write(folder: Path, text: str, bom: bool) -> Path:
    (folder / "pyproject.toml").touch()
    path = folder.resolve() / "frames.py"
    path.write_bytes((codecs.BOM_UTF8 if bom else b"") + text.encode())
    return path


def _opened(path: Path, encoding: str) -> tuple[Buffer, LiveProject, Converter]:
    buffer = file_buffer(path.as_uri(), str(path), path.read_bytes().decode(), 1)
    project = Projects(ClientSettings(), [path.parent], lambda: None).of(str(path))
    converter = Converter(Client(data=True), Units(encoding), {str(path): buffer}.get, project.document)
    return buffer, project, converter


def _offset(document: Document, place: dict[str, int]) -> int:
    return document.offset(Position(place["row"], place["column"]))
