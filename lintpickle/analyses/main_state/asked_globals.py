"""Whether a function asks if a global is set before it uses it."""

from __future__ import annotations

import ast
import re

from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.worker_side import WorkerFunction


def asks(name: str, function: WorkerFunction) -> bool:
    """Whether the function checks if the global is set, or contains what it needs."""
    word = re.escape(name)
    asking = rf"\blen\(\s*{word}\s*\)|\bif\b[^\n:]*\bin\s+{word}\b(?!\s*[\[.(])"
    return asks_if_set(name, function) or re.search(asking, _text(function)) is not None


def asks_if_set(name: str, function: WorkerFunction) -> bool:
    """Whether the function checks if the global is set. Of None, what it contains cannot be asked."""
    word = re.escape(name)
    asking = rf"\b(?:if|not|assert|or|and|while)\s+{word}\b(?!\s*[\[.(])|\b{word}\s+is\b"
    return re.search(asking, _text(function)) is not None


def _text(function: WorkerFunction) -> str:
    span = function.facts.span
    return function.module.code[span.start : span.end]


def may_be_missing(name: str, function: WorkerFunction) -> bool:
    """Whether the function is ready to go on without the global wherever it reads that: `except NameError:`."""
    span, module = function.facts.span, function.module
    if module.code.find("NameError", span.start, span.end) < 0:
        return False
    tree = function.frame.paths.tree
    rows = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    return bool(rows) and all(is_ready_for("NameError", tree, row) for row in rows)


def questions(name: str, tree: ast.AST) -> list[ast.AST]:
    """The smallest statements with a test in which the name stands."""
    asking = (ast.If, ast.IfExp, ast.While, ast.Assert, ast.BoolOp, ast.comprehension)
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, asking):
            tests = (
                node.values
                if isinstance(node, ast.BoolOp)
                else node.ifs
                if isinstance(node, ast.comprehension)
                else [node.test]
            )
            nodes = (each for test in tests for each in ast.walk(test) if isinstance(each, ast.expr))
            if any(dotted(each) == name for each in nodes):
                found.append(node)
    return found
