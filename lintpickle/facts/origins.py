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
    """The names bound at module level by code that reads the name of a maker, and those of such methods. `blocks`
    contain such a name; a function or method counts only if it returns or yields something."""
    for block in blocks:
        text = code[block.span.start : block.span.end]
        if not block.names or not makers.stand_alone_in(text):
            continue
        try:
            tree = parse(text)
        except BrokenSyntax:
            continue
        if block.is_class:
            yield from _giving_methods(makers, tree)
        elif not block.defines_function:
            for names, value in stored(tree):
                if _reads(makers, value):
                    yield from names
        elif _reads(makers, tree) and any(map(_gives, within(tree))):
            yield from block.names


def _giving_methods(makers: Words, tree: ast.Module) -> Iterator[str]:
    """The methods of the classes in a block that read the name of a maker and give something to their callers."""
    members = (member for class_ in tree.body if isinstance(class_, ast.ClassDef) for member in class_.body)
    for method in (member for member in members if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef))):
        if _reads(makers, method) and any(map(_gives, within(method))):
            yield method.name


def _gives(node: ast.AST) -> bool:
    """Whether a function gives something to its callers here, or to the `with` statements that enter it."""
    return isinstance(node, (ast.Return, ast.Yield)) and node.value is not None


def _reads(makers: Words, tree: ast.AST) -> bool:
    return any(name.rpartition(".")[2] in makers.words for name in names_read(tree))
