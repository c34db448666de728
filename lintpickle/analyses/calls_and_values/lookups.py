"""Expressions that look for a thing in a container: `pending.remove(job)`, `job in pending`, `del pending[job]`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

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


def lookups(source: SourceTree, nodes: Iterable[ast.AST], is_it: Callable[[ast.expr], bool]) -> Iterator[Lookup]:
    """Where code looks for something, of which `is_it` tells the expressions."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=method, value=container), args=[key, *other], keywords=[]):
                if method in _METHODS and len(other) <= (method in ("pop", "get")) and is_it(key):
                    yield Lookup(source.span(node), container, "pop or else" if method == "pop" and other else method)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[container]) if is_it(left):
                yield Lookup(source.span(node), container, "in")
            case ast.Subscript(value=container, slice=key, ctx=ast.Del()) if is_it(key):
                yield Lookup(source.span(node), container, "del")
            case ast.AugAssign(target=ast.Subscript(value=container, slice=key) as target) if is_it(key):
                yield Lookup(source.span(target), container, "[]")
            case ast.Subscript(value=container, slice=key, ctx=ast.Load()) if is_it(key):
                yield Lookup(source.span(node), container, "[]")
            case _:
                pass


def keys_from(nodes: Iterable[ast.AST], container: str) -> Iterator[ast.expr]:
    """What a dict, as it is written, gets its keys of: `jobs` of `{job: 0 for job in jobs}`."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                match value:
                    case ast.DictComp(
                        key=ast.Name(id=key), generators=[ast.comprehension(target=ast.Name(id=each), iter=of)]
                    ) if key == each and ast.unparse(target) == container:
                        yield of
                    case ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[of, *_]):
                        if ast.unparse(target) == container:
                            yield of
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
                    yield of
            case _:
                pass


def puts_into(nodes: Iterable[ast.AST], container: ast.expr, is_it: Callable[[ast.expr], bool]) -> bool:
    """Whether code puts something, of which `is_it` tells the expressions, into a container."""
    owner, changed = ast.unparse(container), set[int]()
    for node in nodes:
        match node:
            case ast.AugAssign(target=target):
                changed.add(id(target))
            case ast.Call(func=ast.Attribute(attr=method, value=value), args=given) if method in _ADDS:
                parts = (part for each in given for part in ast.walk(each) if isinstance(part, ast.expr))
                if ast.unparse(value) == owner and any(is_it(part) for part in parts):
                    return True
            case ast.Subscript(value=value, slice=key, ctx=ast.Store()) if id(node) not in changed:
                if ast.unparse(value) == owner and is_it(key):
                    return True
            case _:
                pass
    return False
