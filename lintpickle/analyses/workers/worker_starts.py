"""Worker processes that start when a module is imported, and how many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.at_import.imported_late import is_only_imported_late
from lintpickle.analyses.calls_and_values.endings import ends_program
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import BlockFacts, Called, Implied, Iterated
from lintpickle.facts.values import Attribute, Call, Constant, ending_name, parts_of, without_narrowing
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, FunctionValue, Site
from lintpickle.interpreter.decorators import decorating_call
from lintpickle.interpreter.frames import passed_first
from lintpickle.interpreter.root_frames import ANY
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.payload.starts import Start, WorkerStarts
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_DEFINITION = re.compile(r"(?:@|def\b|class\b|async\s+def\b)")
_ADDS_OPTION = re.compile(r"add_argument")
_DECORATOR = re.compile(r"(?<![^\n])@[ \t]*([\w.]+)")
_RUNS = re.compile(r"\(|\bfor\b")
_STARTING = frozenset({"Manager", "Pool", "start"})
_STARTS = re.compile(rf"\b(?:{'|'.join(sorted(_STARTING))})\s*\(")
"""What stands in the definition of a class or function that starts workers as it is read."""
_POOLS = frozenset({"pool", "executor"})
_OTHER_GUARDS = re.compile(
    r"current_process\(\)\.(?:name|_inheriting)\b|[\"']_inheriting[\"']|get_worker_info|MainProcess"
)
"""What stands in tests that tell whether a worker is importing the script. That a process has a parent or is a daemon
is not known until it has been imported (measured with CPython 3.11 and 3.13, under spawn and forkserver)."""


def starts_at_import(module: Module, linker: Linker) -> Iterator[tuple[Start, Called | Implied | Iterated]]:
    """The starts of workers by the module's own code outside of its main guard, each with the event that leads to it;
    up to one that ends the program."""
    starts = WorkerStarts(linker)
    for block in _running_blocks(module, linker):
        frame = linker.evaluator.module_frame(module, block.body)
        for event in (*block.body.events, *_decorating(block, frame, linker), *_in_class_bodies(block, module)):
            if isinstance(event, Implied) or (isinstance(event, (Called, Iterated)) and not event.main_guard):
                found = starts.of_event(event, frame)
                yield from ((start, event) for start in found)
                if found and isinstance(event, Called) and ends_program(event, frame, linker):
                    return


def _running_blocks(module: Module, linker: Linker) -> Iterator[BlockFacts]:
    """The parsed blocks that may start workers, by code of the module, or by what a definition runs."""
    for block in module.outline.blocks:
        text = module.facts.text(block)
        form = _STARTS if _DEFINITION.match(text) else _RUNS
        is_decorated = _is_decorated_by_own(block, text, module, linker)
        if block.bare or not (is_decorated or form.search(text)) or _OTHER_GUARDS.search(text):
            continue
        reach = linker.starts_reach
        is_leading = reach.leads(module, block) if is_decorated else reach.reaches(module, block)
        facts = module.facts_of(block) if is_leading else None
        if facts is not None:
            yield facts


def _is_decorated_by_own(block: Block, text: str, module: Module, linker: Linker) -> bool:
    """Whether a block defines a function with a decorator of the program, which may call it at once."""
    if not block.defines_function or not text.startswith("@"):
        return False
    return any(linker.own_places.of_name(module, found[1]) for found in _DECORATOR.finditer(text))


def _decorating(block: BlockFacts, frame: Frame, linker: Linker) -> Iterator[Called]:
    """The calls of decorators with the functions under them, the innermost first. What something unknown has made of a
    function (`@decorator def traced(function, *args)`, of the package) does not run that as it decorates."""
    for function in block.functions.values():
        for decorator in reversed(function.decorators):
            found = [traced.value for traced in linker.evaluate(decorator, frame)]
            if found and all(isinstance(each, FunctionValue) and _is_made_by_package(each, linker) for each in found):
                continue
            call = decorating_call(decorator, function)
            yield Called(call.span, False, (), call, function.main_guard)


def _is_made_by_package(decorator: FunctionValue, linker: Linker) -> bool:
    """Whether what a decorator's name stands for is made by something unknown, or by a package that is installed."""
    frame = decorator.frame or Frame(decorator.module, decorator.facts)
    around = linker.evaluator.decorators.around(decorator, frame)
    return decorator.opaque or any(not each.module.first_party for each in around)


def _in_class_bodies(block: BlockFacts, module: Module) -> Iterator[Called]:
    """The calls in values that bodies of classes bind, and in defaults of methods, with names that can start
    workers."""
    classes = [*block.body.classes]
    while classes:
        class_ = classes.pop()
        classes += class_.classes
        methods = methods_holding(class_.methods, _STARTS, module.code)
        values = [*class_.body.values(), *(each.default for each in class_.fields if each.default is not None)]
        values += (each.default for method in methods for each in method.parameters if each.default is not None)
        while values:
            value = values.pop()
            values += parts_of(value)
            if isinstance(value, Call) and ending_name(value.function) in _STARTING:
                yield Called(value.span, False, (), value, class_.main_guard)


def is_top_level(site: Site, module: Module) -> bool:
    """Whether a place is in code that runs when the module is imported."""
    if site.module is not module:
        return False
    for block in module.outline.blocks:
        if block.span.start <= site.span.start < block.span.end:
            facts = module.facts_of(block)
            if facts is None:
                return False
            spans = [each.span for each in facts.body.functions] + [each.span for each in facts.body.classes]
            return not any(span.start <= site.span.start < span.end for span in spans)
    return False


def pool_given(start: BoundaryCall, linker: Linker) -> BoundaryCall | None:
    """The boundary in the same function that has started the workers to which a boundary only gives something: of
    several, the one that makes the very pool, if that is seen."""
    if start.spec.kind not in _POOLS:
        return None
    others = (code.boundary for code in linker.worker_codes() if code.boundary is not None)
    here = (other for other in others if other.frame.function is start.frame.function)
    before = [other for other in here if other.site.span.end <= start.site.span.start]
    same = [other for other in before if other.spec.kind == start.spec.kind]
    return next((other for other in same if _is_made_by(other, start)), same[0] if same else None)


def _is_made_by(pool: BoundaryCall, start: BoundaryCall) -> bool:
    """Whether the method that a boundary calls is one of the object that another call makes."""
    function = start.call.function
    return isinstance(function, Attribute) and without_narrowing(function.base).span == pool.call.span


def worker_count(boundary: BoundaryCall, asking: Module, linker: Linker) -> int | None:
    """The number of workers that a boundary starts: the literal, or the default of the command-line option that sets
    it. `asking` is the module being judged."""
    name = boundary.spec.workers or ""
    known = [each.value for each in boundary.value(name, linker.evaluator)]
    constants = [each.value for each in known if isinstance(each, ConstantValue) and isinstance(each.value, int)]
    if len(constants) == len(known) and known:
        return max(constants)
    first = passed_first(boundary.arguments.get(name))
    if first is None or not isinstance(first.expr, Attribute):
        return None
    return option_default(first.expr.name, first.frame, asking, linker)


def option_default(name: str, read_in: Frame | None, asking: Module, linker: Linker) -> int | None:
    """The default of the command-line option whose value is stored as `name`: that of the module in which it is read,
    if that adds one, or else of the project, if it has exactly one such option."""
    spellings = {f"{dashes}{spelt}" for dashes in ("-", "--") for spelt in (name, name.replace("_", "-"))}
    found = _defaults_in(read_in.module, spellings, linker) if read_in is not None else set[int | None]()
    if not found:
        for module in linker.first_party.naming(Words(spellings), asking.path, _ADDS_OPTION):
            found |= _defaults_in(module, spellings, linker) - {None}
    return found.pop() if len(found) == 1 else None


def _defaults_in(module: Module, spellings: set[str], linker: Linker) -> set[int | None]:
    """The defaults of the options of a module; None for one that is not known."""
    found: set[int | None] = set()
    for block in module.outline.blocks:
        text = module.facts.text(block)
        facts = module.facts_of(block) if "add_argument" in text and any(each in text for each in spellings) else None
        for activation in linker.activations.in_block(module, facts, ANY) if facts is not None else ():
            found.update(_defaults(activation.function.events, spellings))
    return found


def _defaults(events: Iterable[object], spellings: set[str]) -> Iterator[int | None]:
    for event in events:
        match event:
            case Called(call=call) if isinstance(call.function, Attribute) and call.function.name == "add_argument":
                flags = {each.value for each in call.positional() or () if isinstance(each, Constant)}
                default = call.keyword("default")
                if flags & spellings:
                    value = default.value if isinstance(default, Constant) else None
                    yield value if isinstance(value, int) else None
            case _:
                pass


def are_started_unguarded(code: WorkerCode, linker: Linker) -> bool:
    """Whether a script starts the workers outside of its main guard: they fail as they import it, before they run
    anything."""
    return any(_is_unguarded(site, linker) for site in code.way)


def _is_unguarded(site: Site, linker: Linker) -> bool:
    """Whether a place, or the module's own code around it, starts workers outside of its main guard."""
    module = site.module
    key = ("starts unguarded", module.path)
    is_at_top = is_top_level(site, module) and guard_of(site.span.start, module) is None
    is_unguarded = is_at_top or linker.remembered(key, lambda: next(starts_at_import(module, linker), None) is not None)
    return is_unguarded and not is_only_imported_late(module, linker)
