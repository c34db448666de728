"""Hashes by which workers choose among what all of them get: `hash(name) % count == number`. Each process that is not
forked has a seed of its own for them, so some take what another one takes as well, and nobody takes the rest."""

from __future__ import annotations

import ast

from lintpickle.analyses.process_state.given_numbers import names_what_it_is_given
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name, target_names
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_HASH = "hash"
_EQUALS = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def is_compared_with_given(function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether workers compare the hash that a function takes, or what they make of it, with what a function of theirs
    is given, or its object was: the function itself, or one that calls it."""
    own = frozenset({_HASH})
    if _compares(function, own, linker):
        return True
    names = frozenset({function.facts.name})
    others = (each for each in code.functions if each is not function and each.module.first_party)
    return _gives_back(function, own) and any(_compares(each, names, linker) for each in others)


def _gives_back(function: WorkerFunction, names: frozenset[str]) -> bool:
    """Whether a function returns a hash, or what it makes of it."""
    known = _variables(function, names)
    tree = function.frame.paths.tree
    returned = (node.value for node in within(tree) if isinstance(node, ast.Return) and node.value is not None)
    return any(_is_of(value, names, known) for value in returned)


def _compares(function: WorkerFunction, names: frozenset[str], linker: Linker) -> bool:
    known = _variables(function, names)
    for node in within(function.frame.paths.tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _EQUALS):
            sides = (node.left, node.comparators[0])
            for hashed, other in (sides, sides[::-1]):
                is_free = not _is_of(other, names, known)
                if _is_of(hashed, names, known) and is_free and names_what_it_is_given(other, function, linker):
                    return True
    return False


def _variables(function: WorkerFunction, names: frozenset[str]) -> frozenset[str]:
    """The variables that get a hash, or what is made of it."""
    found: set[str] = set()
    for node in within(function.frame.paths.tree):
        if isinstance(node, ast.Assign) and _is_of(node.value, names, frozenset()):
            found.update(name for target in node.targets for name in target_names(target))
    return frozenset(found)


def _is_of(value: ast.expr, names: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a value is made of a hash: by the function itself, or by one that gives it back."""
    for node in within(value):
        if isinstance(node, ast.Call) and last_name(node.func) in names:
            return isinstance(node.func, ast.Name) or last_name(node.func) != _HASH
        if isinstance(node, ast.Name) and node.id in known:
            return True
    return False
