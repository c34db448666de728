"""What workers of other boundaries set themselves, as the initializer of another pool does: these lack it. The programs
were run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Migration, Verdict

from .test_verdicts import migrated

GLOBAL = """\
import multiprocessing as mp

SCALE = {at_import}


def configure(scale):
    global SCALE
    SCALE = scale


def begin(scale):
    {begin}


def load(row):
    return row * SCALE


def score(row):
    return row + SCALE


def make(scale):
    return mp.Pool(2, initializer=configure, initargs=(scale,))


def main():
    {first}
    with mp.Pool(2, initializer=begin, initargs=(3,)) as pool:
        print(pool.map(load, [1, 2]))
    {second}


if __name__ == "__main__":
    main()
"""
ALONE = "with mp.Pool(2) as pool:\n        print(pool.map(score, [1, 2]))"
CONFIGURE = "configure(scale)"


HELPED = """\
import multiprocessing as mp
from functools import partial

SCALE = None


def configure(scale):
    global SCALE
    SCALE = scale


def load(row):
    return row * SCALE


def score(row):
    return row + SCALE


def run(function, rows, initializer=None):
    with mp.Pool(2, initializer) as pool:
        return pool.map(function, rows)


def main():
    configure(3)
    print(run(load, [1], partial(configure, 3)))
    print(run(score, [1]{other}))


if __name__ == "__main__":
    main()
"""


def verdicts(found: Migration) -> dict[str, Verdict]:
    """What is said of the tasks, by the functions that run there."""
    return {each.starts: each.verdict for each in found.boundaries if each.starts}


def program(second: str, first: str = "configure(3)", begin: str = CONFIGURE, at_import: str = "None") -> str:
    return GLOBAL.format(first=first, second=second, begin=begin, at_import=at_import)


@pytest.mark.parametrize("begin", [CONFIGURE, "global SCALE\n    SCALE = scale"], ids=["same function", "its own"])
def test_the_initializer_of_another_pool_hides_nothing(begin: str, tmp_path: Path) -> None:
    found = verdicts(migrated(tmp_path, program(ALONE, begin=begin)))
    assert (found["load"], found["score"]) == (Verdict.READY, Verdict.BREAKS)
    found = verdicts(migrated(tmp_path, program(ALONE, begin=begin, at_import="1")))
    assert (found["load"], found["score"]) == (Verdict.READY, Verdict.CHANGES)


def test_what_the_message_says_is_of_these_workers(tmp_path: Path) -> None:
    found = migrated(tmp_path, program(ALONE, at_import="1")).boundaries
    said = [each.diagnostic.message for boundary in found for each in boundary.findings]
    assert [text for text in said if "by `configure()`, which these workers do not call" in text] == said != []


def test_a_helper_makes_the_pool_with_one_and_without(tmp_path: Path) -> None:
    found = verdicts(migrated(tmp_path, HELPED.format(other="")))
    assert found["function"] is Verdict.BREAKS
    found = verdicts(migrated(tmp_path, HELPED.format(other=", partial(configure, 3)")))
    assert found["function"] is Verdict.READY


@pytest.mark.parametrize(
    "second",
    [
        "with make(3) as pool:\n        print(pool.map(score, [1, 2]))",
        "with mp.Pool(2, configure, (3,)) as pool:\n        print(pool.map(score, [1, 2]))",
        "with mp.Pool(1) as pool:\n        pool.apply(configure, (3,))\n        print(pool.map(score, [1, 2]))",
        "with mp.Pool(2) as pool:\n        print(pool.map(abs, [1, 2]))",
    ],
    ids=["made by a function", "has it, too", "a task sets it", "does not ask"],
)
def test_these_workers_set_it_or_need_it_not(second: str, tmp_path: Path) -> None:
    found = verdicts(migrated(tmp_path, program(second)))
    assert {Verdict.BREAKS, Verdict.CHANGES}.isdisjoint(found.values())


def test_what_main_does_not_set_is_the_same_under_fork(tmp_path: Path) -> None:
    found = verdicts(migrated(tmp_path, program(ALONE, first="print(1)", at_import="1")))
    assert found["score"] is Verdict.READY


PROCESSES = """\
import multiprocessing as mp

LEVEL = 0


def reader(queue):
    global LEVEL
    LEVEL = 7
    queue.put(LEVEL)


def writer(queue):
    {writer}queue.put(-LEVEL)


def main():
    global LEVEL
    LEVEL = 7
    queue = mp.Queue()
    {start}
    print(queue.get(), queue.get())


if __name__ == "__main__":
    main()
"""
EACH = """\
first = mp.Process(target=reader, args=(queue,))
    second = mp.Process(target=writer, args=(queue,))
    for each in (first, second):
        each.start()"""
LOOP = """\
for target in (reader, writer):
        mp.Process(target=target, args=(queue,)).start()"""


def test_another_process_that_sets_it_itself_hides_nothing(tmp_path: Path) -> None:
    found = verdicts(migrated(tmp_path, PROCESSES.format(writer="", start=EACH)))
    assert found == {"reader": Verdict.READY, "writer": Verdict.CHANGES}
    own = "global LEVEL\n    LEVEL = 7\n    "
    found = verdicts(migrated(tmp_path, PROCESSES.format(writer=own, start=EACH)))
    assert set(found.values()) == {Verdict.READY}


def test_of_one_call_that_starts_both_each_is_told_apart(tmp_path: Path) -> None:
    found = verdicts(migrated(tmp_path, PROCESSES.format(writer="", start=LOOP)))
    assert set(found.values()) == {Verdict.CHANGES}  # `writer` lacks what `reader` sets itself
    own = "global LEVEL\n    LEVEL = 7\n    "
    found = verdicts(migrated(tmp_path, PROCESSES.format(writer=own, start=LOOP)))
    assert set(found.values()) == {Verdict.READY}


STATE = """\
import decimal
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor


class Limits:
    def __init__(self):
        self.high = 10


class Codec:
    handlers = {{}}
    width = 1

    @classmethod
    def register(cls, name, width):
        cls.handlers[name] = width
        cls.width = width


LIMITS = Limits()
NAMES = {{}}


def setup():
    {setup}


def first(row):
    return {reads}


def second(row):
    return row, {reads}


def main():
    setup()
    with ProcessPoolExecutor(2, initializer=setup) as pool:
        print(list(pool.map(first, [1])))
    with ProcessPoolExecutor(2{also}) as pool:
        print(list(pool.map(second, [1])))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("setup", "reads"),
    [
        ("LIMITS.high = 50", "min(row, LIMITS.high)"),
        ('NAMES["row"] = 1', "sorted(NAMES)"),
        ('Codec.register("row", 4)', "Codec.width"),
        ('Codec.register("row", 4)', '"row" in Codec.handlers'),
        ("decimal.getcontext().prec = 6", "decimal.Decimal(row) / 7"),
    ],
    ids=["attribute of an object", "container", "attribute of a class", "container of a class", "setting"],
)
def test_whatever_the_other_pool_sets(setup: str, reads: str, tmp_path: Path) -> None:
    found = verdicts(migrated(tmp_path, STATE.format(setup=setup, reads=reads, also="")))
    assert (found["first"], found["second"]) == (Verdict.READY, Verdict.CHANGES)
    found = verdicts(migrated(tmp_path, STATE.format(setup=setup, reads=reads, also=", initializer=setup")))
    assert (found["first"], found["second"]) == (Verdict.READY, Verdict.READY)


PLUGINS = {
    "tokens/__init__.py": "",
    "tokens/core.py": "FILTERS = []\n\n\ndef step(function):\n    FILTERS.append(function)\n    return function\n\n\n"
    "def clean(text):\n    for each in FILTERS:\n        text = each(text)\n    return text\n\n\n"
    "def count(texts):\n    return sum(len(clean(text)) for text in texts)\n",
    "tokens/loader.py": "import importlib\n\n\ndef load(names):\n    for name in names:\n"
    '        importlib.import_module(f"tokens.plugins.{name}")\n',
    "tokens/plugins/__init__.py": "",
    "tokens/plugins/emoji.py": "from tokens.core import step\n\n\n@step\ndef smile(text):\n"
    "    return text.replace(':)', '')\n",
}
LOADING = """\
import multiprocessing as mp

from tokens import loader
from tokens.core import clean, count


{worker}def main():
    {first}
    with mp.Pool(2{begin}) as pool:
        print(pool.map(clean, [":)"]))
    {second}


if __name__ == "__main__":
    main()
"""
OWN_WORKER = 'def load_and_count(texts):\n    loader.load(["emoji"])\n    print(count(texts))\n\n\n'
LOADS = 'loader.load(["emoji"])'


@pytest.mark.parametrize(
    "second",
    [
        'with mp.Pool(1, loader.load, (["emoji"],)) as pool:\n        print(pool.apply(count, ([":)"],)))',
        'mp.Process(target=load_and_count, args=([":)"],)).start()',
        'mp.Process(target=loader.load, args=(["emoji"],)).start()',
    ],
    ids=["initializer", "function", "loader itself"],
)
@pytest.mark.parametrize(
    ("first", "begin", "expected"),
    [
        (LOADS, "", Verdict.CHANGES),
        (LOADS, ', loader.load, (["emoji"],)', Verdict.READY),
        ("print(1)", "", Verdict.READY),
    ],
    ids=["main alone", "these workers, too", "other workers alone"],
)
def test_plugins_that_workers_of_another_boundary_import(
    first: str, begin: str, expected: Verdict, second: str, tmp_path: Path
) -> None:
    for name, text in PLUGINS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    worker = OWN_WORKER if "load_and_count" in second else ""
    text = LOADING.format(worker=worker, first=first, begin=begin, second=second)
    found = verdicts(migrated(tmp_path, text))
    assert found.pop("clean") is expected
    assert set(found.values()) == {Verdict.READY}
