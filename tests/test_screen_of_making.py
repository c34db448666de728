"""What construction runs is let through by the screens, whatever way a hazard takes to an attribute."""

from __future__ import annotations

import pytest

from .support import marks_in_library as marks
from .test_screen import OFF, switch_off

AROUND = """\
import sqlite3
import threading
from functools import partial

import h5py
from torch import nn

LAMBDA = lambda: 1
ITEMS = {"a": lambda: 1}
LOCK = threading.Lock()


class Holder:
    def __init__(self):
        self.f = lambda: 1

    def made(self):
        return lambda: 1


class Other:
    def made(self):
        return lambda: 1


def make():
    return lambda: 1


VALUE = make()
HOLDER = Holder()
LOCKS = [LOCK, LOCK]
ABLE = True


def get():
    return LOCK


def get_item():
    return ITEMS["a"]


def by_name():
    x = make()
    return x


def several():
    return [make()]


def given(x):
    return x


class Keeper:
    def __init__(self, x):
        self.x = x
"""


SOURCES = [
    *(
        "make()",
        "by_name()",
        "get()",
        "get_item()",
        "Holder()",
        "Keeper(LOCK)",
        "several()",
        "several()[0]",
        "[*several()]",
    ),
    *("LOCK", "LAMBDA", "VALUE", "LOCKS", "LOCKS[0]", "ITEMS['a']", "HOLDER", "HOLDER.f", "make", "threading"),
    *("lambda: 1", "threading.Lock()", "open('x')", "{'a': 1}.keys()", "(x for x in 'ab')", "list(several())"),
    *("partial(make(), 1)", "given(LOCK)", "given(x=lambda: 1)", "(LOCK if ABLE else None)", "[LOCK][0]"),
    *("h5py.File('x')['a']", "sqlite3.connect('x').cursor()", "Holder().made()", "HOLDER.made()", "Holder.made(1)"),
]
"""Expressions for hazards, or for what holds one."""
WAYS = {
    "stored": "self.f = {0}",
    "annotated": "self.f: object = {0}",
    "one of two": "self.f, self.g = {0}, 1",
    "in a list": "self.f = [{0}]",
    "in a tuple": "self.f = (1, {0})",
    "in a set": "self.f = {{{0}}}",
    "in a dict": "self.f = {{'a': {0}}}",
    "in a dict by keyword": "self.f = dict(a={0})",
    "in a dict of pairs": "self.f = dict([('a', {0})])",
    "in a list of a list": "self.f = list([{0}])",
    "in a sorted list": "self.f = sorted([{0}])",
    "in a comprehension": "self.f = [{0} for _ in 'ab']",
    "in a generator": "self.f = tuple({0} for _ in 'ab')",
    "in a comprehension of a dict": "self.f = {{k: {0} for k in 'ab'}}",
    "spread": "self.f = [*[{0}], 1]",
    "added": "self.f = [1] + [{0}]",
    "added to it": "self.f = []\nself.f += [{0}]",
    "appended": "self.f = []\nself.f.append({0})",
    "inserted": "self.f = []\nself.f.insert(0, {0})",
    "appended to a name": "x = []\nx.append({0})\nself.f = x",
    "extended": "self.f = []\nself.f.extend([{0}])",
    "updated": "self.f = {{}}\nself.f.update({{'a': {0}}})",
    "an item": "self.f = {{}}\nself.f['a'] = {0}",
    "an item by default": "self.f = {{}}\nself.f.setdefault('a', {0})",
    "by a name": "x = {0}\nself.f = x",
    "by two names": "x = {0}\ny = x\nself.f = y",
    "by a name in a tuple": "x, y = {0}, 1\nself.f = x",
    "by a name in a list": "x = {0}\nself.f = [x]",
    "by a walrus": "if x := {0}:\n    self.f = x",
    "by condition": "self.f = {0} if self else None",
    "or": "self.f = self.g or {0}",
    "by a loop": "for x in [{0}]:\n    self.f = x",
    "by a loop over it": "for x in {0}:\n    self.f = x",
    "by a comprehension over it": "self.f = [x for x in {0}]",
    "with": "with {0} as x:\n    self.f = x",
    "set by name": "setattr(self, 'f', {0})",
    "in its dict": "self.__dict__['f'] = {0}",
    "in its vars": "vars(self)['f'] = {0}",
    "in its dict at once": "self.__dict__.update(f={0})",
    "given": "self.f = given({0})",
    "given by keyword": "self.f = given(x={0})",
    "bound": "self.f = partial(given, {0})",
    "for an object": "self.f = Keeper({0})",
    "for an object by keyword": "self.f = Keeper(x={0})",
    "for a local object": "x = Keeper({0})\nself.f = x",
    "put into a local object": "x = Keeper(1)\nx.x = {0}\nself.f = x",
    "an attribute of a local object": "x = Keeper({0})\nself.f = x.x",
    "in modules": "self.f = nn.Sequential(Keeper({0}))",
    "for a method": "self.build({0})\n\ndef build(self, x):\n    self.f = x",
    "by default": "self.build()\n\ndef build(self, x={0}):\n    self.f = x",
    "by default keyword": "self.build()\n\ndef build(self, *, x={0}):\n    self.f = x",
    "returned by a method": "self.f = self.get()\n\ndef get(self):\n    return {0}",
    "returned by name": "self.f = self.get()\n\ndef get(self):\n    x = {0}\n    return x",
    "returned by a static one": "self.f = self.get()\n\n@staticmethod\ndef get():\n    return [{0}]",
    "a property": "self.f = self.get\n\n@property\ndef get(self):\n    return {0}",
    "in the body of the class": "self.f = self.h\n\nh = {0}",
    "by a local function": "def local():\n    return {0}\nself.f = local()",
    "printed": "print({0})",
    "compared": "self.f = {0} is None",
    "counted": "self.f = len({0})",
}
"""How they get to an attribute, or not."""


MADE = {
    "of a base": "Mod0.build(self)\n\ndef build(self):\n    self.f = lambda x: x",
    "on rows": "(self\n    .build())\n\ndef build(self):\n    self.f = lambda x: x",
    "static, by the name of the class": "self.f = Mod0.build()\n\n@staticmethod\ndef build():\n    return lambda x: x",
    "static, by the class": "self.f = self.__class__.build()\n\n@staticmethod\ndef build():\n    return lambda x: x",
    "by another name": "me = self\nme.build()\n\ndef build(self):\n    self.f = lambda x: x",
    "the instance is called": "self.f = self()\n\ndef __call__(self):\n    return lambda x: x",
    "a method by a name": "build = self.build\nbuild()\n\ndef build(self):\n    self.f = lambda x: x",
    "a method that is given": (
        "self.f = self.pick()()\n\ndef pick(self):\n    return self.build\n\ndef build(self):\n    return lambda x: x"
    ),
    "behind a backslash": "self.\\\n    build()\n\ndef build(self):\n    self.f = lambda x: x",
    "behind a comment": "(self  # c\n    .build())\n\ndef build(self):\n    self.f = lambda x: x",
    "in brackets": "(self).build()\n\ndef build(self):\n    self.f = lambda x: x",
}
LOST = {
    "a method of an object": "self.f = Other().made()",
    "a method of a local object": "h = Other()\nself.f = h.made()",
    "a method of an attribute": "self.h = Other()\nself.f = self.h.made()",
}
"""What the screen leaves out although it is there to be found."""


def _class(number: int, body: str) -> str:
    rows, methods = body.partition("\n\n")[::2]
    lines = [f"        {row}" for row in rows.splitlines()] + [
        f"    {row}" if row else "" for row in methods.splitlines()
    ]
    return "\n".join([f"class Mod{number}(nn.Module):", "    def __init__(self):", *lines, "", ""])


def _is_found(body: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    text = f"{AROUND}\n\n{_class(0, body)}"
    screened = marks(text)
    switch_off(OFF, monkeypatch)
    everything = marks(text)
    assert everything, "there is something to be found"
    return screened == everything


@pytest.mark.parametrize("name", MADE)
def test_what_construction_runs_is_let_through(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_found(MADE[name], monkeypatch)


@pytest.mark.xfail(reason="the screen does not see it", strict=True)
@pytest.mark.parametrize("name", LOST)
def test_what_the_screen_leaves_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_found(LOST[name], monkeypatch)


@pytest.mark.parametrize("name", WAYS)
def test_every_way_to_an_attribute_is_let_through(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    classes = (_class(number, WAYS[name].format(source)) for number, source in enumerate(SOURCES))
    text = "\n\n".join([AROUND, *classes])
    screened = marks(text)
    switch_off(OFF, monkeypatch)
    lost = set(marks(text)).difference(screened)
    assert sorted(text.splitlines()[row - 1] for row, _ in lost) == []


def test_most_ways_lead_to_something() -> None:
    """Were nothing to be found, the test above would prove nothing."""
    found = [name for name, way in WAYS.items() if marks(f"{AROUND}\n\n{_class(0, way.format('lambda: 1'))}")]
    assert len(found) > 40
