"""Members found without reading the bodies of functions are those that the whole class has."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.parsing import members as module
from lintpickle.parsing.members import Member, members
from lintpickle.parsing.syntax import BrokenSyntax
from tests.parsing.test_blocks import ENDS, GUESSED, METHODS, OTHERS, STANDARD_LIBRARY, _classes

from ..facts.shapes import SOURCES
from ..facts.test_methods import CLASSES

TEXTS = {**CLASSES, **GUESSED, **{f"methods: {name}": text for name, (text, _) in METHODS.items()}}
MORE = {
    "strings with a colon": "class C:\n    def a(self, x=':', *, y=\"(\"): pass\n    def b(self): pass\n",
    "a default with brackets": "class C:\n    def a(self, x=f(1, (2, 3)), y=[(]) if 0 else 1): pass\n",
    "nested calls": "class C:\n    def a(self, x=f(g(h(1)))):\n        return x\n    y = 1\n",
    "a comment in the head": "class C:\n    def a(self,  # (\n          x):\n        return x\n    def b(self): pass\n",
    "an annotated head": (
        "class C:\n    def a(self) -> 'x:y':\n        pass\n    def b(self) -> dict[int, str]:\n        pass\n"
    ),
    "a lambda in the head": "class C:\n    def a(self, x=lambda: 1):\n        return x\n",
    "a slice in the head": "class C:\n    def a(self, x=y[1:2]) -> z[1:2]:\n        return x\n",
    "a body on the row": "class C:\n    def a(self): return 1\n    def b(self):\n        return 2\n",
    "a comment for a body": (
        "class C:\n    def a(self):  # only\n\n        # this\n        return 1\n    # and that\n\n    x = 1\n"
    ),
    "strings at the margin": (
        "class C:\n    def a(self):\n        return '''\nx\n    def b(self): pass\n'''\n    def c(self): pass\n"
    ),
    "quotes that look even": "class C:\n    def a(self):\n        return '\"\"\"', '''\n    def b(self): pass '''\n",
    "quotes in comments": (
        "class C:\n    def a(self):\n        return 1  # '''\n    def b(self):\n        return 2  # '''\n"
    ),
    "a string around a function": (
        "class C:\n    x = '''\n    def a(self):\n        pass\n'''\n    def b(self):\n        pass\n"
    ),
    "a string before the head": (
        'class C:\n    """a"""\n    def a(self):\n        """b"""\n    def b(self):\n        """c"""\n'
    ),
    "continued at the end": (
        "class C:\n    def a(self):\n        return 1 + \\\n 2\n    def b(self):\n        return 3\n"
    ),
    "brackets to the left": "class C:\n    def a(self):\n        return [\n  1]\n    def b(self):\n        return 3\n",
    "blank rows": (
        "class C:\n    def a(self):\n\n        x = 1\n    \n  \n        y = 2\n\n\n    def b(self):\n        pass\n\n"
    ),
    "deeper comments": (
        "class C:\n    def a(self):\n        x = 1\n            # deep\n    def b(self):\n        pass\n"
    ),
    "only inner functions": "class C:\n    class D:\n        def a(self):\n            pass\n    x = 1\n",
    "functions in blocks": (
        "class C:\n    if x:\n        def a(self):\n            pass\n    def b(self):\n        pass\n"
    ),
    "a walrus in the head": (
        "class C:\n    def a(self, x=(y := 1)):\n        return x\n    def b(self, z=y):\n        return z\n"
    ),
    "semicolons": "class C:\n    def a(self):\n        x = 1; y = 2;\n    z = 1; w = 2\n    def b(self): pass;\n",
    "not a class": "def f():\n    def g():\n        pass\n",
    "two": "class C:\n    def a(self):\n        pass\nx = 1\n",
    "a continued string": "class C:\n    def a(self):\n        x = 'a \\\n    # b'\n    def b(self):\n        pass\n",
    "a continued string that looks like a function": "class C:\n    x = 'a \\\n    def a(self):\n        pass'\n",
}


def _by_ast(text: str, start: int) -> tuple[Member, ...]:
    class_ = module._only_class(text)
    return tuple(module._members(class_, text, start, {})) if class_ is not None else ()


def _same(text: str) -> bool:
    try:
        expected = _by_ast(text, 7)
    except BrokenSyntax:
        return True
    return members(text, 7) == expected


@pytest.mark.parametrize("end", ENDS.values(), ids=list(ENDS))
@pytest.mark.parametrize("name", TEXTS | MORE)
def test_odd_classes(name: str, end: str) -> None:
    text = (TEXTS | MORE)[name].replace("\n", end)
    assert _same(text)
    assert _same(text.rstrip("\r\n"))
    assert _same(f"@d(1,{end}   2){end}{text}")


@pytest.mark.parametrize("paths", [SOURCES, STANDARD_LIBRARY, OTHERS], ids=["ours", "standard library", "installed"])
def test_real_classes(paths: list[Path]) -> None:
    assert [text[:300] for text, _ in _classes(paths) if not _same(text)] == []


def test_most_bodies_are_not_read() -> None:
    classes = [(len(text), len(module._without_bodies(text)[0])) for text, _ in _classes(STANDARD_LIBRARY)]
    assert sum(read for _, read in classes) < 0.7 * sum(size for size, _ in classes)
