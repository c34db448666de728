"""Statements of blocks as `ast` reads them: which of them run in every process that imports their module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.control_flow.steps import EXITS
from lintpickle.diagnostics import Span
from lintpickle.parsing.main_guard import is_main_guard
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import dotted
from lintpickle.program.module import Module
from lintpickle.source.lines import LineIndex

_ASKS = re.compile(r"exist|is_?(?:dir|file|mount|link)|listdir|glob|access|stat\b")
_PRESENCE = frozenset({"exists", "lexists", "isfile", "is_file", "isdir", "is_dir"})
_OF_MAIN_ALONE = re.compile(r"__name__|current_process|MainProcess")
_HAS_NO_PARENT = re.compile(r"(?:\w+\.)*parent_process\(\) is None")
"""It holds while a worker imports the main script: measured with CPython 3.11 and 3.13."""
_LEAVES = (ast.Return, ast.Raise)


class ReadBlock(Struct, frozen=True, eq=False):
    """The `ast` of a block, and where it stands."""

    tree: ast.Module
    start: int
    lines: LineIndex

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """The place of an expression or statement in the file."""
        start = self.lines.offset_of_ast(node.lineno, node.col_offset)
        end = self.lines.offset_of_ast(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return Span(self.start + start, self.start + end)


@lru_cache(maxsize=256)
def block_read(block: Block, module: Module) -> ReadBlock:
    """A block, parsed by `ast`; an empty one if it cannot be read by itself. Those read last are kept: all the trees of
    a large program would fill the memory."""
    return ReadBlock(module.facts.tree(block), block.span.start, LineIndex(module.facts.text(block)))


def written_as(node: ast.AST) -> str:
    """An expression as `ast` writes it; "" if it is nested too deep for that."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return ""


class KnownBefore(Struct, frozen=True):
    """What is known of the way to a statement."""

    is_asked: bool = False
    """Whether the code asks before if something exists."""
    caught: frozenset[str] = frozenset()
    """The names of the errors that are caught around it."""
    absent: frozenset[str] = frozenset()
    """The files and folders that are not there, as `ast` writes what names them."""


UNCONDITIONAL = KnownBefore()


def statements_run(
    body: Sequence[ast.stmt], state: KnownBefore = UNCONDITIONAL
) -> Iterator[tuple[ast.stmt, KnownBefore]]:
    """The statements that run in every process that imports the module, as far as that is known. What stands behind a
    test of which nothing is known is left out."""
    for statement in body:
        yield statement, state
        match statement:
            case ast.If(test=test, body=then, orelse=otherwise):
                inner, other = _under(test, True, state), _under(test, False, state)
                is_left = any(isinstance(each, _LEAVES) for each in then)
                if inner is None or other is None:
                    if is_left and not _is_of_main(test):
                        return
                    continue
                yield from statements_run(then, inner)
                yield from statements_run(otherwise, other)
                if is_left:
                    state = other
            case ast.Try(body=tried, orelse=otherwise, finalbody=last, handlers=handlers):
                caught = state.caught.union(*(_caught(each.type) for each in handlers if not _ends(each)))
                yield from statements_run(tried, replace(state, caught=caught))
                yield from statements_run((*otherwise, *last), state)
            case ast.With(items=items, body=inner_body):
                caught = state.caught.union(*(_suppressed(each.context_expr) for each in items))
                yield from statements_run(inner_body, replace(state, caught=caught))
            case ast.For(body=repeated) | ast.While(body=repeated):
                yield from statements_run(repeated, state)
            case _:
                pass


def _is_of_main(test: ast.expr) -> bool:
    return is_main_guard(test) or _OF_MAIN_ALONE.search(written_as(test)) is not None


def _under(test: ast.expr, holds: bool, state: KnownBefore) -> KnownBefore | None:
    """What is known where a test holds, or does not; None if nothing is."""
    if _is_of_main(test):
        return None
    written = written_as(test)
    if _HAS_NO_PARENT.fullmatch(written):
        return state
    if not _asks(test):
        return None
    return replace(state, is_asked=True, absent=state.absent.union(_absent(test, holds)))


def _asks(test: ast.expr) -> bool:
    """Whether a test asks if something exists."""
    return any(isinstance(each, ast.Call) and _ASKS.search(written_as(each.func)) for each in ast.walk(test))


def _absent(test: ast.expr, holds: bool) -> Iterator[str]:
    """What is not there where a test holds, or does not: `path` after `not os.path.exists(path)`. So is that of which
    one of two parts says so, if the other one asks for nothing: where the file is, it depends on what is not known
    (`not config.has_section("a") or not os.path.exists(path)`)."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _absent(inner, not holds)
        case ast.BoolOp(op=ast.And() as joining, values=parts) | ast.BoolOp(op=ast.Or() as joining, values=parts):
            if isinstance(joining, ast.And) == holds or sum(map(_asks, parts)) == 1:
                for part in parts:
                    yield from _absent(part, holds)
        case ast.Call(func=ast.Attribute(attr=name, value=path), args=given) if name in _PRESENCE and not holds:
            yield written_as(given[0] if given else path)
        case _:
            pass


def _ends(handler: ast.ExceptHandler) -> bool:
    """Whether code that catches an error raises it again, or ends the process."""
    for statement in handler.body:
        match statement:
            case ast.Raise():
                return True
            case ast.Expr(value=ast.Call(func=function)) if dotted(function) in EXITS:
                return True
            case _:
                pass
    return False


def _caught(kind: ast.expr | None) -> frozenset[str]:
    match kind:
        case None:
            return frozenset({"BaseException"})
        case ast.Tuple(elts=elements):
            return frozenset(dotted(each).rpartition(".")[2] for each in elements)
        case _:
            return frozenset({dotted(kind).rpartition(".")[2]})


def _suppressed(manager: ast.expr) -> frozenset[str]:
    """The names of the errors that a context catches: `suppress(OSError)`."""
    if not isinstance(manager, ast.Call) or dotted(manager.func).rpartition(".")[2] != "suppress":
        return frozenset()
    return frozenset[str]().union(*map(_caught, manager.args))
