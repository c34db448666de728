"""What the names of a module may stand for, according to its outline and text: too many possibilities, never too
few."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from lintpickle.parsing.names_read import names_read, within
from lintpickle.parsing.outline import Block, Outline
from lintpickle.parsing.syntax import BrokenSyntax, parse, stored
from lintpickle.prefilter.words import Words

Derivations: TypeAlias = tuple[tuple[tuple[str, ...], frozenset[str]], ...]
_WORD = re.compile(r"\w+")
_ALIAS = re.compile(
    r"^\w+(?:\s*:[^=\n]+)?\s*=\s*(?:[\w.]*\bpartial\(|[\w.]+\s*$|[\w.]+\([^()\n]*\)\.[\w.]+\s*$)", re.MULTILINE
)
"""A name that stands for another one, for a partial, or for an attribute of what a call gives."""

_ENTERING = ("__enter__", "__aenter__")
_ITSELF = "self"


def derivations(code: str, outline: Outline) -> Derivations:
    """The names bound at module level, each with what it may stand for: what it imports under another name, derives
    from, or is assigned."""
    return tuple(_derivations(code, outline))


def _derivations(code: str, outline: Outline) -> Iterator[tuple[tuple[str, ...], frozenset[str]]]:
    for alias in outline.imports:
        names = {each.name for each in outline.importing(alias) if each.name is not None} - {alias}
        if names:
            yield (alias,), frozenset(names)
    for block in outline.blocks:
        for header in block.classes:
            yield (header.name,), frozenset(base.rpartition(".")[2] for base in header.bases)
        if block.names and not block.bare and not block.classes and not block.defines_function:
            text = code[block.span.start : block.span.end]
            if _ALIAS.search(text):
                yield block.names, frozenset(_WORD.findall(text))


def stored_from(makers: Words, code: str, blocks: Iterable[Block]) -> Iterator[str]:
    """The names bound at module level by code that reads the name of a maker, and those of such methods and attributes
    of classes. `blocks` contain such a name; a function or method counts only if it returns or yields something."""
    for block in blocks:
        text = code[block.span.start : block.span.end]
        if not block.names or not makers.stand_alone_in(text):
            continue
        try:
            tree = parse(text)
        except BrokenSyntax:
            continue
        if block.is_class:
            yield from _held_by_classes(makers, tree)
        elif not block.defines_function:
            for names, value in stored(tree):
                if _reads(makers, value):
                    yield from names
        elif _reads(makers, tree) and any(map(_gives, within(tree))):
            yield from block.names


def _held_by_classes(makers: Words, tree: ast.Module) -> Iterator[str]:
    """Of the classes in a block: the methods that read the name of a maker and give something to their callers; the
    attributes that hold what a maker gives; and the classes that read such a name and whose objects give something else
    than themselves to a `with` statement."""
    for class_ in (each for each in tree.body if isinstance(each, ast.ClassDef)):
        for method in (each for each in class_.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))):
            if _reads(makers, method):
                yield from _attributes_made(makers, method)
                if any(map(_gives, within(method))):
                    yield method.name
            if method.name in _ENTERING and any(map(_gives_another, within(method))) and _reads(makers, class_):
                yield class_.name


def _attributes_made(makers: Words, method: ast.AST) -> Iterator[str]:
    """The attributes to which a method assigns what a maker gives, itself or by way of a variable."""
    assigned = [(target, value) for node in within(method) for target, value in _assigned(node)]
    made = [target for target, value in assigned if _reads(makers, value)]
    variables = {target.id for target in made if isinstance(target, ast.Name)}
    made += [target for target, value in assigned if isinstance(value, ast.Name) and value.id in variables]
    yield from (target.attr for target in made if isinstance(target, ast.Attribute))


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value
        case _:
            pass


def _gives_another(node: ast.AST) -> bool:
    """Whether a method gives something here other than its object."""
    match node:
        case ast.Return(value=ast.Name(id=name)):
            return name != _ITSELF
        case ast.Return(value=value):
            return value is not None
        case _:
            return False


def _gives(node: ast.AST) -> bool:
    """Whether a function gives something to its callers here, or to the `with` statements that enter it."""
    return isinstance(node, (ast.Return, ast.Yield)) and node.value is not None


def _reads(makers: Words, tree: ast.AST) -> bool:
    return any(name.rpartition(".")[2] in makers.words for name in names_read(tree))
