from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ANY,
    Attribute,
    BlockFacts,
    Called,
    Constant,
    ConstantValue,
    Doubt,
    Expr,
    Hazard,
    Hop,
    Iterated,
    Linker,
    Module,
    Rule,
    Site,
    Start,
    Words,
    WorkerStarts,
    excerpt,
    holds_tests,
    is_test_file,
    passed_first,
)

BOOTSTRAPPING = (
    "RuntimeError: An attempt has been made to start a new process before the current process has finished its "
    "bootstrapping phase."
)
_DEFINITION = re.compile(r"(?:@|def\b|class\b|async\s+def\b)")
_ADDS_OPTION = re.compile(r"add_argument")
_RUNS = re.compile(r"\(|\bfor\b")
_OTHER_GUARDS = re.compile(r"current_process|parent_process|get_worker_info|MainProcess")
_FORK_IS_SET = re.compile(r"set_start_method\(\s*['\"]fork['\"]")


class UnguardedWorkerStart(Rule):
    """Worker processes that a script starts outside `if __name__ == "__main__":`."""

    code = "LP203"
    name = "unguarded-worker-start"
    message = '{what} starts worker processes without an `if __name__ == "__main__":` guard: {error}'
    help = 'move the code of the script into a function, and call it under `if __name__ == "__main__":`'

    # The last one: scripts that only run what other files define.
    words = frozenset({"DataLoader", "Process", "Pool", "spawn", "start_processes", "process_map", "import"})

    def module(self, module: Module, linker: Linker) -> Iterable[Hazard]:
        # `python -m package` does not import the package's __main__ again in a worker, and nor does a notebook.
        if module.document.cells is not None or module.path.endswith("__main__.py"):
            return
        if _is_run_by_pytest(module) or not linker.has_workers(module):
            return
        if linker.moving_to is None and _FORK_IS_SET.search(module.code):
            return
        is_script = linker.purposes.is_run_itself(module.path, module.code)
        seen: set[Site] = set()
        for hazard in _hazards(module, linker):
            if hazard.site not in seen:
                seen.add(hazard.site)
                yield hazard if is_script else replace(hazard, confidence=Confidence.POSSIBLE)


def _is_run_by_pytest(module: Module) -> bool:
    """Whether pytest runs the file: its workers import pytest, not the file."""
    return is_test_file(module.path) and holds_tests(module.code)


def _hazards(module: Module, linker: Linker) -> Iterator[Hazard]:
    starts = WorkerStarts(linker)
    for block in _running_blocks(module, linker):
        frame = linker.evaluator.module_frame(module, block.body)
        for event in block.body.events:
            if isinstance(event, (Called, Iterated)) and not event.main_guard:
                for start in starts.of_event(event, frame):
                    hazard = _hazard(start, module, event, linker)
                    if hazard is not None:
                        yield hazard


def _running_blocks(module: Module, linker: Linker) -> Iterator[BlockFacts]:
    """The parsed blocks that run code other than definitions, and may start workers."""
    for block in module.outline.blocks:
        text = module.facts.text(block)
        if block.bare or _DEFINITION.match(text) or not _RUNS.search(text) or _OTHER_GUARDS.search(text):
            continue
        facts = module.facts_of(block) if linker.starts_reach.reaches(module, block) else None
        if facts is not None:
            yield facts


def _hazard(start: Start, module: Module, event: Called | Iterated, linker: Linker) -> Hazard | None:
    top = Site(module, event.span if isinstance(event, Called) else event.iterable.span)
    confidence = Confidence.CERTAIN
    site, what = top, f"`{excerpt(module, Expr(top.span), 40)}`"
    hops = (*start.hops, Hop("workers start here", start.site))
    if start.boundary is not None:
        workers = _workers(start, module, linker)
        if workers == 0:
            return None
        confidence = Confidence.CERTAIN if workers is not None else Confidence.LIKELY
        made = next((each for each in reversed(start.making) if _is_top_level(each, module)), top)
        hops = (*start.hops, Hop("the DataLoader is iterated here", start.site))
        if made != top:
            site, what = made, "iterating this DataLoader"
        elif isinstance(event, Iterated) or not start.hops:
            what = f"iterating `{excerpt(module, Expr(top.span), 40)}`"
    return Hazard(
        site=site,
        noun="its workers import this file again" if site != top else "the workers import this file again",
        error=BOOTSTRAPPING,
        data={"what": what},
        hops=hops,
        confidence=_doubted(confidence, start),
    )


def _doubted(confidence: Confidence, start: Start) -> Confidence:
    """How sure it is that workers start: less if this is only one of several possible calls."""
    match start.doubt:
        case None:
            return confidence
        case Doubt.BRANCH:
            return Confidence.POSSIBLE
        case _:
            return Confidence.LIKELY


def _is_top_level(site: Site, module: Module) -> bool:
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


def _workers(start: Start, asking: Module, linker: Linker) -> int | None:
    """The number of workers: the literal, or the default of the command-line option that sets it."""
    boundary = start.boundary
    assert boundary is not None
    name = boundary.spec.workers or ""
    known = [each.value for each in boundary.value(name, linker.evaluator)]
    constants = [each.value for each in known if isinstance(each, ConstantValue) and isinstance(each.value, int)]
    if len(constants) == len(known) and known:
        return max(constants)
    first = passed_first(boundary.arguments.get(name))
    if first is None or not isinstance(first.expr, Attribute):
        return None
    return option_default(first.expr.name, asking, linker)


def option_default(name: str, asking: Module, linker: Linker) -> int | None:
    """The default of the command-line option whose value is stored as `name`, if the project has exactly one such
    option. `asking` is the module being checked."""
    found: set[int] = set()
    spellings = {f"{dashes}{spelt}" for dashes in ("-", "--") for spelt in (name, name.replace("_", "-"))}
    for module in linker.first_party.naming(Words(spellings), asking.path, _ADDS_OPTION):
        for block in module.outline.blocks:
            text = module.facts.text(block)
            facts = (
                module.facts_of(block) if "add_argument" in text and any(each in text for each in spellings) else None
            )
            for activation in linker.activations.in_block(module, facts, ANY) if facts is not None else ():
                found.update(_defaults(activation.function.events, spellings))
    return found.pop() if len(found) == 1 else None


def _defaults(events: Iterable[object], spellings: set[str]) -> Iterator[int]:
    for event in events:
        match event:
            case Called(call=call) if isinstance(call.function, Attribute) and call.function.name == "add_argument":
                flags = {each.value for each in call.positional() or () if isinstance(each, Constant)}
                default = call.keyword("default")
                if flags & spellings and isinstance(default, Constant) and isinstance(default.value, int):
                    yield default.value
            case _:
                pass
