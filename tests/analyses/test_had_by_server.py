"""Whether the fork server has started by the time that a program sets a variable of the environment: through the
functions on the way to that, and on the way to the starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

HEAD = """\
import multiprocessing as mp
import os
import sys
from concurrent.futures import ProcessPoolExecutor


def export(part):
    return os.environ.get("TARGET", "scratch"), part


def idle():
    pass


def select(name):
    os.environ["TARGET"] = name


"""
GUARD = """

if __name__ == "__main__":
    mp.set_start_method("forkserver")
    main()
"""
STAGES = """\
def staging():
    select("staging")
    with mp.Pool(1) as pool:
        return pool.map(export, [1])


def production():
    select({0})
    with mp.Pool(1) as pool:
        return pool.map(export, [2])


def main():
    print(staging())
    print(production())
"""
LATER = """\
def upload():
    with mp.Pool(1{0}) as pool:
        return pool.map(export, [1])


def archive():
    with mp.Pool(1) as pool:
        return pool.map(export, [2])


def main():
    print(upload())
    os.environ["TARGET"] = "cold"
    print(archive())
    {1}
"""
OBJECT = """\
class Export:
    def __init__(self, target):
        {0}

    def run(self):
        worker = mp.Process(target=export, args=(1,))
        worker.start()
        worker.join()


def main():
    {1}
    Export("staging").run()
    {2}
"""
EXECUTOR = """\
def run(names):
    {0}
    with ProcessPoolExecutor(1) as pool:
        {1}
        for each in pool.map(export, names):
            print(each)


def main():
    {2}
    for _ in range({3}):
        run([1])
"""
ENTERED = """\
class Target:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        os.environ["TARGET"] = self.name
        return self

    def __exit__(self, *error):
        os.environ.pop("TARGET", None)


def upload():
    {0}
        with mp.Pool(1) as pool:
            return pool.map(export, [1])


def archive():
    {1}
        with mp.Pool(1) as pool:
            return pool.map(export, [2])


def main():
    print(upload())
    print(archive())
"""
SET, IDLE = 'os.environ["TARGET"] = "eu"', "mp.Process(target=idle).start()"


def told(folder: Path, body: str) -> list[Verdict]:
    """The verdicts of the boundaries at which `export` runs, in order of the file."""
    (folder / "main.py").write_text(HEAD + body + GUARD, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.FORKSERVER, "3.11").boundaries
    return [
        each.verdict
        for each in sorted(found, key=lambda each: each.spot)
        if "export" in each.starts and "main.py" in each.spot.path
    ]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(STAGES.format('"staging"'), id="to the same value again"),
        pytest.param(OBJECT.format(SET, "", ""), id="when an object is made"),
        pytest.param(OBJECT.format("self.target = target", "select('eu')", ""), id="by a function before"),
        pytest.param(
            OBJECT.format("self.target = target", SET, "os.environ['TARGET'] = 'us'"), id="and once it is over"
        ),
        pytest.param(OBJECT.format("self.target = target", SET, "select('eu')"), id="to the same once it is over"),
        pytest.param(EXECUTOR.format("", "", SET, 1), id="before a loop"),
        pytest.param(
            EXECUTOR.format("", SET, "", 1).replace("for _ in range(1)", "if True"), id="before the first task"
        ),
        pytest.param(EXECUTOR.format("", "", f"{SET}\n    {IDLE}", 3), id="before another process"),
    ],
)
def test_the_server_takes_along_what_is_set_before_it_starts(body: str, tmp_path: Path) -> None:
    assert set(told(tmp_path, body)) == {Verdict.READY}


@pytest.mark.parametrize(
    ("body", "verdicts"),
    [
        pytest.param(STAGES.format('"production"'), [Verdict.READY, Verdict.CHANGES], id="for the second pool"),
        pytest.param(STAGES.format("sys.argv[1]"), [Verdict.READY, Verdict.CHANGES], id="to what is asked for"),
        pytest.param(LATER.format("", ""), [Verdict.READY, Verdict.CHANGES], id="after the first pool has ended"),
        pytest.param(LATER.format("", "upload()"), [Verdict.CHANGES, Verdict.CHANGES], id="but before its next round"),
        pytest.param(
            LATER.format(", maxtasksperchild=1", ""),
            [Verdict.CHANGES, Verdict.CHANGES],
            id="to workers made later",
        ),
        pytest.param(OBJECT.format(SET, IDLE, ""), [Verdict.CHANGES], id="after another process"),
        pytest.param(EXECUTOR.format("", "", f"{IDLE}\n    {SET}", 2), [Verdict.CHANGES], id="before a loop"),
        pytest.param(
            EXECUTOR.format(SET, "", IDLE, 1).replace("for _ in range(1)", "if True"),
            [Verdict.CHANGES],
            id="in a function",
        ),
    ],
)
def test_the_server_lacks_what_is_set_later(body: str, verdicts: list[Verdict], tmp_path: Path) -> None:
    assert told(tmp_path, body) == verdicts


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(EXECUTOR.format("select(str(names))", "", "", 2), id="in each round"),
        pytest.param(EXECUTOR.format("", "", f"if len(sys.argv) > 1:\n        {IDLE}\n    {SET}", 1), id="a condition"),
        pytest.param(
            EXECUTOR.format("", "", SET, 1) + f"\n\ndef warm_up():\n    {IDLE}\n\n\nREADY = [warm_up]\n",
            id="at any time",
        ),
    ],
)
def test_what_decides_is_said_where_the_order_is_not_seen(body: str, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HEAD + body + GUARD, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=tmp_path, overrides={"target-version": "==3.11"})
    found = migrate([str(tmp_path)], resolver, StartMethod.FORKSERVER, "3.11").boundaries
    gaps = [gap.message for each in found for gap in each.gaps]
    assert len(gaps) == 1
    assert "which is fine if it is set before the first process starts" in gaps[0]


@pytest.mark.parametrize("entered", ['with Target("warm"):', 'with Target("warm") as target, open(os.devnull):'])
def test_the_server_has_what_is_set_as_a_context_is_entered_first(entered: str, tmp_path: Path) -> None:
    assert told(tmp_path, ENTERED.format(entered, 'with Target("cold"):')) == [Verdict.READY, Verdict.CHANGES]
    assert told(tmp_path, ENTERED.format("with open(os.devnull):", entered)) == [Verdict.READY, Verdict.CHANGES]


def test_a_context_that_is_made_elsewhere_may_be_entered_at_any_time(tmp_path: Path) -> None:
    made = 'target = Target("warm")\n    with target:'
    assert Verdict.READY not in told(tmp_path, ENTERED.format(made, 'with Target("cold"):'))


def test_scripts_beside_it_start_processes_of_their_own(tmp_path: Path) -> None:
    other = HEAD + EXECUTOR.format("", "", IDLE, 2) + GUARD + "\n\ndef serve():\n    mp.Process(target=idle).start()\n"
    (tmp_path / "other.py").write_text(other, encoding="utf-8")
    assert set(told(tmp_path, EXECUTOR.format("", "", SET, 1))) == {Verdict.READY}
