"""What fails in lintpickle itself costs what it was looking at, and is said."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lintpickle.api import lint_paths, lint_source
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.cache.store import CacheStore
from lintpickle.commands import app
from lintpickle.defects import reports
from lintpickle.diagnostics import Defect, LintpickleError, Outcome
from lintpickle.engine import processes
from lintpickle.payload.components import Components
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.shipped import shipped_at
from lintpickle.program.module import Module
from lintpickle.rules.base import Hazard
from lintpickle.rules.lambda_attribute import LambdaAttribute
from lintpickle.rules.unguarded_worker_start import UnguardedWorkerStart
from lintpickle.settings import SettingsResolver

pytestmark = pytest.mark.defects
can_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

SCRIPT = """\
from torch.utils.data import DataLoader, Dataset


class {name}(Dataset):
    def __init__(self):
        self.key = lambda row: row

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return index


for batch in DataLoader({name}(), num_workers=2):
    print(batch)
"""
ALL = [("bad.py", "LP102"), ("bad.py", "LP203"), ("good.py", "LP102"), ("good.py", "LP203")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bad.py").write_text(SCRIPT.format(name="Bad"), encoding="utf-8")
    (tmp_path / "good.py").write_text(SCRIPT.format(name="Good"), encoding="utf-8")
    return tmp_path


@pytest.fixture
def broken_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """LP203 fails on bad.py, after it has called itself without end."""
    judge = UnguardedWorkerStart.module

    def fall(module: Module) -> Iterator[Hazard]:
        yield from fall(module)

    def module(self: UnguardedWorkerStart, module: Module, linker: Linker) -> Iterator[Hazard]:
        yield from fall(module) if module.path.endswith("bad.py") else judge(self, module, linker)

    monkeypatch.setattr(UnguardedWorkerStart, "module", module)


def _lint(folder: Path, jobs: int = 1, store: CacheStore | None = None) -> Outcome:
    resolver = SettingsResolver(cwd=folder, isolated=True)
    return lint_paths([str(folder)], resolver=resolver, jobs=jobs, store=store)


def _found(outcome: Outcome) -> list[tuple[str, str]]:
    return sorted((Path(each.location.path).name, each.code) for each in outcome.diagnostics)


def _check(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["check", "--isolated", "--no-cache", *options, str(folder)])


def test_nothing_fails(folder: Path) -> None:
    outcome = _lint(folder)
    assert _found(outcome) == ALL
    assert outcome.defects == ()


@pytest.mark.usefixtures("broken_rule")
def test_a_rule_that_fails_on_a_module_is_missing_there_alone(folder: Path) -> None:
    outcome = _lint(folder)
    assert _found(outcome) == [each for each in ALL if each != ("bad.py", "LP203")]
    [defect] = outcome.defects
    assert defect.path == str(folder / "bad.py")
    assert defect.task == "LP203 (unguarded-worker-start)"
    assert defect.error == "RecursionError"


@can_fork
@pytest.mark.usefixtures("broken_rule")
def test_the_same_is_said_by_several_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = _lint(folder)
    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 1)
    assert _lint(folder, jobs=2) == alone


def test_a_rule_that_fails_on_one_thing_finds_the_next(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = LambdaAttribute.crossing

    def crossing(self: LambdaAttribute, crossing: Crossing, linker: Linker) -> Iterator[Hazard]:
        for hazard in judge(self, crossing, linker):
            if crossing.path.startswith("dataset") and crossing.site.module.path.endswith("bad.py"):
                raise KeyError("key\nof two lines")
            yield hazard

    monkeypatch.setattr(LambdaAttribute, "crossing", crossing)
    outcome = _lint(folder)
    assert ("good.py", "LP102") in _found(outcome)
    assert [each.error for each in outcome.defects] == [r"KeyError: 'key\nof two lines'"]


def test_a_boundary_that_cannot_be_followed_is_missing_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(boundary: BoundaryCall, parts: Components) -> Iterator[Crossing]:
        if boundary.site.module.path.endswith("bad.py"):
            raise IndexError("no such piece")
        yield from shipped_at(boundary, parts)

    monkeypatch.setattr("lintpickle.payload.linker.shipped_at", broken)
    outcome = _lint(folder)
    assert _found(outcome) == ALL  # It is a Dataset still, which is made to cross.
    assert [(Path(each.path).name, each.task, each.error) for each in outcome.defects] == [
        ("bad.py", "linking", "IndexError: no such piece")
    ]


@pytest.mark.parametrize("error", [LintpickleError("no such thing"), KeyboardInterrupt()])
def test_what_is_no_defect_ends_the_run(error: BaseException, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def module(self: UnguardedWorkerStart, module: Module, linker: Linker) -> Iterator[Hazard]:
        raise error

    monkeypatch.setattr(UnguardedWorkerStart, "module", module)
    with pytest.raises(type(error)):
        _lint(folder)


@pytest.mark.usefixtures("broken_rule")
def test_a_text_alone() -> None:
    text = SCRIPT.format(name="Bad")
    outcome = lint_source(text, str(Path("bad.py").absolute()), resolver=SettingsResolver(isolated=True))
    assert [each.code for each in outcome.diagnostics] == ["LP102"]
    assert len(outcome.defects) == 1


@pytest.mark.usefixtures("broken_rule")
@pytest.mark.parametrize("options", [(), ("--exit-zero",), ("--quiet",)])
def test_the_command_line_says_so_and_exits_with_2(folder: Path, options: tuple[str, ...]) -> None:
    result = _check(folder, *options)
    assert result.exit_code == 2
    assert "good.py" in result.stdout
    assert "LP102" in result.stdout
    assert result.stderr.count("LP203 (unguarded-worker-start) failed on") == 1
    assert "defect of lintpickle: please report" in result.stderr


@pytest.mark.usefixtures("broken_rule")
def test_a_run_that_finds_nothing_does_not_pass(folder: Path) -> None:
    result = _check(folder, "--select", "LP203", "--exclude", "good.py")
    assert result.exit_code == 2
    assert "failed on" in result.stderr


def test_nothing_of_it_is_kept(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CacheStore(str(tmp_path_factory.mktemp("cache")))

    def module(self: UnguardedWorkerStart, module: Module, linker: Linker) -> Iterator[Hazard]:
        raise OSError("for now")

    with monkeypatch.context() as patched:
        patched.setattr(UnguardedWorkerStart, "module", module)
        assert len(_lint(folder, store=store).defects) == 2
    outcome = _lint(folder, store=store)
    assert _found(outcome) == ALL
    assert outcome.defects == ()


def test_one_line_for_all_files_with_the_same_defect() -> None:
    same = [Defect(f"/p/{name}.py", "LP203 (x)", "KeyError: 'a'", "lintpickle/a.py:3") for name in "bac"]
    other = Defect("", "linking", "KeyError: 'a'", "lintpickle/b.py:3")
    lines = [line.partition(". What")[0] for line in reports([*same, other, *same], "/p")]
    assert lines == [
        "LP203 (x) failed on a.py and 2 more files: KeyError: 'a' (lintpickle/a.py:3)",
        "linking failed: KeyError: 'a' (lintpickle/b.py:3)",
    ]
