"""Names as they are read from `ast` and from text."""

from __future__ import annotations

import ast

import pytest

from lintpickle.parsing.imports import ImportedName, imported_in
from lintpickle.parsing.names_read import children, dotted_names, names_read, names_run

READ = {
    "x": {"x"},
    "x.y.z": {"x.y.z"},
    "foo().save": {"foo", ".save"},
    "foo().bar.save(y)": {"foo", ".bar", ".save", "y"},
    "x[0].save": {"x", ".save"},
    "'a'.join(xs)": {".join", "xs"},
    "a . b \\\n . c": {"a.b.c"},
    "(a  # comment\n .b)": {"a.b"},
    "# comment\n'string'": set(),
    "naïve.été(ß)": {"naïve.été", "ß"},
    "f'{a.b!r:{c}}'": {"a.b", "c"},
    "lambda p=q: p": {"q", "p"},
    "[a for b in c if d]": {"a", "b", "c", "d"},
    "(yield x)": {"x"},
    "{**a, b: c}": {"a", "b", "c"},
    "x[a:b:c]": {"x", "a", "b", "c"},
    "a if b else c and not d < e": {"a", "b", "c", "d", "e"},
    "(n := m)": {"n", "m"},
    "f(*a, k=b, **c)": {"f", "a", "b", "c"},
    "await x.y": {"x.y"},
}
STATEMENTS = {
    "x = a.b": {"x", "a.b"},
    "x: int = y": {"x", "int", "y"},
    "x.y += z": {"x.y", "z"},
    "del x.y": {"x.y"},
    "for a in b: c\nelse: d": {"a", "b", "c", "d"},
    "with a() as b, c.d: e": {"a", "b", "c.d", "e"},
    "try: a\nexcept b as c: d\nelse: e\nfinally: f": {"a", "b", "d", "e", "f"},
    "match a.b:\n case C.D(x=1) if e: f": {"a.b", "C.D", "e", "f"},
    "raise a from b": {"a", "b"},
    "assert a, b": {"a", "b"},
    "import a.b as c\nfrom d import e": set(),
    "def f(a: b = c, /, *d: e, g=h, **i) -> j: k": {"b", "c", "e", "h", "j", "k"},
    "@a.b(c)\nclass D(e, metaclass=f):\n x = g": {"a.b", "c", "e", "f", "x", "g"},
    "async def f():\n async for a in b: c\n async with d as e: g": {"a", "b", "c", "d", "e", "g"},
    "global g": set(),
}


@pytest.mark.parametrize("text", READ | STATEMENTS)
def test_names_read(text: str) -> None:
    assert names_read(ast.parse(text)) == (READ | STATEMENTS)[text]


@pytest.mark.parametrize("text", [*READ, *STATEMENTS, "type A[T: b] = c", "def f[T: b](): pass"])
def test_children_leave_out_nothing_that_holds_a_name(text: str) -> None:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        assert "[T" in text
        return
    for node in ast.walk(tree):
        left_out = set(ast.iter_child_nodes(node)) - set(children(node))
        assert all(not each._fields for each in left_out)
        assert [each for each in ast.iter_child_nodes(node) if each not in left_out] == list(children(node))


RUN = {
    "a\nif __name__ == '__main__':\n b": {"a"},
    "if '__main__' == __name__:\n a\nelse:\n b": {"b"},
    "if __name__ == '__main__':\n a\nelif c:\n b": {"b", "c"},
    "if __name__ != '__main__':\n a": {"__name__", "a"},
    "if __name__ == '__main__' and a:\n b": {"__name__", "a"},
    "if __name__ == 'main':\n a": {"__name__", "a"},
    "if x:\n if __name__ == '__main__':\n  a": {"x", "__name__", "a"},
}


@pytest.mark.parametrize("text", RUN)
def test_names_run(text: str) -> None:
    assert names_run(ast.parse(text)) == RUN[text]


DOTTED = {
    "torch.save(x)": {"torch.save"},
    "save(x)": {"save"},
    "a.b.c.save": {"a.b.c.save"},
    "torch . save (x)": {"torch.save"},
    "torch.\\\n  save(x)": {"torch.save"},
    "(torch\n  .save(x))": {"torch.save"},
    "foo().save": {"().save"},
    "foo(a)[0].bar().mp.save": {"().mp.save"},
    "x[0].save": set(),
    "'a'.save": set(),
    "{}.save": set(),
    "# see torch.save": {"torch.save"},
    "'call save'": {"save"},
    "torch.save_all, resave, save2, xsave": set(),
    "ssave saves éSave savé": set(),
    "été.save(ß)": {"été.save"},
    "a.save.b": {"a.save"},
    "a.save.save": {"a.save", "a.save.save"},
    "1.save": {"save"},
    "x = ...\n    torch.save(x)": {"torch.save"},
    "def f(): ...\n    save(x)": {"save"},
    "x = 1.\n    torch.save(x)": {"torch.save"},
    "x1.save": {"x1.save"},
    "return save": {"save"},
    "mp.save_all(); mp.save": {"mp.save"},
    "save_x.save": {"save_x.save"},
    "save_now save": {"save_now", "save"},
    "": set(),
}


@pytest.mark.parametrize("text", DOTTED)
def test_dotted_names(text: str) -> None:
    assert dotted_names(text, frozenset({"save", "save_now"})) == DOTTED[text]


def test_the_longest_of_several_names() -> None:
    assert dotted_names("a.Pool b.ProcessPool", frozenset({"Pool", "ProcessPool"})) == {"a.Pool", "b.ProcessPool"}
    assert dotted_names("anything", frozenset()) == set()


def test_names_in_text_are_all_that_a_tree_reads() -> None:
    """Whatever the layout, calls on plain names are found in the text."""
    for text in ("f(a.save)", "a.\\\n\\\n save()", "x = [\n a\n .b\n .save\n]", "\tif a . save: pass".strip()):
        found = {name for name in names_read(ast.parse(text)) if name.endswith("save")}
        assert found
        assert found <= dotted_names(text, frozenset({"save"}))


def test_imports_at_any_depth() -> None:
    text = "def f():\n import a.b, c as d\n if x:\n  class C:\n   from .e import g as h, i\nimport j"
    assert dict(imported_in(ast.parse(text))) == {
        "a": ImportedName("a"),
        "d": ImportedName("c"),
        "h": ImportedName("e", "g", 1),
        "i": ImportedName("e", "i", 1),
        "j": ImportedName("j"),
    }
