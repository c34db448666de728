"""Texts that come from outside of the program: rows of csv files, lines of files, groups of patterns, values of JSON.

What such a text says is not known before: it may be empty, no number, or a key that no table has. Sources: the
documentation of `csv`, of `json`, of `re` and of text files.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.control_flow.paths import Paths
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted, last_name, target_names

_READERS = frozenset({"csv.reader", "csv.DictReader", "DictReader"})
_FOUND = frozenset({"re.findall", "re.split"})
_LOADS = frozenset({"json.loads", "json.load"})
_PARTS = frozenset({"split", "rsplit", "partition", "rpartition", "readlines", "splitlines"})
_SAME = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "replace", "removeprefix", "removesuffix", "get"})
"""Methods of such a text, or of a record of them, that give a text of the same kind."""
_WHOLE = frozenset({"list", "iter", "next", "tuple", "reversed", "sorted", "islice"})
_DIGITS = re.compile(r"\\d|\[0-9|\[1-9")
"""What patterns have that find numbers."""
_DEPTH = 4
"""How many variables are followed, one after the other."""


def is_from_outside(value: ast.expr, paths: Paths, depth: int = _DEPTH) -> bool:
    """Whether an expression of a function is a text from outside, or a record or a sequence of such texts."""
    match value:
        case _ if depth == 0:
            return False
        case ast.Name():
            sources = [each for each in _sources(value, paths) if not _reads(each, value.id)]
            return bool(sources) and all(is_from_outside(each, paths, depth - 1) for each in sources)
        case ast.Subscript(value=whole):
            return is_from_outside(whole, paths, depth)
        case ast.Call(func=ast.Name(id=name), args=[whole, *_]) if name in _WHOLE:
            return is_from_outside(whole, paths, depth)
        case ast.Call(args=[given, *_], keywords=options) if dotted(value.func) in _READERS | _LOADS:
            return not _is_written(given, paths) and all(each.arg != "quoting" for each in options)
        case ast.Call(args=[_, given]) if dotted(value.func) in _FOUND:
            return not _is_written(given, paths) and not finds_digits(paths)
        case ast.Call(func=ast.Name(id="open")):
            return True
        case ast.Call(func=ast.Attribute(attr="open"), args=[] | [ast.Constant()]):
            return True
        case ast.Call(func=ast.Attribute(value=whole, attr=name)) if name in _PARTS:
            return not _is_written(whole, paths)
        case ast.Call(func=ast.Attribute(attr="group" | "groups" | "groupdict")):
            return not finds_digits(paths)
        case ast.Call(func=ast.Attribute(attr="readline")):
            return True
        case ast.Call(func=ast.Attribute(value=whole, attr=name), args=given) if name in _SAME:
            return (name != "get" or len(given) == 1) and is_from_outside(whole, paths, depth)
        case _:
            return False


def finds_digits(paths: Paths) -> bool:
    """Whether a pattern of the module has digits in it: what it finds may be a number, whatever the text."""
    return paths.module.has(_DIGITS)


def is_asked_before(value: ast.expr, paths: Paths) -> bool:
    """Whether a function asks something of a value, or of the variable that it is a part of, in a condition:
    `if row["price"]:`."""
    text = ast.dump(value)
    for node in within(paths.tree):
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Assert(test=test):
                tests = [test]
            case ast.comprehension(ifs=tests):
                pass
            case _:
                continue
        if any(ast.dump(part) == text for test in tests for part in within(test)):
            return True
    return False


def _sources(name: ast.Name, paths: Paths) -> Iterator[ast.expr]:
    """What a variable is given, or is an item or a part of; a constant, if something is added to it."""
    for node in within(paths.tree):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target=target, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pass
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                if (
                    isinstance(target, ast.Tuple)
                    and isinstance(value, ast.Call)
                    and last_name(value.func) == "enumerate"
                ):
                    target, value = target.elts[-1], value.args[0]
            case ast.withitem(optional_vars=ast.expr() as target, context_expr=value):
                pass
            case ast.AugAssign(target=target):
                value = ast.Constant(None)
            case _:
                continue
        if name.id in target_names(target):
            yield value


def _reads(value: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in within(value))


def _is_written(value: ast.expr, paths: Paths, depth: int = _DEPTH) -> bool:
    """Whether a text, or the texts of a sequence, or what is made of one (`io.StringIO("1,2")`), is written out."""
    match paths.without_name(value):
        case _ if depth == 0:
            return False
        case ast.Constant():
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(_is_written(each, paths, depth - 1) for each in parts)
        case ast.Call(func=ast.Attribute(value=whole, attr="splitlines" | "split" | "strip")):
            return _is_written(whole, paths, depth - 1)
        case ast.Call(args=[given]) as call if last_name(call.func) == "StringIO":
            return _is_written(given, paths, depth - 1)
        case _:
            return False
