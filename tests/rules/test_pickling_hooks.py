"""LP6xx: classes that cannot be rebuilt, beyond what the pages show; for each that fires, one that must not."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.support import marks

GETATTR = """\
class Wrapper(Base):
    def __init__(self, data):
        self.data = data

    def __getattr__(self, name):
{body}


def send(data):
    import pickle

    return pickle.dumps(Wrapper(data))
"""


KEPT = """

from torch.utils.data import Dataset


class Keeper(Dataset):
    def __init__(self):
        self.kept = A(1, 2)
"""


def rows(source: str, code: str) -> list[int]:
    return [row for row, found in marks(dedent(source)) if found == code]


@pytest.mark.parametrize(
    "body",
    [
        "return getattr(self.data, name)",
        "return self.data[name]",
        "if name == 'size':\n    return 1\nreturn getattr(self.data, name)",
        "if name.startswith('get_'):\n    return None\nreturn getattr(self.data, name)",
        "for part in self.data:\n    return part",
        "with self.data:\n    return 1",
        "try:\n    return getattr(self.data, name)\nexcept AttributeError:\n    raise KeyError(name)",
        "return self.data[name] if name in self.data else None",
        "if hasattr(self.data, name) or name == 'x':\n    return 1\nraise AttributeError(name)",
        "value = self.__dict__['data']\nreturn getattr(value, name)",
        "return getattr(getattr(self, 'data'), name)",
        "try:\n    key = TABLE[name]\nexcept KeyError:\n    key = name\nreturn self.data[key]",
    ],
)
def test_a_getattr_that_must_ask_for_what_is_not_there(body: str) -> None:
    source = GETATTR.replace("(Base)", "").format(body=_indented(body))
    assert rows(source, "LP601") == [5]


@pytest.mark.parametrize(
    "body",
    [
        "if name[:2] == '__':\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if name[0] == '_':\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if not name.startswith('get_'):\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if name not in ('size', 'shape'):\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if name == 'data':\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if 'data' not in self.__dict__:\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if 'data' in self.__dict__:\n    return getattr(self.data, name)\nraise AttributeError(name)",
        "try:\n    return self.__dict__['data'][name]\nexcept KeyError:\n    raise AttributeError(name)",
        "try:\n    return getattr(self.data, name)\nexcept Exception:\n    raise AttributeError(name)",
        "return getattr(self.__dict__.get('data'), name)",
        "return getattr(object.__getattribute__(self, 'data'), name)",
        "if is_plain(name):\n    return getattr(self.data, name)\nraise AttributeError(name)",
        "return getattr(self.find(), name)",
        "raise AttributeError(name)",
        "return lambda: self.data",
        "try:\n    key = TABLE[name]\nexcept KeyError:\n    raise AttributeError(name)\nreturn getattr(self.data, key)",
        "try:\n    index = FIELDS.index(name)\nexcept ValueError as e:\n    raise AttributeError(name) from e\n"
        "return self.data[index]",
        "try:\n    key = TABLE[name]\nexcept KeyError:\n    return None\nelse:\n    return self.data[key]",
    ],
)
def test_a_getattr_that_refuses_or_may_refuse(body: str) -> None:
    source = GETATTR.replace("(Base)", "").format(body=_indented(body))
    assert rows(source, "LP601") == []


@pytest.mark.parametrize(
    "head",
    [
        "from somewhere import Base\n\n\n",
        "from torch.nn import Module as Base\n\n\n",
        "class Base:\n    data = None\n\n\n",
        "class Base:\n    def __setstate__(self, state):\n        self.__dict__ = state\n\n\n",
        "class Base:\n    def __reduce__(self):\n        return Wrapper, (self.data,)\n\n\n",
    ],
)
def test_a_base_class_that_knows_better_or_may(head: str) -> None:
    source = head + GETATTR.format(body=_indented("return getattr(self.data, name)"))
    assert rows(source, "LP601") == []


def test_the_base_class_may_be_what_is_wrong() -> None:
    source = "class Base:\n    pass\n\n\n" + GETATTR.format(body=_indented("return getattr(self.data, name)"))
    assert rows(source, "LP601") == [9]


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


def test_a_getattr_of_what_is_not_sent_is_for_pedants() -> None:
    source = GETATTR.replace("(Base)", "").format(body=_indented("return getattr(self.data, name)"))
    assert rows(source.partition("def send")[0], "LP601") == []


def test_a_getattr_of_what_has_the_form_of_a_dataset_is_likely() -> None:
    source = """\
    class SlicedDataset:
        def __init__(self, dataset, length):
            self.dataset = dataset
            self.length = length

        def __getattr__(self, name):
            return getattr(self.dataset, name)

        def __getitem__(self, index):
            return self.dataset[index]

        def __len__(self):
            return self.length
    """
    assert rows(source, "LP601") == [6]
    assert rows(source.replace("SlicedDataset", "Sliced"), "LP601") == []


def test_an_exception_that_no_worker_raises_is_for_pedants() -> None:
    source = EXCEPTION.format(base="Exception", parameters="self, a, b", body="super().__init__(a)")
    assert rows(source, "LP602") == [2]
    assert rows(source.replace("raise Failed", "return item"), "LP602") == []


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
    assert rows(EXCEPTION.format(base="Exception", parameters=parameters, body=body), "LP602") == [2]


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
        ("Exception", "self, a, b", "super().__init__(a, b) if a else super().__init__(b)"),
        ("ImportError", "self, a, name=None", "super().__init__(a, name=name)"),
        ("UnknownError", "self, a, b", "super().__init__(a)"),
        ("ExceptionGroup", "self, a, b", "super().__init__(a)"),
        ("dict", "self, a, b", "super().__init__(a)"),
    ],
)
def test_an_exception_that_can_be_or_is_not_known(base: str, parameters: str, body: str) -> None:
    assert rows(EXCEPTION.format(base=base, parameters=parameters, body=body), "LP602") == []


def test_a_message_that_would_be_put_into_itself_is_for_pedants() -> None:
    assert (
        rows(EXCEPTION.format(base="Exception", parameters="self, a", body="super().__init__(f'no {a}')"), "LP602")
        == []
    )


STATE = """\
class Holder:
    def __init__(self, path):
        self.path = path
        self.lock = make_lock()

    def __getstate__(self):
{body}

    def use(self):
        return self.lock
"""


@pytest.mark.parametrize(
    "body",
    [
        "state = self.__dict__\nstate.pop('lock')\nreturn state",
        "state = self.__dict__\nstate.pop('lock', None)\nreturn state",
        "del self.__dict__['lock']\nreturn self.__dict__",
        "delattr(self, 'lock')\nreturn self.__dict__",
    ],
)
def test_a_getstate_that_takes_from_the_object(body: str) -> None:
    assert rows(STATE.format(body=_indented(body)), "LP603") == [8 if "state = " in body else 7]


@pytest.mark.parametrize(
    "body",
    [
        "state = self.__dict__.copy()\nstate.pop('lock')\nreturn state",
        "state = dict(self.__dict__)\ndel state['lock']\nreturn state",
        "state = {**self.__dict__}\ndel state['lock']\nreturn state",
        "state = vars(self).copy()\ndel state['lock']\nreturn state",
        "return self.__dict__",
        "del self.path\nreturn self.__dict__",
        "return {key: value for key, value in self.__dict__.items() if key != 'lock'}",
    ],
)
def test_a_getstate_that_leaves_the_object_as_it_is(body: str) -> None:
    assert rows(STATE.format(body=_indented(body)), "LP603") == []


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
        ("", "return self.reader[index] if self.reader else None"),
        ("", "self.reader = make_reader(self.path); return self.reader[index]"),
        ("    def __getattr__(self, name):\n        raise AttributeError(name)\n", "return self.reader[index]"),
        ("    def __setstate__(self, state):\n        self.__init__(state['path'])\n", "return self.reader[index]"),
        ("    def open(self):\n        self.reader = make_reader(self.path)\n", "return self.reader[index]"),
        ("    reader = None\n", "return self.reader[index]"),
    ],
)
def test_an_attribute_that_is_not_needed_or_may_be_made_anew(more: str, use: str) -> None:
    assert rows(DROPPED.format(drop="del state['reader']", more=more, use=use), "LP604") == []


@pytest.mark.parametrize(
    ("source", "fires"),
    [
        ("class A(tuple):\n    def __new__(cls, a, b): return super().__new__(cls, (a, b))", True),
        ("class A(int):\n    def __new__(cls, a, *, b): return int.__new__(cls, a)", True),
        ("class A:\n    def __new__(cls, a): return object.__new__(cls)", True),
        ("from collections import deque\nclass A(deque):\n    def __init__(self, n): super().__init__(maxlen=n)", True),
        ("class A(set):\n    def __init__(self, a, b): super().__init__()", True),
        ("class A(tuple):\n    def __new__(cls, values): return super().__new__(cls, values)", False),
        ("class A(int):\n    def __new__(cls, a, b=1): return int.__new__(cls, a)", False),
        ("class A:\n    def __new__(cls, a): return make(a)", False),
        ("class A:\n    def __new__(cls, *args, **kwargs): return object.__new__(cls)", False),
        (
            "class A:\n    def __new__(cls, a): return object.__new__(cls)\n    def __reduce__(self): return A, (1,)",
            False,
        ),
        ("class A(list):\n    def __init__(self, n): super().__init__([0] * n)", False),
        ("class A(type):\n    def __new__(mcs, a, b, c): return type.__new__(mcs, a, b, c)", False),
        ("from x import B\nclass A(B):\n    def __new__(cls, a): return super().__new__(cls)", False),
    ],
)
def test_constructors_that_pickle_calls(source: str, fires: bool) -> None:
    assert bool(rows(source + KEPT, "LP606")) is fires


@pytest.mark.parametrize("code", ["LP606", "LP607"])
def test_classes_of_which_no_object_is_sent_are_for_pedants(code: str) -> None:
    source = """\
        class A(str):
            def __new__(cls, a, b): return str.__new__(cls, a)
        class B:
            __slots__ = ("a",)
            def __setattr__(self, name, value): raise TypeError("no")
        """
    assert rows(source, code) == []


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("__slots__ = ('a',)\n    def __setattr__(self, k, v): raise TypeError('no')", True),
        ("__slots__ = ['a']\n    def __setattr__(self, k, v): raise TypeError", True),
        ("def __setattr__(self, k, v): raise TypeError('no')", False),
        ("__slots__ = ()\n    def __setattr__(self, k, v): raise TypeError('no')", False),
        ("__slots__ = ('a',)\n    def __setattr__(self, k, v): object.__setattr__(self, k, v)", False),
        ("__slots__ = ('a',)\n    def __setattr__(self, k, v):\n        if k != 'a': raise TypeError(k)", False),
        (
            "__slots__ = ('a',)\n    def __setattr__(self, k, v): raise TypeError\n    def __setstate__(self, s): ...",
            False,
        ),
    ],
)
def test_slots_that_cannot_be_set(body: str, fires: bool) -> None:
    assert bool(rows(f"class A:\n    {body}\n{KEPT}", "LP607")) is fires


def _indented(body: str) -> str:
    return "\n".join(" " * 8 + line for line in body.splitlines())


LOGGER = """
import sys
from torch.utils.data import Dataset

class Log(Dataset):
    def __init__(self, file):
        self.file = file
    def __getstate__(self):
        state = self.__dict__.copy()
        {parent}
        return state

class Console(Log):
    def __init__(self):
        super().__init__(open("log.txt"))
        self.bar = None
    def __getstate__(self):
        state = {own}
        del state["bar"]
        return state
"""


@pytest.mark.parametrize(
    ("parent", "own", "found"),
    [
        ("state['file'] = self.file.name", "super().__getstate__()", []),
        ("state['file'] = self.file.name", "self.__dict__.copy()", [15]),
        ("pass", "super().__getstate__()", [15]),
    ],
)
def test_what_the_hook_of_a_parent_leaves_out_is_left_out(parent: str, own: str, found: list[int]) -> None:
    assert rows(LOGGER.format(parent=parent, own=own), "LP110") == found
