"""Expressions that look for a thing in a container: `pending.remove(job)`, `job in pending`, `del pending[job]`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import SourceTree

_ERRORS = {
    ("set", "remove"): "KeyError",
    ("dict", "pop"): "KeyError",
    ("dict", "del"): "KeyError",
    ("dict", "[]"): "KeyError",
    ("list", "remove"): "ValueError: list.remove(x): x not in list",
    ("list", "index"): "ValueError",
    ("collections.deque", "remove"): "ValueError: deque.remove(x): x not in deque",
}
"""What is raised where a container does not have the thing."""
_LEAVES = frozenset({("set", "discard"), ("dict", "pop or else")})
"""What leaves it there."""
_MISSES = frozenset({("dict", "get"), *((kind, "in") for kind in ("dict", "set", "list", "collections.deque"))})
"""What goes on as if it were not there."""
_METHODS = frozenset({"remove", "discard", "pop", "index", "get"})
_ADDS = frozenset({"add", "append", "appendleft", "insert", "setdefault"})


class Lookup(Struct, frozen=True):
    """A place where something is looked for in what is written as `container`, and how: by the method, "in", "[]" or
    "del". A `pop` that is given what to return instead is the "pop or else"."""

    span: Span
    container: ast.expr
    how: str

    def error(self, kind: str) -> str | None:
        """What it raises if a container of a kind does not have the thing; empty if nothing, None if it looks for
        nothing in that."""
        silent = (kind, self.how) in _LEAVES or (kind, self.how) in _MISSES
        return "" if silent else _ERRORS.get((kind, self.how))

    @property
    def is_removal(self) -> bool:
        """Whether the thing is to be taken out."""
        return self.how not in ("get", "in", "[]", "index")

    @property
    def is_sure_of_itself(self) -> bool:
        """Whether only what is thought to be there is looked for so: `pending.remove(job)`."""
        return self.how in ("remove", "discard", "pop", "index")


def lookups(source: SourceTree, span: Span, name: str) -> Iterator[Lookup]:
    """Where the code between two places looks for what has a name, or a part of that (`ast.unparse` writes it so)."""
    for node in source.nodes_within(span):
        match node:
            case ast.Call(func=ast.Attribute(attr=method, value=container), args=[key, *other], keywords=[]):
                if method in _METHODS and len(other) <= (method in ("pop", "get")) and _is(key, name):
                    yield Lookup(source.span(node), container, "pop or else" if method == "pop" and other else method)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[container]) if _is(left, name):
                yield Lookup(source.span(node), container, "in")
            case ast.Subscript(value=container, slice=key, ctx=ast.Del()) if _is(key, name):
                yield Lookup(source.span(node), container, "del")
            case ast.AugAssign(target=ast.Subscript(value=container, slice=key) as target) if _is(key, name):
                yield Lookup(source.span(target), container, "[]")
            case ast.Subscript(value=container, slice=key, ctx=ast.Load()) if _is(key, name):
                yield Lookup(source.span(node), container, "[]")
            case _:
                pass


def with_aliases(source: SourceTree, span: Span, name: str) -> tuple[str, ...]:
    """A name, or a part of what has one, and the names that the code between two places gives it, each once; none if it
    gives the name to something else."""
    assigned = [each.id for each in source.nodes_within(span) if isinstance(each, ast.Name) and not _is_read(each)]
    if re.split(r"\W", name, maxsplit=1)[0] in assigned:
        return ()
    given = [
        node.targets[0].id
        for node in source.nodes_within(span)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is(node.value, name)
    ]
    return (name, *(each for each in given if assigned.count(each) == 1))


def keys_from(source: SourceTree, span: Span, container: str) -> Iterator[str]:
    """What a dict that a name has gets its keys of, as it is written: `jobs` of `{job: 0 for job in jobs}`."""
    for node in source.nodes_within(span):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if name == container:
                match value:
                    case ast.DictComp(
                        key=ast.Name(id=key), generators=[ast.comprehension(target=ast.Name(id=each), iter=of)]
                    ) if key == each:
                        yield ast.unparse(of)
                    case ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[of, *_]):
                        yield ast.unparse(of)
                    case _:
                        pass
            case ast.For(target=ast.Name(id=each), iter=of, body=body):
                stores = (
                    inner for statement in body for inner in ast.walk(statement) if isinstance(inner, ast.Subscript)
                )
                if any(
                    isinstance(inner.ctx, ast.Store) and ast.unparse(inner) == f"{container}[{each}]"
                    for inner in stores
                ):
                    yield ast.unparse(of)
            case _:
                pass


def puts_into(source: SourceTree, span: Span, container: ast.expr, name: str) -> bool:
    """Whether the code between two places puts what has a name into a container."""
    owner, changed = ast.unparse(container), set[int]()
    for node in source.nodes_within(span):
        match node:
            case ast.AugAssign(target=target):
                changed.add(id(target))
            case ast.Call(func=ast.Attribute(attr=method, value=value), args=given) if method in _ADDS:
                parts = (part for each in given for part in ast.walk(each) if isinstance(part, ast.expr))
                if ast.unparse(value) == owner and any(_is(part, name) for part in parts):
                    return True
            case ast.Subscript(value=value, slice=key, ctx=ast.Store()) if id(node) not in changed:
                if ast.unparse(value) == owner and _is(key, name):
                    return True
            case _:
                pass
    return False


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and ast.unparse(node) == name


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)
