"""LP602: exception-not-rebuilt."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests import support
from tests.pages import PageTests
from tests.rules.pickling_hooks import rows
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP602"


EXCEPTION = """\
class Failed({base}):
    def __init__({parameters}):
        {body}


def work(item):
    raise Failed


def send(pool):
    from multiprocessing import Pool

    Pool(2).map(work, [1, 2])
"""


def test_an_exception_that_no_worker_raises_is_for_pedants() -> None:
    source = EXCEPTION.format(base="Exception", parameters="self, a, b", body="super().__init__(a)")
    assert rows(source, "LP602") == [3]
    assert rows(source.replace("raise Failed", "return item"), "LP602") == []


@pytest.mark.parametrize(
    ("parameters", "is_fixed"),
    [("self, a, b", True), ("self, a, b, **more", False), ("self, a, b, *more", False), ("self, a, *, b", False)],
)
def test_only_positional_arguments_that_are_kept_can_be_passed_again(parameters: str, is_fixed: bool) -> None:
    body = "self.a, self.b = a, b; self.a = a; self.b = b; super().__init__('both')"
    source = EXCEPTION.format(base="Exception", parameters=parameters, body=body)
    result = support.fixed(source, unsafe=True)
    assert ("return (type(self), (self.a, self.b), self.__dict__)" in result) is is_fixed
    assert (result != source) is is_fixed


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        ("self, a, b", "super().__init__(a)"),
        ("self, a, b", "super(Failed, self).__init__(f'{a} {b}')"),
        ("self, a, b", "Exception.__init__(self, 'both')"),
        ("self, *, a", "super().__init__()"),
        ("self", "super().__init__('always the same')"),
    ],
)
def test_an_exception_that_cannot_be_called_again(parameters: str, body: str) -> None:
    assert rows(EXCEPTION.format(base="Exception", parameters=parameters, body=body), "LP602") == [3]


@pytest.mark.parametrize(
    ("base", "parameters", "body"),
    [
        ("Exception", "self, a, b", "super().__init__(a, b)"),
        ("Exception", "self, a, b=1", "super().__init__(a)"),
        ("Exception", "self, a, *rest", "super().__init__(a, *rest)"),
        ("Exception", "self, *parts", "super().__init__(' '.join(parts))"),
        ("Exception", "self, a, b", "self.a = a"),
        ("Exception", "self, a, b", "self.args = (a, b)"),
        ("Exception", "self, a, b", "super().__init__(a); self.args = (a, b)"),
        ("Exception", "self, a, b", "super().__init__(a, b) if a else super().__init__(b, a)"),
        ("ImportError", "self, a, name=None", "super().__init__(a, name=name)"),
        ("UnknownError", "self, a, b", "super().__init__(a)"),
        ("ExceptionGroup", "self, a, b", "super().__init__(a)"),
        ("dict", "self, a, b", "super().__init__(a)"),
    ],
)
def test_an_exception_that_can_be_or_is_not_known(base: str, parameters: str, body: str) -> None:
    assert rows(EXCEPTION.format(base=base, parameters=parameters, body=body), "LP602") == []


BRANCHES = """\
from multiprocessing import Pool


class AppError(Exception):
    def __init__(self, message=None):
        if message:
            super().__init__(message)
        else:
            super().__init__()


class Failed({base}):
    def __init__(self, row, reason):
        {body}


def work(item):
    raise Failed(item, "bad")


def main():
    with Pool(2) as pool:
        pool.map(work, [1, 2])
"""
_ONE, _TWO = "super().__init__(f'{row}: {reason}')", "super().__init__(row, reason)"


@pytest.mark.parametrize(
    ("base", "body", "confidence"),
    [
        ("Exception", f"if row:\n    {_ONE}\nelse:\n    super().__init__(reason)", "certain"),
        ("Exception", f"if row:\n    {_ONE}\nelif reason:\n    super().__init__()\nelse:\n    {_ONE}", "certain"),
        ("Exception", f"if row:\n    {_ONE}\n    return\n{_ONE}", "certain"),
        ("Exception", f"if row:\n    {_ONE}\nelse:\n    raise ValueError(row)", "certain"),
        ("Exception", f"try:\n    {_ONE}\nexcept TypeError:\n    {_ONE}", "certain"),
        ("Exception", f"{_ONE} if row else super().__init__(reason)", "certain"),
        ("Exception", f"{_TWO}\n{_ONE}", "certain"),
        ("Exception", "if row:\n    Exception.__init__(self, row)\nelse:\n    Exception.__init__(self)", "certain"),
        ("AppError", _ONE, "certain"),
        ("AppError", f"if row:\n    {_ONE}\nelse:\n    super().__init__()", "certain"),
        ("Exception", f"if row:\n    {_ONE}\nelse:\n    {_TWO}", "likely"),
        ("Exception", f"if row:\n    {_ONE}", "likely"),
        ("Exception", f"for each in row:\n    {_ONE}", "likely"),
        ("Exception", f"{_TWO} if row else {_ONE}", "likely"),
    ],
)
def test_arguments_that_branches_give(base: str, body: str, confidence: str) -> None:
    text = BRANCHES.format(base=base, body=body.replace("\n", "\n        "))
    assert [str(each.confidence.value) for each in lint(text).diagnostics] == [confidence]


@pytest.mark.parametrize(
    ("base", "body"),
    [
        ("Exception", f"if row:\n    {_TWO}\nelse:\n    super().__init__(reason, row)"),
        ("Exception", f"if row:\n    {_ONE}\n{_TWO}"),
        ("Exception", f"try:\n    {_ONE}\nfinally:\n    {_TWO}"),
        ("Exception", f"if row:\n    {_ONE}\nelse:\n    {_ONE}\nself.args = (row, reason)"),
        ("Exception", f"if row:\n    {_ONE}\n    raise ValueError(row)\n{_TWO}"),
    ],
)
def test_arguments_of_branches_that_fit(base: str, body: str) -> None:
    assert marks(BRANCHES.format(base=base, body=body.replace("\n", "\n        "))) == []


def test_a_message_that_would_be_put_into_itself_is_for_pedants() -> None:
    assert (
        rows(EXCEPTION.format(base="Exception", parameters="self, a", body="super().__init__(f'no {a}')"), "LP602")
        == []
    )


@pytest.mark.parametrize(
    ("parameters", "given", "fires"),
    [
        ("self, message, *, code", "message", True),
        ("self, path, *args", "*args", True),
        ("self, path, *args, **kwargs", "*args, **kwargs", True),
        ("self, *args, code", "*args", True),
        ("self, path, *args", "path, *args", False),
        ("self, *args, code=0", "*args", False),
        ("self, *args", "*args", False),
        ("self, message='', *args", "*args", False),
        ("self, path, *args", "*[path]", False),
    ],
)
def test_keyword_only_and_further_arguments(parameters: str, given: str, fires: bool) -> None:
    text = f"""
from multiprocessing import Pool


class Failed(Exception):
    def __init__({parameters}):
        super().__init__({given})


def work(item):
    raise Failed(item, code=1)


def main():
    with Pool(2) as pool:
        pool.map(work, [1])
"""
    assert ("LP602" in [code for _, code in marks(text)]) is fires


@pytest.mark.parametrize(
    ("start", "found"),
    [
        ("Process(target=work, args=(1,)).start()", False),
        ("Pool(2).map(work, [1, 2])", True),
        ("ProcessPoolExecutor().submit(work, 1)", True),
        ("DataLoader([1, 2], num_workers=2, collate_fn=work)", False),
    ],
)
def test_who_sends_what_workers_raise(start: str, found: bool) -> None:
    """A Process prints it; a DataLoader sends the traceback as text."""
    source = (
        "from concurrent.futures import ProcessPoolExecutor\nfrom multiprocessing import Pool, Process\n"
        "from torch.utils.data import DataLoader\n\n\n"
        "class Failed(Exception):\n    def __init__(self, a, b):\n        super().__init__(a)\n\n\n"
        f"def work(item):\n    raise Failed(1, 2)\n\n\ndef main():\n    {start}\n"
    )
    assert any(code == "LP602" for _, code in marks(source)) == found


FURTHER = """\
import multiprocessing as mp


class ToolError(Exception):
    def __init__(self, *args, file=None):
        super().__init__({handed})
        self.file = file


class Mismatch(ToolError):
    def __init__(self, {parameters}):
        super().__init__({given})


class Inherits(Mismatch):
    pass


def work(number):
    raise {raised}


if __name__ == "__main__":
    with mp.Pool(2) as pool:
        print(pool.map(work, [0, 1]))
"""


@pytest.mark.parametrize(
    ("handed", "parameters", "given", "raised", "found"),
    [
        ("*args", "message, file=None", "message, file=file", "Mismatch('no')", []),
        ("*args", "old, new", "f'{old} {new}'", "Mismatch(1, 2)", [(12, "LP602")]),
        ("*args", "old, new", "f'{old} {new}'", "Inherits(1, 2)", [(12, "LP602")]),
        ("*args", "old, new", "old, new", "Inherits(1, 2)", []),
        ("", "message", "message", "Mismatch('no')", [(12, "LP602")]),
        ("*args", "*, name", "name", "Inherits(name='a')", [(12, "LP602")]),
    ],
)
def test_arguments_that_a_parent_hands_on(
    handed: str, parameters: str, given: str, raised: str, found: list[tuple[int, str]]
) -> None:
    text = FURTHER.format(handed=handed, parameters=parameters, given=given, raised=raised)
    assert marks(text) == found


_GROUP = """\
import sys

if sys.version_info < (3, 11):
    from exceptiongroup import ExceptionGroup


class Failed(ExceptionGroup{of}):
    {new}

    {init}


def work(item):
    raise Failed


def send(pool):
    from multiprocessing import Pool

    Pool(2).map(work, [1, 2])
"""
_NEW = "def __new__(cls, errors):\n        return super().__new__(cls, 'several', errors)"
_SAME = "def __new__(cls, message, errors):\n        return super().__new__(cls, message, errors)"


@pytest.mark.parametrize("of", ["", "[Exception]"])
@pytest.mark.parametrize(
    ("new", "init", "row"),
    [
        (_NEW, "def __init__(self, errors):\n        super().__init__('several', errors)", 12),
        (_NEW, "def __init__(self, errors):\n        self.count = len(errors)", 11),
        (_SAME, "def __init__(self, message, errors, code):\n        super().__init__(message, errors)", 12),
    ],
)
def test_a_group_has_two_arguments(new: str, init: str, row: int, of: str) -> None:
    assert rows(_GROUP.format(new=new, init=init, of=of), "LP602") == [row]


@pytest.mark.parametrize(
    ("new", "init"),
    [
        (_NEW, "pass"),
        (_NEW, "def __init__(self, errors):\n        super().__init__(errors)"),
        (_SAME, "def __init__(self, message, errors):\n        super().__init__(message, errors)"),
        (_SAME, "def __init__(self, message, errors, code=1):\n        super().__init__(message, errors)"),
        (
            _NEW,
            "def __init__(self, errors):\n        super().__init__('several', errors)\n\n"
            "    def __reduce__(self):\n        return Failed, (self.exceptions,)",
        ),
    ],
)
def test_a_group_that_is_rebuilt(new: str, init: str) -> None:
    assert rows(_GROUP.format(new=new, init=init, of=""), "LP602") == []


def test_a_class_that_is_no_exception_may_take_what_it_likes() -> None:
    source = "class Group:\n    def __init__(self, a, b):\n        self.a = a\n\n\nclass A(Group):\n    pass\n"
    outcome = support.lint(source)
    assert (outcome.diagnostics, outcome.held_back) == ((), 0)


BAD_JSON = """\
import json
from multiprocessing import Pool


class RequestError({base}):
    def __init__(self, *args, **kwargs):
        self.response = kwargs.pop("response", None)
        super().__init__(*args, **kwargs)


class BadJson({bases}):
    def __init__({parameters}):
        {first}
        {second}


def work(text):
    raise BadJson("no object", text, 0)


def main():
    with Pool(2) as pool:
        print(pool.map(work, ["x"]))
"""


def _of_json(
    base: str = "OSError",
    bases: str = "RequestError, json.JSONDecodeError",
    parameters: str = "self, *args, **kwargs",
    first: str = "json.JSONDecodeError.__init__(self, *args)",
    second: str = "RequestError.__init__(self, *self.args, **kwargs)",
) -> list[tuple[int, str]]:
    return marks(BAD_JSON.format(base=base, bases=bases, parameters=parameters, first=first, second=second))


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"base": "IOError"},
        {
            "parameters": "self, msg, doc, pos, response=None",
            "first": "json.JSONDecodeError.__init__(self, msg, doc, pos)",
        },
    ],
)
def test_a_json_error_that_is_an_os_error_first(changed: dict[str, str]) -> None:
    assert _of_json(**changed) == [(13, "LP602")]


@pytest.mark.parametrize(
    "changed",
    [
        {"base": "Exception"},  # then the reduction of the JSON error comes first
        {"bases": "json.JSONDecodeError, RequestError"},
        {"second": "\n    def __reduce__(self):\n        return json.JSONDecodeError.__reduce__(self)"},
        {"second": "self.args = args"},
        {"second": "RequestError.__init__(self, *args, **kwargs)"},
        {
            "parameters": "self, msg, doc='', pos=0, **kwargs",
            "first": "json.JSONDecodeError.__init__(self, msg, doc, pos)",
        },
    ],
)
def test_a_json_error_that_is_rebuilt_or_whose_arguments_are_not_known(changed: dict[str, str]) -> None:
    assert _of_json(**changed) == []


_SENT = """\
import multiprocessing as mp


class ReadError(Exception):
    def __init__(self, path, line):
        super().__init__({kept})


class Other(Exception):
    pass


def report(error):
    print(error)


def main():
    try:
        print(open("x").read())
    except {caught} as error:
        mp.Process(target=report, args=({given},)).start()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("kept", "caught", "given", "fires"),
    [
        ("f'{path}:{line}'", "ReadError", "error", True),
        ("f'{path}:{line}'", "(Other, ReadError)", "error", True),
        ("f'{path}:{line}'", "Other", "ReadError('a', 1)", True),
        ("f'{path}:{line}'", "ReadError", "error.with_traceback(None)", True),
        ("f'{path}:{line}'", "Other", "ReadError('a', 1).with_traceback(None)", True),
        ("path, line", "ReadError", "error.with_traceback(None)", False),
        ("f'{path}:{line}'", "ReadError", "error.with_traceback(None).args", False),
        ("f'{path}:{line}'", "ReadError", "error.add_note('in main')", False),
        ("path, line", "ReadError", "error", False),
        ("f'{path}:{line}'", "Other", "error", False),
        ("f'{path}:{line}'", "OSError", "error", False),
        ("f'{path}:{line}'", "ReadError", "str(error)", False),
    ],
)
def test_an_exception_that_is_given_to_a_worker(kept: str, caught: str, given: str, fires: bool) -> None:
    found = lint(_SENT.format(kept=kept, caught=caught, given=given)).diagnostics
    assert any("cannot be sent to a worker" in each.message for each in found) is fires


_CAUGHT_BY_CALLER = """\
import sys

import pebble
import simulators


class ProtocolError(Exception):
    pass


class Protocol:
    def __init__(self, duration):
        self.duration = duration

    def work(self, model, sim=None):
        try:
            model.freeze()
            try:
                sim.simulate(9)
            except {caught}:
                return None
            return model.responses
        except {others} as error:
            {then}

    def start(self, model, sim):
        with pebble.ProcessPool(max_workers=1) as pool:
            return pool.schedule(self.work, kwargs={{"model": model, "sim": sim}}).result()


def main():
    print(Protocol(3).start(simulators.Model(), {sim}))


if __name__ == "__main__":
    main()
"""
_SIMULATORS = """\
class Model:
    responses = 1

    def freeze(self):
        self.frozen = True


class Failed(Exception):
    def __init__(self, message, original):
        super().__init__(message)
        self.original = original


class Simulator:
    def simulate(self, duration):
        try:
            self.step(duration)
        except Exception as error:
            raise Failed("it failed", error)

    def step(self, duration):
        raise ValueError(duration)


class Slow(Simulator):
    def __init__(self):
        self.steps = 3


def make(kind):
    return Slow() if kind else Simulator()
"""


@pytest.mark.parametrize("sim", ["simulators.Simulator()", "simulators.make(sys.argv)"])
@pytest.mark.parametrize(
    ("caught", "others", "then", "fires"),
    [
        ("(RuntimeError, simulators.Failed)", "BaseException", "raise ProtocolError('x')", False),
        ("RuntimeError", "BaseException", "raise ProtocolError('x') from error", False),
        ("simulators.Failed", "KeyError", "raise", False),
        ("(RuntimeError, OSError)", "KeyError", "raise ProtocolError('x') from error", True),
        ("(RuntimeError, OSError)", "BaseException", "raise", True),
    ],
)
def test_an_exception_that_a_caller_catches(
    sim: str, caught: str, others: str, then: str, fires: bool, tmp_path: Path
) -> None:
    text = _CAUGHT_BY_CALLER.format(sim=sim, caught=caught, others=others, then=then)
    (tmp_path / "main.py").write_text(text)
    (tmp_path / "simulators.py").write_text(_SIMULATORS)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert ("LP602" in [each.code for each in found]) is fires


RAISING = """\
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, Process


class ShardError(Exception):
    def __init__(self, shard, reason):
        super().__init__({passed})
        self.shard = shard


def read(shard):
    raise ShardError(shard, "truncated")


def main(shards):
    {start}
"""


@pytest.mark.parametrize(
    ("start", "outcome"),
    [
        ("print(Pool(2).map(read, shards))", "the pool waits for ever for this result"),
        ("print(Pool(2).apply_async(read, (1,)).get())", "the pool waits for ever for this result"),
        ("print(list(ProcessPoolExecutor().map(read, shards)))", "the executor breaks: BrokenProcessPool"),
    ],
)
def test_what_becomes_of_the_error(start: str, outcome: str) -> None:
    (found,) = lint(RAISING.format(start=start, passed="reason")).diagnostics
    assert found.message.endswith(f"({outcome})")


@pytest.mark.parametrize(
    "start", ["Process(target=read, args=(1,)).start()", "print(Pool(2).map(str, shards), read(1))"]
)
def test_nothing_is_said_of_what_does_not_wait(start: str) -> None:
    assert "wait" not in str(lint(RAISING.format(start=start, passed="reason")).diagnostics)
    assert not lint(RAISING.format(start=start, passed="shard, reason")).diagnostics
