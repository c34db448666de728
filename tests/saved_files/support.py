"""Files for the tests of `lintpickle inspect`, made with the standard library alone."""

from __future__ import annotations

import argparse
import collections
import datetime
import decimal
import enum
import fractions
import functools
import io
import pathlib
import pickle
import sys
import types
import uuid
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import pytest

from lintpickle.saved_files import Inspection, Surroundings, inspect_file
from lintpickle.saved_files.bounds import ReadingBudget
from lintpickle.saved_files.machine import Machine
from lintpickle.saved_files.memo import StringMemo
from lintpickle.saved_files.opcodes import HANDLERS
from lintpickle.saved_files.records import PickleFacts
from lintpickle.saved_files.stream import Stream
from lintpickle.settings import SettingsResolver

TORCH_MAGIC = 0x1950A86A20F9469CFC6C
PythonPickler: Any = vars(pickle)["_Pickler"]
PythonUnpickler: Any = vars(pickle)["_Unpickler"]
"""The ones that are written in Python, whose steps can be replaced."""


class Colour(enum.Enum):
    RED = 1


class Outer:
    class Inner:
        def __init__(self) -> None:
            self.value = [1]

    def method(self) -> int:
        return 1


class Slotted:
    __slots__ = ("a",)

    def __init__(self) -> None:
        self.a = 1

    def __getstate__(self) -> object:
        return (None, {"a": self.a})

    def __setstate__(self, state: tuple[None, dict[str, int]]) -> None:
        self.a = state[1]["a"]


class Items(list[int]):
    pass


def objects() -> list[Any]:
    """Objects that use every opcode that a pickler writes."""
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    shared = Outer.Inner()
    return [
        None,
        [True, False, 1, 300, 70_000, -1, 2**40, 2**90, 2**3000, 1.5, 1j],
        ["text", "é\u4e2d\U0001f600", "x" * 300, "y" * 70_000, b"b", b"b" * 300, bytearray(b"a" * 300)],
        [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], {}, set(), frozenset()],
        [{"a": 1}, {"a": 1, "b": 2}, {1, 2}, frozenset({1}), list(range(3000))],
        cyclic,
        [shared, shared, Outer.Inner(), Outer.Inner],
        [Colour.RED, Slotted(), Items([1, 2]), Outer().method],
        [collections.OrderedDict(a=1), collections.defaultdict(list, a=[1]), collections.deque([1]), Counter("ab")],
        [datetime.datetime(2020, 1, 1), decimal.Decimal("1.5"), fractions.Fraction(1, 2), uuid.UUID(int=1)],
        [argparse.Namespace(a=1), functools.partial(int, base=2), pathlib.PurePosixPath("a"), slice(1, 2), range(3)],
        [len, print, int, collections.OrderedDict.fromkeys, ValueError("x"), NotImplemented, Ellipsis],
    ]


def facts_of(data: bytes) -> PickleFacts:
    """What the machine says of one pickle."""
    budget = ReadingBudget()
    return Machine(Stream(io.BytesIO(data).read), budget, StringMemo(budget), HANDLERS).run()


def asked_when_loading(data: bytes) -> Counter[str]:
    """What `find_class` is asked for when the pickle is really loaded."""
    asked: Counter[str] = Counter()

    class Recording(PythonUnpickler):  # type: ignore[misc]
        def find_class(self, module: str, name: str) -> Any:
            asked[f"{module}.{name}"] += 1
            return super().find_class(module, name)

    Recording(io.BytesIO(data)).load()
    return asked


def asked_for(facts: PickleFacts) -> Counter[str]:
    """The same, as the machine has it."""
    return Counter({asked.path: use.asked for asked, use in facts.globals.items()})


def inspected(path: Path, project: Path | None = None, **overrides: object) -> Inspection:
    """A file, inspected for a project (its own folder)."""
    resolver = SettingsResolver(isolated=True, overrides=overrides, cwd=project or path.parent)
    return inspect_file(str(path), Surroundings(project or path.parent, resolver))


def environment(folder: Path, **modules: str) -> Path:
    """A Python environment in a folder with these modules: by their dotted names, two underscores for a dot."""
    site = folder / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("version = 3.11.4\nhome = /nowhere\n")
    for name, text in modules.items():
        parts = name.split("__")
        for depth in range(1, len(parts)):
            package = site.joinpath(*parts[:depth])
            package.mkdir(exist_ok=True)
            (package / "__init__.py").touch()
        site.joinpath(*parts).with_suffix(".py").write_text(text)
    return folder


class Made:
    """An object that pickles as a call of a global that need not exist."""

    def __init__(self, path: str, *arguments: object, state: object = None) -> None:
        self.path, self.arguments, self.state = path, arguments, state


class Stored:
    """An object that pickles as a persistent id."""

    def __init__(self, *identity: object) -> None:
        self.identity = identity


class FakePickler(PythonPickler):  # type: ignore[misc]
    """Writes `Made` and `Stored` as torch and others write their objects."""

    def persistent_id(self, obj: object) -> object:
        return obj.identity if isinstance(obj, Stored) else None

    def reducer_override(self, obj: object) -> object:
        if isinstance(obj, Named):
            return obj.path
        if isinstance(obj, Made):
            return (Named(obj.path), obj.arguments, obj.state) if obj.state else (Named(obj.path), obj.arguments)
        return NotImplemented

    def save_global(self, obj: object, name: str | None = None) -> None:
        if not isinstance(obj, Named):
            super().save_global(obj, name)
            return
        module, _, name = obj.path.rpartition(".")
        if self.proto >= 4:
            self.save(module)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(obj)


class Named:
    """A global by its path."""

    known: ClassVar[dict[str, Named]] = {}
    path: str

    def __new__(cls, path: str) -> Named:
        if path not in cls.known:
            cls.known[path] = super().__new__(cls)
            cls.known[path].path = path
        return cls.known[path]

    def __call__(self) -> None:
        raise AssertionError("nothing may be called")


def dumped(value: object, protocol: int = 2) -> bytes:
    """A pickle of a value that may hold `Made` and `Stored`."""
    buffer = io.BytesIO()
    FakePickler(buffer, protocol).dump(value)
    return buffer.getvalue()


def tensor(key: str = "0") -> Made:
    """A tensor, as torch writes it."""
    storage = Stored("storage", Named("torch.FloatStorage"), key, "cpu", 2)
    return Made("torch._utils._rebuild_tensor_v2", storage, 0, (2,), (1,), False, collections.OrderedDict())


def torch_zip(path: Path, value: object, *, protocol: int = 2, deflated: bool = False) -> Path:
    """A file as torch writes it since 1.6."""
    kind = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", kind) as archive:
        archive.writestr("archive/data.pkl", dumped(value, protocol))
        archive.writestr("archive/byteorder", "little")
        archive.writestr("archive/data/0", b"\0" * 8)
        archive.writestr("archive/version", "3\n")
    return path


def torch_legacy(path: Path, value: object) -> Path:
    """A file as torch wrote it before 1.6."""
    head = pickle.dumps(TORCH_MAGIC, 2) + pickle.dumps(1001, 2) + pickle.dumps({"little_endian": True}, 2)
    path.write_bytes(head + dumped(value) + pickle.dumps(["0"], 2) + b"\2\0\0\0\0\0\0\0" + b"\0" * 8)
    return path


def module_of(monkeypatch: pytest.MonkeyPatch, name: str, **members: object) -> types.ModuleType:
    """A module that is there while a test runs, whose classes pickle under its name."""
    module = types.ModuleType(name)
    for key, member in members.items():
        setattr(module, key, member)
        if isinstance(member, type):
            member.__module__, member.__qualname__ = name, key
    monkeypatch.setitem(sys.modules, name, module)
    return module
