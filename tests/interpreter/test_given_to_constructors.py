"""What is done to an object by the constructors, functions and methods that are given it, or a part of it. Each program
was run: it fails where `LP116` or `LP111` is expected, and only there."""

from __future__ import annotations

import pytest

from tests.support import marks

_SIGNALS = """\
import copy
import threading
import weakref


class Signal:
    def __init__(self):
        self.slots = []

    def connect(self, method):
        self.slots.append({slot})

    def emit(self, shape):
        for slot in self.slots:
            slot()(shape)


class Observable:
    def __init__(self):
        self.changed = Signal()


class Scene(Observable):
    def __init__(self, shapes=()):
        super().__init__()
        self.shapes = list(shapes)


class Canvas:
    def __init__(self, scene, size=1):
        self.size = size
        {listen}

    def on_change(self, shape):
        self.size += 1


def wire(scene, canvas):
    scene.changed.connect(canvas.on_change)


class Editor:
    def __init__(self):
        self.scene = Scene()
        self.other = Scene()
        {wired}

    def copied(self):
        return copy.deepcopy(self.{copied})


def main():
    scene = Scene()
    {made}
    return {result}


main()
"""
_WEAK, _LISTEN = "weakref.WeakMethod(method)", "scene.changed.connect(self.on_change)"


def _codes(
    slot: str = _WEAK,
    listen: str = _LISTEN,
    wired: str = "pass",
    copied: str = "scene",
    made: str = "pass",
    result: str = "Editor().copied()",
) -> list[str]:
    text = _SIGNALS.format(slot=slot, listen=listen, wired=wired, copied=copied, made=made, result=result)
    return [code for _, code in marks(text)]


@pytest.mark.parametrize(
    "wired",
    [
        "self.canvas = Canvas(self.scene)",
        "Canvas(self.scene)",
        "self.canvas = Canvas(size=2, scene=self.scene)",
        "wire(self.scene, Canvas(Scene()))",
        "self.canvases = [Canvas(self.scene)]",
    ],
)
def test_what_others_do_to_a_part_of_the_object(wired: str) -> None:
    assert _codes(wired=wired) == ["LP116"]
    assert _codes(wired=wired, copied="other") == []
    assert _codes(wired=wired, slot="method") == []


@pytest.mark.parametrize("made", ["canvas = Canvas(scene)", "wire(scene, Canvas(Scene()))"])
def test_what_others_do_to_a_variable(made: str) -> None:
    assert _codes(made=made, result="copy.deepcopy(scene)") == ["LP116"]
    assert _codes(made=made, result="copy.deepcopy(Scene())") == []


def test_what_a_constructor_stores_on_what_it_is_given() -> None:
    listen = "scene.guard = threading.Lock()"
    assert _codes(listen=listen, made="Canvas(scene)", result="copy.deepcopy(scene)") == ["LP111"]
    assert _codes(listen=listen, result="copy.deepcopy(scene)") == []
    assert _codes(listen="self.guard = scene", made="Canvas(scene)", result="copy.deepcopy(scene)") == []
    assert _codes(listen=listen, wired="self.canvas = Canvas(self.scene)") == ["LP111"]


def test_a_constructor_that_does_not_listen() -> None:
    assert _codes(listen="self.shapes = len(scene.shapes)", wired="self.canvas = Canvas(self.scene)") == []


BOUND = """\
import pickle
import weakref


class Reader:
    def __init__(self, path):
        self.path = path
        self.cache = weakref.WeakValueDictionary()


class Packed:
    def __init__(self, key, source=None):
        self.key = key
        self.source = source


class Frame:
    def __init__(self, key, source):
        self.key = key
        self.source = source

    def pack(self, bind={default}):
        return Packed(self.key, {given})


def send(frame, bind=False):
    return pickle.dumps(frame.pack({call}))


if __name__ == "__main__":
    print(send(Frame(1, Reader("a"))))
"""
_IF_BOUND = "self.source if bind else None"


@pytest.mark.parametrize(
    ("default", "given", "call", "is_found"),
    [
        ("False", _IF_BOUND, "", False),
        ("False", "None if not bind else self.source", "", False),
        ("True", _IF_BOUND, "False", False),
        ("True", _IF_BOUND, "bind=bind", False),
        ("True", _IF_BOUND, "", True),
        ("False", _IF_BOUND, "True", True),
        ("False", _IF_BOUND, "input()", True),
        ("False", "None if bind else self.source", "", True),
        ("False", "self.source", "", True),
    ],
)
def test_an_argument_that_depends_on_a_parameter(default: str, given: str, call: str, is_found: bool) -> None:
    found = marks(BOUND.format(default=default, given=given, call=call))
    assert found == ([(8, "LP116")] if is_found else [])
