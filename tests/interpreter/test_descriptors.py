"""What is read through a descriptor of the class is not the descriptor."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import multiprocessing
import threading


class Section:
    def __init__(self, value):
        self._value = value

    def _get(self):
        return self._value

    made = staticmethod(print)
    plain = property(lambda self: 1)
    read = property(_get)
    quick = property(lambda self: self._value)
    written = property(fset=_get)


class Server(multiprocessing.Process):
    def __init__(self, section):
        super().__init__()
        self.value = EXPRESSION


Server(Section(threading.Lock())).start()
"""


def _codes(expression: str, value: str) -> set[str]:
    text = TEXT.replace("EXPRESSION", expression).replace("threading.Lock()", value)
    return {code for _, code in marks(text)} - {"LP203"}


@pytest.mark.parametrize("expression", ["section.made", "section.plain", "section.written", "Section.made"])
def test_the_descriptor_does_not_cross(expression: str) -> None:
    assert not _codes(expression, "threading.Lock()")


@pytest.mark.parametrize("expression", ["section.read", "section.quick"])
def test_what_a_property_gives_crosses(expression: str) -> None:
    assert _codes(expression, "threading.Lock()") == {"LP111"}
    assert not _codes(expression, "1")


def test_a_descriptor_that_an_object_holds_crosses() -> None:
    assert _codes("property(print)", "1") == {"LP115"}


_STORED = """\
import multiprocessing
import threading
import weakref


class Guarded:
    def __init__(self, kind=None):
        self.kind = kind
        self.values = weakref.WeakKeyDictionary()

    def __set_name__(self, owner, name):
        self.name = name
        self.private = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else {get}

    def __set__(self, obj, value):
        {set}


class Table:
    guard = Guarded()

    def __init__(self, guard):
        self.guard = guard


class Wide(Table):
    pass


class Holder:
    def __init__(self, held):
        self.held = held


def work(table):
    pass


def main():
    table = {made}
    multiprocessing.get_context("spawn").Process(target=work, args=({sent},)).start()
"""


def _stored(
    set_: str, made: str = "Table(2)", sent: str = "table", get: str = "obj.__dict__[self.private]"
) -> list[str]:
    text = _STORED.format(set=set_, get=get, made=made, sent=sent)
    return [code for _, code in marks(text)]


@pytest.mark.parametrize(
    "stores",
    [
        "obj.__dict__[self.private] = threading.Lock()",
        "obj.__dict__[self.name] = threading.Lock()",
        "setattr(obj, self.private, threading.Semaphore(value))",
        "vars(obj)[self.private] = (value, threading.Lock())",
        "obj._guard = threading.Lock()",
        "object.__setattr__(obj, self.private, threading.Lock())",
    ],
)
@pytest.mark.parametrize("made", ["Table(2)", "Wide(2)"])
def test_what_a_descriptor_stores_on_the_object_crosses(stores: str, made: str) -> None:
    assert _stored(stores, made) == ["LP111"]


def test_what_it_is_given_crosses_if_it_stores_that() -> None:
    assert _stored("setattr(obj, self.private, value)", "Table(threading.Lock())") == ["LP111"]
    assert _stored("setattr(obj, self.private, value)", "Table(2)") == []


@pytest.mark.parametrize(
    "stores",
    [
        "self.values[obj] = threading.Lock()",
        "obj.__dict__[self.private] = str(value)",
        "pass",
    ],
)
def test_what_a_descriptor_keeps_for_itself_does_not_cross(stores: str) -> None:
    assert _stored(stores, "Table(threading.Lock())") == []


def test_what_a_descriptor_gives_for_an_object() -> None:
    stores = "obj.__dict__[self.private] = threading.Lock()"
    assert _stored(stores, sent="table.guard") == ["LP111"]
    assert _stored(stores, sent="Holder(table.guard)") == ["LP111"]
    assert _stored(stores, sent="Holder(table.guard)", get="1") == []


_DECORATING = """\
import multiprocessing
import threading
import types


class {name}:
    def __init__(self, function):
        self.function = function

    def __get__(self, owner, class_=None):
        {gives}
{more}

class Entry:
    def __init__(self, lock):
        self.lock = lock

    @{name}
    def label(self):
        return {label}


def work(queue):
    entry = Entry(threading.Lock())
    queue.put(entry.label)


if __name__ == "__main__":
    queue = multiprocessing.Queue()
    multiprocessing.Process(target=work, args=(queue,)).start()
"""
_LAZY = "result = owner.__dict__[self.function.__name__] = self.function(owner)\n        return result"
_BOUND = "return types.MethodType(self, owner)"
_CALLED = "    def __call__(self, *given):\n        return self.function(*given)\n"


def _of_decorator(label: str, name: str = "Lazy", gives: str = _LAZY, more: str = "") -> set[str]:
    text = _DECORATING.format(name=name, gives=gives, more=more, label=label)
    return {code for _, code in marks(text)}


def test_a_method_that_a_decorator_of_the_program_makes_a_property_does_not_cross() -> None:
    assert _of_decorator("str(id(self.lock))") == set()
    assert _of_decorator("self.lock") == {"LP111"}


def test_a_method_that_a_decorator_of_the_program_leaves_one_crosses_with_its_object() -> None:
    assert _of_decorator("str(id(self.lock))", gives=_BOUND, more=_CALLED) == {"LP111"}


@pytest.mark.parametrize("decorator", ["lazyproperty", "lib.reify", "memoized_property"])
def test_decorators_of_libraries_that_make_properties(decorator: str) -> None:
    text = _DECORATING.format(name="Lazy", gives=_LAZY, more="", label="'a'").replace("@Lazy", f"@{decorator}")
    assert {code for _, code in marks(f"import lib\nfrom lib import lazyproperty, memoized_property\n{text}")} == set()
