"""Forms of code that can be hazards by themselves: how to recognise each in text and on the `ast`.

A row of `FORMS` is everything that the prefilter knows about a form. Text without the row's words is never parsed for
it, and a rule that names the form in its `marks` needs no `words`. The visitors of `lintpickle.facts` read the meaning
of a form.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from itertools import groupby
from types import MappingProxyType

from msgspec import Struct

from lintpickle.parsing.blocks import heads
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.prefilter.words import alone

VIEW = "view"
LAMBDA = "lambda"
LOCAL_FUNCTION = "local-function"
LOCAL_CLASS = "local-class"
GENERATOR = "generator"

VIEW_METHODS = frozenset({"keys", "values", "items"})
"""Methods that return a view of a dict, or of an object like one."""
_CONSUMERS = frozenset(
    {
        "list", "tuple", "set", "frozenset", "sorted", "dict", "len", "sum", "min", "max", "any", "all", "str", "repr",
        "zip", "enumerate", "print", "isinstance", "int", "float", "bool", "next", "join", "update", "extend", "array",
        "add_argument", "tensor", "stack", "cat", "concatenate", "format", "reversed", "hasattr", "getattr",
    }
)  # fmt: skip
"""Functions that consume their argument."""
_FOR = re.compile(alone("for"))
_YIELD = re.compile(rf"{alone('yield')}|\basync[ \t\\]+def\b")
"""What makes a function one that gives a generator or coroutine."""
_LAMBDA = re.compile(alone("lambda"))
_VIEW = re.compile(rf"\.[\s\\]*(?:{'|'.join(sorted(VIEW_METHODS))})\b")
_LOOP = re.compile(r"[ \t]*(?:async[ \t]+)?for\b.*:[ \t]*$")
_FARTHEST_BRACKET = 400


class Form(Struct, frozen=True):
    """A form of code.

    One of `words` occurs in every text that contains the form. `in_text(text)` is a finer test of text with one of the
    words: False is certain. `nodes` are the types of its nodes, and `on_tree(node, parent, in_function)` says whether
    such a node has the form, which it does not if its value is clearly consumed at once.
    """

    words: frozenset[str]
    in_text: Callable[[str], bool]
    nodes: tuple[type[ast.AST], ...]
    on_tree: Callable[[ast.AST, ast.AST, bool], bool]

    def may_stand_in(self, text: str) -> bool:
        """Whether a text can contain the form: False is certain."""
        return any(word in text for word in self.words) and self.in_text(text)


def is_used_up(node: ast.AST, parent: ast.AST) -> bool:
    """Whether the code around the expression clearly consumes or discards its value."""
    match parent:
        case ast.For(iter=used) | ast.AsyncFor(iter=used) | ast.comprehension(iter=used):
            return used is node
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return parent.func is not node and name in _CONSUMERS
        case ast.Expr() | ast.Compare() | ast.BinOp() | ast.Attribute() | ast.Subscript() | ast.Starred():
            return True
        case _:
            return False


def is_view(node: ast.AST) -> bool:
    """Whether a node is a call of a method with the name and arguments of one that returns a view."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name), args=[], keywords=[]):
            return name in VIEW_METHODS
        case _:
            return False


def _is_kept_view(node: ast.AST, parent: ast.AST, in_function: bool) -> bool:
    return is_view(node) and not is_used_up(node, parent)


def _is_kept_lambda(node: ast.AST, parent: ast.AST, in_function: bool) -> bool:
    return not (isinstance(parent, ast.keyword) and parent.arg == "key")


def _is_local(node: ast.AST, parent: ast.AST, in_function: bool) -> bool:
    return in_function


def _is_kept_generator(node: ast.AST, parent: ast.AST, in_function: bool) -> bool:
    return not isinstance(node, ast.GeneratorExp) or not is_used_up(node, parent)


def _has_lambda(text: str) -> bool:
    return _LAMBDA.search(text) is not None


def _has_view(text: str) -> bool:
    return _VIEW.search(text) is not None


def _has_inner_function(text: str) -> bool:
    return len({indent for _, indent, _ in heads(text, "def")}) > 1


def _has_inner_class(text: str) -> bool:
    return any(indent for _, indent, _ in heads(text, "class"))


def _has_generator(text: str) -> bool:
    """Whether there is a `yield`, an `async def`, or a `for` anywhere but at the start of a statement that begins and
    ends on its row, or, as far as brackets tell, in a comprehension that makes a container."""
    if _YIELD.search(text):
        return True
    for start, words in groupby(_FOR.finditer(text), lambda word: text.rfind("\n", 0, word.start()) + 1):
        places = [word.start() for word in words]
        end = text.find("\n", places[-1])
        row = text[start : end if end >= 0 else len(text)]
        balanced = row.count("(") == row.count(")") and row.count("[") == row.count("]")
        is_loop = len(places) == 1 and balanced and _LOOP.match(row)
        if not is_loop and any(_opening(text, place) not in ("[", "{") for place in places):
            return True
    return False


def _opening(text: str, at: int) -> str:
    """The bracket that is open at an offset; "" if that is not easily seen."""
    depth = 0
    for character in reversed(text[max(0, at - _FARTHEST_BRACKET) : at]):
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth == 0:
                return character
            depth -= 1
    return ""


FORMS = MappingProxyType(
    {
        VIEW: Form(VIEW_METHODS, _has_view, (ast.Call,), _is_kept_view),
        LAMBDA: Form(frozenset({"lambda"}), _has_lambda, (ast.Lambda,), _is_kept_lambda),
        LOCAL_FUNCTION: Form(frozenset({"def"}), _has_inner_function, FUNCTIONS, _is_local),
        LOCAL_CLASS: Form(frozenset({"class"}), _has_inner_class, (ast.ClassDef,), _is_local),
        GENERATOR: Form(
            frozenset({"yield", "for", "async"}),
            _has_generator,
            (ast.GeneratorExp, ast.Yield, ast.YieldFrom, ast.AsyncFunctionDef),
            _is_kept_generator,
        ),
    }
)
"""The forms, by the marks under which rules ask for them."""
OF_NODE = MappingProxyType(
    {
        node: tuple((mark, form) for mark, form in FORMS.items() if node in form.nodes)
        for each in FORMS.values()
        for node in each.nodes
    }
)
"""The forms that a node of a type can be."""


def may_hold_form(text: str) -> bool:
    """Whether a text can contain any of the forms: False is certain."""
    return any(form.may_stand_in(text) for form in FORMS.values())


def words_of(marks: Iterable[str]) -> frozenset[str]:
    """Words, one of which occurs in every text with one of these forms; empty if one of the forms depends on the
    meaning of names."""
    forms = [FORMS.get(mark) for mark in marks]
    return frozenset() if None in forms else frozenset().union(*(form.words for form in forms if form is not None))
