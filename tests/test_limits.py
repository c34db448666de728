"""What lintpickle does not follow any more is told: which limit, where, how often."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from lintpickle.api import lint_paths
from lintpickle.cache.store import CacheStore
from lintpickle.commands import app
from lintpickle.diagnostics import Outcome
from lintpickle.engine import processes
from lintpickle.limits import CALLERS, CROSSINGS, LIMITS, Cut, merged
from lintpickle.report.cuts import cut_remarks
from lintpickle.settings import SettingsResolver

can_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
SAVE = "import pickle\n\n\ndef save(thing):\n    return pickle.dumps(thing)\n"
USE = "from save import save\n\nsave({0})\n"


def _folder(path: Path, callers: int) -> Path:
    (path / "save.py").write_text(SAVE, encoding="utf-8")
    for number in range(callers):
        (path / f"use{number:02}.py").write_text(USE.format(number), encoding="utf-8")
    return path


def _lint(folder: Path, jobs: int = 1, store: CacheStore | None = None) -> Outcome:
    resolver = SettingsResolver(cwd=folder, isolated=True)
    return lint_paths([str(folder)], resolver=resolver, jobs=jobs, store=store)


def _check(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["check", "--isolated", *options, str(folder)])


def test_few_callers_are_all_followed(tmp_path: Path) -> None:
    assert _lint(_folder(tmp_path, CALLERS.most - 1)).cuts == ()


def test_many_callers_are_told_at_the_function(tmp_path: Path) -> None:
    outcome = _lint(_folder(tmp_path, CALLERS.most + 6))
    assert {(cut.limit, Path(cut.path).name, cut.row) for cut in outcome.cuts} == {
        ("callers", "save.py", 4),  # the function, whose callers were not all looked for
        ("callers", "save.py", 5),  # the boundary in it, which was not followed for all of them
    }


@can_fork
def test_several_processes_tell_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = _lint(_folder(tmp_path, CALLERS.most + 6))
    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 1)
    assert alone.cuts
    assert _lint(tmp_path, jobs=2).cuts == alone.cuts


def test_a_run_that_knows_an_earlier_one_tells_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    _folder(folder, CALLERS.most + 6)
    store = CacheStore(str(tmp_path / "cache"))
    first, second = _lint(folder, store=store), _lint(folder, store=store)
    (folder / "use00.py").write_text("print()\n", encoding="utf-8")
    third = _lint(folder, store=store)
    assert first.cuts
    assert first.cuts == second.cuts == third.cuts


def test_what_is_no_longer_reached_is_no_longer_told(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    _folder(folder, CALLERS.most)
    store = CacheStore(str(tmp_path / "cache"))
    assert _lint(folder, store=store).cuts
    (folder / "save.py").write_text(SAVE.replace("thing)", "thing, more=1)"), encoding="utf-8")
    (folder / "use00.py").write_text("print()\n", encoding="utf-8")
    assert _lint(folder, store=store).cuts == ()


@pytest.mark.parametrize(("most", "limits"), [(5, {"crossings"}), (6, set())])
def test_what_crosses_beyond_the_limit_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, limits: set[str]
) -> None:
    monkeypatch.setattr("lintpickle.payload.payload.CROSSINGS", replace(CROSSINGS, most=most))
    (tmp_path / "six.py").write_text("import pickle\n\npickle.dumps([len, [1], [2]])\n", encoding="utf-8")
    assert {cut.limit for cut in _lint(tmp_path).cuts} == limits


def test_it_is_told_to_those_who_ask(tmp_path: Path) -> None:
    _folder(tmp_path, CALLERS.most + 6)
    line = f"limit callers reached at {os.path.relpath(tmp_path / 'save.py')}:5, 1 time: at most 24 call sites"
    assert line in _check(tmp_path, "--no-cache", "--verbose").stderr
    assert "limit" not in _check(tmp_path, "--no-cache").stderr
    assert "Limits were reached: callers " in _check(tmp_path, "--no-cache", "--profile").stderr


def test_many_places_are_told_in_one_line() -> None:
    cuts = [Cut("depth", f"/code/m{number}.py", 7, 2) for number in range(8)]
    lines = list(cut_remarks([*cuts, *cuts], "/code"))
    assert len(lines) == 6
    assert lines[0].startswith("limit depth reached at m0.py:7, 2 times: at most 9 nested calls")
    assert lines[-1] == "limit depth reached at 3 more places, 6 times"


def test_one_place_is_told_once() -> None:
    assert merged([Cut("depth", "a.py", 1, 2), Cut("depth", "a.py", 1, 5)]) == (Cut("depth", "a.py", 1, 5),)


def test_each_limit_has_a_name_of_its_own() -> None:
    names = [name for name, limit in LIMITS.items() if name == limit.name and limit.most > 0]
    assert len(names) == len(LIMITS) > 20
