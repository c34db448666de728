"""LP604: what hooks leave out, and whether workers miss it."""

from __future__ import annotations

import pytest

from tests.rules.pickling_hooks import rows
from tests.support import marks

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
