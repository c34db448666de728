"""Shared arrays that a module fills at import and that nothing changes later: each process has the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.fixes.syntax import source_tree
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_READERS = frozenset({"bytes", "enumerate", "len", "list", "max", "min", "set", "sorted", "sum", "tuple", "zip"})
_READ = frozenset({"raw", "value"})
"""Attributes of shared arrays that change nothing."""


def is_never_changed(owner: Owner, asker: str, linker: Linker) -> bool:
    """Whether all that the program does with what a name stands for, wherever it may, is to read parts of it."""
    if owner.name not in owner.block.names:
        return False
    named = linker.first_party.naming_in_text(Words(frozenset({owner.name})), asker)
    return all(_is_only_read(owner, module) for module in {each.path: each for each in (owner.module, *named)}.values())


def _is_only_read(owner: Owner, module: Module) -> bool:
    source = source_tree(module.code)
    if source is None:
        return False
    read = {id(each) for node in source.nodes for each in _parts_read(node)}
    read -= {id(each) for node in source.nodes for each in _parts_changed(node)}
    for node in source.nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if name == owner.name and module is owner.module:
                place = source.span(node).start
                if not owner.block.span.start <= place < owner.block.span.end:
                    return False
            case ast.Name(id=name) | ast.Attribute(attr=name) if name == owner.name and id(node) not in read:
                return False
            case ast.alias(name=name, asname=str()) if name == owner.name:
                return False
            case _:
                pass
    return True


def _parts_read(node: ast.AST) -> Iterator[ast.expr]:
    """What a node reads a part of, or goes through."""
    match node:
        case ast.Subscript(value=held, ctx=ast.Load()):
            yield held
        case ast.Attribute(value=held, attr=name, ctx=ast.Load()) if name in _READ:
            yield held
        case ast.Call(func=ast.Name(id=name), args=given) if name in _READERS:
            yield from given
        case ast.For(iter=held) | ast.comprehension(iter=held):
            yield held
        case ast.Compare(comparators=compared):
            yield from compared
        case _:
            pass


def _parts_changed(node: ast.AST) -> Iterator[ast.expr]:
    """What a node changes a part of a part of: `points[0].x = 1`."""
    match node:
        case ast.Attribute(value=ast.Subscript(value=held), ctx=ast.Store() | ast.Del()):
            yield held
        case ast.Subscript(value=ast.Subscript(value=held) | ast.Attribute(value=held), ctx=ast.Store() | ast.Del()):
            yield held
        case _:
            pass
