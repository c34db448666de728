"""After a change, judging only what it can make a difference for gives what judging everything gives."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lintpickle.diagnostics import Diagnostic
from lintpickle.engine import scheduler
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover
from lintpickle.source.document import document_from_text

from .programs import EACH_IN_TURN

_STATEMENT = re.compile(r"^(?=[^\s#)\]}])", re.MULTILINE)
_EDITS = 4


def _project(root: Path, resolver: SettingsResolver) -> Project:
    files = tuple(str(path) for path in discover([str(root)], resolver).files)
    return Project(root, resolver.for_folder(root), files)


def _versions(text: str, chance: random.Random) -> Iterator[str]:
    """A text as it may look when somebody works on it."""
    pieces = _STATEMENT.split(text)
    for _ in range(_EDITS):
        at = chance.randrange(len(pieces))
        yield chance.choice(
            (
                "".join([*pieces[:at], *pieces[at + 1 :]]),
                "".join([*pieces[:at], "import os\n", *pieces[at:]]),
                text.replace("lambda", "len or (lambda", 1).replace(":", "):", 1),
                text.replace("lambda ", "print or lambda ").replace("DataLoader(", "dict("),
                text.replace("num_workers=", "num_workers=0 and "),
                text.replace("def __init__", "def __init"),
                text.replace("spawn", "fork"),
                re.sub(r"(class \w+)\([^)]*\)", r"\1", text),
                text + "\n\ndef more():\n    return open('more')\n",
            )
        )
        yield text


@pytest.mark.parametrize("program", EACH_IN_TURN)
def test_judging_again_gives_what_judging_everything_gives(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "MOST_JUDGED_AGAIN", 10)
    chance = random.Random(program.name)
    resolver = SettingsResolver(isolated=True)
    project = _project(program, resolver)
    analysis = Analysis(project, resolver)
    whole = analysis.diagnostics()
    sources = [path for path in project.reported if path.endswith(".py")]
    texts = {path: Path(path).read_text() for path in sources}
    for path in chance.sample(sources, min(3, len(sources))):
        expected: dict[str, dict[str, list[Diagnostic]]] = {texts[path]: whole}
        for version in _versions(texts[path], chance):
            overlay = {path: document_from_text(version, path)}
            if version not in expected:
                expected[version] = Analysis(project, resolver).diagnostics(overlay)
            assert analysis.diagnostics(overlay) == expected[version]
