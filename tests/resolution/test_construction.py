"""Which methods making an object of a class runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import projects
from lintpickle.program.cuts import Cuts
from lintpickle.resolution.construction import Construction
from lintpickle.resolution.name_targets import NameTargets
from lintpickle.resolution.star_imports import StarImports
from lintpickle.settings import SettingsResolver
from tests.trees import write

BASES = """\
class Base:
    def __init__(self, x):
        self.build()

    def build(self): pass
    def helper(self): self.deeper()
    def deeper(self): pass
    def unused(self): pass

class Template:
    def __new__(cls): return cls.make()

    @classmethod
    def make(cls): return object.__new__(cls)
"""
OWN = {
    "construction": (
        "def __init__(self): pass\ndef __new__(cls): pass\ndef __post_init__(self): pass\ndef forward(self): pass",
        {"__init__", "__new__", "__post_init__"},
    ),
    "attrs": ("def __attrs_post_init__(self): pass\ndef x(self): pass", {"__attrs_post_init__"}),
    "nothing": ("def forward(self): self.helper()\ndef helper(self): pass", set()),
    "own methods": (
        "def __init__(self):\n    self.a()\ndef a(self): return self.b(1)\ndef b(self, x): pass\ndef c(self): pass",
        {"__init__", "a", "b"},
    ),
    "in circles": (
        "def __init__(self): self.a()\ndef a(self): self.b()\ndef b(self): self.a()",
        {"__init__", "a", "b"},
    ),
    "another name than self": (
        "def __init__(this, x): this.a()\ndef a(o): o.c()\ndef b(s): pass\ndef c(s): pass",
        {"__init__", "a", "c"},
    ),
    "on rows": ("def __init__(\n    self,\n):\n    (self\n        .a(1))\ndef a(self): pass", {"__init__", "a"}),
    "a method that is not called": ("def __init__(self): self.f = self.a\ndef a(self): pass", {"__init__", "a"}),
    "a property": (
        "def __init__(self): self.x = self.a + self.b\n@property\ndef a(self): return self.c\n"
        "@functools.cached_property\ndef b(self): pass\n@property\ndef c(self): pass\n@property\ndef d(self): pass",
        {"__init__", "a", "b", "c"},
    ),
    "super": ("def __init__(self): super().a()\ndef a(self): pass", {"__init__", "a"}),
    "super with arguments": ("def __init__(self): super(C, self).a()\ndef a(self): pass", {"__init__", "a"}),
    "of a base": ("def __init__(self): Base.a(self)\ndef a(self): pass", {"__init__", "a"}),
    "of a base with arguments": ("def __init__(self, x): Base.a( self, x)\ndef a(self, x): pass", {"__init__", "a"}),
    "inside a function": (
        "def __init__(self):\n    def go(): self.a()\n    go()\ndef a(self): pass",
        {"__init__", "a"},
    ),
    "in a class body": ("x = 1\ndef a(self): pass\ny = a\ndef b(self): pass", {"a"}),
    "in a docstring": ('"""Calls a."""\ndef __init__(self): pass\ndef a(self): pass', {"__init__"}),
    "in a comment": ("def __init__(self): pass\n# see a\ndef a(self): pass\n# and a\n", {"__init__"}),
    "of something else, perhaps": ("def __init__(self, x): x.a()\ndef a(self): pass", {"__init__", "a"}),
    "the instance is called": (
        "def __init__(self): self()\ndef __call__(self): self.a()\ndef a(self): pass",
        {"__init__", "__call__", "a"},
    ),
    "twice": ("def __init__(self): pass\ndef a(self): pass\ndef __init__(self, x): self.a()", {"__init__", "a"}),
    "static, by the name of the class": (
        "def __init__(self): self.f = C.a()\n@staticmethod\ndef a(): pass",
        {"__init__", "a"},
    ),
    "by the class of the instance": (
        "def __init__(self): self.f = self.__class__.a()\n@staticmethod\ndef a(): pass",
        {"__init__", "a"},
    ),
    "by another name": ("def __init__(self):\n    me = self\n    me.a()\ndef a(self): pass", {"__init__", "a"}),
    "a method by a name of its own": (
        "def __init__(self):\n    f = self.a\n    f()\ndef a(self): pass",
        {"__init__", "a"},
    ),
    "behind a backslash": ("def __init__(self):\n    self.\\\n        a()\ndef a(self): pass", {"__init__", "a"}),
    "behind a comment": ("def __init__(self):\n    (self  # c\n        .a())\ndef a(self): pass", {"__init__", "a"}),
    "in brackets": ("def __init__(self):\n    (self).a()\ndef a(self): pass", {"__init__", "a"}),
    "async and decorated": ("@d(1)\ndef __init__(self): self.a()\nasync def a(self): pass", {"__init__", "a"}),
}


def _runs(folder: Path, files: dict[str, str], name: str = "C") -> list[tuple[str, set[str]]]:
    """The classes of which methods are run, with these methods."""
    write(folder, files)
    resolver = SettingsResolver(cwd=folder)
    (project,) = projects([str(folder / "main.py")], resolver, [folder])
    program = Analysis(project, resolver).linked().program
    (main,) = (module for module in program.loaded() if module.name == "main")
    making = Construction(NameTargets(program, StarImports(program), Cuts()))
    (block,) = main.outline.binding(name)
    return [(run.block.names[0], set(run.methods)) for run in making.runs(main, block)]


def _class(body: str, bases: str = "") -> str:
    return f"class C{bases}:\n" + "".join(f"    {row}\n" for row in body.splitlines())


@pytest.mark.parametrize("name", OWN)
def test_of_its_own(name: str, tmp_path: Path) -> None:
    body, expected = OWN[name]
    assert _runs(tmp_path, {"main.py": _class(body)}) == [("C", expected)]


def test_with_type_parameters(tmp_path: Path) -> None:
    body = "def __init__[T](self): self.a()\ndef a(self): pass"
    assert _runs(tmp_path, {"main.py": _class(body)}) == [("C", {"__init__", "a"})]


INHERITED = {
    "nothing of its own": ("pass", "Base", set(), {"__init__", "build"}),
    "a step of a template": (
        "def build(self): self.extra()\ndef extra(self): self.helper()\ndef x(self): pass",
        "Base",
        {"build", "extra"},
        {"__init__", "build", "helper", "deeper"},
    ),
    "construction of its own": (
        "def __init__(self): pass\ndef build(self): pass",
        "Base",
        {"__init__", "build"},
        {"__init__", "build"},
    ),
    "super": ("def __init__(self): super().helper()", "Base", {"__init__"}, {"__init__", "build", "helper", "deeper"}),
    "by the class": (
        "def __init__(self):\n    Base.helper(self)",
        "Base",
        {"__init__"},
        {"__init__", "build", "helper", "deeper"},
    ),
    "a class method": ("def make(cls): pass", "Template", {"make"}, {"__new__", "make"}),
}


@pytest.mark.parametrize("where", ["here", "elsewhere", "as a module"])
@pytest.mark.parametrize("name", INHERITED)
def test_of_what_it_derives_from(name: str, where: str, tmp_path: Path) -> None:
    body, base, own, inherited = INHERITED[name]
    files = {"bases.py": BASES}
    if where == "here":
        files["main.py"] = f"{BASES}\n{_class(body, f'({base})')}"
    elif where == "elsewhere":
        files["main.py"] = f"from bases import *\n{_class(body, f'({base})')}"
    else:
        files["main.py"] = f"import bases as b\n{_class(body, f'(b.{base})')}"
    assert _runs(tmp_path, files) == [("C", own), (base, inherited)]


def test_siblings(tmp_path: Path) -> None:
    """What one base asks for, another may have; unknown bases and circles do not matter."""
    text = (
        "from nowhere import Unknown\n"
        "class Left(Unknown):\n    def __init__(self): self.a()\n    def b(self): pass\n"
        "class Right(C):\n    def a(self): self.b()\n    def c(self): pass\n"
        "class C(Left, Right): pass\n"
    )
    found = dict(_runs(tmp_path, {"main.py": text}))
    assert found == {"C": set(), "Left": {"__init__", "b"}, "Right": {"a"}}
