"""Marks: which forms (`lintpickle.prefilter.forms`) a part of a file holds that can be a hazard on an object, and which
names lead to one, seen on the `ast` map alone.

A mark says where to look, never what the code means. A form whose value is clearly consumed at once (the iterable of a
loop, the argument of `list(...)`, a `key=`) has no mark.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from msgspec import Struct, field
from msgspec.structs import replace

from lintpickle.builtin_names import BUILTINS
from lintpickle.parsing.names_read import children
from lintpickle.parsing.outline import Block, Outline
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.prefilter.forms import FORMS, LAMBDA, OF_NODE, is_used_up, is_view

PRODUCT = "product"
"""The result of calling a known name, or the value of a known name."""
IMPORTED = "imported"
"""The value of a name of the module, or of an imported name, may be stored."""
PART = "part"
"""A part of such a value may be stored."""
CALLED = "called"
"""The result of a function or class of the program may be stored; it may be, or hold, a hazard."""
LEADING = frozenset({IMPORTED, PART, CALLED})
"""Forms that are not hazards themselves but may lead to one."""
ALL_MARKS = frozenset({*FORMS, PRODUCT})
"""Forms that can be hazards by themselves."""

_EVERYDAY_METHODS = frozenset({*dir(str), *dir(dict), *dir(list), *dir(set), *dir(bytes)})
"""Methods that plain data has too: they count only if their result is stored at once."""
_NAMED = (ast.Call, ast.Attribute, ast.Name)
_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
_PARTED = (
    *(ast.Starred, ast.For, ast.AsyncFor, ast.comprehension),
    *(ast.BinOp, ast.AugAssign, ast.YieldFrom, ast.Await, ast.Match),
)
"""Nodes that take a part of a value, or make something from it."""
_USELESS = (ast.Expr, ast.Compare, ast.UnaryOp, ast.If, ast.While, ast.Assert, ast.Raise, ast.ExceptHandler, ast.Delete)
"""Nodes that keep nothing of a value."""
_LOOKING = frozenset(
    {
        "len", "sum", "any", "all", "str", "repr", "int", "float", "bool", "print", "format", "range", "round", "abs",
        "isinstance", "issubclass", "hasattr", "callable", "type", "super", "zeros", "ones", "empty", "full",
    }
)  # fmt: skip
"""Functions that keep nothing of their arguments."""


class Mark(Struct, frozen=True):
    """A form that occurs. `name` is the dotted name, as written, whose meaning decides; "" if no name matters."""

    form: str
    name: str = ""


NO_MARK = Mark("")


class Vocabulary(Struct, frozen=True):
    """The last name components of the catalog's hazards (calls and values) and boundaries. `holders` are the calls
    whose results have items that are hazards too, `namers` those whose results pickle looks for by a name that they
    are given."""

    calls: frozenset[str]
    values: frozenset[str]
    boundaries: frozenset[str]
    holders: frozenset[str] = frozenset()
    namers: frozenset[str] = frozenset()


class _Seen(Struct):
    """Marks, and the names whose values, or parts of them, are kept; and without being handed to a call first."""

    marks: set[Mark] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)

    def add(self, mark: Mark, parent: ast.AST) -> None:
        self.marks.add(mark)
        if mark.form in (IMPORTED, PART):
            head = mark.name.partition(".")[0]
            self.kept.add(head)
            if not isinstance(parent, ast.Call):
                self.stored.add(head)


def marks(tree: ast.Module, vocabulary: Vocabulary, outline: Outline) -> frozenset[Mark]:
    """The marks of the classes in a part of the module that `outline` maps."""
    seen = _Seen()
    found_by_name = {id(each.value) for each in tree.body if _is_found_by_name(each)}
    unnamed = replace(vocabulary, namers=frozenset())
    local_imports: set[str] = set()
    results: list[tuple[str, ast.Call]] = []
    contexts: list[tuple[str, ast.Call]] = []
    stack: list[tuple[ast.AST, ast.AST, bool]] = [(tree, tree, False)]
    while stack:
        node, parent, in_function = stack.pop()
        seen.marks.update(_forms(node, parent, in_function))
        if isinstance(node, _NAMED):
            known = unnamed if id(node) in found_by_name else vocabulary
            for mark in _mark(node, parent, in_function, known, outline):
                seen.add(mark, parent)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            local_imports.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
            if any(alias.asname and alias.name in vocabulary.calls | vocabulary.values for alias in node.names):
                seen.marks.add(Mark(PRODUCT))
        elif isinstance(node, ast.JoinedStr):
            continue  # Nothing is kept of what is printed.
        else:
            results += _named_results(node)
            contexts += _named_contexts(node)
        inside = in_function or isinstance(node, FUNCTIONS)
        stack.extend([(child, node, inside) for child in children(node)])
    for name, call in results:
        if name in seen.kept:
            seen.marks.update(_called(call, outline))
    for name, call in contexts:
        if name in seen.stored:
            parent = ast.Return(call)
            seen.marks.update(_forms(call, parent, True), _mark_call(call, parent, vocabulary, outline))
    return frozenset(_settled(mark, local_imports, outline) for mark in seen.marks) - {NO_MARK}


def _named_results(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """The calls whose results get plain names by a statement, with these."""
    match node:
        case ast.Assign(targets=targets, value=ast.Call() as call):
            yield from ((target.id, call) for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call() as call):
            yield name, call
        case _:
            pass


def _named_contexts(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """The same for what a `with` statement opens."""
    match node:
        case ast.withitem(context_expr=ast.Call() as call, optional_vars=ast.Name(id=name)):
            yield name, call
        case _:
            pass


def _settled(mark: Mark, local_imports: set[str], outline: Outline) -> Mark:
    """A name that is imported inside the class stands for itself; of one that is only read, imports tell."""
    head = mark.name.partition(".")[0]
    if mark.form in (PRODUCT, IMPORTED) and head in local_imports:
        return Mark(mark.form)
    if mark.form not in (IMPORTED, PART):
        return mark
    is_foreign = head in outline.imports or any(is_value(block) for block in outline.binding(head))
    return mark if is_foreign else NO_MARK


def is_value(block: Block) -> bool:
    """Whether a block binds its names to objects, and not to a function or class."""
    return not block.bare and not block.defines_function and not block.classes


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    match node:
        case ast.Name(id=name):
            return ".".join([name, *reversed(parts)])
        case ast.Call():
            return ".".join(["()", *reversed(parts)])
        case _:
            return ""


def _forms(node: ast.AST, parent: ast.AST, in_function: bool) -> Iterator[Mark]:
    forms = OF_NODE.get(type(node), ())
    return (Mark(mark) for mark, form in forms if form.on_tree(node, parent, in_function))


def _mark(
    node: ast.AST, parent: ast.AST, in_function: bool, vocabulary: Vocabulary, outline: Outline
) -> Iterator[Mark]:
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            if name in outline.lambdas:
                yield Mark(LAMBDA)
            lead = _form_of_named(node, parent)
            if lead:
                yield Mark(lead, name)
        case ast.Attribute(attr=name):
            is_called = isinstance(parent, ast.Call) and parent.func is node
            if name in vocabulary.values and not is_called:
                yield Mark(PRODUCT, _dotted(node))
            if not isinstance(parent, ast.Attribute):
                yield Mark(PART, _dotted(node.value if is_called else node))
        case ast.Call():
            yield from _mark_call(node, parent, vocabulary, outline)
            if _is_kept(node, parent) or (isinstance(parent, ast.Assign) and not in_function):
                yield from _called(node, outline)
        case _:
            pass


def _form_of_named(node: ast.Name, parent: ast.AST) -> str:
    """What may be kept of the value of a name: all of it (IMPORTED), a part of it (PART), or nothing ("")."""
    match parent:
        case ast.Attribute() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.arg():
            return ""
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name) as function):
            return "" if function is node or name in _LOOKING else IMPORTED
        case ast.AnnAssign(value=value):
            return IMPORTED if value is node else ""
        case ast.Subscript(value=value):
            return PART if value is node else ""
        case _:
            return "" if isinstance(parent, _USELESS) else PART if isinstance(parent, _PARTED) else IMPORTED


def _mark_call(node: ast.Call, parent: ast.AST, vocabulary: Vocabulary, outline: Outline) -> Iterator[Mark]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    imported = outline.importing(name) if isinstance(node.func, ast.Name) else ()
    names = [each.name or name for each in imported] or [name]
    known = next((each for each in names if each in vocabulary.calls), names[0])
    if known in vocabulary.calls and not is_view(node):
        everyday = isinstance(node.func, ast.Attribute) and name in _EVERYDAY_METHODS
        used_up = is_used_up(node, parent) or isinstance(parent, ast.withitem)
        if isinstance(parent, ast.Subscript) and known in vocabulary.holders:
            used_up = False
        if not used_up and not (everyday and not _is_stored(parent)):
            yield Mark(PRODUCT, _dotted(node.func) or f"().{name}")
    elif not isinstance(parent, _DEFINITIONS) and any(each in vocabulary.namers for each in names):
        yield Mark(PRODUCT, _dotted(node.func))


def _is_found_by_name(statement: ast.stmt) -> TypeGuard[ast.Assign]:
    """Whether a statement at module level gives the name `Point` to what a call makes that is given this name."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Name() | ast.Attribute(), args=[ast.Constant(value=given), *_]),
        ):
            return name == given
        case _:
            return False


def _called(node: ast.Call, outline: Outline) -> Iterator[Mark]:
    dotted = _dotted(node.func)
    if _may_lead(dotted.partition(".")[0], outline):
        yield Mark(CALLED, dotted)


def _may_lead(name: str, outline: Outline) -> bool:
    """Whether a name may mean something of another place in the program."""
    if name in outline.imports or outline.binding(name):
        return True
    return bool(name and outline.stars) and name not in BUILTINS


def _is_stored(parent: ast.AST) -> bool:
    """Whether the value goes into an attribute or a container, out of the function, or apart into names, at once."""
    if isinstance(parent, ast.Assign):
        return any(isinstance(target, ast.Attribute) for target in parent.targets)
    return isinstance(parent, (ast.Return, ast.Match, ast.List, ast.Tuple, ast.Dict, ast.keyword))


def _is_kept(node: ast.Call, parent: ast.AST) -> bool:
    """Whether what a call gives may end up in an object: all but what gets a plain name, or is plainly used up."""
    match parent:
        case ast.Assign(targets=targets):
            return not all(isinstance(target, ast.Name) for target in targets)
        case ast.AnnAssign(target=target):
            return not isinstance(target, ast.Name)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name not in _LOOKING
        case ast.Call(func=function):
            return function is not node
        case _:
            return not isinstance(parent, _USELESS)
