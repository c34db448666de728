"""Comment lines and blank lines move what results name; the results are the same as those of a first run."""

from __future__ import annotations

import io
import random
import shutil
import tokenize
from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.cache.store import CacheStore
from lintpickle.engine.moves import Move
from lintpickle.settings import SettingsResolver
from lintpickle.source.comment_lines import gaps, only_statements
from tests.programs import EACH_IN_TURN

ROOT = Path(__file__).resolve().parents[2]
COMMENTS = ("# a lambda for the DataLoader\n", "\n", "    # set_epoch\n", "\n\n# one\n\n# two\n")
EDITS = 4
AT_ONCE = 2


def edited(text: str, chance: random.Random) -> str:
    """The text with a comment more somewhere, or one less."""
    lines = text.splitlines(keepends=True)
    fillers = [row for row, line in enumerate(lines) if line.strip() == "" or line.lstrip().startswith("#")]
    if fillers and chance.random() < 0.4:
        row = chance.choice(fillers)
        return "".join([*lines[:row], *lines[row + 1 :]])
    row = chance.randrange(len(lines) + 1)
    return "".join([*lines[:row], chance.choice(COMMENTS), *lines[row:]])


@pytest.mark.parametrize("path", sorted((ROOT / "lintpickle").rglob("*.py"))[::23], ids=lambda path: path.name)
def test_every_token_is_found_at_its_new_place(path: Path) -> None:
    chance = random.Random(path.name)
    before = path.read_text(encoding="utf-8")
    now = before
    for _ in range(20):
        after = edited(now, chance)
        now = after if only_statements(after) == only_statements(before) else now
    old_gaps, new_gaps = gaps(before), gaps(now)
    if old_gaps is None or new_gaps is None:  # A quote in a comment, say: no line counts as a comment line.
        assert only_statements(before) == before
        return
    move = Move(old_gaps, new_gaps)
    for (old_start, old_end, row), (new_start, new_end, new_row) in zip(places(before), places(now), strict=True):
        assert move.offset(old_start) == new_start
        assert move.offset(old_end) == new_end
        assert move.row(row) == new_row


def places(code: str) -> list[tuple[int, int, int]]:
    """The offsets of the tokens on one row, and their rows."""
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    left_out = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    return [
        (starts[each.start[0] - 1] + each.start[1], starts[each.end[0] - 1] + each.end[1], each.start[0])
        for each in tokenize.generate_tokens(io.StringIO(code).readline)
        if each.type not in left_out and each.start[0] == each.end[0]
    ]


@pytest.mark.parametrize("program", EACH_IN_TURN)
def test_after_comments_everything_is_told_at_its_new_place(program: Path, tmp_path: Path) -> None:
    chance = random.Random(program.name)
    project, store = tmp_path / "project", CacheStore(str(tmp_path / "cache"))
    shutil.copytree(program, project, symlinks=True)
    (tmp_path / "_environment").symlink_to(program.parent / "_environment")
    resolver = SettingsResolver(cwd=project, overrides={"pedantic": True})
    lint_paths([str(project)], resolver=resolver, store=store)
    paths = sorted(project.rglob("*.py"))
    for _ in range(0, EDITS, AT_ONCE):
        for path in chance.choices(paths, k=AT_ONCE):
            path.write_text(edited(path.read_text(), chance))
        found = lint_paths([str(project)], resolver=resolver, store=store)
        assert found == lint_paths([str(project)], resolver=resolver)
