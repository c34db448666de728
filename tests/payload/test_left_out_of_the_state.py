"""Ways to leave an attribute out of the state. Each hook is pickled for the truth, and so is its twin, which is about
another attribute and forgets this one."""

from __future__ import annotations

import pickle
import sys
from textwrap import indent
from types import ModuleType

import pytest

from tests.support import marks

PROGRAM = """\
import copy
import pickle
import threading
from collections import OrderedDict

UNPICKLABLE = ["lock", "thread"]


def without(state, *names):
    return {{key: value for key, value in state.items() if key not in names}}


class LeavesOut:
    _not_pickled = ("thread",)

    def __getstate__(self):
        state = self.__dict__.copy()
        for name in self._not_pickled:
            state.pop(name, None)
        return state


class Base:
    def __init__(self):
        self.size = 3
        self.lock = threading.Lock()

    _found = frozenset(find_names())

    def __getstate__(self):
        return dict(self.__dict__, labels=None)


class Data({bases}):
{body}


def save():
    return pickle.dumps(Data())
"""

HOOKS = {
    "dict of the parent's": "return dict(super().__getstate__(), lock=None)",
    "display of the parent's": "return {**super().__getstate__(), 'lock': None}",
    "set in the parent's": "state = super().__getstate__()\nstate['lock'] = None\nreturn state",
    "popped from the parent's": "state = super().__getstate__()\nstate.pop('lock', None)\nreturn state",
    "deleted if there": "state = super().__getstate__()\nif 'lock' in state:\n    del state['lock']\nreturn state",
    "updated by keyword": "state = super().__getstate__()\nstate.update(lock=None)\nreturn state",
    "updated by a dict": "state = self.__dict__.copy()\nstate.update({'lock': None, 'name': 0})\nreturn state",
    "updated by pairs": "state = self.__dict__.copy()\nstate.update([('lock', None)])\nreturn state",
    "updated from keys": "state = dict(vars(self))\nstate.update(dict.fromkeys(('lock',)))\nreturn state",
    "of a base by name": "state = Base.__getstate__(self)\nstate['lock'] = None\nreturn state",
    "of a parent by name": "state = super(Data, self).__getstate__()\nstate['lock'] = None\nreturn state",
    "of a parent, if it has one": (
        "if hasattr(super(), '__getstate__'):\n    state = super().__getstate__()\nelse:\n"
        "    state = self.__dict__.copy()\nstate['lock'] = None\nreturn state"
    ),
    "merged": "return self.__dict__ | {'lock': None}",
    "merged in place": "state = self.__dict__.copy()\nstate |= {'lock': None}\nreturn state",
    "dict of a display": "return dict(**self.__dict__ | {'lock': None})",
    "filtered by a name": "return {k: v for k, v in self.__dict__.items() if k != 'lock'}",
    "filtered by names": "return {k: v for k, v in vars(self).items() if k not in ('lock', 'thread')}",
    "filtered by a variable": (
        "skip = {'lock', 'thread'}\nreturn {k: v for k, v in self.__dict__.items() if k not in skip}"
    ),
    "filtered in a loop": (
        "state = {}\nfor key, value in self.__dict__.items():\n    if key == 'lock':\n        continue\n"
        "    state[key] = value\nreturn state"
    ),
    "filtered pairs": "return dict((k, v) for k, v in self.__dict__.items() if k != 'lock')",
    "filtered by a prefix": "return {k: v for k, v in self.__dict__.items() if not k.startswith('lo')}",
    "replaced in a comprehension": "return {k: None if k == 'lock' else v for k, v in self.__dict__.items()}",
    "difference of keys": "return {k: self.__dict__[k] for k in self.__dict__.keys() - {'lock'}}",
    "copied by copy": "state = copy.copy(self.__dict__)\nstate['lock'] = None\nreturn state",
    "copied in order": "state = OrderedDict(self.__dict__)\ndel state['lock']\nreturn state",
    "vars copied": "state = vars(self).copy()\ndel state['lock']\nreturn state",
    "display of all": "state = {**self.__dict__}\nstate['lock'] = None\nreturn state",
    "loop that sets None": (
        "state = self.__dict__.copy()\nfor name in ('lock', 'thread'):\n    state[name] = None\nreturn state"
    ),
    "loop over what is there": (
        "state = self.__dict__.copy()\nfor name in list(state):\n    if name in {'lock'}:\n        del state[name]\n"
        "return state"
    ),
    "loop over common keys": (
        "state = self.__dict__.copy()\nfor name in {'lock'} & state.keys():\n    del state[name]\nreturn state"
    ),
    "popped in a comprehension": "state = dict(self.__dict__)\n[state.pop(name) for name in ['lock']]\nreturn state",
    "function of the module": "return without(self.__dict__, 'lock')",
    "in a tuple": "state = self.__dict__.copy()\ndel state['lock']\nreturn (state, {})",
    "below a key": "return {'state': {k: v for k, v in self.__dict__.items() if k != 'lock'}}",
    "on the object": "self.lock = None\nreturn self.__dict__",
    "before a log": "state = dict(self.__dict__)\nstate.pop('lock')\nprint(state)\nreturn state",
    "while it is put aside": (
        "value = self.__dict__.pop('lock')\ntry:\n    return self.__dict__.copy()\nfinally:\n    self.lock = value"
    ),
    "tried": ("state = self.__dict__.copy()\ntry:\n    del state['lock']\nexcept KeyError:\n    pass\nreturn state"),
    "in a walrus": "(state := self.__dict__.copy()).pop('lock')\nreturn state",
}

BODIES = {
    "tuple of the class": """\
_not_pickled = ("lock", "thread")

def __getstate__(self):
    return {k: v for k, v in self.__dict__.items() if k not in self._not_pickled}
""",
    "tuple of the class, by its name": """\
_not_pickled = frozenset({"lock", "thread"})

def __getstate__(self):
    return {k: v for k, v in self.__dict__.items() if k not in type(self)._not_pickled}
""",
    "more than a base's": """\
_not_pickled = ("lock", *LeavesOut._not_pickled)

def __getstate__(self):
    return {k: v for k, v in self.__dict__.items() if k not in self._not_pickled}
""",
    "list of the object": """\
def __init__(self):
    super().__init__()
    self._skipped = ["lock"]

def __getstate__(self):
    state = self.__dict__.copy()
    for name in self._skipped:
        state[name] = None
    return state
""",
    "helper": """\
def _state(self):
    state = self.__dict__.copy()
    state.pop("lock", None)
    return state

def __getstate__(self):
    return self._state()
""",
    "helper and more": """\
def _state(self):
    return self.__dict__.copy()

def __getstate__(self):
    state = self._state()
    state["lock"] = None
    return state
""",
    "helper with a name": """\
@staticmethod
def _drop(state, name):
    state.pop(name, None)

def __getstate__(self):
    state = self.__dict__.copy()
    self._drop(state, "lock")
    return state
""",
    "property of names": """\
@property
def _transient(self):
    return ("lock",)

def __getstate__(self):
    state = self.__dict__.copy()
    for name in self._transient:
        state[name] = None
    return state
""",
}

FORGETTING = {
    "below what holds it": "return {'lock': None, **super().__getstate__()}",
    "merged the wrong way round": "return {'lock': None} | self.__dict__",
    "all of it": "return self.__dict__",
    "a copy of it": "state = self.__dict__.copy()\nreturn state",
    "kept under another name": "return {'state': self.__dict__, 'lock': None}",
    "callable names": "return {k: v for k, v in self.__dict__.items() if not callable(k)}",
    "private names": "return {k: v for k, v in self.__dict__.items() if not k.startswith('_')}",
    "listed": "return {'size': self.size, 'lock': self.lock}",
    "listed names": "return {name: getattr(self, name) for name in ('size', 'lock')}",
    "a loop that ends before": (
        "state = self.__dict__.copy()\nfor name in ('size', 'lock'):\n    if name == 'lock':\n        break\n"
        "    state[name] = None\nreturn state"
    ),
    "a global's names": (
        "state = self.__dict__.copy()\nfor name in UNPICKLABLE:\n    state.pop(name + 's', None)\nreturn state"
    ),
}

LEAVING_OUT = {
    "by a predicate": "return {k: v for k, v in self.__dict__.items() if not hasattr(v, 'acquire')}",
    "by a try": (
        "state = {}\nfor key, value in self.__dict__.items():\n    if is_plain(value):\n        state[key] = value\n"
        "return state"
    ),
    "a global's names": (
        "state = self.__dict__.copy()\nfor name in UNPICKLABLE:\n    if name in state:\n        del state[name]\n"
        "return state"
    ),
    "by names of which nothing is known": (
        "names = frozenset(find_names())\nreturn {k: v for k, v in self.__dict__.items() if k not in names}"
    ),
    "by names of the class of which nothing is known": (
        "return {k: v for k, v in self.__dict__.items() if k not in self._found}"
    ),
    "on demand": ("state = self.__dict__.copy()\nif self.size:\n    state['lock'] = None\nreturn state"),
}


def _hook(body: str) -> str:
    return f"def __getstate__(self):\n{indent(body, '    ')}"


def _program(body: str, bases: str = "Base") -> str:
    return PROGRAM.format(bases=bases, body=indent(body, "    "))


def _is_pickled(source: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    module = ModuleType("__hooks__")
    module.__dict__.update(is_plain=lambda value: isinstance(value, int), find_names=lambda: ["lock"])
    monkeypatch.setitem(sys.modules, "__hooks__", module)
    exec(source, module.__dict__)
    try:
        assert pickle.loads(module.save())
    except TypeError as error:
        assert "cannot pickle '_thread.lock' object" in str(error)
        return False
    return True


def _is_found(source: str) -> bool:
    return "LP111" in {code for _, code in marks(source)}


@pytest.mark.parametrize("body", [*map(_hook, HOOKS.values()), *BODIES.values()], ids=[*HOOKS, *BODIES])
def test_a_hook_that_leaves_it_out_and_one_that_forgets_it(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = body.replace("lock", "size").replace("'lo'", "'si'")
    assert (_is_pickled(_program(body), monkeypatch), _is_pickled(_program(twin), monkeypatch)) == (True, False)
    assert (_is_found(_program(body)), _is_found(_program(twin))) == (False, True)


@pytest.mark.parametrize("body", FORGETTING.values(), ids=FORGETTING)
def test_a_hook_that_only_looks_as_if(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not _is_pickled(_program(_hook(body)), monkeypatch)
    assert _is_found(_program(_hook(body)))


@pytest.mark.parametrize("body", LEAVING_OUT.values(), ids=LEAVING_OUT)
def test_a_hook_that_asks_what_nobody_knows_does_its_job(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_pickled(_program(_hook(body)), monkeypatch)
    assert not _is_found(_program(_hook(body)))


def test_a_mixin_that_reads_the_names_of_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    for names, is_left_out in (("('lock',)", True), ("('size',)", False)):
        source = _program(f"_not_pickled = {names}", "LeavesOut, Base")
        assert _is_pickled(source, monkeypatch) is is_left_out
        assert _is_found(source) is not is_left_out


@pytest.mark.skipif(sys.version_info < (3, 11), reason="object has no __getstate__ before")
def test_the_state_of_any_object(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, is_left_out in (("lock", True), ("size", False)):
        source = _program(_hook(f"state = object.__getstate__(self).copy()\nstate.pop('{name}')\nreturn state"))
        assert _is_pickled(source, monkeypatch) is is_left_out
        assert _is_found(source) is not is_left_out


LINE = """\
def __init__(self):
    super().__init__()
    self._zip = open("a.zip")

def __getstate__(self):
    return dict(super().__getstate__(), lock=None, _zip=None)


class More(Data):
    def __getstate__(self):
        return dict(super().__getstate__(), more=1)


pickle.dumps(More())
"""


def test_what_the_whole_line_of_hooks_leaves_out() -> None:
    """Each class has its own `__getstate__`, which leaves out what is its own."""
    above, below = LINE.split("\n\n\n", 1)
    source = f"{_program(above)}\n\n{below}"
    assert marks(source) == []
    assert {code for _, code in marks(source.replace("_zip=None", "zip=None"))} == {"LP110"}


@pytest.mark.parametrize(("given", "found"), [("super().__getstate__()", ["LP111"]), ("self.__dict__.copy()", [])])
def test_what_is_put_back_before_the_state_is_pickled(given: str, found: list[str]) -> None:
    text = f"""
import pickle
import threading


class Data:
    def __init__(self):
        self.lock = threading.Lock()

    def __getstate__(self):
        lock = self.lock
        self.lock = None
        try:
            return {given}
        finally:
            self.lock = lock


def save():
    return pickle.dumps(Data())
"""
    assert [code for _, code in marks(text)] == found
