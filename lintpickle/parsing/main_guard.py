"""The main guard `if __name__ == "__main__":` on the `ast`: code under it only runs in the file that is run as a
script. A test for the name of the main process does the same while workers import that file, and so does one whether
workers import it."""

from __future__ import annotations

import ast
from functools import lru_cache

from lintpickle.parsing.syntax import BrokenSyntax, last_name, parse

_MAIN = "__main__"
_MAIN_PROCESS = "MainProcess"
_IN_WORKERS = "__mp_main__"
"""What workers call the file that is run as a script."""


def is_main_guard(test: ast.expr) -> bool:
    """Whether a test is `__name__ == "__main__"`, `__name__ != "__mp_main__"` or `current_process().name ==
    "MainProcess"`, possibly with more conditions joined by `and`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            return _is_name_in_workers(left, right) or _is_name_in_workers(right, left)
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
            return _is_name_in_workers(left, right) or _is_name_in_workers(right, left)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return _is_guard(left, right) or _is_guard(right, left)
        case ast.BoolOp(op=ast.And(), values=values):
            return any(map(is_main_guard, values))
        case _:
            return False


def holds_in_workers(test: ast.expr) -> bool:
    """Whether a test is true while a worker imports the file that is run as a script: it allows the name that the file
    has there, or asks whether the process has a parent or is a daemon, which it does not know yet (measured with
    CPython 3.11 and 3.13, under spawn and forkserver)."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(map(holds_in_workers, values))
        case ast.BoolOp(op=ast.And(), values=values):
            return all(map(holds_in_workers, values))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return _is_name_in_workers(left, right) or _is_name_in_workers(right, left)
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.In()], comparators=[named]):
            return any(isinstance(each, ast.Constant) and each.value == _IN_WORKERS for each in ast.walk(named))
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return _is_told_later(left)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_told_later(inner)
        case _:
            return False


def _is_told_later(asked: ast.expr) -> bool:
    """Whether an expression is what a worker knows of itself only when it has imported the script."""
    match asked:
        case ast.Call(func=function):
            return last_name(function) == "parent_process"
        case ast.Attribute(value=ast.Call(func=function), attr="daemon" | "_parent_pid"):
            return last_name(function) == "current_process"
        case _:
            return False


def is_lone_guard(text: str) -> bool:
    """Whether the text of a top-level statement is a main guard without another branch."""
    match _guards(text):
        case [guard, *_]:
            return not guard.orelse
        case _:
            return False


def guard_asked_for(text: str) -> tuple[str, bool] | None:
    """The name that the text of a top-level statement tests alone, without another branch, and whether it must be true:
    `is_main` of `if is_main():` or `if is_main:`. None if it tests something else."""
    if not text.startswith("if "):
        return None
    match _statements(text):
        case [ast.If(test=test, orelse=[])]:
            is_negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
            asked = test.operand if isinstance(test, ast.UnaryOp) and is_negated else test
            match asked:
                case ast.Name(id=name) | ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
                    return name, not is_negated
                case _:
                    return None
        case _:
            return None


@lru_cache(maxsize=64)
def gives_main_guard(text: str, holds: bool) -> bool:
    """Whether the text of a top-level statement defines a function that returns a main guard, or a name for one; or
    the contrary of one, unless it `holds`."""
    match _statements(text) if _names_main(text) else []:
        case [ast.FunctionDef() as function]:
            given = _returned(function)
        case [ast.Assign(targets=[ast.Name()], value=value)] | [ast.AnnAssign(target=ast.Name(), value=value)]:
            given = [value]
        case _:
            return False
    is_it = is_main_guard if holds else _is_contrary
    return bool(given) and all(value is not None and is_it(value) for value in given)


def _is_contrary(test: ast.expr) -> bool:
    """Whether a test is true where a main guard is not: `current_process().name != "MainProcess"`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return is_main_guard(inner)
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
            return _is_guard(left, right) or _is_guard(right, left)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return _is_name_in_workers(left, right) or _is_name_in_workers(right, left)
        case _:
            return False


def has_guard(code: str) -> bool:
    """Whether a file has a main guard at module level."""
    return bool(_guards(code))


def text_from_guard(code: str) -> str | None:
    """The text of a file from its first main guard at module level on; None if it has no guard or cannot be parsed."""
    rows = [guard.lineno for guard in _guards(code)]
    return "\n".join(code.split("\n")[rows[0] - 1 :]) if rows else None


@lru_cache(maxsize=64)
def returns_main_guard(text: str) -> bool:
    """Whether all that a function returns is a main guard, by its text."""
    match _statements(text) if _names_main(text) else []:
        case [ast.FunctionDef() as function]:
            returned = _returned(function)
            return bool(returned) and all(value is not None and is_main_guard(value) for value in returned)
        case [ast.Expr(value=ast.Lambda(body=value))]:
            return is_main_guard(value)
        case _:
            return False


@lru_cache(maxsize=16)
def _guards(code: str) -> tuple[ast.If, ...]:
    statements = _statements(code) if _names_main(code) else []
    return tuple(each for each in statements if isinstance(each, ast.If) and is_main_guard(each.test))


def _statements(text: str) -> list[ast.stmt]:
    """The statements of a text; none if it cannot be parsed."""
    try:
        return parse(text).body
    except BrokenSyntax:
        return []


def _returned(function: ast.FunctionDef) -> list[ast.expr | None]:
    return [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]


def _names_main(code: str) -> bool:
    return _MAIN in code or _MAIN_PROCESS in code or _IN_WORKERS in code


def _is_name_in_workers(asked: ast.expr, value: ast.expr) -> bool:
    return (
        isinstance(asked, ast.Name)
        and asked.id == "__name__"
        and isinstance(value, ast.Constant)
        and value.value == _IN_WORKERS
    )


def _is_guard(asked: ast.expr, value: ast.expr) -> bool:
    if not isinstance(value, ast.Constant):
        return False
    match asked:
        case ast.Name(id="__name__"):
            return value.value == _MAIN
        case ast.Attribute(value=ast.Call(func=function), attr="name") if last_name(function) == "current_process":
            return value.value == _MAIN_PROCESS
        case _:
            return False
