"""LP604: dropped-not-restored."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.pickling_hooks import rows
from tests.support import lint


class TestPage(PageTests):
    code = "LP604"


DROPPED = """\
from torch.utils.data import Dataset


class Data(Dataset):
    def __init__(self, path):
        self.path = path
        self.reader = make_reader(path)

    def __getstate__(self):
        state = self.__dict__.copy()
        {drop}
        return state
{more}
    def __getitem__(self, index):
        {use}
"""


@pytest.mark.parametrize("drop", ["del state['reader']", "state.pop('reader')", "state.pop('reader', None)"])
def test_an_attribute_that_does_not_arrive(drop: str) -> None:
    assert rows(DROPPED.format(drop=drop, more="", use="return self.reader[index]"), "LP604") == [14]


@pytest.mark.parametrize(
    "use",
    [
        "return self.reader[index] if self.reader else None",
        "return None if self.reader is None else self.reader[index]",
        "return self.reader[index] if index in self.reader else None",
    ],
)
def test_to_ask_what_an_attribute_holds_does_not_make_it_be_there(use: str) -> None:
    assert rows(DROPPED.format(drop="del state['reader']", more="", use=use), "LP604") == [14]


@pytest.mark.parametrize(
    "hook", ["return make_state(self)", "return super().__getstate__() | {}", "return {**vars(self), 'reader': 1}"]
)
def test_a_state_that_nobody_can_read(hook: str) -> None:
    source = DROPPED.format(drop="pass", more="", use="return self.reader[index]").replace("return state", hook)
    assert rows(source, "LP604") == []


@pytest.mark.parametrize(
    ("more", "use"),
    [
        ("", "return self.path"),
        ("", "return getattr(self, 'reader', None)"),
        ("", "try:\n            return self.reader[index]\n        except AttributeError:\n            return None"),
        ("", "with suppress(AttributeError):\n            return self.reader[index]"),
        ("", "self.reader = make_reader(self.path); return self.reader[index]"),
        ("    def __getattr__(self, name):\n        raise AttributeError(name)\n", "return self.reader[index]"),
        ("    def __setstate__(self, state):\n        self.__init__(state['path'])\n", "return self.reader[index]"),
        ("    def open(self):\n        self.reader = make_reader(self.path)\n", "return self.reader[index]"),
        ("    reader = None\n", "return self.reader[index]"),
    ],
)
def test_an_attribute_that_is_not_needed_or_may_be_made_anew(more: str, use: str) -> None:
    assert rows(DROPPED.format(drop="del state['reader']", more=more, use=use), "LP604") == []


THROUGH = """\
import threading
from multiprocessing import Pool


class Counter:
    def __init__(self):
        self.lock = threading.Lock()
        self.value = 0

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["lock"]
        return state

    def bump(self, by):
        return self._add(by)

    def _add(self, by):
        with self.lock:
            self.value += by
        return self.value

    def report(self):
        return self.value


class Other:
    def bump(self, by):
        return by


class Scorer:
    def __init__(self, counter):
        self.counter = counter

    def __call__(self, x):
        return {called}


def score(counter, x):
    return {function}


def main():
    counter = Counter()
    counter.bump(1)
    with Pool(1) as pool:
        {boundary}
"""
_MAP, _STARMAP = "pool.map(Scorer(counter), [1, 4])", "pool.starmap(score, [(counter, 1)])"


@pytest.mark.parametrize(
    ("called", "function", "boundary", "fires"),
    [
        ("self.counter.bump(x)", "x", _MAP, True),
        ("x", "counter.bump(x)", _STARMAP, True),
        ("x", "counter.bump(x)", "pool.apply_async(score, (counter, 1))", True),
        ("self.counter.report()", "x", _MAP, False),
        ("Other().bump(x)", "x", _MAP, False),
        ("x", "counter.value + x", _STARMAP, False),
        ("x", "Other().bump(x)", _STARMAP, False),
        ("x", "counter.bump(x)", "print(score(counter, 1))", False),
    ],
)
def test_an_attribute_that_is_used_through_another_object(
    called: str, function: str, boundary: str, fires: bool
) -> None:
    source = THROUGH.format(called=called, function=function, boundary=boundary)
    assert rows(source, "LP604") == ([18] if fires else [])


METHOD = """\
import multiprocessing as mp


class Source:
    def __init__(self, host):
        self.host = host
        self.client = connect(host)

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["client"]
        return state


class Paged(Source):
    def pages(self, page):
        return {pages}

    def rows(self, page):
        return self.client.get(page)

    def names(self, page):
        return [self.host, page]


if __name__ == "__main__":
    source = Paged("db")
    with mp.Pool(2) as pool:
        print({call})
"""


@pytest.mark.parametrize(
    ("call", "pages"),
    [
        ("pool.map(source.rows, range(3))", "page"),
        ("pool.apply_async(source.rows, (1,)).get()", "page"),
        ("list(pool.imap(source.pages, range(3)))", "[self.rows(page)]"),
    ],
)
def test_a_method_that_workers_are_given(call: str, pages: str) -> None:
    assert rows(METHOD.format(call=call, pages=pages), "LP604") == [19]


@pytest.mark.parametrize(
    ("call", "pages"),
    [
        ("pool.map(source.names, range(3))", "page"),
        ("pool.map(source.pages, range(3))", "[self.names(page)]"),
        ("[source.rows(page) for page in pool.map(source.names, range(3))]", "page"),
        ("list(map(source.rows, range(3)))", "page"),
    ],
)
def test_a_method_that_stays_in_the_process(call: str, pages: str) -> None:
    assert rows(METHOD.format(call=call, pages=pages), "LP604") == []


_CALLED_IN_WORKERS = """\
import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor


class Store:
    def __init__(self):
        self.guard = threading.Lock()

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["guard"]
        return state

    def look(self, key):
        with self.guard:
            return key


class Cohort:
    def __init__(self, store):
        self.store = store

    def risk(self, key):
        return self.store.look(key)


def main():
    cohort = Cohort(Store())
    {start}
"""


@pytest.mark.parametrize(
    ("start", "methods"),
    [
        ("multiprocessing.Pool(2).map(cohort.risk, range(3))", "fork spawn forkserver"),
        ("ProcessPoolExecutor(2).submit(cohort.risk, 3)", "fork spawn forkserver"),
        ("multiprocessing.Process(target=cohort.risk, args=(3,)).start()", "spawn forkserver"),
    ],
)
def test_what_a_pool_gets_is_pickled_under_fork_too(start: str, methods: str) -> None:
    found = [each for each in lint(_CALLED_IN_WORKERS.format(start=start)).diagnostics if each.code == "LP604"]
    assert [" ".join(method.value for method in each.start_methods) for each in found] == [methods]


_OFFERED = """\
class Likelihood:
    def __init__(self, function, pool=None):
        self.function = function
        self.pool = pool

    def map(self, points):
        if {asked}:
            return list(map(self.function, points))
        return self.pool.map(self.function, points)

    def __call__(self, point):
        return self.function(point)

    def __getstate__(self):
        state = self.__dict__.copy()
        {drop}
        return state
{more}"""


def _rows_in_library(source: str) -> list[int]:
    resolver = SettingsResolver(isolated=True, overrides={"library": True, "target-version": "3.11"})
    outcome = lint_source(source, "library.py", resolver=resolver)
    return [each.location.start.row for each in outcome.diagnostics if each.code == "LP604"]


@pytest.mark.parametrize("drop", ["del state['pool']", "state.pop('pool')"])
def test_a_class_that_a_library_offers(drop: str) -> None:
    source = _OFFERED.format(asked="self.pool is None", drop=drop, more="")
    assert _rows_in_library(source) == [6]
    outcome = lint(source)
    assert (outcome.diagnostics, outcome.held_back) == ((), 1)


@pytest.mark.parametrize(
    ("asked", "drop", "more"),
    [
        ("self.pool is None", "state['pool'] = None", ""),
        ("not hasattr(self, 'pool')", "del state['pool']", ""),
        ("self.pool is None", "del state['pool']", "\n    pool = None\n"),
        (
            "self.pool is None",
            "del state['pool']",
            "\n    def __setstate__(self, state):\n        self.__dict__.update(state)\n        self.pool = None\n",
        ),
        (
            "self.pool is None",
            "del state['pool']",
            "\n    def __reduce__(self):\n        return Likelihood, (self.function,)\n",
        ),
    ],
)
def test_a_class_that_a_library_offers_and_that_arrives_whole(asked: str, drop: str, more: str) -> None:
    assert _rows_in_library(_OFFERED.format(asked=asked, drop=drop, more=more)) == []


def test_an_attribute_that_only_its_end_uses() -> None:
    source = _OFFERED.format(asked="self.pool is None", drop="del state['pool']", more="")
    closing = source.replace("def map(self, points):", "def close(self):\n        points = ()")
    assert _rows_in_library(closing) == []
