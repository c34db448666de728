"""Variables of the environment that the main process sets when the fork server runs already, for a manager. Measured
with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated

CONF = 'import os\n\nUNIT = os.environ.get("SCALE_UNIT", "kg")\n'
SCALE = 'import conf\n\n\ndef weigh(grams):\n    return f"{grams} {conf.UNIT}"\n'
ASKING = "import os\n\n\ndef weigh(grams):\n    return f\"{grams} {os.environ.get('SCALE_UNIT')}\"\n"
MAIN = """\
import multiprocessing as mp
import os
from multiprocessing.managers import SyncManager
{top}

def shared():
    manager = SyncManager()
    manager.start()
    return manager


def main():
    {body}
        with mp.Pool(2) as pool:
            print(pool.map(weigh, [1, 2]))


if __name__ == "__main__":
    main()
"""
IMPORT = "from scale import weigh"
SET = 'os.environ["SCALE_UNIT"] = "lb"'
STARTS = {
    "manager": ["with mp.Manager() as manager:"],
    "context": ["with mp.get_context().Manager() as manager:"],
    "entered": ["with SyncManager() as manager:"],
    "started": ["manager = shared()", "if manager is not None:"],
}


def weighing(folder: Path, scale: str, lines: list[str], top: str, to: StartMethod) -> Verdict:
    (folder / "conf.py").write_text(CONF)
    (folder / "scale.py").write_text(scale)
    code = MAIN.format(top=top, body="\n    ".join(lines))
    return next(each.verdict for each in migrated(folder, code, to).boundaries if each.starts == "weigh")


@pytest.mark.parametrize("start", [pytest.param(lines, id=name) for name, lines in STARTS.items()])
@pytest.mark.parametrize("scale", [SCALE, ASKING])
def test_set_when_a_manager_runs(tmp_path: Path, scale: str, start: list[str]) -> None:
    lines = [*start, f"    {SET}", f"    {IMPORT}"]
    assert weighing(tmp_path, scale, lines, "", StartMethod.FORKSERVER) is Verdict.CHANGES
    assert weighing(tmp_path, scale, lines, "", StartMethod.SPAWN) is Verdict.READY


@pytest.mark.parametrize("start", [pytest.param(lines, id=name) for name, lines in STARTS.items()])
@pytest.mark.parametrize("to", [StartMethod.SPAWN, StartMethod.FORKSERVER])
def test_set_before_it_runs(tmp_path: Path, start: list[str], to: StartMethod) -> None:
    assert weighing(tmp_path, SCALE, [SET, *start, f"    {IMPORT}"], "", to) is Verdict.READY


@pytest.mark.parametrize("start", [pytest.param(lines, id=name) for name, lines in STARTS.items()])
@pytest.mark.parametrize(("top", "first"), [(f"\n{IMPORT}\n", []), ("", [IMPORT])])
def test_the_server_has_what_the_main_process_took(
    tmp_path: Path, start: list[str], top: str, first: list[str]
) -> None:
    """The main process has imported the module by then, and so has the value of before, as the server has."""
    lines = [*first, *start, f"    {SET}"]
    assert weighing(tmp_path, SCALE, lines, top, StartMethod.FORKSERVER) is Verdict.READY
    assert weighing(tmp_path, SCALE, lines, top, StartMethod.SPAWN) is Verdict.CHANGES


@pytest.mark.parametrize("to", [StartMethod.SPAWN, StartMethod.FORKSERVER])
def test_a_manager_that_is_only_made_starts_nothing(tmp_path: Path, to: StartMethod) -> None:
    lines = ["manager = SyncManager()", SET, "if manager is not None:", f"    {IMPORT}"]
    assert weighing(tmp_path, SCALE, lines, "", to) is Verdict.READY
