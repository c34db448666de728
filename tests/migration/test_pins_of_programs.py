"""A call of `set_start_method` holds what its own programs start without a start method by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Migration
from lintpickle.migration.wording import left_to_do
from tests.migration.test_migrate import migrated

_JOBS = """\
import multiprocessing


def go(method=None):
    context = {context}
    context.Process(target=print, args=(lambda: 1,)).start()
"""
_SCRIPT = """\
import multiprocessing
import sys

{imports}


def main():
    {test}
        multiprocessing.set_start_method("fork")
    {run}


if __name__ == "__main__":
    main()
"""


def _script(imports: str = "import jobs", test: str = "if True:", run: str = "jobs.go()") -> str:
    return _SCRIPT.format(imports=imports, test=test, run=run)


def _of(folder: Path, run: str, context: str = "multiprocessing", **others: str) -> tuple[Migration, str]:
    found = migrated(folder, run=run, jobs=_JOBS.format(context=context), **others)
    [pin] = [each for each in found.pins if each.kind == "start method"]
    return found, left_to_do(found, pin)


@pytest.mark.parametrize(
    ("run", "others"),
    [
        (_script(), {}),
        (_script("import between", run="between.go()"), {"between": "from jobs import go\n"}),
        (_script("", run="import jobs; jobs.go()"), {}),
        (_script("import importlib", run="importlib.import_module(sys.argv[1]).go()"), {}),
        (_script("", run="pass"), {"other": "import run, jobs\nrun.main()\njobs.go()\n"}),
    ],
)
def test_what_its_programs_import(run: str, others: dict[str, str], tmp_path: Path) -> None:
    assert _of(tmp_path, run, **others)[1].startswith("it holds 1 boundary: ")


@pytest.mark.parametrize(
    ("run", "context"),
    [
        (_script("", run="pass"), "multiprocessing"),
        (_script(), "multiprocessing.get_context('spawn')"),
        (_script(), "multiprocessing.get_context('forkserver' if method else 'spawn')"),
    ],
)
def test_not_other_programs_nor_what_has_a_method_of_its_own(run: str, context: str, tmp_path: Path) -> None:
    found, message = _of(tmp_path, run, context)
    assert message == "it cannot be told: no process is seen that it starts"
    assert all(not each.forked_at for each in found.boundaries)


def test_a_context_that_forks_has_its_own_pin(tmp_path: Path) -> None:
    found, message = _of(tmp_path, _script(), "multiprocessing.get_context('fork')")
    assert message == "it cannot be told: no process is seen that it starts"
    assert [[spot.row for spot in each.forked_at] for each in found.boundaries if each.findings] == [[5]]


def test_on_linux_one_for_macos_pins_nothing(tmp_path: Path) -> None:
    found, message = _of(tmp_path, _script(test='if sys.platform == "darwin":'))
    assert message == "for macOS only, on Linux it pins nothing; it holds 1 boundary: 1 breaks"
    assert not any(each.works_pinned for each in found.boundaries)


_ABOVE = """\
import multiprocessing as mp


def loss(trial):
    return trial * 2


def main():
    mp.set_start_method("{method}", force=True)
    with {pool} as pool:
        print(pool.map(loss, [1, 2]))
    mp.set_start_method("fork", force=True)


if __name__ == "__main__":
    main()
"""


def _said_of_first(folder: Path, method: str, pool: str) -> list[str]:
    found = migrated(folder, run=_ABOVE.format(method=method, pool=pool))
    return [left_to_do(found, each) for each in found.pins if each.kind == "start method"]


def test_a_call_above_a_pool_in_the_same_function_holds_it(tmp_path: Path) -> None:
    assert _said_of_first(tmp_path, "fork", "mp.Pool(2)")[0] == "nothing is left to do: it can go"


@pytest.mark.parametrize(("method", "pool"), [("spawn", "mp.Pool(2)"), ("fork", "mp.get_context('spawn').Pool(2)")])
def test_a_pool_with_another_method_is_not_held(method: str, pool: str, tmp_path: Path) -> None:
    found = _said_of_first(tmp_path, method, pool)
    assert found and all(each.startswith("it cannot be told") for each in found)
