"""Errors by which a value is not what a function takes it for: a key that a dict does not have, or that a dict made of
pieces of a text may not have, a number in a text that is none."""

from __future__ import annotations

import ast

from lintpickle.analyses.results.numbers_written import NUMBERS, is_written_number
from lintpickle.analyses.results.texts_from_outside import finds_digits, is_asked_before, is_from_outside
from lintpickle.control_flow.paths import Paths
from lintpickle.fixes.syntax import source_tree
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name

_GIVES_TEXT = frozenset({"strip", "rstrip", "split", "rsplit", "partition", "group", "readline"})
_FILLS = frozenset({"update", "setdefault"})
_PARTS = frozenset({"split", "rsplit", "partition", "rpartition"})


def error_of_number(call: ast.Call, paths: Paths) -> str | None:
    """The error of a call of `int` or `float` with a piece of a text, or with a text that is no number; None of any
    other."""
    if not isinstance(call.func, ast.Name) or call.func.id not in NUMBERS or len(call.args) != 1 or call.keywords:
        return None
    match call.args[0]:
        case ast.Constant(value=str(text)):
            return None if is_written_number(call.func.id, text) else "ValueError"
        case given:
            return "ValueError" if is_foreign(given, paths) else None


def is_foreign(value: ast.expr, paths: Paths) -> bool:
    """Whether a value is a piece of a text, or a text from outside, of which the function asks nothing before."""
    is_one = _is_text(value, paths) or is_from_outside(value, paths)
    return is_one and not is_asked_before(value, paths)


def is_beside_number(call: ast.Call, paths: Paths) -> bool:
    """Whether a call has one argument, and that is the part of a row of which the function takes another part for a
    number by `int`: `return int(ident), Decimal(amount)`. Then it is a text, too."""
    if len(call.args) != 1 or call.keywords:
        return False
    rows = _rows_of(call.args[0], paths)
    numbers = (each for each in within(paths.tree) if isinstance(each, ast.Call) and last_name(each.func) == "int")
    return any(len(each.args) == 1 and not rows.isdisjoint(_rows_of(each.args[0], paths)) for each in numbers)


def _rows_of(part: ast.expr, paths: Paths) -> frozenset[str]:
    """What an expression is a part of, as that is written: `row` of `row[1]`, and of `amount`, after
    `ident, amount = row`."""
    match part:
        case ast.Subscript(value=ast.Name(id=row)):
            return frozenset({row})
        case ast.Name(id=name):
            return frozenset(ast.unparse(each) for each in _unpacked(name, paths))
        case _:
            return frozenset()


def _unpacked(name: str, paths: Paths) -> list[ast.expr]:
    """What a variable is a part of, wherever it is given something; nothing if it is given anything whole."""
    found = list[ast.expr]()
    for node in within(paths.tree):
        match node:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                pass
            case _:
                continue
        if isinstance(target, ast.Tuple) and any(
            isinstance(each, ast.Name) and each.id == name for each in target.elts
        ):
            found.append(value)
        elif isinstance(target, ast.Name) and target.id == name:
            return []
    return found


def error_of_lookup(item: ast.Subscript, paths: Paths) -> str | None:
    """The error of a look-up by a written key in a dict of the function that has other keys, or whose keys are pieces
    of a text; or by a text from outside in a dict that is written out. None where something is put into the dict, where
    the function asks for keys, or passes the dict on."""
    match item:
        case ast.Subscript(value=ast.Name(id=name) as held, slice=ast.Constant(value=str(key)), ctx=ast.Load()):
            made = paths.without_name(held)
            is_lacking = _has_others(made, key) or _is_of_text(made)
            return "KeyError" if is_lacking and _is_only_read(name, paths) else None
        case ast.Subscript(value=ast.Name() as table, slice=key, ctx=ast.Load()):
            is_lacking = (
                is_from_outside(key, paths) and bool(written_keys(table, paths)) and not is_asked_before(key, paths)
            )
            return "KeyError" if is_lacking else None
        case _:
            return None


def _is_text(value: ast.expr, paths: Paths) -> bool:
    """Whether a value is a piece of a text, by the method that gives it."""
    whole = _whole(paths.without_name(_whole(value)))
    if isinstance(whole, ast.Call) and last_name(whole.func) == "group" and finds_digits(paths):
        return False
    if isinstance(whole, ast.Name) and isinstance(value, ast.Name):
        unpacked = _unpacked(value.id, paths)
        return bool(unpacked) and all(_gives_text(each) for each in unpacked)
    return _gives_text(whole)


def _gives_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _GIVES_TEXT


def _whole(value: ast.expr) -> ast.expr:
    return value.value if isinstance(value, ast.Subscript) else value


def _has_others(made: ast.expr, key: str) -> bool:
    """Whether a value is a display of a dict that shows all its keys, and this is none of them."""
    if not isinstance(made, ast.Dict):
        return False
    keys = [each.value if isinstance(each, ast.Constant) else None for each in made.keys]
    return None not in keys and key not in keys


def written_keys(table: ast.Name, paths: Paths) -> frozenset[object]:
    """The keys of the dict that a variable of a function or of its module holds, if all are written out; none if
    something else may be in it."""
    made = paths.without_name(table)
    if isinstance(made, ast.Dict):
        return _constants(made) if _is_only_read(table.id, paths) else frozenset()
    source = source_tree(paths.module.code)
    if source is None or paths.binds(table.id):
        return frozenset()
    return _keys_in_module(table.id, source.nodes)


def _keys_in_module(name: str, nodes: list[ast.AST]) -> frozenset[object]:
    """Those of a dict to which a module binds a name, if it does so once, and changes the dict nowhere."""
    tables = list[ast.Dict]()
    bound = 0
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Dict() as made) if target == name:
                tables.append(made)
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.Dict() as made) if target == name:
                tables.append(made)
            case ast.Name(id=target, ctx=ast.Store()):
                bound += target == name
            case ast.Subscript(value=ast.Name(id=held), ctx=ast.Store()) if held == name:
                return frozenset()
            case ast.Attribute(value=ast.Name(id=held), attr=method) if held == name and method in _FILLS:
                return frozenset()
            case _:
                pass
    return _constants(tables[0]) if len(tables) == bound == 1 else frozenset()


def _constants(made: ast.Dict) -> frozenset[object]:
    keys = [each.value for each in made.keys if isinstance(each, ast.Constant)]
    return frozenset(keys) if len(keys) == len(made.keys) else frozenset()


def _is_of_text(made: ast.expr) -> bool:
    """Whether a value is a dict of the pairs into which texts are split: `dict(part.split("=") for part in parts)`."""
    match made:
        case ast.Call(func=ast.Name(id="dict"), args=[ast.GeneratorExp(elt=pair) | ast.ListComp(elt=pair)]):
            return _is_split(pair)
        case ast.DictComp(generators=[ast.comprehension(iter=pairs)]):
            return isinstance(pairs, ast.GeneratorExp | ast.ListComp) and _is_split(pairs.elt)
        case _:
            return False


def _is_split(pair: ast.expr) -> bool:
    return isinstance(pair, ast.Call) and isinstance(pair.func, ast.Attribute) and pair.func.attr in _PARTS


def _is_only_read(name: str, paths: Paths) -> bool:
    """Whether a function does nothing to what a variable holds but to look up items of it."""
    uses = [node for node in within(paths.tree) if isinstance(node, ast.Name) and node.id == name]
    bound = sum(isinstance(node.ctx, ast.Store) for node in uses)
    read = sum(
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        and isinstance(node.ctx, ast.Load)
        for node in within(paths.tree)
    )
    return bound == 1 and bound + read == len(uses)
