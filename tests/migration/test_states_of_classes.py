"""Objects with a state that a class keeps in its body: counters and other iterators, context variables. Measured with
CPython 3.11 and 3.14: a forked worker goes on where main was, another one begins as at import."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

DRAWS = """\
import itertools
import multiprocessing as mp
from collections.abc import Iterator


class Ticket:
    {kept}

    def __init__(self, title):
        self.number = next({counter})
        self.title = title

    @classmethod
    def skip(cls):
        next(cls._numbers)


def numbers(titles):
    return [Ticket(title).number for title in titles]


def main():
    {before}
    with mp.Pool(1{initializer}) as pool:
        print(pool.apply(numbers, (["fan", "lamp"],)))


{also}


if __name__ == "__main__":
    main()
"""
BEGIN = "def begin():\n    Ticket._numbers = itertools.count(7)"
KEPT = "_numbers = itertools.count(100)"
DRAWN = 'print(Ticket("vpn").number)'


def drawn(
    folder: Path,
    kept: str = KEPT,
    counter: str = "self._numbers",
    before: str = DRAWN,
    initializer: str = "",
    also: str = "",
    python: str = "3.11",
) -> Verdict:
    code = DRAWS.format(kept=kept, counter=counter, before=before, initializer=initializer, also=also)
    return worst(migrated(folder, code, python=python))


@pytest.mark.parametrize("python", ["3.11", "3.14"])
@pytest.mark.parametrize("counter", ["self._numbers", "Ticket._numbers", "type(self)._numbers"])
def test_main_has_drawn_before(counter: str, python: str, tmp_path: Path) -> None:
    assert drawn(tmp_path, counter=counter, python=python) is Verdict.CHANGES


@pytest.mark.parametrize("python", ["3.11", "3.14"])
@pytest.mark.parametrize(
    "kept",
    [
        "_numbers = itertools.cycle([3, 5])",
        "_numbers = iter([1, 2, 3, 4])",
        "_numbers = (n * n for n in range(9))",
        "_numbers: Iterator[int] = itertools.count()",
    ],
)
def test_of_other_iterators(kept: str, python: str, tmp_path: Path) -> None:
    assert drawn(tmp_path, kept, python=python) is Verdict.CHANGES


@pytest.mark.parametrize("before", ["Ticket.skip()", "next(Ticket._numbers)", "begin()"])
def test_main_has_drawn_by_itself(before: str, tmp_path: Path) -> None:
    assert drawn(tmp_path, before=before, also=BEGIN) is Verdict.CHANGES


@pytest.mark.parametrize("python", ["3.11", "3.14"])
def test_main_has_not_drawn(python: str, tmp_path: Path) -> None:
    assert drawn(tmp_path, before='print("begin")', python=python) is Verdict.READY


def test_each_object_has_a_counter_of_its_own(tmp_path: Path) -> None:
    assert drawn(tmp_path, counter="itertools.count(1)") is Verdict.READY


def test_workers_draw_from_another_one(tmp_path: Path) -> None:
    assert drawn(tmp_path, initializer=", initializer=begin", also=BEGIN) is Verdict.READY


SETS = """\
import contextvars
import multiprocessing as mp
import threading


class Tracer:
    {kept}

    @classmethod
    def begin(cls, name):
        {sets}

    @classmethod
    def current(cls):
        return {reads}


def work(job):
    {worker}
    return job + Tracer.current()


def main():
    {before}
    with mp.Pool(1) as pool:
        print(pool.map(work, ["a"]))


if __name__ == "__main__":
    main()
"""
VARIABLE = 'span = contextvars.ContextVar("span", default="none")'


def set_to(
    folder: Path,
    kept: str = VARIABLE,
    sets: str = "cls.span.set(name)",
    reads: str = "cls.span.get()",
    worker: str = "pass",
    before: str = 'Tracer.begin("root")',
) -> Verdict:
    return worst(migrated(folder, SETS.format(kept=kept, sets=sets, reads=reads, worker=worker, before=before)))


@pytest.mark.parametrize("before", ['Tracer.begin("root")', 'Tracer.span.set("root")'])
@pytest.mark.parametrize(
    "kept", [VARIABLE, 'span: contextvars.ContextVar[str] = contextvars.ContextVar("span", default="none")']
)
def test_context_variables_that_main_alone_sets(kept: str, before: str, tmp_path: Path) -> None:
    assert set_to(tmp_path, kept, before=before) is Verdict.CHANGES


def test_a_context_variable_without_a_default(tmp_path: Path) -> None:
    assert set_to(tmp_path, 'span = contextvars.ContextVar("span")') is Verdict.BREAKS


def test_what_a_thread_has_for_itself(tmp_path: Path) -> None:
    kept, sets = "span = threading.local()", "cls.span.name = name"
    assert set_to(tmp_path, kept, sets, "cls.span.name") is Verdict.BREAKS
    assert set_to(tmp_path, kept, sets, 'getattr(cls.span, "name", "none")') is Verdict.CHANGES


@pytest.mark.parametrize(
    ("worker", "before"),
    [
        pytest.param("pass", "pass", id="nobody sets it"),
        pytest.param('Tracer.begin("root")', 'Tracer.begin("root")', id="workers set it, too"),
        pytest.param("pass", 'token = Tracer.span.set("root")\n    Tracer.span.reset(token)', id="taken back"),
    ],
)
def test_context_variables_that_workers_have_alike(worker: str, before: str, tmp_path: Path) -> None:
    assert set_to(tmp_path, worker=worker, before=before) is Verdict.READY


CONTEXTS = """\
import contextvars
import multiprocessing as mp

REQUEST = contextvars.ContextVar("request", default="none")


class Marked:
    def __enter__(self):
        self.token = REQUEST.set("r1")

    def __exit__(self, *error):
        REQUEST.reset(self.token)


def work(job):
    return job + REQUEST.get()


def start():
    with mp.Pool(1) as pool:
        print(pool.map(work, ["a"]))


def main():
    context = contextvars.copy_context()
    {runs}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("runs", "verdict"),
    [
        ('context.run(REQUEST.set, "r1")\n    context.run(start)', Verdict.CHANGES),
        ('context.run(REQUEST.set, "r1")\n    start()', Verdict.READY),
        ("with Marked():\n        start()", Verdict.CHANGES),
        ("with Marked():\n        print(1)\n    start()", Verdict.READY),
    ],
)
def test_values_in_contexts(runs: str, verdict: Verdict, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CONTEXTS.format(runs=runs))) is verdict
