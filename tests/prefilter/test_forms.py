"""Each form is told by its words, in text and on the tree: what the tree holds, the text may not hide."""

from __future__ import annotations

import ast

import pytest

from lintpickle.prefilter.forms import (
    FORMS,
    GENERATOR,
    LAMBDA,
    LOCAL_CLASS,
    LOCAL_FUNCTION,
    OF_NODE,
    VIEW,
    words_of,
)
from lintpickle.prefilter.marks import PRODUCT

EXAMPLES = {
    VIEW: ("self.names = {}.keys()", "names = list({}.keys())"),
    LAMBDA: ("self.key = lambda x: x", "names.sort(key=lambda x: x)"),
    LOCAL_FUNCTION: ("def outer():\n    def inner(): pass", "class Outer:\n    def inner(self): pass"),
    LOCAL_CLASS: ("def outer():\n    class Inner: pass", "class Outer:\n    class Inner: pass"),
    GENERATOR: ("self.rows = (x for x in y)", "self.rows = [x for x in y]"),
}


def stands_on_tree(mark: str, text: str) -> bool:
    todo: list[tuple[ast.AST, ast.AST, bool]] = [(ast.parse(text), ast.Module([], []), False)]
    for node, parent, in_function in todo:
        for each, form in OF_NODE.get(type(node), ()):
            if each == mark and form.on_tree(node, parent, in_function):
                return True
        inside = in_function or isinstance(node, ast.FunctionDef)
        todo += [(child, node, inside) for child in ast.iter_child_nodes(node)]
    return False


@pytest.mark.parametrize("mark", FORMS)
def test_a_form_is_seen_in_its_example_and_not_in_what_looks_alike(mark: str) -> None:
    form, like = EXAMPLES[mark]
    assert stands_on_tree(mark, form) and FORMS[mark].may_stand_in(form)
    assert not stands_on_tree(mark, like)
    assert not FORMS[mark].may_stand_in("self.x = 1\n")


@pytest.mark.parametrize("mark", FORMS)
def test_words_stand_wherever_the_form_does(mark: str) -> None:
    assert any(word in EXAMPLES[mark][0] for word in FORMS[mark].words)


def test_words_of_several_forms() -> None:
    assert words_of([LAMBDA, GENERATOR]) == {"lambda", "yield", "for", "async"}
    assert words_of([]) == words_of([LAMBDA, PRODUCT]) == frozenset()
