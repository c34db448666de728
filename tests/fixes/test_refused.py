"""Fixes that are tried and do not hold, as front ends see them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from lintpickle.api import FixMode, lint_paths
from lintpickle.diagnostics import Applicability
from lintpickle.settings import SettingsResolver

from ..support import lint

_CHOICE = """\
from torch.utils.data import Dataset


class Step(Dataset):
    def __init__(self, flat):
        super().__init__()
        self.shape = self.shape_for(flat)

    def shape_for(self, flat):
        def flattened(batch):
            return batch.flatten()

        def whole(batch):
            return batch

        if flat:
            return flattened
        return whole
"""
"""When `flattened` is no problem any more, `whole` is one in its place."""


def test_a_fix_that_was_refused_is_not_offered_again() -> None:
    (before,) = lint(_CHOICE).diagnostics
    assert before.fix is not None and before.fix.applicability is Applicability.SAFE
    outcome = lint(_CHOICE, fix=True)
    (after,) = outcome.diagnostics
    assert after.fix is not None and after.fix.applicability is Applicability.DISPLAY
    assert outcome.changes == ()


def test_a_run_says_that_fixes_were_refused(tmp_path: Path) -> None:
    path = tmp_path / "step.py"
    path.write_text(_CHOICE, encoding="utf-8")
    resolver = SettingsResolver(cwd=tmp_path, isolated=True)
    outcome = lint_paths([str(path)], resolver=resolver, fix=FixMode.WRITE)
    assert "step.py: a fix was tried and left out: the file would have other problems instead" in outcome.notices
    assert [each.fix.applicability for each in outcome.diagnostics if each.fix] == [Applicability.DISPLAY]
    assert path.read_text(encoding="utf-8") == _CHOICE


def test_a_fix_may_move_what_else_stands_in_the_file(tmp_path: Path) -> None:
    """A message that names a line would count as a new problem when a fix adds an import."""
    path = tmp_path / "train.py"
    path.write_text(
        dedent(
            """
            from torch.utils.data import DataLoader, Dataset


            class Clips(Dataset):
                def __init__(self):
                    self.key = lambda clip: clip.name


            loader = DataLoader(Clips(), num_workers=2, multiprocessing_context="spawn")
            for clip in loader:
                print(clip)
            """
        ),
        encoding="utf-8",
    )
    outcome = lint_paths([str(path)], resolver=SettingsResolver(cwd=tmp_path, isolated=True), fix=FixMode.WRITE)
    assert not outcome.notices
    assert 'self.key = operator.attrgetter("name")' in path.read_text(encoding="utf-8")
