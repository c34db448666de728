"""LP257: singleton-overwritten."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP257"


_PROGRAM = """\
import multiprocessing as mp
import threading
from concurrent.futures import ProcessPoolExecutor

{before}


class Stats:
    _instance = None
    _instances = {{}}
    _lock = threading.Lock()

    {new}

    def note(self, count=1):
        self.count += count

    {methods}


class Report:
    def __init__(self, value):
        self.value = value
        self.stats = Stats()


def prepare():
    Stats().note(3)


def work(number):
    {works}
    return {returned}


def main():
    {own}
    {main}
    {started}
    {behind}


if __name__ == "__main__":
    main()
"""
_NEW = """def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.count = 0
        return cls._instance"""
_POOL = "with mp.Pool(2) as pool:\n        "
_STARTED = f"{_POOL}pool.map(work, range(4))"


def _found(
    before: str = "print()",
    new: str = _NEW,
    methods: str = "pass",
    works: str = "Stats().note()",
    returned: str = "number, Stats()",
    own: str = "stats = Stats()",
    main: str = "pass",
    started: str = _STARTED,
    behind: str = "print(stats.count)",
) -> list[tuple[Confidence, int]]:
    text = _PROGRAM.format(
        before=before, new=new, methods=methods, works=works, returned=returned, own=own, main=main, started=started,
        behind=behind,
    )  # fmt: skip
    found = [each for each in lint(text, pedantic=True).diagnostics if each.code == "LP257"]
    return [(each.confidence, len(each.start_methods)) for each in found]


_LIKELY = [(Confidence.LIKELY, 3)]


def _new(body: str, parameters: str = "cls") -> str:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return f"def __new__({parameters}):\n{lines}"


@pytest.mark.parametrize(
    "new",
    [
        _NEW,
        _new("if not cls._instance:\n    cls._instance = object.__new__(cls)\nreturn cls._instance"),
        _new("if not hasattr(cls, '_it'):\n    cls._it = super().__new__(cls)\nreturn cls._it"),
        _new("if Stats._instance is None:\n    Stats._instance = object.__new__(cls)\nreturn Stats._instance"),
        _new(
            "if cls not in cls._instances:\n    cls._instances[cls] = super().__new__(cls)\n"
            "return cls._instances[cls]"
        ),
        _new("with cls._lock:\n    if cls._instance is None:\n        cls._instance = super().__new__(cls)\n"
             "return cls._instance"),
        _new("if cls._instance is not None:\n    return cls._instance\ncls._instance = super().__new__(cls)\n"
             "return cls._instance"),
        _new("made = cls._instance\nif made is None:\n    made = cls._instance = super().__new__(cls)\nreturn made\n"
             "if cls._instance: pass"),
        _new("if cls._instance is None:\n    made = super().__new__(cls)\n    cls._instance = made\n"
             "return cls._instance"),
        _new("if cls._instance is None:\n    cls._instance = super().__new__(cls)\nreturn cls._instance",
             "cls, *args, **kwargs"),
        _new("global ONE\nif ONE is None:\n    ONE = super().__new__(cls)\nreturn ONE"),
    ],
)  # fmt: skip
def test_a_new_that_keeps_one(new: str) -> None:
    assert _found(new=new, methods="def __init__(self):\n        self.count = 0") == _LIKELY


@pytest.mark.parametrize(
    "new",
    [
        "pass",
        _new("return super().__new__(cls)"),
        _new("cls._instance = super().__new__(cls)\nreturn cls._instance"),
        _new("made = super().__new__(cls)\nif cls._instance is None:\n    cls._instance = made\nreturn made.copy()"),
        _new("if cls._instance is None:\n    cls._instance = super().__new__(cls)\nreturn super().__new__(cls)"),
        _new(
            "if name not in cls._instances:\n    cls._instances[name] = super().__new__(cls)\n"
            "return cls._instances[name]",
            "cls, name='a'",
        ),
    ],
)
def test_a_new_that_makes_another(new: str) -> None:
    assert _found(new=new, methods="def __init__(self):\n        self.count = 0") == []


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"returned": "Stats()"},
        {"returned": "{'value': number, 'stats': Stats()}"},
        {"returned": "Report(number)"},
        {"works": "stats = Stats()\n    stats.count += 1", "returned": "stats"},
        {"works": "Stats().found.append(number)", "methods": "found = []"},
        {"works": "pass", "behind": "stats.count = 4"},
        {"works": "pass", "started": f"{_POOL}stats.note(4)\n        pool.map(work, range(4))"},
        {
            "works": "pass",
            "started": f"{_POOL}for each in pool.imap(work, range(4)):\n            stats.note()",
        },
        {"started": "with ProcessPoolExecutor(2) as pool:\n        print(list(pool.map(work, range(4))))"},
        {"started": "with mp.Pool(2) as pool:\n        pool.apply_async(work, (1,)).get()"},
        {"before": "from base import Plain"},
    ],
)  # fmt: skip
def test_it_comes_back(program: dict[str, str]) -> None:
    assert _found(**program) == _LIKELY


def test_only_the_main_process_changes_it_and_before_the_workers_start() -> None:
    assert _found(works="pass", main="stats.note(3)") == [(Confidence.LIKELY, 2)]
    assert _found(works="pass", main="prepare()") == [(Confidence.LIKELY, 2)]
    started = "with mp.Pool(2, initializer=prepare) as pool:\n        pool.map(work, range(4))"
    assert _found(works="pass", main="prepare()", started=started) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"works": "pass"}, id="nobody changes it"),
        pytest.param({"own": "stats = Report", "behind": "pass"}, id="the main process has none"),
        pytest.param({"returned": "number, Stats().count"}, id="a number comes back"),
        pytest.param({"methods": "def __reduce__(self):\n        return Stats, ()"}, id="without state"),
        pytest.param({"methods": "def __getstate__(self):\n        return {}"}, id="with an empty state"),
        pytest.param({"methods": "def __setstate__(self, state):\n        pass"}, id="the state is dropped"),
        pytest.param({"started": "print(list(map(work, range(4))))"}, id="no workers"),
    ],
)
def test_nothing_is_overwritten(program: dict[str, str]) -> None:
    assert _found(**program) == []


def test_a_task_brings_it_to_a_worker_that_has_its_own() -> None:
    started = "with mp.Pool(2) as pool:\n        pool.starmap(note, [(number, stats) for number in range(4)])"
    before = "def note(number, stats):\n    Stats().note()\n    return stats.count + number"
    found = _found(before=before, started=started, returned="number")
    assert found == [(Confidence.POSSIBLE, 3)]
    assert _found(before=before.replace("Stats().note()", "print()"), started=started, returned="number") == []
