"""Maps made without bodies of classes and functions are those of the whole; methods are where `ast` sees them."""

from __future__ import annotations

import ast
import re
import sysconfig
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, strategies as st

from lintpickle.parsing import outline as mapping
from lintpickle.parsing.blocks import Skeleton, methods, skeleton, whole, without_methods
from lintpickle.parsing.outline import Outline, outline
from lintpickle.parsing.syntax import BrokenSyntax, parse, rows
from lintpickle.source.document import UnreadableSource, read_document

from ..facts.shapes import SOURCES

_PATHS = sysconfig.get_paths()
STANDARD_LIBRARY = sorted(Path(_PATHS["stdlib"]).glob("*.py"))
INSTALLED = sorted(Path(_PATHS["purelib"]).rglob("*.py"))
OTHERS = Random(3).sample(INSTALLED, min(200, len(INSTALLED)))

NASTY = {
    "empty": "",
    "blank": "\n\n  \n",
    "comment alone": "# def f(): pass",
    "no newline at the end": "x = 1\ndef f():\n    return 1",
    "no newline after a comment": "def f(): pass\n    # end",
    "a class without newline": "class A(B): pass",
    "margin in a long string": 'x = """\ndef f(): pass\nclass A: pass\n"""\ny = 1\n',
    "margin in a docstring": 'def f():\n    """Doc.\n\nclass A:\n    pass\nimport no\n"""\n    return 1\nimport yes\n',
    "margin in a string of a class": "class A:\n    x = '''\ndef g(): pass\n# '''\n    y = 1\nz = 1\n",
    "ends in a string": 'def f():\n    return """\n# end\n\n"""\n\n# comment\n\nx = 1\n',
    "a module docstring": '"""Doc.\n\ndef f(): pass\n"""\nimport x\n\n\ndef g(): pass\n',
    "triple quotes in a comment": "def f():\n    pass  # it's \"\"\" here\ndef g():\n    pass  # and '''\nx = 1\n",
    "triple quotes in a commented row": 'def f():\n    pass\n# """\nx = 1\n# """\ndef g(): pass\n',
    "triple quotes in a string": "def f():\n    return '\"\"\"'\nx = 1\ndef g():\n    return \"'''\"\ny = 2\n",
    "other triple quotes in a long string": "x = '''\n\"\"\"\ndef f(): pass\n'''\ndef g(): pass\n",
    "escaped quotes": "def f():\n    return 'it\\'s \"\"\"'\nx = 1\ndef g():\n    return \"\\\"'''\"\ny = 2\n",
    "escaped backslash": "def f():\n    return '\\\\'  # '''\nx = 1\ny = '''\n'''\n",
    "escaped triple quotes": 'def f():\n    """a \\""" b\nclass A: pass\n"""\nx = 1\n',
    "escaped backslash before triple quotes": 'x = """a \\\\"""\ndef f(): pass\ny = """\n"""\n',
    "four quotes": 'x = """"quoted" text"""\ndef f(): pass\ny = """ends \\""""\ndef g(): pass\n',
    "empty strings": "x = '' \"\" '' # '''\ndef f(): return ''\ny = ''''''\ndef g(): return \"\"\"\"\"\"\nz = 1\n",
    "raw strings": 'x = r\'\\\'  \'\'\'\n\'\'\'\ndef f(): return r"""\\""" """\ny = 1\n',
    "prefixes": "x = rb'''\ndef f(): pass\n'''\ndef g(): return f'''\nclass A: pass\n{x}'''\n",
    "a hash in a string": "def f(): return '#' '''\nclass A: pass\n'''\nx = '#'\ndef g(): pass\n",
    "strings on both sides": "def f(): return 'a' '''b\ndef g(): pass''' 'c'\nx = 1\n",
    "decorators": "@a\n@b(c,\n   d)\n# between\n\n@e.f[g]\ndef h(): pass\n\n\n@a\n\n# more\nclass B(C): pass\n",
    "decorator on rows at the margin": "@a(\n1,\n2\n)\ndef f(): pass\n",
    "decorator with a string": "@a('''\ndef g(): pass\n''')\ndef f(): pass\n",
    "arguments at the margin": "def f(a,\nb,\n):\n    pass\nx = 1\n",
    "brackets at the margin": "def f(\n    a,\n):\n    x = [\n        1,\n]\n    return x\ny = 1\n",
    "values at the margin": "class A:\n    x = [\n1, 2,\n3]\n    def f(self): pass\ny = 1\n",
    "a name at the margin": "class A:\n    x = (\nname\n    )\n    y = 1\nz = 1\n",
    "a call at the margin": "x = f(\n1,\n)\ndef g(): pass\ny = {\n'a':\n1}\n",
    "a comprehension at the margin": "async def f():\n    return [i\nasync for i in x]\ny = 1\n",
    "bases on rows": "class A(\n    B,\n    C,\n):\n    x = 1\nclass D(\nB,\nC): pass\ny = 1\n",
    "bases with arguments": (
        "class A(B, metaclass=C(1), key='x'):\n    x = 1\n@d\nclass D(B[int], key=lambda: 3): pass\n"
    ),
    "commented bases": "class A(  # why\n    B,  # c\n):\n    x = 1\ny = 1\n",
    "continued": "def f():\n    return 1 + \\\n        2\nx = 1 + \\\n    2\n",
    "continued at the margin": "def f():\n    return 1 + \\\n2\nx = 1 + \\\n2\ny = 1\n",
    "continued head": "class \\\n    A: pass\ndef f \\\n    (): pass\ndef \\\n    g(): pass\nx = 1\n",
    "continued string": "def f():\n    return 'a \\\n  b'\nx = 'a \\\ndef g(): pass'\ny = 1\n",
    "continued before a statement": "def g(): pass\n\\\n  \nx = 1\n",
    "one line": "def f(): return 1\nclass A: x = 1; y = 2\nasync def g(): pass; pass;\nx = 1; y = 2\n",
    "async": "async def f():\n    await x\nasync  def g(): pass\nasync\tdef h(): pass\ny = 1\n",
    "spaces in heads": "def  f ( a ) : pass\nclass\tA : pass\nclass  B ( C ) : pass\ndef\tg(): pass\n",
    "annotations": "def f(a: 'x' = 1, *, b: dict[str, int] = {}, **c) -> list['A']:\n    pass\ndef g() -> {}: pass\n",
    "unicode": "def é(ü): return 'ß'\nclass 名(Ä): pass\nñ = 1\n",
    "comments at the margin": "class A:\n    x = 1\n# c\n    def f(self):\n# d\n        pass\n# e\n\n    # f\ny = 1\n",
    "comments at the end": "def f():\n    pass\n    # in\n\n# out\n\n\nclass A:\n    x = 1\n  # half\n",
    "blocks in blocks": (
        "if x:\n    def f(): pass\nelse:\n    class A: pass\ntry:\n    import a\nexcept E:\n    a = None\n"
    ),
    "a block of a definition": "def f(): pass\nif x:\n    def g(): pass\ndef h(): pass\n",
    "with and match": "with a as b, c as (d, e): pass\nmatch x:\n    case 1:\n        import f\ndef g(): pass\n",
    "stars": "from a import *\ndef f(): from b import c\nfrom .d import *\n",
    "exports": "__all__ = ['f', 'A']\ndef f(): pass\n__all__ += ['B']\nclass A: pass\n",
    "lambdas": "f = lambda: 1\ndef g(): h = lambda: 2\nh = i = lambda: 3\n",
    "statements on rows of blocks": "x = 1; import y\nclass A: pass\nz = [\n    1\n]; w = 2\ndef f(): pass\n",
    "the same name": "def f(): pass\nclass f: pass\nf = 1\nclass f(f): pass\n",
    "soft words": "classes = 1\ndefault = 2\nasync_ = 3\nclass_ = 4\ndef f(): pass\n",
    "tabs": "def f():\n\tif x:\n\t\treturn '''\n\t'''\nclass A:\n\tx = 1\n\n\tdef g(self):\n\t\tpass\ny = 1\n",
    "form feed": "def f(): pass\n\x0c\nclass A:\n    x = 1\n\x0c\n    def g(self): pass\n\x0cx = 1\n",
    "form feed before a statement": "def f():\n    pass\n\x0cx = 1\n\x0cdef g(): pass\n",
    "lone CR": "def f():\r    return 1\rx = 1\rclass A: pass\r",
    "mixed ends": "def f():\r\n    return 1\rx = 1\nclass A: pass\r\n",
    "CR in a string": "def f():\n    '''a\rclass B: pass\n'''\nx = 1\n",
    "other separators": "def f(): return '''\x0b\x1c\u2028\ndef g(): pass'''\nx = '\u2028\x0b'\nclass A: pass\n",
    "type parameters": "class A[T]:\n    x = 1\ndef f[T: int](a: T) -> T: return a\nclass B[T](C):\n    y = 1\nz = 1\n",
    "type aliases": "type A[T] = list[T]\ndef f(): pass\n",
    "nested quotes": "def f(): return f\"{x['a']}\"\nx = f'{y!r:{z}}'\ndef g(): return f'''{x['''a''']}'''\n",
    "the same quotes nested": "def f(): return f'{x['a']}'\nx = f'{f'{'''y'''}'}'\ndef g(): pass\n",
    "rows in a replacement field": "def f(): return f'{\n1\n}'\nx = 1\n",
    "semicolon after a definition": "def f(): pass;\nclass A: x = 1;\ny = 1;\n",
    "ellipsis": 'def f(): ...\nclass A: ...\ndef g(): """doc"""\nclass B: \'doc\'\n',
    "broken margin": "def f(:\nclass A: pass\n",
    "broken brackets": "def f(): pass\nx = (1,\nclass A: pass\n",
    "an open string": 'def f(): pass\nx = """\nclass A: pass\n',
    "indented": "  x = 1\ndef f(): pass\n",
    "nul": "def f(): pass\nx = '\0'\n",
}
BACKSLASHES = {
    "triple quotes in a continued string": "def f():\n    x = 'a \"\"\" \\\n    b'\ny = 1\nz = '''c'''\n",
    "triple quotes in what continues a string": "def f():\n    x = 'a \\\n    \"\"\"b'\ny = 1\nz = '''c'''\n",
    "a hash at the start of what continues a string": "def f():\n    x = 'a \\\n    # b'\ny = 1\n",
    "a hash at the margin that continues a string": "def f():\n    x = 'a \\\n# b'\ny = 1\n",
}
ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}


def _map_of(found: Skeleton) -> Outline | None:
    try:
        return mapping._mapped(found)
    except BrokenSyntax:
        return None


def _agrees(text: str) -> bool:
    """Whether the map is that of the whole text; it may be one where the whole text, for its bodies, has none."""
    expected = _map_of(whole(text))
    try:
        found = outline(text)
    except BrokenSyntax:
        return expected is None
    return found == expected if expected is not None else not _is_python(text)


def _is_python(text: str) -> bool:
    try:
        parse(text)
    except BrokenSyntax:
        return False
    return True


def _texts(paths: list[Path]) -> Iterator[str]:
    for path in paths:
        try:
            yield read_document(path).code
        except UnreadableSource:
            continue


@pytest.mark.parametrize("end", ENDS.values(), ids=list(ENDS))
@pytest.mark.parametrize("name", NASTY)
def test_nasty_texts(name: str, end: str) -> None:
    text = NASTY[name].replace("\n", end)
    assert _agrees(text)
    assert _agrees(f"import above{end}{end}{text}{end}below = 1{end}")


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", BACKSLASHES)
def test_strings_that_a_backslash_continues(name: str, end: str) -> None:
    assert _agrees(BACKSLASHES[name].replace("\n", end))


@pytest.mark.parametrize("paths", [SOURCES, STANDARD_LIBRARY, OTHERS], ids=["ours", "standard library", "installed"])
def test_real_texts(paths: list[Path]) -> None:
    assert paths
    assert [text[:200] for text in _texts(paths) if not _agrees(text)] == []


def test_the_map_is_made_from_little_text() -> None:
    """Were most maps made from the whole, the tests above would prove nothing, and nothing would be saved."""
    sizes: list[tuple[int, int]] = []
    for text in _texts(STANDARD_LIBRARY):
        found = skeleton(text)
        mapped = found is not None and _map_of(found) is not None
        sizes.append((len(text), len(found.text) if found is not None and mapped else len(text)))
    assert sum(read == size for size, read in sizes) < 0.2 * len(sizes)
    assert sum(read for _, read in sizes) < 0.4 * sum(size for size, _ in sizes)


def test_bodies_are_not_looked_into() -> None:
    text = "import a\n\ndef f():\n    this is = not Python\n\nclass A(B):\n    nor this\n\nx = 1\n"
    assert [name for block in outline(text).blocks for name in block.names] == ["f", "A", "x"]
    with pytest.raises(BrokenSyntax):
        outline(text + "nor this\n")


SNIPPETS = [
    *(text for name, text in NASTY.items() if "broken" not in name),
    "def f():\n    '''doc'''\n", "class A(B):\n    x = 1\n", "@d\n", "@d(1,\n  2)\n", "x = 1\n", "import a.b as c\n",
    "    def m(self): pass\n", "    pass\n", "# it's\n", '"""', "'''", "'", '"', "(\n", ")\n", "\\\n", "\n", "\r\n",
    "if x:\n", "else:\n", "async ", "def ", "class ", " ", "\t", "#", ";", ":", "f(", "{x}", "\x0c", "\r",
]  # fmt: skip
ROWS = [row for text in NASTY.values() for row in text.splitlines(keepends=True)]


@given(st.lists(st.sampled_from(SNIPPETS), max_size=12).map("".join))
def test_any_texts_together(text: str) -> None:
    assume(not _continues_a_string(text))
    assert _agrees(text)


@given(st.lists(st.sampled_from(ROWS), max_size=10).map("".join))
def test_any_rows_together(text: str) -> None:
    assume(not _continues_a_string(text))
    assert _agrees(text)


def _continues_a_string(text: str) -> bool:
    """Whether a string of one row goes on in the next: see `BACKSLASHES`."""
    strings = (node for node in ast.walk(_tree(text)) if isinstance(node, (ast.Constant, ast.JoinedStr)))
    parts = (ast.get_source_segment(text, node) or "" for node in strings)
    return any("\\" in part and re.search(r"\\\r?\n", part) for part in parts)


def _tree(text: str) -> ast.Module:
    """The tree of the text; an empty one if it is broken."""
    try:
        return parse(text)
    except BrokenSyntax:
        return ast.Module([], [])


def _classes(paths: list[Path]) -> Iterator[tuple[str, ast.ClassDef]]:
    """The classes at the margin of files: the text of each, and what `ast` makes of that."""
    for text in _texts(paths):
        lines = whole(text)
        for node in _tree(text).body:
            span = lines.span(*rows(node))
            for class_ in _tree(text[span.start : span.end]).body if isinstance(node, ast.ClassDef) else ():
                if isinstance(class_, ast.ClassDef):
                    yield text[span.start : span.end], class_


@pytest.fixture(scope="module", params=["ours", "standard library", "installed"])
def classes(request: pytest.FixtureRequest) -> list[tuple[str, ast.ClassDef]]:
    """The classes of many files, parsed once for both tests of them."""
    return list(_classes({"ours": SOURCES, "standard library": STANDARD_LIBRARY, "installed": OTHERS}[request.param]))


def _seen_by_ast(text: str, class_: ast.ClassDef) -> list[tuple[str, int, str]]:
    """Name, start and text of the functions that stand in the body of a class."""
    lines = whole(text)
    functions = (inner for inner in class_.body if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)))
    spans = ((inner.name, lines.span(*rows(inner))) for inner in functions)
    return [(name, span.start, _trimmed(text[span.start : span.end])) for name, span in spans]


def _seen_by_rows(text: str) -> list[tuple[str, int, str]]:
    return [(name, span.start, _trimmed(text[span.start : span.end])) for name, span in methods(text)]


def _trimmed(text: str) -> str:
    """A method without blank rows and comments behind it, which only rows tell it to have."""
    return re.sub(r"\s*(?:\n[ \t]*#[^\n]*\s*)*$", "", text)


def _with(text: str, names: Collection[str]) -> str:
    return without_methods(text, (span for name, span in methods(text) if name not in names))


class _Without(ast.NodeTransformer):
    """Puts `pass` in place of functions of other names than the given ones."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node if node.name in self._names else ast.Pass()

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return node if node.name in self._names else ast.Pass()


def _is_safe(text: str, names: Collection[str]) -> bool:
    """Whether nothing but functions of other names is left out of a class; or so much that it cannot be parsed, and is
    looked at as a whole."""
    left = _tree(_with(text, names)).body
    return not left or not Counter(_statements(_tree(text).body[0], names)) - Counter(_statements(left[0], names))


def _statements(class_: ast.stmt, names: Collection[str]) -> Iterator[str]:
    assert isinstance(class_, ast.ClassDef)
    for inner in _Without(names).visit(class_).body:
        if not isinstance(inner, ast.Pass):
            yield ast.dump(inner)


@pytest.mark.xdist_group("classes")
def test_methods_are_where_ast_sees_them(classes: list[tuple[str, ast.ClassDef]]) -> None:
    assert sum(_seen_by_rows(text) != _seen_by_ast(text, class_) for text, class_ in classes) < 0.03 * len(classes)


@pytest.mark.xdist_group("classes")
def test_nothing_but_methods_is_left_out(classes: list[tuple[str, ast.ClassDef]]) -> None:
    for text, _ in classes:
        for names in ((), ("__init__",), tuple(name for name, _ in methods(text))[1::2]):
            assert _is_safe(text, names), text[:300]


METHODS = {
    "plain": ("class C:\n    def a(self): pass\n    x = 1\n    async def b(self):\n        pass\n", ["a", "b"]),
    "no function": ("class C:\n    x = 1\n", []),
    "one line": ("class C: x = 1; y = lambda: 2\n", []),
    "tabs": ("class C:\n\tdef a(self):\n\t\tdef b(): pass\n\tdef c(self): pass\n", ["a", "c"]),
    "decorators": ("class C:\n    @d\n    @e(1)\n    # why\n    def a(self): pass\n    x = 1\n", ["a"]),
    "twice": ("class C:\n    def a(self): pass\n    @a.setter\n    def a(self, x): pass\n", ["a", "a"]),
    "inner functions": ("class C:\n    def a(self):\n        def b(): pass\n        return b\n", ["a"]),
    "a class in it": ("class C:\n    class D:\n        def a(self): pass\n    def b(self): pass\n", ["b"]),
    "comments at the margin": (
        "class C:\n    def a(self):\n# c\n        x = 1\n# d\n    def b(self): pass\n",
        ["a", "b"],
    ),
    "in a docstring": ('class C:\n    """Doc.\n\n    def a(self): pass\n    """\n    def b(self): pass\n', ["b"]),
    "in a string": ("class C:\n    def a(self):\n        return '''\n    def b(self): pass\n'''\n    x = 1\n", ["a"]),
    "brackets": (
        "class C:\n    def a(\n        self,\n    ):\n        x = [\n            1\n    ]\n        y = 1\n",
        ["a"],
    ),
    "type parameters": ("class C[T]:\n    def a[U](self): pass\n    def b(self): pass\n", ["a", "b"]),
}
GUESSED = {
    "all in a block": "class C:\n    if x:\n        def a(self): pass\n    y = 1\n",
    "some in a block": "class C:\n    if x:\n        def a(self): pass\n    def b(self): pass\n    y = 1\n",
    "all in a class": "class C:\n    class D:\n        def a(self): pass\n        z = 1\n    y = 1\n",
    "rows to the left": "class C:\n    def a(self):\n        x = [\n  1,\n    2]\n        y = 1\n    z = 1\n",
    "decorator to the left": "class C:\n    @d(\n  1)\n    def a(self): pass\n    z = 1\n",
    "decorator with rows": "class C:\n    @d(\n    1, 2\n    )\n    def a(self): pass\n    @e\n    def b(self): pass\n",
    "continued": "class C:\n    def a(self): return 1 + \\\n  2\n    z = 1\n    def \\\n    b(self): pass\n",
    "string of a method": "class C:\n    x = 'a \\\n    def a(self): pass'\n    def b(self): pass\n",
    "lone CR": "class C:\r    def a(self): pass\r    z = 1\r",
    "on rows of others": "class C:\n    x = 1; y = 2\n    def a(self): pass; z = 3\n",
    "quotes in comments": (
        "class C:\n    def a(self): pass  # it's '''\n    x = 1\n    def b(self): pass\n    # \"\"\"\n"
    ),
    "quotes in strings": (
        "class C:\n    x = '\"\"\"'\n    def a(self): return \"'''\"\n    z = 1\n    def b(self): pass\n"
    ),
    "quotes of both": "class C:\n    x = '''\"\"\"'''\n    def a(self): '''doc\n    def no(): pass'''\n    z = 1\n",
    "two strings": 'class C:\n    """a""" """\n    def a(self): pass\n    """\n    z = 1\n    def b(self): pass\n',
    "balanced strings": (
        "class C:\n    def a(self): return '\"\"\"'\n    x = '''\n    def b(self): pass\n    '''\n    z = \"'''\"\n"
        "    def c(self): pass\n    w = 1\n"
    ),
}
"""Layouts in which rows do not tell all."""


@pytest.mark.parametrize("name", METHODS)
def test_methods_by_their_rows(name: str) -> None:
    text, expected = METHODS[name]
    for surrounded in (text, f"@d(\n    1,\n)\n{text}", text.rstrip("\n")):
        assert [method for method, _, _ in _seen_by_rows(surrounded)] == expected
        for class_ in _tree(surrounded).body:
            assert isinstance(class_, ast.ClassDef)
            assert _seen_by_rows(surrounded) == _seen_by_ast(surrounded, class_)


@pytest.mark.parametrize("name", GUESSED)
def test_what_rows_do_not_tell_is_not_left_out(name: str) -> None:
    for names in ((), ("a",), ("b",)):
        assert _is_safe(GUESSED[name], names)


def test_a_form_feed_in_front_of_a_method() -> None:
    assert _is_safe("class C:\n    def a(self): pass\n\x0c    def b(self): pass\n    z = 1\n", ("b",))


def test_a_class_without_its_methods_is_a_class() -> None:
    text = "@d\nclass C:\n    @d\n    async def a(self):\n        pass\n\n    def b(self): pass\n"
    assert _with(text, ()) == "@d\nclass C:\n    pass\n"
    assert _with(text, ("b",)) == "@d\nclass C:\n    pass\n    def b(self): pass\n"
    assert _with(text, ("a", "b")) == text
