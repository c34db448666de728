"""The contexts in which the main process starts workers: `with redirect_stdout(file):`, also by way of a context
manager of the program, which it defines with a `yield` or as a class with `__enter__`."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.at_import.run_statements import block_read
from lintpickle.analyses.calls_and_values.called_when_given import places_called_when_given
from lintpickle.analyses.workers.ways_to_workers import ways_to_workers
from lintpickle.analyses.workers.worker_starts import pool_given
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.names_read import within
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import FUNCTIONS, dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_ENTER = "__enter__"
_EXECUTOR = "executor"
_STORES = re.compile(r"^[ \t]+\w+(?:\.\w+)+\s*=(?!=)", re.MULTILINE)
_MANAGER = re.compile(r"@(?:\w+\.)*contextmanager\b")


class Entered(Struct, frozen=True):
    """What holds while workers are started: the path of a context manager, or of what one of the program's own calls or
    stores before its `yield` or as it is entered, and where that stands. `is_inside` is for the latter. `around` is the
    call that makes the context manager in which workers are started. `is_entered` of what makes a context manager that
    is entered where it stands, and `given` the text that this is given, if that is all."""

    path: str
    site: Site
    is_inside: bool
    around: Site | None = None
    is_entered: bool = False
    given: str | None = None


def entered_around(code: WorkerCode, linker: Linker) -> Iterator[Entered]:
    """The contexts in which a boundary starts its workers, or is come to."""
    if code.boundary is None:
        return
    for site in _places_started(code.boundary, linker):
        block = site.module.outline.block_at(site.span.start)
        if block is not None and site.module.first_party:
            yield from _set_for_a_while(site, block)
        yield from entered_at(site, linker)


def entered_at(site: Site, linker: Linker) -> Iterator[Entered]:
    """The contexts around a place, and what those of the program's own do as they are entered."""
    block = site.module.outline.block_at(site.span.start)
    if block is None or not site.module.first_party:
        return
    contexts = site.module.remembered(("contexts in", block.span), partial(_contexts, block, site.module))
    for manager, place, end in contexts:
        if place.end <= site.span.start < end:
            around = Site(site.module, place)
            path, given = path_called(manager.func, site.module), _text_given(manager)
            yield Entered(path, around, False, around, is_entered=True, given=given)
            yield from (replace(each, around=around) for each in _done_by_own(manager, site.module, linker))


def _places_started(boundary: BoundaryCall, linker: Linker) -> Iterator[Site]:
    """Where the workers of a boundary start, or from where the code gets there. An executor starts them when it gets
    its first task, a pool when it is made (CPython 3.11 to 3.14, `_start_executor_manager_thread`; measured)."""
    made = pool_given(boundary, linker)
    is_by_first_task = (
        boundary.spec.kind == _EXECUTOR and made is not None and not _has_had_tasks(made, boundary, linker)
    )
    if is_by_first_task:
        yield boundary.site
    start = made or boundary
    yield start.site
    yield from (hop.site for hop in start.hops)
    if linker.moving_to is None:
        return
    start = boundary if is_by_first_task else start
    for way in ways_to_workers(start, linker):
        yield from (Site(link.module, link.span) for link in way)
    yield from places_called_when_given(start.frame.function, start.site.module.path, linker)


def _has_had_tasks(start: BoundaryCall, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether something else is given to an executor before a boundary."""
    others = (code.boundary for code in linker.worker_codes() if code.boundary is not None)
    here = (each for each in others if each.site.module is boundary.site.module and each.spec.kind == _EXECUTOR)
    return any(start.site.span.end <= each.site.span.start < boundary.site.span.start for each in here)


def _set_for_a_while(site: Site, block: Block) -> Iterator[Entered]:
    """What a function has stored when it comes to a place, if it stores something else there afterwards: `sys.stdout =
    buffer`, then `sys.stdout = sys.__stdout__`."""
    stores = site.module.remembered(("stored in", block.span), partial(_stored, block, site.module))
    for path, place, home in stores:
        if home.start <= site.span.start < home.end and place.end <= site.span.start:
            later = [each.start for other, each, around in stores if other == path and around == home]
            if place.start == min(later) and max(later) >= site.span.end:
                yield Entered(path, Site(site.module, place), True)


def _stored(block: Block, module: Module) -> tuple[tuple[str, Span, Span], ...]:
    """The attributes of modules that functions of a block store: the path, the place, and that of the function."""
    if _STORES.search(module.facts.text(block)) is None:
        return ()
    read = block_read(block, module)
    functions = [read.span(node) for node in ast.walk(read.tree) if isinstance(node, FUNCTIONS)] or [block.span]
    found: list[tuple[str, Span, Span]] = []
    for node in within(read.tree):
        match node:
            case ast.Assign(targets=[ast.Attribute() as target]) if path := path_called(target, module):
                place = read.span(node)
                around = [each for each in functions if each.start <= place.start < each.end]
                found.append((path, place, max(around, key=lambda each: each.start, default=block.span)))
            case _:
                pass
    return tuple(found)


def _contexts(block: Block, module: Module) -> tuple[tuple[ast.Call, Span, int], ...]:
    """The calls that make the managers of the contexts in a block: each with its place, and where the context ends."""
    if "with " not in module.facts.text(block):
        return ()
    read = block_read(block, module)
    contexts = [node for node in within(read.tree) if isinstance(node, ast.With)]
    named = {
        item.context_expr.id for each in contexts for item in each.items if isinstance(item.context_expr, ast.Name)
    }
    made = _made_before(named, read.tree, module)
    return tuple(
        (manager, read.span(item.context_expr), read.span(context).end)
        for context in contexts
        for item in context.items
        if (manager := _manager_of(item.context_expr, made)) is not None
    )


def _manager_of(entered: ast.expr, made: Mapping[str, ast.Call]) -> ast.Call | None:
    match entered:
        case ast.Call():
            return entered
        case ast.Name(id=name):
            return made.get(name)
        case _:
            return None


def _made_before(names: Collection[str], tree: ast.AST, module: Module) -> dict[str, ast.Call]:
    """The one call of which each of these names is the result, in this block or in the module."""
    found: dict[str, ast.Call] = {}
    for name in names:
        made = list(_values_of(name, tree))
        for block in module.outline.binding(name) if not made else ():
            made += _values_of(name, block_read(block, module).tree)
        if len(made) == 1 and isinstance(made[0], ast.Call):
            found[name] = made[0]
    return found


def _values_of(name: str, tree: ast.AST) -> Iterator[ast.expr]:
    for node in within(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
                yield value
            case _:
                pass


def _text_given(manager: ast.Call) -> str | None:
    match manager:
        case ast.Call(args=[ast.Constant(value=str() as text)], keywords=[]):
            return text
        case _:
            return None


def _done_by_own(manager: ast.Call, module: Module, linker: Linker) -> Iterator[Entered]:
    """What a context manager of the program does before it yields, or as it is entered."""
    for home, block in linker.own_places.of_name(module, dotted(manager.func)):
        if home.first_party and block.is_class:
            yield from _done_as_entered(block, home, linker)
        elif home.first_party and _MANAGER.search(home.facts.text(block)) is not None:
            yield from home.remembered(("done before the yield", block.span), partial(_done_before_yield, block, home))


def _done_as_entered(block: Block, home: Module, linker: Linker) -> Iterator[Entered]:
    """What `__enter__` of a class does, or that of one which it derives from."""
    facts = home.facts_of(block)
    class_ = facts.classes.get(block.names[0]) if facts is not None else None
    found = (
        linker.classes.find_method(linker.classes.module_level(home, class_), _ENTER) if class_ is not None else None
    )
    if found is not None and found[0].module.first_party:
        module, span = found[0].module, found[1].span
        within_block = module.outline.block_at(span.start)
        if within_block is not None:
            question = ("done as entered", span)
            yield from module.remembered(question, lambda: tuple(_done(within_block, module, span)))


def _done_before_yield(block: Block, home: Module) -> tuple[Entered, ...]:
    read = block_read(block, home)
    yields = [read.span(node).start for node in ast.walk(read.tree) if isinstance(node, ast.Yield)]
    return tuple(_done(block, home, Span(block.span.start, min(yields)))) if yields else ()


def _done(block: Block, home: Module, part: Span) -> Iterator[Entered]:
    """What the code in a part of a block calls or stores."""
    read = block_read(block, home)
    for node in within(read.tree):
        match node:
            case ast.Call(func=called):
                path = path_called(called, home)
            case ast.Assign(targets=[ast.Attribute() as target]):
                path = path_called(target, home)
            case ast.Assign(targets=[ast.Subscript(value=owner)]):
                held = path_called(owner, home)
                path = f"{held}[]" if held else ""
            case ast.Assign(targets=[ast.Tuple(elts=targets)]):
                path = next((path_called(each, home) for each in targets if isinstance(each, ast.Attribute)), "")
            case _:
                continue
        span = read.span(node)
        if path and part.start <= span.start < part.end:
            yield Entered(path, Site(home, span), True)
