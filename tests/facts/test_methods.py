"""A class whose methods are read one by one says the same as one that is read whole."""

from __future__ import annotations

import re

import pytest

from lintpickle.diagnostics import Span
from lintpickle.facts.methods import Methods, methods_holding
from lintpickle.facts.records import ClassFacts
from lintpickle.parsing.outline import Block

from .shapes import assert_same, both_readings, facts_of, shape

CLASSES = {
    "decorators": (
        "@one\n@two(3)\nclass C(B):\n    @three\n    @four.five(lambda x: x)\n    def a(self): self.x = 1\n"
    ),
    "property": (
        "class C:\n    @property\n    def x(self):\n        return self.a\n\n    @x.setter\n"
        "    def x(self, value):\n        self.a = value\n\n    @x.deleter\n    def x(self):\n"
        "        pass\n"
    ),
    "setter last": (
        "class C:\n    x = property(get)\n    @x.setter\n    def x(self, value):\n        self.a = value\n"
    ),
    "overload": (
        "class C:\n    @typing.overload\n    def a(self, x: int) -> int: ...\n    @overload\n"
        "    def a(self): ...\n    def a(self, x=None):\n        return x\n"
    ),
    "redefinition": "class C:\n    def a(self): return 1\n    def b(self): pass\n    def a(self): return 2\n",
    "blocks": (
        "class C:\n    def a(self): return 1\n    if FAST:\n        def a(self): return 2\n"
        "        def b(self): pass\n    try:\n        def c(self): pass\n    except E:\n"
        "        def d(self): pass\n    def b(self): return 3\n"
    ),
    "one line": "class C:\n    def a(self): self.x = 1; self.y = 2\n    async def b(self): await x\n",
    "tabs": "class C:\n\tdef a(self):\n\t\tself.x = {}.keys()\n\n\tdef b(self):\n\t\tif x:\n\t\t\treturn 1\n",
    "one space": "class C:\n def a(self):\n  self.x = 1\n def b(self): pass\n",
    "form feed": ("class C:\n\n\x0c\n    def a(self):\n        self.x = 1\n\x0c\n    def b(self):\n        return 2\n"),
    "no newline": "class C:\n    def a(self):\n        return self.x",
    "no newline after a comment": "class C:\n    def a(self): return self.x  # end",
    "nested classes": (
        "class C:\n    class D:\n        def a(self): self.x = 1\n    def b(self):\n        class E:\n"
        "            def c(self): return D\n        return E\n"
    ),
    "async": (
        "class C:\n    @asynccontextmanager\n    async def a(self):\n        async with x as y:\n            yield y\n"
    ),
    "comments": (
        "class C:  # head\n    # before\n    def a(self):  # on the line\n        return 1  # last\n"
        "        # inside\n    # between\n# left\n    def b(self):\n        pass\n    # after\n# far\n"
    ),
    "docstrings": (
        'class C:\n    """Doc.\n\ntext"""\n    x = 1\n    def a(self):\n        """A.\nleft\n"""\n'
        '        return """\n"""\n'
    ),
    "continued": ("class C:\n    def a(self, \\\n          x):\n        return x + \\\n    1\n    y = \\\n        2\n"),
    "generic": (
        "class C(Generic[T], metaclass=M, key=3):\n    x: int = 3\n    y: ClassVar[int] = 4\n"
        "    def a(self) -> T: ...\n"
    ),
    "walrus": (
        "class C:\n    def a(self):\n        if (n := self.b()) > 1:\n            return lambda: n\n"
        "    def b(self): pass\n"
    ),
    "super": (
        "class C(B):\n    def __init__(self, *a, **k):\n        super().__init__(*a, **k)\n"
        "        self.f = lambda: self.g\n"
    ),
    "global": (
        "class C:\n    def a(self):\n        global G\n        G = 1\n        def inner():\n"
        "            return self\n        return inner\n"
    ),
    "unicode": "class Ç:\n    def é(self):\n        self.ü = 'ß😋'\n    def 名(self): return 'x'\n",
    "defaults of the class": (
        "class C:\n    f = lambda x: x\n    import lib\n    for n in N: pass\n"
        "    def a(self, g=f): self.g = g\n    @lib.wraps\n    def b(self, *, n=n): return n\n    @(f)\n"
        "    def c(self): pass\n    def d(self): return f\n"
    ),
    "a keyword's default of the class": "class C:\n    n = lambda: 1\n    def a(self, *, m=n): self.m = m\n    b = 1\n",
    "overload last": "class C:\n    def a(self, x): return x\n    @overload\n    def a(self): ...\n",
    "a default named like a method": "class C:\n    def a(self): pass\n    def b(self, f=a): self.f = f\n",
    "types": (
        "class C:\n    def a(self, x: 'int', /, y: list[int] = [], *z, w: dict = {}, **v) -> None:\n"
        "        self.y = y\n"
    ),
    "semicolons": "class C:\n    x = 1; y = 2\n    def a(self): pass; return 3;\n    z = 3;\n",
    "class on one line": "class C: x = 1; y = lambda: 2\n",
    "string of a method": "class C:\n    'def a(self): pass'\n    def a(self): pass\n    'end'\n",
    "match": (
        "class C:\n    def a(self, x):\n        match x:\n            case {'k': v, **rest}:\n"
        "                self.v = v\n"
    ),
}
ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}
AROUND = "import x\n\n\n{}\n\nlast = 1\n"


def _class_and_text(text: str) -> tuple[ClassFacts, ClassFacts, Block]:
    """The class of the text, its methods read one by one, and read whole."""
    facts = facts_of(text)
    (block,) = (block for block in facts.outline.blocks if block.classes)
    return (*both_readings(facts, text, block), block)


@pytest.mark.parametrize("end", ENDS.values(), ids=list(ENDS))
@pytest.mark.parametrize("surrounded", [False, True], ids=["alone", "surrounded"])
@pytest.mark.parametrize("name", CLASSES)
def test_the_same_facts(name: str, surrounded: bool, end: str) -> None:
    text = (AROUND.format(CLASSES[name]) if surrounded else CLASSES[name]).replace("\n", end)
    one_by_one, whole, block = _class_and_text(text)
    assert_same(one_by_one, whole)
    assert one_by_one.span.start == whole.span.start
    assert whole.span.end <= one_by_one.span.end <= block.span.end
    assert all(method.span.end <= one_by_one.span.end for method in one_by_one.methods.values())


def test_most_methods_are_read_one_by_one() -> None:
    """Were all of them read with their class, the tests above would prove nothing."""
    found = {name: _class_and_text(text)[0].methods for name, text in CLASSES.items()}
    alone = {name: set(methods) - set(methods.eager) for name, methods in found.items() if isinstance(methods, Methods)}
    assert set(CLASSES) - set(alone) == {
        "class on one line",
        "setter last",
        "a keyword's default of the class",
    }
    assert alone["defaults of the class"] == {"d"}
    assert set(alone["nested classes"]) == {"b"}


def test_a_method_is_read_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "class C:\n    def a(self): self.x = 1\n    def b(self): self.y = open()\n"
    facts = facts_of(text)
    block = facts.facts_of(facts.outline.blocks[0])
    assert block is not None
    methods = block.classes["C"].methods
    assert isinstance(methods, Methods)
    monkeypatch.setattr("lintpickle.facts.read.read_member", None)
    assert (list(methods), len(methods), "a" in methods, "c" in methods) == (["a", "b"], 2, True, False)
    assert text[slice(*_ends(methods.span("b")))] == "    def b(self): self.y = open()\n"
    monkeypatch.undo()
    assert [method.name for method in methods_holding(methods, re.compile("open"), text)] == ["b"]
    assert list(methods._known) == ["b"]
    assert methods["b"] is methods["b"]
    with pytest.raises(KeyError):
        methods["c"]


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


@pytest.mark.parametrize("end", ENDS.values(), ids=list(ENDS))
def test_spans_are_those_of_the_text(end: str) -> None:
    text = AROUND.format("class C:\n    @d\n    def a(self):\n        self.é = {}.keys()  # é\n").replace("\n", end)
    one_by_one, _, _ = _class_and_text(text)
    method = one_by_one.methods["a"]
    (call, store) = (event.span for event in method.events)
    assert text[slice(*_ends(call))] == "{}.keys()"
    assert text[slice(*_ends(store))] == "self.é = {}.keys()"
    assert text[slice(*_ends(method.header))] == "def a" or text[slice(*_ends(method.header))] == "a"


REFUSED = {
    "a long sum": f"    def bad(self):\n        return {' + '.join(['1'] * 700)}\n",
    "a form feed before it": "\x0c    def bad(self):\n        self.x = 1\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_costs_one_method(name: str) -> None:
    bad = REFUSED[name]
    text = f"class C:\n    def a(self):\n        self.x = 1\n{bad}    def b(self): self.y = 2\n"
    facts = facts_of(text)
    block = facts.facts_of(facts.outline.blocks[0])
    assert block is not None
    methods = block.classes["C"].methods
    assert isinstance(methods, Methods)
    assert [len(methods[name].events) for name in ("a", "bad", "b")] == [1, 0, 1]
    assert [methods.is_exact(methods.span(name).start) for name in ("a", "bad", "b")] == [True, False, True]
    assert methods["bad"].qualname == "C.bad"
    kept = facts_of(text, facts.to_keep())
    again = kept.facts_of(kept.outline.blocks[0])
    assert shape(again) == shape(block)
