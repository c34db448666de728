"""What lintpickle does not follow any more is told: which limit, where, how often."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from lintpickle import limits
from lintpickle.api import lint_paths
from lintpickle.cache.store import CacheStore
from lintpickle.commands import app
from lintpickle.diagnostics import Outcome
from lintpickle.engine import processes
from lintpickle.limits import CALLERS, CROSSINGS, LIMITS, OBJECT_CALLERS, Cut, Limit, merged
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


def _reached(folder: Path, **modules: str) -> set[tuple[str, str, int]]:
    """The limits that a run over these modules reaches, each with the name of the file and the row."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return {(cut.limit, Path(cut.path).name, cut.row) for cut in _lint(folder).cuts}


def _chosen(branches: int) -> str:
    lines = "".join(f"    if ask({n}):\n        x = {n}\n" for n in range(branches))
    return f"import pickle\n\n\ndef save():\n    x = None\n{lines}    pickle.dumps(x)\n"


@pytest.mark.parametrize(("branches", "limits"), [(7, set()), (8, {("choices", "main.py", 22)})])
def test_more_values_than_a_variable_holds(tmp_path: Path, branches: int, limits: set[tuple[str, str, int]]) -> None:
    assert _reached(tmp_path, main=_chosen(branches)) == limits


def test_that_is_told_from_the_cache_of_facts_too(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "main.py").write_text(_chosen(9), encoding="utf-8")
    store = CacheStore(str(tmp_path / "cache"))
    first = _lint(folder, store=store).cuts
    (folder / "other.py").write_text("import pickle\n\npickle.dumps([])\n", encoding="utf-8")
    assert first
    assert _lint(folder, store=store).cuts == first


RECURSIVE = """\
import pickle


def nested(values):
    return nested([values]) if len(values) < 9 else values


pickle.dumps(nested([1]))
"""


def test_a_recursion_is_told_at_the_function(tmp_path: Path) -> None:
    assert ("recursion", "main.py", 4) in _reached(tmp_path, main=RECURSIVE)
    assert "recursion" not in {
        limit for limit, _, _ in _reached(tmp_path, main=RECURSIVE.replace("nested([v", "len([v"))
    }


@pytest.mark.parametrize(("length", "limits"), [(7, set()), (8, {"aliases"}), (60, {"aliases"})])
def test_imports_of_imports(tmp_path: Path, length: int, limits: set[str]) -> None:
    modules = {f"m{n}": f"from m{n + 1} import thing\n" for n in range(length)}
    modules[f"m{length}"] = "thing = lambda: 0\n"
    found = _reached(tmp_path, **modules, main="import pickle\nfrom m0 import thing\n\npickle.dumps(thing)\n")
    assert {limit for limit, _, _ in found} & {"aliases"} == limits


@pytest.mark.parametrize(("classes", "limits"), [(5, set()), (40, {"bases"})])
def test_long_lines_of_classes(tmp_path: Path, classes: int, limits: set[str]) -> None:
    modules = {f"m{n}": f"from m{n + 1} import C{n + 1}\n\n\nclass C{n}(C{n + 1}):\n    pass\n" for n in range(classes)}
    modules[f"m{classes}"] = f"class C{classes}:\n    def __init__(self):\n        self.f = lambda: 0\n"
    found = _reached(tmp_path, **modules, main="import pickle\nfrom m0 import C0\n\npickle.dumps(C0())\n")
    assert {limit for limit, _, _ in found} & {"bases"} == limits


@pytest.mark.parametrize(("classes", "limits"), [(20, set()), (40, {"bases-in-order"})])
def test_long_orders_of_classes_in_one_module(tmp_path: Path, classes: int, limits: set[str]) -> None:
    lines = "".join(f"class C{n}(C{n - 1}):\n    pass\n\n\n" for n in range(1, classes))
    code = f"import pickle\n\n\nclass C0:\n    pass\n\n\n{lines}pickle.dumps(C{classes - 1}())\n"
    found = _reached(tmp_path, main=code)
    assert {limit for limit, _, _ in found} & {"bases-in-order"} == limits


HOOK = """\
import pickle


class C:
    def __init__(self):
        self.f = open("x")

    def __getstate__(self):
        state = self.__dict__.copy()
        {body}
        return state


pickle.dumps(C())
"""


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        ("\n        ".join(f"if ask({n}):\n            print({n})" for n in range(8)), "hook-runs"),
        ("\n        ".join(f"print({n})" for n in range(2000)), "hook-steps"),
    ],
)
def test_hooks_that_are_too_long(tmp_path: Path, body: str, limit: str) -> None:
    assert (limit, "main.py", HOOK.format(body=body).count("\n")) in _reached(tmp_path, main=HOOK.format(body=body))
    assert not _reached(tmp_path, main=HOOK.format(body="state.pop('f')"))


def test_aliases_of_aliases_of_boundaries(tmp_path: Path) -> None:
    lines = "".join(f"class L{n + 1}(L{n}):\n    pass\n\n\n" for n in range(9))
    text = f"from torch.utils.data import DataLoader as L0\n\n\n{lines}L9([])\n"
    assert ("rounds", "", 0) in _reached(tmp_path, main=text)
    assert (
        "limit rounds reached at the program as a whole, 1 time" in _check(tmp_path, "--no-cache", "--verbose").stderr
    )


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


def test_each_limit_is_noted_where_it_is_kept() -> None:
    """A limit that no code notes would be silent."""
    package = Path(limits.__file__).parent
    code = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py") if path.name != "limits.py")
    names = {name for name, value in vars(limits).items() if isinstance(value, Limit)}
    passed = {"CROSSINGS", "TRAIL", "WORKER_CALLS", "WORKER_FUNCTIONS", "START_CALLS", "START_FUNCTIONS", "INLINED"}
    silent = {
        name for name in names - passed if not re.search(rf"\bnote(?:_of\w*)?\(\s*{name}\b|\b{name}\.name\b", code)
    }
    assert not silent
    for name in passed:  # by way of a variable, which is noted
        assert re.search(rf"(?:limit =|return|else) {name} if |else {name} if ", code), name


_CALLED = """\
import multiprocessing as mp


class Sender:
    def __call__(self, queue):
        queue.put(lambda: 1)


class Service:
    def __init__(self):
        self.send = Sender()

    def run(self):
        self.send(mp.Queue())


class Mailer:
    def run(self):
        self.send("a")


if __name__ == "__main__":
    Service().run()
"""


@pytest.mark.parametrize(("most", "told"), [(9, []), (3, ["object-callers"])])
def test_functions_that_name_what_holds_a_callable_object(
    most: int, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lintpickle.call_graph.called_objects.OBJECT_CALLERS", replace(OBJECT_CALLERS, most=most))
    (tmp_path / "main.py").write_text(_CALLED, encoding="utf-8")
    outcome = _lint(tmp_path)
    assert sorted({cut.limit for cut in outcome.cuts}) == told
    assert [each.code for each in outcome.diagnostics] == ["LP102"]
