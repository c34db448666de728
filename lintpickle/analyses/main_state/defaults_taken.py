"""Reads of a dictionary that go on with a default where it lacks the key, so that nobody notices that it is empty."""

from __future__ import annotations

import ast

from lintpickle.parsing.syntax import dotted
from lintpickle.payload.worker_side import WorkerFunction

_TESTING = (ast.If, ast.While, ast.IfExp, ast.Assert)


def takes_default(written: str, function: WorkerFunction) -> bool:
    """Whether a function takes an item of a dictionary with a default (`index.get(word, UNKNOWN)`), and does not ask
    whether it got that."""
    tree = function.frame.paths.tree
    taking = [node for node in ast.walk(tree) if _is_with_default(node, written)]
    asked = {id(each) for test in _tests(tree) for each in ast.walk(test)}
    names = {each.id for test in _tests(tree) for each in ast.walk(test) if isinstance(each, ast.Name)}
    return any(id(node) not in asked and names.isdisjoint(_names_given(node, tree)) for node in taking)


def _is_with_default(node: ast.AST, written: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as base, attr="get"), args=[_, default]):
            return dotted(base) == written and not (isinstance(default, ast.Constant) and default.value is None)
        case _:
            return False


def _tests(tree: ast.AST) -> list[ast.expr]:
    """The expressions that decide how a function goes on."""
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.BoolOp(values=values):
                found += values
            case ast.comprehension(ifs=tests):
                found += tests
            case ast.Compare() as test:
                found.append(test)
            case _ if isinstance(node, _TESTING):
                found.append(node.test)
            case _:
                pass
    return found


def _names_given(call: ast.AST, tree: ast.AST) -> set[str]:
    """The variables that a function gives what a call returns."""
    targets = (
        target
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is call
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    )
    return {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
