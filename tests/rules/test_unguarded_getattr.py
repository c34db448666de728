"""LP601: unguarded-getattr."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import indented, rows
from tests.support import fixed, lint, marks


class TestPage(PageTests):
    code = "LP601"


GETATTR = """\
class Wrapper(Base):
    def __init__(self, data):
        self.data, self.asked = data, 0

    def __getattr__(self, name):
{body}


def send(data):
    import pickle

    return pickle.dumps(Wrapper(data))
"""


@pytest.mark.parametrize(
    "body",
    [
        "return getattr(self.data, name)",
        "return self.data[name]",
        "if name == 'size':\n    return 1\nreturn getattr(self.data, name)",
        "if name.startswith('get_'):\n    return None\nreturn getattr(self.data, name)",
        "if name.lower() == 'size':\n    return 1\nreturn getattr(self.data, name)",
        "if self.__dict__:\n    return 1\nreturn getattr(self.data, name)",
        "for part in self.data:\n    return part",
        "with self.data:\n    return 1",
        "try:\n    return getattr(self.data, name)\nexcept AttributeError:\n    raise KeyError(name)",
        "return self.data[name] if name in self.data else None",
        "if hasattr(self.data, name) or name == 'x':\n    return 1\nraise AttributeError(name)",
        "value = self.__dict__['data']\nreturn getattr(value, name)",
        "return getattr(getattr(self, 'data'), name)",
        "return 'data' in self.__dict__ or getattr(self.data, name)",
        "return 'data' not in self.__dict__ and getattr(self.data, name)",
        "try:\n    key = TABLE[name]\nexcept KeyError:\n    key = name\nreturn self.data[key]",
        "found = getattr(math, name, None)\nreturn [found, self.data]",
        "found = getattr(math, 'pow')\nreturn partial(found, self.data)",
        "return partial(self.data, getattr(math, name))",
        "self.asked += 1\nreturn getattr(self.data, name)",
        "self.asked[name] = 1\nreturn getattr(self.data, name)",
        "self.asked[name] += 1\nreturn getattr(self.data, name)",
        "self.__dict__['asked'] += 1\nreturn getattr(self.data, name)",
        "self.last = name\nreturn getattr(self.data, name)",
        "self.last: str = name\nreturn getattr(self.data, name)",
        "ASKED[name] = ASKED.get(name, 0) + 1\nreturn getattr(self.data, name)",
        "global COUNT\nCOUNT += 1\nreturn getattr(self.data, name)",
        "self.data.asked = name\nreturn self.data",
    ],
)
def test_a_getattr_that_must_ask_for_what_is_not_there(body: str) -> None:
    source = GETATTR.replace("(Base)", "").format(body=indented(body))
    assert rows(source, "LP601") == [5]


@pytest.mark.parametrize(
    "body",
    [
        "if name[:2] == '__':\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if name[0] == '_':\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if name.lower().startswith('__'):\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if not self.__dict__:\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if not name.startswith('get_'):\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if name not in ('size', 'shape'):\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if name == 'data':\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if 'data' not in self.__dict__:\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if 'data' in self.__dict__:\n    return getattr(self.data, name)\nraise AttributeError(name)",
        "try:\n    return self.__dict__['data'][name]\nexcept KeyError:\n    raise AttributeError(name)",
        "try:\n    return getattr(self.data, name)\nexcept Exception:\n    raise AttributeError(name)",
        "return 'data' in self.__dict__ and getattr(self.data, name)",
        "return 'data' not in self.__dict__ or getattr(self.data, name)",
        "return getattr(self.__dict__.get('data'), name)",
        "return getattr(object.__getattribute__(self, 'data'), name)",
        "if is_plain(name):\n    return getattr(self.data, name)\nraise AttributeError(name)",
        "return getattr(self.find(), name)",
        "raise AttributeError(name)",
        "return lambda: self.data",
        "self.data = make()\nreturn getattr(self.data, name)",
        "self.last = name\nif self.__dict__:\n    raise AttributeError(name)\nreturn getattr(self.data, name)",
        "if name.startswith('__'):\n    raise AttributeError(name)\nself.asked += 1\nreturn getattr(self.data, name)",
        "self.__dict__['data'] = 1\nreturn getattr(self.data, name)",
        "found = getattr(math, name)\nreturn partial(found, self.data)",
        "return partial(getattr(math, name), self.data)",
        "try:\n    key = TABLE[name]\nexcept KeyError:\n    raise AttributeError(name)\nreturn getattr(self.data, key)",
        "try:\n    index = FIELDS.index(name)\nexcept ValueError as e:\n    raise AttributeError(name) from e\n"
        "return self.data[index]",
        "try:\n    key = TABLE[name]\nexcept KeyError:\n    return None\nelse:\n    return self.data[key]",
    ],
)
def test_a_getattr_that_refuses_or_may_refuse(body: str) -> None:
    source = GETATTR.replace("(Base)", "").format(body=indented(body))
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
    source = head + GETATTR.format(body=indented("return getattr(self.data, name)"))
    assert rows(source, "LP601") == []


def test_the_base_class_may_be_what_is_wrong() -> None:
    source = "class Base:\n    pass\n\n\n" + GETATTR.format(body=indented("return getattr(self.data, name)"))
    assert rows(source, "LP601") == [9]


def test_a_getattr_of_what_is_not_sent_is_for_pedants() -> None:
    source = GETATTR.replace("(Base)", "").format(body=indented("return getattr(self.data, name)"))
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


PROTOCOL = """\
from typing import Protocol

from stores import Get, Head


class Readable(Get, Head{protocol}):
    pass


class Splitting(Readable):
    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        return getattr(self._store, name)


def send(store):
    import pickle

    return pickle.dumps(Splitting(store))
"""


def test_bases_of_a_protocol_are_protocols() -> None:
    assert rows(PROTOCOL.format(protocol=", Protocol"), "LP601") == [14]
    assert not rows(PROTOCOL.format(protocol=""), "LP601")  # They may define hooks.


@pytest.mark.parametrize(
    ("slots", "body", "fires"),
    [
        ("('_inner',)", "return getattr(self._inner, name)", True),
        ("('_inner', '__weakref__')", "return getattr(self._inner, name)", True),
        (
            "('_inner',)",
            "if name == '_inner':\n            raise AttributeError\n        return getattr(self._inner, name)",
            False,
        ),
        ("('_inner',)", "raise AttributeError(name)", False),
    ],
)
def test_proxies_with_slots(slots: str, body: str, fires: bool) -> None:
    text = f"""
from torch.utils.data import Dataset


class Proxy(Dataset):
    __slots__ = {slots}

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        {body}
"""
    assert ("LP601" in [code for _, code in marks(text)]) is fires


ON_A_MIXIN = """\
from dataclasses import dataclass, field
import pickle


class Mixin:
    def __getattr__(self, name):  # {mark}
        return self.extra[name]


@dataclass
class Row(Mixin):
    number: int
    extra: dict{default}


def main():
    pickle.dumps(Row(1, {{}}))
"""


@pytest.mark.parametrize(
    ("default", "is_missing"),
    [("", True), (" = field(default_factory=dict)", True), (" = None", False)],
)
def test_a_default_of_a_dataclass_is_an_attribute_of_the_class(default: str, is_missing: bool) -> None:
    found = [code for _, code in marks(ON_A_MIXIN.format(mark="", default=default))]
    assert ("LP601" in found) is is_missing


GENERATOR = """\
import pickle


class Rows:
    def __init__(self, fields, rows):
        self.fields = fields
        self.rows = rows

    def __getattr__(self, name):
        if name in self.fields:
            {gives} row[name]


pickle.dumps(Rows(["a"], []))
"""


@pytest.mark.parametrize("gives", ["return [row[name] for row in self.rows];", "yield", "yield from"])
def test_a_generator_answers_for_every_name(gives: str) -> None:
    """Measured with Python 3.11: `dumps` works, and `loads` raises the TypeError."""
    (found,) = lint(GENERATOR.format(gives=gives).replace("; row[name]", "")).diagnostics
    is_called = "yield" in gives
    assert found.code == "LP601"
    assert ("TypeError: 'generator' object is not callable" in found.message) is is_called
    assert (found.fix is None) is is_called


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        self.fields = fields\n        self.rows = rows\n", "        pass\n"),
        ("    def __getattr__", "    def __reduce__(self):\n        return Rows, ((), ())\n\n    def __getattr__"),
        ("    def __getattr__", "    def __setstate__(self, state):\n        pass\n\n    def __getattr__"),
        ("__getattr__", "get"),
    ],
    ids=["without state", "rebuilt", "restored", "another method"],
)
def test_a_generator_that_unpickling_does_not_ask(old: str, new: str) -> None:
    assert old in GENERATOR
    assert lint(GENERATOR.replace(old, new).format(gives="yield")).diagnostics == ()


NEW = """\
class Node:
    def __new__(cls, *args, **kwargs):
{body}


class Wrapper(Node):
    def __init__(self, data):
        self.data = data

    def __getattr__(self, name):
        return getattr(self.data, name)


def send(data):
    import pickle

    return pickle.dumps(Wrapper(data))
"""


@pytest.mark.parametrize(
    "body",
    [
        "return super().__new__(cls)",
        "made = super().__new__(cls)\nmade.given = args\nreturn made",
        "made = object.__new__(cls)\nmade.given = {}\nmade.given.update(kwargs)\nreturn made",
        "if cls is Node:\n    raise TypeError('abstract')\nreturn super(Node, cls).__new__(cls)",
    ],
)
def test_a_new_that_leaves_the_attribute_out(body: str) -> None:
    assert rows(NEW.format(body=indented(body)), "LP601") == [3 + len(body.splitlines()) + 6]


@pytest.mark.parametrize(
    "body",
    [
        "made = super().__new__(cls)\nmade.data = None\nreturn made",
        "made = super().__new__(cls)\nmade.__dict__['data'] = None\nreturn made",
        "made = super().__new__(cls)\nmade.reset()\nreturn made",
        "made = super().__new__(cls)\nsetattr(made, 'data', None)\nreturn made",
        "cls.made = cls.made or super().__new__(cls)\nreturn cls.made",
        "return make(super().__new__(cls))",
        "return KNOWN[args]",
    ],
)
def test_a_new_that_may_give_the_attribute(body: str) -> None:
    assert rows(NEW.format(body=indented(body)), "LP601") == []


_THROUGH = """\
class Config({base}):
    def __init__(self, values):
        {store} = values

    def __getattr__(self, name):
{body}

    def __getitem__(self, key):
        return {store}[key]

    def find(self, key):
        try:
            return self[key]
        except LookupError as error:
            raise AttributeError(key) from error

    def get(self, key, default=None):
        return {store}.get(key, default)


def send(values):
    import pickle

    return pickle.dumps(Config(values))
"""


@pytest.mark.parametrize("base", ["object", "list", "dict"])
@pytest.mark.parametrize("store", ["self.values", "self._values", "self.__values"])
@pytest.mark.parametrize(
    "body",
    ["return self[name]", "return self.find(name)", "if name == 'size':\n    return 1\nreturn self.find(name)"],
)
def test_a_getattr_that_asks_methods_of_its_object(body: str, store: str, base: str) -> None:
    source = _THROUGH.format(body=indented(body), store=store, base=base)
    is_held_by_base = (base, store) == ("dict", "self.values")
    assert rows(source, "LP601") == ([] if is_held_by_base else [5])


@pytest.mark.parametrize(
    "body",
    [
        "if name.startswith('_'):\n    raise AttributeError(name)\nreturn self[name]",
        "try:\n    return self[name]\nexcept RecursionError:\n    raise AttributeError(name)",
        "return self.get(name)",
        "return self.find(name + '_')",
        "return self.unknown(name)",
        "return self.__dict__['values'][name] if self.__dict__ else None",
    ],
)
def test_a_getattr_whose_methods_may_answer(body: str) -> None:
    assert rows(_THROUGH.format(body=indented(body), store="self._values", base="object"), "LP601") == []


@pytest.mark.parametrize("base", ["set", "Exception", "unknown.Base"])
def test_a_base_class_that_is_rebuilt_otherwise(base: str) -> None:
    assert rows(_THROUGH.format(body=indented("return self[name]"), store="self._values", base=base), "LP601") == []


_ALL = """\
class Refused(AttributeError):
    pass


class Node:
    def __init__(self, values):
        self._values = values

    def __getattribute__(self, name):
        try:
            return super().__getattribute__(name)
        except Refused:
            raise
        except AttributeError:
            {otherwise}

    def find(self, key):
        if key == "_values":
            raise {error}(key)
        return self._values[key]


def send(values):
    import pickle

    return pickle.dumps(Node(values))
"""


@pytest.mark.parametrize("otherwise", ["return self.find(name)", "return self._values[name]"])
def test_a_getattribute_that_asks_for_what_is_not_there(otherwise: str) -> None:
    assert rows(_ALL.format(otherwise=otherwise, error="KeyError"), "LP601") == [9]


@pytest.mark.parametrize(
    ("otherwise", "error"),
    [("return self.find(name)", "AttributeError"), ("raise", "KeyError"), ("return None", "KeyError")],
)
def test_a_getattribute_that_refuses(otherwise: str, error: str) -> None:
    assert rows(_ALL.format(otherwise=otherwise, error=error), "LP601") == []


def test_the_fix_asks_for_the_name_that_the_object_has() -> None:
    source = GETATTR.replace("(Base)", "").replace("self.data", "self.__data")
    after = fixed(source.format(body=indented("return getattr(self.__data, name)")), unsafe=False)
    assert 'if "_Wrapper__data" not in self.__dict__:' in after


def test_what_a_method_reads_is_asked_for_before_it_is_called() -> None:
    source = _THROUGH.format(body=indented("return self[name]"), store="self._values", base="object")
    guard = 'if "_values" not in self.__dict__:\n            raise AttributeError(name)\n        return self[name]'
    assert guard in fixed(source, unsafe=False)


DELEGATE = """\
class Delegate:
    to = {to}

    def __getattr__(self, name):
        {guard}return getattr(getattr(self, self.to), name)


class Table(Delegate):
    def __init__(self, rows):
        self.rows = rows
        {also}
"""


@pytest.mark.parametrize(
    ("to", "guard", "also", "fires"),
    [
        ("'rows'", "", "pass", True),
        ("'rows'", "if name.startswith('_'):\n            raise AttributeError(name)\n        ", "pass", False),
        ("'rows'", "", "self.to = rows.name", False),
        ("'__doc__'", "", "pass", False),
        ("choose()", "", "pass", False),
    ],
)
def test_a_name_that_the_class_has_for_the_object_asked(to: str, guard: str, also: str, fires: bool) -> None:
    source = DELEGATE.format(to=to, guard=guard, also=also)
    assert rows(source + "\n\nimport pickle\npickle.dumps(Table([1]))\n", "LP601") == ([4] if fires else [])
