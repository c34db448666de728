"""Pickling hooks that leave a handle out of the state of an object and make it anew on the other side."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.definitions import block_of
from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.names import analyse, captured_names
from lintpickle.fixes.syntax import SourceTree, same, source_tree

STATE_HOOKS = frozenset(
    {
        "__getstate__",
        "__setstate__",
        "__reduce__",
        "__reduce_ex__",
        "__getnewargs__",
        "__getnewargs_ex__",
    }
)
"""Methods by which a class decides what of its objects is pickled."""

_OPENED = re.compile(r"[\s\\]*=[\s\\]*")


class StateHooks(Struct, frozen=True):
    """The edits that leave an attribute out of the pickled state and store it again on the other side.

    `reads` are the attributes of the object that the repeated expression needs: they must be in the state.
    """

    edits: tuple[Edit, ...]
    reads: frozenset[str]


class _Store(Struct, frozen=True):
    """`self.attribute = value`, directly in the body of a method."""

    class_: ast.ClassDef
    method: ast.FunctionDef
    statement: ast.Assign | ast.AnnAssign
    value: ast.expr
    me: str
    attribute: str


class _Written(Struct, frozen=True):
    """Hooks that have exactly the shape in which we write them, and the attributes that they make anew."""

    getstate: ast.FunctionDef
    setstate: ast.FunctionDef
    attributes: tuple[str, ...]


def state_hooks(text: str, value: Span, attribute: str) -> StateHooks | None:
    """Hooks for the class whose method stores the expression at `value` in `self.attribute`.

    They go below that method; hooks that such a fix wrote before are extended. Returns None when the store is
    not a statement that every run of the method comes to, when its expression depends on anything but names
    of the module and attributes of the object, or when the class has other hooks.
    """
    names = analyse(text)
    store = _find_store(names.source, value, attribute) if names else None
    if names is None or store is None:
        return None
    source = names.source
    reads = _reads(source, store)
    if reads is None:
        return None
    own = [each for each in store.class_.body if STATE_HOOKS & _bound(each)]
    if not own:
        return _checked(text, StateHooks(_new_hooks(source, store), reads))
    written = _written(own, store.me)
    if written is None or attribute in written.attributes:
        return None
    edits = _more(source, store, written)
    return _checked(text, StateHooks(edits, reads - frozenset(written.attributes))) if edits else None


def _checked(text: str, hooks: StateHooks) -> StateHooks | None:
    return hooks if source_tree(apply_edits(text, hooks.edits)) is not None else None


def _find_store(source: SourceTree, value: Span, attribute: str) -> _Store | None:
    for class_ in ast.walk(source.tree):
        if not isinstance(class_, ast.ClassDef):
            continue
        for method in class_.body:
            if isinstance(method, ast.FunctionDef) and source.span(method).end >= value.end:
                for statement in method.body:
                    store = _store(source, class_, method, statement)
                    if store and store.attribute == attribute and _is_at(source, store.value, value):
                        return store if _is_always_reached(source, store) else None
    return None


def _store(source: SourceTree, class_: ast.ClassDef, method: ast.FunctionDef, statement: ast.stmt) -> _Store | None:
    parameters = [*method.args.posonlyargs, *method.args.args]
    if method.decorator_list or not parameters:
        return None
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=me), attr=attribute)], value=value):
            pass
        case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=me), attr=attribute), value=ast.expr() as value):
            pass
        case _:
            return None
    # A private name is another one in the state: `_Class__name`.
    is_private = attribute.startswith("__") and not attribute.endswith("__")
    if me != parameters[0].arg or is_private:
        return None
    return _Store(class_, method, statement, value, me, attribute)


def _is_at(source: SourceTree, node: ast.expr, span: Span) -> bool:
    """Whether `span` is that of the node, with or without the parentheses around it."""
    where = source.span(node)
    around = source.text[span.start : where.start] + source.text[where.end : span.end]
    return span.contains(where) and not around.strip("() \t\r\n")


def _is_always_reached(source: SourceTree, store: _Store) -> bool:
    """Whether the method does not return before the store."""
    start = source.span(store.statement).start
    return not any(
        isinstance(each, ast.Return) and source.span(each).start < start for each in _own_nodes(store.method)
    )


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a function, without the functions and classes inside of it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield from _own_nodes(child)


def _reads(source: SourceTree, store: _Store) -> frozenset[str] | None:
    """The attributes of the object that the value needs; None if it cannot be repeated in another method."""
    inside = list(ast.walk(store.value))
    if any(isinstance(each, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom) for each in inside):
        return None
    if any(isinstance(each, ast.Name) and each.id == "state" for each in inside):
        return None
    kept = _kept_parameters(store)
    captured = captured_names(source.text, source.span(store.value)) - {store.me}
    if not captured <= kept.keys():
        return None
    owners = [each for each in inside if isinstance(each, ast.Name) and each.id == store.me]
    read = [each for each in inside if isinstance(each, ast.Attribute) and any(each.value is owner for owner in owners)]
    if len(read) != len(owners):
        return None
    return frozenset(each.attr for each in read) | {kept[name] for name in captured}


def _kept_parameters(store: _Store) -> dict[str, str]:
    """The parameters of the method that it keeps as they are (`self.path = path`), by name, with the attributes."""
    arguments = store.method.args
    names = {each.arg for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]} - {store.me}
    bound = {each.id for each in _own_nodes(store.method) if isinstance(each, ast.Name) and not _is_read(each)}
    kept: dict[str, str] = {}
    for statement in store.method.body:
        match statement:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=me), attr=attribute)], value=ast.Name(id=name)
            ) if me == store.me and name in names - bound and attribute != store.attribute:
                kept[name] = attribute
    return kept


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, as far as hooks are bound."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return {statement.name}
    return {
        each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }


def _written(own: list[ast.stmt], me: str) -> _Written | None:
    match own:
        case [ast.FunctionDef() as getstate, ast.FunctionDef() as setstate]:
            pass
        case _:
            return None
    attributes: list[str] = []
    for statement in setstate.body[1:]:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=attribute)]) if name == me:
                attributes.append(attribute)
            case _:
                return None
    lines = _getstate(me, attributes, "", " ") + _setstate(me, "", " ")
    wanted = source_tree("\n".join(lines))
    if wanted is None:
        return None
    emptied = ast.FunctionDef(**{**dict(ast.iter_fields(setstate)), "body": setstate.body[:1]})
    expected_getstate, expected_setstate = wanted.tree.body
    if not same(getstate, expected_getstate) or not same(emptied, expected_setstate):
        return None
    return _Written(getstate, setstate, tuple(attributes))


def _getstate(me: str, attributes: list[str], outer: str, inner: str) -> list[str]:
    return [
        f"{outer}def __getstate__({me}):",
        f"{inner}state = {me}.__dict__.copy()",
        *(f'{inner}state.pop("{attribute}", None)' for attribute in attributes),
        f"{inner}return state",
    ]


def _setstate(me: str, outer: str, inner: str) -> list[str]:
    return [f"{outer}def __setstate__({me}, state):", f"{inner}{me}.__dict__.update(state)"]


def _repeated(source: SourceTree, store: _Store) -> str:
    """The store again, its value word for word, parentheses included; for parameters, what the object keeps of them."""
    statement = store.statement
    before = statement.annotation if isinstance(statement, ast.AnnAssign) else statement.targets[0]
    start = source.span(before).end
    opened = _OPENED.search(source.text, start, source.span(statement).end)
    start = opened.end() if opened else start
    kept = _kept_parameters(store)
    names = (each for each in ast.walk(store.value) if isinstance(each, ast.Name) and each.id in kept)
    edits = [Edit(_from(source.span(each), start), f"{store.me}.{kept[each.id]}") for each in names]
    value = apply_edits(source.text[start : source.span(statement).end], sorted(edits))
    return f"{store.me}.{store.attribute} = {value}"


def _from(span: Span, start: int) -> Span:
    return Span(span.start - start, span.end - start)


def _new_hooks(source: SourceTree, store: _Store) -> tuple[Edit, ...]:
    newline = source.newline
    outer = source.indentation(source.first_row(store.method))
    first = store.method.body[0]
    inner = source.indentation(source.first_row(first)) if _begins_row(source, first) else outer + source.indent
    block = block_of(source, store.method)
    last = source.row(block.end - 1)
    end = source.starts[last] + len(source.lines[last].rstrip("\r\n"))
    is_spaced = last + 1 >= len(source.lines) or source.is_blank(last + 1)
    gap = [""] if is_spaced else []
    lines = [
        "",
        *gap,
        *_getstate(store.me, [store.attribute], outer, inner),
        *gap,
        *_setstate(store.me, outer, inner),
        f"{inner}{_repeated(source, store)}",
    ]
    # The last character is replaced, so that two such fixes of one method overlap: the second one extends in
    # the next round what the first one has written.
    return (Edit(Span(end - 1, end), source.text[end - 1] + newline.join(lines)),)


def _more(source: SourceTree, store: _Store, written: _Written) -> tuple[Edit, ...] | None:
    *_, pop, _return = written.getstate.body
    last = written.setstate.body[-1]
    if not all(_begins_row(source, each) and _ends_row(source, each) for each in (pop, last)):
        return None
    return (
        _below(source, pop, f'state.pop("{store.attribute}", None)'),
        _below(source, last, _repeated(source, store)),
    )


def _begins_row(source: SourceTree, statement: ast.stmt) -> bool:
    row = source.first_row(statement)
    return source.starts[row] + len(source.indentation(row)) == source.span(statement).start


def _ends_row(source: SourceTree, statement: ast.stmt) -> bool:
    rest = source.text[source.span(statement).end : source.starts[source.last_row(statement) + 1]].strip()
    return not rest or rest.startswith("#")


def _below(source: SourceTree, statement: ast.stmt, code: str) -> Edit:
    """A new row below a statement, at its indentation."""
    row = source.last_row(statement)
    end = source.starts[row] + len(source.lines[row].rstrip("\r\n"))
    return Edit(Span(end, end), source.newline + source.indentation(source.first_row(statement)) + code)
