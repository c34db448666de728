"""LP604: dropped-not-restored."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.pickling_hooks import rows
from tests.support import lint, marks


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


CALLABLE = """\
import logging
from multiprocessing import Pool, Process


class Fit:
    def __init__(self, name):
        self.name = name
        self.log = logging.getLogger(name).makeRecord

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["log"]
        return state

    def __call__(self, item=0):
        self.log(item)
        return self._work(item)

    def _work(self, item):
        return (self.name, item)

    def compute(self, items):
        with Pool() as pool:
            return pool.map(self._work, items)


def call(fit):
    return fit(3)


def keep(fit):
    return fit.name


def main():
    fit = Fit("chi")
    {use}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "use",
    [
        "fit()\n    fit.compute([1, 2])",
        "Process(target=fit._work, args=(1,)).start()",
        "Process(target=keep, args=(fit,)).start()",
        "with Pool() as pool:\n        pool.map(keep, [fit])",
    ],
)
def test_a_call_of_the_object_that_no_worker_makes(use: str) -> None:
    assert rows(CALLABLE.format(use=use), "LP604") == []


@pytest.mark.parametrize(
    "use",
    [
        "Process(target=fit).start()",
        "with Pool() as pool:\n        pool.map(fit, [1, 2])",
        "Process(target=call, args=(fit,)).start()",
        "with Pool() as pool:\n        pool.map(call, [fit])",
    ],
)
def test_a_call_of_the_object_in_a_worker(use: str) -> None:
    assert rows(CALLABLE.format(use=use), "LP604") == [15]


_OVERRIDING = """\
import multiprocessing as mp
import threading


class Shared:
    def __init__(self):
        self._lock = threading.RLock()

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["_lock"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.{make}()

    def prepare(self):
        self._lock = threading.RLock()

    def _prepare(self):
        self._lock = threading.RLock()


class Store(Shared):
    def __init__(self, columns):
        super().__init__()
        self.columns = columns
        self.known = {{}}

    def __getstate__(self):
        state = super().__getstate__()
        state["known"] = {{}}
        return state

    def __setstate__(self, state):
        {restore}

    def prepare(self):
        {prepare}

    def mean(self, name):
        with self._lock:
            return sum(self.columns[name]) / len(self.columns[name])


class Report:
    def __init__(self, store):
        self.store = store

    def line(self, name):
        return name, self.store.mean(name)


def main():
    report = Report(Store({{"a": [1, 2]}}))
    with mp.Pool(2) as pool:
        print(pool.map(report.line, ["a"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("make", "restore", "prepare"),
    [
        ("_prepare", "self.columns = state['columns']", "self.known = {}"),
        ("_prepare", "self.__dict__.update(state)", "self.known = {}"),
        ("prepare", "self.columns = state.get('columns')", "self.known = {}"),
    ],
)
def test_what_restores_it_is_overridden(make: str, restore: str, prepare: str) -> None:
    assert rows(_OVERRIDING.format(make=make, restore=restore, prepare=prepare), "LP604") == [42]


@pytest.mark.parametrize(
    ("make", "restore", "prepare"),
    [
        ("_prepare", "super().__setstate__(state)", "self.known = {}"),
        ("_prepare", "Shared.__setstate__(self, state)", "self.known = {}"),
        ("_prepare", "super(Store, self).__setstate__(state)", "self.known = {}"),
        ("_prepare", "self.columns = state['columns']; self._lock = threading.RLock()", "self.known = {}"),
        ("_prepare", "self.columns = state['columns']; self._prepare()", "self.known = {}"),
        ("prepare", "super().__setstate__(state)", "super().prepare()"),
        ("prepare", "super().__setstate__(state)", "self._lock = threading.RLock()"),
    ],
)
def test_what_overrides_it_restores_it_or_calls_it(make: str, restore: str, prepare: str) -> None:
    assert rows(_OVERRIDING.format(make=make, restore=restore, prepare=prepare), "LP604") == []


@pytest.mark.parametrize(
    "prepare", ["self.known = {}", "self.reset()\n\n    def reset(self):\n        self.known = {}"]
)
def test_what_the_hook_calls_is_overridden(prepare: str) -> None:
    source = _OVERRIDING.format(make="prepare", restore="super().__setstate__(state)", prepare=prepare)
    assert len(rows(source, "LP604")) == 1


@pytest.mark.parametrize(
    "prepare",
    [
        "restore(self)",
        "self.reset()\n\n    def reset(self):\n        self._lock = threading.RLock()",
        "self.reset()\n\n    def reset(self):\n        setattr(self, '_lock', threading.RLock())",
        "vars(self).update(defaults())",
        "self.reset()",
    ],
)
def test_what_the_hook_calls_may_restore_it(prepare: str) -> None:
    source = _OVERRIDING.format(make="prepare", restore="super().__setstate__(state)", prepare=prepare)
    assert rows(source, "LP604") == []


LEAN = """\
from multiprocessing import Pool


class Lean:
    def __getstate__(self):
        {sent}
{arrives}

class Thermometer(Lean):
    {default}

    def __init__(self, name):
        self.name = name
        {made}

    def calibrate(self, samples):
        {calibrated}
        return self

    def read(self, raw):
        {read}


def convert(job):
    thermometer, values = job
    {work}
    return [thermometer.read(value) for value in values]


def main():
    thermometer = Thermometer("cellar")
    {calls}
    with Pool(2) as pool:
        print(pool.map(convert, [(thermometer, [1.5, 2.5]), (thermometer, [3.5])]))


if __name__ == "__main__":
    main()
"""
PUBLIC = "return {k: v for k, v in self.__dict__.items() if not k.startswith('_')}"
POPPED = "state = self.__dict__.copy()\n        state.pop('_offset', None)\n        return state"
ARRIVES = "\n    def __setstate__(self, state):\n        self.__dict__.update(state)\n        {then}\n"
DELETED = "state = dict(self.__dict__)\n        del state['_offset']\n        return state"


def _is_left_out(
    *,
    sent: str = PUBLIC,
    arrives: str = "",
    default: str = "_offset = 0.0",
    made: str = "",
    calibrated: str = "self._offset = sum(samples) / len(samples)",
    read: str = "return raw - self._offset",
    work: str = "",
    calls: str = "thermometer.calibrate([0.25, 0.5])",
) -> bool:
    parts = {"sent": sent, "arrives": arrives, "default": default, "made": made, "calibrated": calibrated}
    source = LEAN.format(**parts, read=read, work=work, calls=calls)
    return "LP604" in [code for _, code in marks(source)]


@pytest.mark.parametrize("sent", [PUBLIC, POPPED, DELETED])
@pytest.mark.parametrize(
    ("default", "made"),
    [("_offset = 0.0", ""), ("unit = 'C'", "self._offset = 0.0"), ("unit = 'C'", ""), ("_offset = None", "")],
)
def test_what_main_has_set_since_is_left_out(sent: str, default: str, made: str) -> None:
    assert _is_left_out(sent=sent, default=default, made=made)


def test_a_default_hides_what_construction_sets() -> None:
    assert _is_left_out(made="self._offset = len(name)", calibrated="pass")
    assert _is_left_out(made="self._offset = 1.5", calibrated="pass")


@pytest.mark.parametrize(
    "change",
    [
        {"sent": "return dict(self.__dict__)"},
        {"sent": "return {k: v for k, v in self.__dict__.items() if k != '_log'}"},
        {"arrives": ARRIVES.format(then="self.calibrate([1])")},
        {"arrives": ARRIVES.format(then="self._offset = 1")},
        {"arrives": "\n    def __getattr__(self, name):\n        raise AttributeError(name)\n"},
        {"arrives": "\n    def __reduce__(self):\n        return type(self), (self.name,), vars(self)\n"},
        {"calls": "pass"},
        {"calls": "print(thermometer.read(1.0))"},
        {"work": "thermometer.calibrate(values)"},
        {"calibrated": "self._offset = 0.0"},
        {"calibrated": "self.offset = sum(samples)", "read": "return raw - self.offset"},
        {"read": "return raw"},
        {"read": "return raw - getattr(self, '_offset', 0.0)"},
        {"read": "return raw - (self._offset if hasattr(self, '_offset') else 0.0)"},
        {"default": "_offset = None", "read": "return raw if self._offset is None else raw - self._offset"},
        {"default": "_offset = None", "read": "return raw - (self._offset or 0.0)"},
        {
            "default": "_offset = None",
            "read": "if self._offset is None:\n            self.calibrate([raw])\n        return raw - self._offset",
        },
        {
            "default": "_offset = None",
            "read": "if not self._offset:\n            self._offset = load(raw)\n        return raw - self._offset",
        },
        {
            "default": "unit = 'C'",
            "read": "try:\n            return raw - self._offset\n        except AttributeError:\n            pass",
        },
        {
            "default": "@property\n    def _offset(self):\n        return len(self.name)",
            "calibrated": "pass",
        },
    ],
)
def test_what_is_not_missed_in_workers(change: dict[str, str]) -> None:
    assert not _is_left_out(**change)


def test_a_flag_may_be_left_out_on_purpose() -> None:
    flag = {"default": "_offset = False", "calibrated": "self._offset = True"}
    assert not _is_left_out(**flag, read="return raw - 1 if self._offset else raw")


VOCABULARY = """\
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial


class Vocabulary:
    UNKNOWN = 0

    def __init__(self, tokens):
        self.tokens = sorted(set(tokens))
        self.numbers = {start}
        {made}

    def number_all(self):
        self.numbers = {{token: number for number, token in enumerate(self.tokens)}}

    def __getstate__(self):
        {sent}
{arrives}
    def number(self, token):
        {read}

    def encode(self, text):
        {prepared}
        return [self.number(token) for token in text.split()]


def encode_line(vocabulary, line):
    {work}
    return vocabulary.encode(line)


def main(lines):
    vocabulary = Vocabulary(token for line in lines for token in line.split())
    {calls}
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(partial(encode_line, vocabulary), lines)))


if __name__ == "__main__":
    main(["a b", "b c"])
"""
EMPTIED = "state = self.__dict__.copy()\n        state['numbers'] = {}\n        return state"


def _is_missed(
    *,
    start: str = "{}",
    made: str = "self.number_all()",
    sent: str = EMPTIED,
    arrives: str = "",
    read: str = "return self.numbers.get(token, self.UNKNOWN)",
    prepared: str = "pass",
    work: str = "pass",
    calls: str = "pass",
    name: str = "numbers",
) -> bool:
    parts = {"start": start, "made": made, "sent": sent, "arrives": arrives, "read": read, "prepared": prepared}
    source = VOCABULARY.format(**parts, work=work, calls=calls).replace("numbers", name)
    return "LP604" in [code for _, code in marks(source)]


@pytest.mark.parametrize(
    "sent",
    [
        EMPTIED,
        EMPTIED.replace("{}", "dict()"),
        EMPTIED.replace("{}", "defaultdict(int)"),
        "return {**self.__dict__, 'numbers': {}}",
        "return dict(vars(self), numbers={})",
    ],
)
@pytest.mark.parametrize(
    "read",
    [
        "return self.numbers.get(token, self.UNKNOWN)",
        "return self.numbers.get(token, -1)",
        "return self.numbers[token]",
        "if token in self.numbers:\n            return self.numbers[token]\n        return self.UNKNOWN",
    ],
)
def test_what_is_sent_empty_is_looked_up(sent: str, read: str) -> None:
    assert _is_missed(sent=sent, read=read)


@pytest.mark.parametrize(
    "change",
    [
        {"start": "{token: n for n, token in enumerate(self.tokens)}", "made": "pass"},
        {"made": "pass", "calls": "vocabulary.number_all()"},
        {"made": "for n, token in enumerate(self.tokens):\n            self.numbers[token] = n"},
        {
            "arrives": ARRIVES.format(then="self.numbers = {}"),
            "sent": "state = self.__dict__.copy()\n        del state['numbers']\n        return state",
        },
        {
            "start": "set()",
            "made": "self.numbers.update(self.tokens)",
            "sent": EMPTIED.replace("{}", "set()"),
            "read": "return token in self.numbers",
        },
        {
            "start": "list(self.tokens)",
            "made": "pass",
            "sent": EMPTIED.replace("{}", "[]"),
            "read": "return self.numbers[len(token)]",
        },
        {"sent": EMPTIED.replace("{}", "None"), "read": "return self.numbers[token]"},
        {"sent": EMPTIED.replace("{}", "None")},
        {
            "start": "threading.Lock()",
            "made": "pass",
            "sent": EMPTIED.replace("{}", "None"),
            "read": "with self.numbers:\n            return token",
        },
    ],
)
def test_how_main_fills_what_is_sent_empty(change: dict[str, str]) -> None:
    assert _is_missed(**change)


@pytest.mark.parametrize(
    "change",
    [
        {"sent": "return self.__dict__.copy()"},
        {"arrives": ARRIVES.format(then="self.number_all()")},
        {"arrives": ARRIVES.format(then="self.numbers = {token: n for n, token in enumerate(self.tokens)}")},
        {"arrives": "\n    def __reduce__(self):\n        return type(self), (self.tokens,)\n"},
        {"prepared": "self.number_all()"},
        {"prepared": "if not self.numbers:\n            self.number_all()"},
        {"prepared": "if len(self.numbers) < 1:\n            return []"},
        {"work": "vocabulary.number_all()"},
        {"work": "vocabulary.numbers = load(line)"},
        {"work": "vocabulary.numbers['a'] = 1"},
        {"made": "pass"},
        {"made": "self.numbers = {}"},
        {"read": "return len(token)"},
        {"read": "number = self.numbers.get(token)\n        return count(token) if number is None else number"},
        {"read": "return self.numbers.get(token) or count(token)"},
        {"read": "return self.numbers.get(token, ())"},
        {"read": "return self.numbers.get(token, count(token))"},
        {"read": "return self.numbers.setdefault(token, count(token))"},
        {"read": "self.numbers[token] += 1\n        return token"},
        {"read": "try:\n            return self.numbers[token]\n        except KeyError:\n            return token"},
        {"read": "with suppress(KeyError):\n            return self.numbers[token]"},
        {"read": "if token in self.numbers:\n            return self.numbers[token]\n        return count(token)"},
        {"read": "if token not in self.numbers:\n            self.numbers[token] = 1\n        return token"},
        {"read": "numbers = self.numbers\n        return numbers.get(token, 0) or numbers.update({token: 1})"},
        {"read": "for listener in self.numbers:\n            listener(token)"},
        {"read": "for listener in self.numbers.get(token, []):\n            listener(token)"},
        {"read": "return load(self.numbers, token)"},
        {"name": "_cache"},
    ],
)
def test_what_may_be_sent_empty(change: dict[str, str]) -> None:
    assert not _is_missed(**change)


def test_what_only_main_looks_up_may_be_sent_empty() -> None:
    source = VOCABULARY.format(
        start="{}", made="self.number_all()", sent=EMPTIED, arrives="", prepared="pass", work="return line.split()",
        read="return self.numbers[token]", calls="print(vocabulary.number('a'))",
    )  # fmt: skip
    assert "LP604" not in [code for _, code in marks(source)]


def test_gap_what_another_function_looks_up_in_it() -> None:
    assert not _is_missed(read="return 0", work="return [vocabulary.numbers.get(token, 0) for token in line.split()]")


INITIALIZED = """\
import re
from concurrent.futures import ProcessPoolExecutor


class Cache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.known = {{}}

    def lookup(self, key, compute):
        if key not in self.known:
            self.known[key] = compute(key)
        return self.known[key]


class Encoder:
    def __init__(self, alphabet, capacity=100):
        self.alphabet = alphabet
        self.capacity = capacity
        self._prepare()

    def _prepare(self):
        {prepare}

    def __getstate__(self):
        {sent}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._prepare()

    def encode(self, text):
        return [{code} for word in self._words.findall(text)]

    def tell(self):
        return self.shift


class Shifted(Encoder):
    def __init__(self, alphabet, shift):
        super().__init__(alphabet)
        self.shift = shift

    def code(self, word):
        return [self.alphabet.index(each) + self.shift for each in word]

    def plain(self, word):
        return [self.alphabet.index(each) for each in word]


encoder = None


def prepare(given):
    global encoder
    {kept}


def encode_line(line):
    return encoder.encode(line)


def main():
    shifted = Shifted("abcdefghijklmnopqrstuvwxyz", 3)
    with ProcessPoolExecutor(2, initializer=prepare, initargs=(shifted,)) as executor:
        print(list(executor.map(encode_line, ["the lower", "lowest newer"])), shifted.tell())


if __name__ == "__main__":
    main()
"""
_MADE = """\
self._words = re.compile("[a-z]+")
        self._cache = Cache(self.capacity)"""
_LEAN = 'return {"alphabet": self.alphabet, "capacity": self.capacity}'


def _initialized(code: str, prepare: str = _MADE, sent: str = _LEAN, kept: str = "encoder = given") -> list[int]:
    source = INITIALIZED.format(prepare=prepare, sent=sent, code=code, kept=kept)
    return rows(source, "LP604")


@pytest.mark.parametrize(
    "code",
    ["self.code(word)", "self._cache.lookup(word, self.code)", "self._cache.lookup(key=word, compute=self.code)"],
)
def test_an_object_that_the_initializer_keeps(code: str) -> None:
    assert _initialized(code) == [45]


@pytest.mark.parametrize(
    "prepare",
    [
        f"{_MADE}\n        restore(self)",
        f"{_MADE}\n        vars(self).update(defaults())",
        f"{_MADE}\n        Restoring(owner=self)",
        f"{_MADE}\n        Restoring([self])",
        f"{_MADE}\n        self._cache.fill()",
        f"{_MADE}\n        self.shift = 3",
    ],
)
def test_what_makes_the_rest_of_its_state_may_restore_it(prepare: str) -> None:
    assert _initialized("self.code(word)", prepare=prepare) == []


@pytest.mark.parametrize("code", ["self.plain(word)", "self._cache.lookup(word, self.plain)", "self._cache.known"])
def test_an_object_that_the_initializer_keeps_and_whose_method_reads_nothing_that_is_left_out(code: str) -> None:
    assert _initialized(code) == []


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ('return {**_LEAN, "shift": 3}', "encoder = given"),
        ("return {name: value for name, value in self.__dict__.items() if name != '_cache'}", "encoder = given"),
        (_LEAN, "encoder = Encoder(given.alphabet)"),
    ],
)
def test_an_initializer_that_keeps_what_has_it(sent: str, kept: str) -> None:
    assert _initialized("self.code(word)", sent=sent, kept=kept) == []


CRAWLED = """
import multiprocessing as mp
import pickle


class Crawler:
    def __init__(self, told):
        self.told = told
        self.depth = 1

    def __getstate__(self):
        state = dict(self.__dict__)
        del state["told"]
        return state

    def visit(self, url):
        {visit}
        return url, self.depth

    def crawl(self, urls):
        with mp.Pool(2) as pool:
            for url, depth in {visited}:
                self.told(url)


def step(job):
    crawler, url = job
    return crawler.visit(url)


def main():
    crawler = Crawler(print)
    crawler.crawl(["a", "b"])
    {then}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("visited", ["pool.map(self.visit, urls)", "pool.map(step, [(self, url) for url in urls])"])
def test_of_objects_that_workers_are_seen_to_get_what_only_the_main_process_runs_is_fine(visited: str) -> None:
    def found(visit: str, then: str = "pass") -> list[str]:
        shown = marks(CRAWLED.format(visit=visit, visited=visited, then=then), pedantic=True)
        return [code for _, code in shown if code == "LP604"]

    assert found("pass") == []
    assert found("self.told(url)") == ["LP604"]


def test_of_objects_that_are_only_pickled_any_method_may_be_run() -> None:
    then = "pickle.loads(pickle.dumps(crawler))"
    text = CRAWLED.format(visit="pass", visited="map(self.visit, urls)", then=then)
    assert [code for _, code in marks(text, pedantic=True) if code == "LP604"] == ["LP604"]


MARKED = """
import inspect
import multiprocessing as mp
import threading


class Component:
    {nothing}

    def __getstate__(self):
        state = self.__dict__.copy()
        {hook}
        return state


class Reader(Component):
    _transient = ("_lock",)

    def __init__(self, path):
        self.path = path
        self._lock = threading.Lock()

    def rows(self, n):
        return self.{used}


class Lines(Reader):
    _transient = ("buffer",)

    def __init__(self, path):
        super().__init__(path)
        self.buffer = []


def main():
    reader = Lines("x")
    with mp.get_context("spawn").Pool(2) as pool:
        pool.map(reader.rows, [1, 2])


if __name__ == "__main__":
    main()
"""
_BY_CLASS = [
    """for cls in type(self).__mro__:
            for name in cls.__dict__.get("_transient", ()):
                {does}""",
    """for cls in reversed(self.__class__.mro()):
            for name in getattr(cls, "_transient", ()):
                {does}""",
    """for cls in inspect.getmro(type(self)):
            if "_transient" in vars(cls):
                for name in vars(cls)["_transient"]:
                    {does}""",
    """names = set()
        for cls in type(self).mro():
            names.update(cls.__dict__.get("_transient", ()))
        for name in names:
            {does}""",
]


def _marked(hook: str, used: str, nothing: str = "_transient = ()") -> list[str]:
    text = MARKED.format(hook=hook, used=used, nothing=nothing)
    return [code for _, code in marks(text, pedantic=True) if code in ("LP604", "LP111")]


@pytest.mark.parametrize("nothing", ["_transient = ()", "pass"])
@pytest.mark.parametrize("hook", _BY_CLASS)
def test_a_hook_that_asks_each_class_for_what_it_leaves_out(hook: str, nothing: str) -> None:
    does = "state.pop(name, None)"
    assert _marked(hook.format(does=does), "path", nothing) == []
    assert _marked(hook.format(does=does), "buffer", nothing) == ["LP604"]
    assert _marked(hook.format(does=does), "_lock", nothing) == ["LP604"]


@pytest.mark.parametrize("hook", _BY_CLASS)
@pytest.mark.parametrize("used", ["path", "buffer", "_lock"])
def test_what_is_sent_as_none_is_there(hook: str, used: str) -> None:
    assert _marked(hook.format(does="state[name] = None"), used) == []


@pytest.mark.parametrize("names", ["names_of(self)", "self._names", "type(self)._names", "CONFIG.transient"])
@pytest.mark.parametrize("does", ["state[name] = None", "state.pop(name, None)", "del state[name]"])
def test_names_that_are_not_known_may_be_those_of_any_other_attribute(names: str, does: str) -> None:
    hook = f"for name in {names}:\n            {does}"
    assert [_marked(hook, used) for used in ("path", "buffer", "_lock")] == [[], [], []]


def test_a_hook_that_asks_its_own_class_alone_leaves_in_what_others_name() -> None:
    hook = 'for name in type(self).__dict__.get("_transient", ()):\n            state.pop(name)'
    assert _marked(hook, "path") == ["LP111"]
    assert _marked(hook, "buffer") == ["LP111", "LP604"]
