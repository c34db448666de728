"""Which functions run when modules are imported, and from which tables and other containers they can be called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import callable_name, functions_naming, is_guard, stands_in
from lintpickle.analyses.at_import.run_statements import block_read
from lintpickle.analyses.calls_and_values.name_uses import (
    UsedName,
    Uses,
    joined_uses,
    kept_by_decorators,
    uses_by,
    uses_in,
)
from lintpickle.analyses.calls_and_values.wrapping_functions import decorated_with, without_makers
from lintpickle.facts.contexts import MANAGER_DECORATORS
from lintpickle.facts.records import FunctionFacts
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import FUNCTIONS, Function
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_OF_EACH_CLASS = frozenset(
    {"__init_subclass__", "__pydantic_init_subclass__", "__set_name__", "__class_getitem__", "__prepare__"}
)
"""Methods that run when a class is created, or that its header calls."""
_OF_CONTEXT = frozenset({"__enter__", "__exit__", "__aenter__", "__aexit__"})
_UNREAD = Uses(is_called=True)


def runs_on_import(function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether importing a module that contains or names the function may run it: when a class is created, as a
    decorator, in a class body, called by the module's own code, or by a function of the module that runs in this
    way. What only keeps it (`COMMANDS = {"run": run}`) does not run it; what calls something out of there does."""
    question = ("runs on import", module.path, function.qualname, function.span)
    return linker.remembered(question, lambda: _runs(function, module, linker))


def _runs(function: FunctionFacts, module: Module, linker: Linker) -> bool:
    waiting, seen = [function], {id(function)}
    while waiting:
        current = waiting.pop()
        decorated = decorated_with(current, module, linker, module.path)
        if decorated:  # It runs as these do, not as its decorator does.
            own = [each.facts for each in decorated if each.module is module and id(each.facts) not in seen]
            seen.update(map(id, own))
            waiting += own
            continue
        ways = [_itself(current), *(UsedName(name, True) for name in sorted(names_kept(current, module, linker)))]
        if current.name in _OF_EACH_CLASS or any(uses_at_import(each, module, linker).is_called for each in ways):
            return True
        callers = [each for way in ways for each in calling(way, module, linker) if id(each) not in seen]
        callers = without_makers(callers, module, linker)
        seen.update(map(id, callers))
        waiting += callers
    return False


def _itself(function: FunctionFacts) -> UsedName:
    of_context = function.name in _OF_CONTEXT or function.decorated_by(*MANAGER_DECORATORS)
    return UsedName(callable_name(function), False, of_context)


def names_kept(function: FunctionFacts, module: Module, linker: Linker) -> frozenset[str]:
    """The names of the tables, other containers and attributes under which a module keeps a function: by what it does
    at import, or by its functions and decorators."""
    question = ("names kept", module.path, function.qualname, function.span)
    return linker.remembered(question, lambda: _kept(function, module, linker))


def _kept(function: FunctionFacts, module: Module, linker: Linker) -> frozenset[str]:
    itself, kept = _itself(function), set[str]()
    node = _ast_of(function, module) if function.decorators else None
    by_decorators = kept_by_decorators(node, module, linker) if node is not None else ()
    waiting = [itself, *(UsedName(name, True) for name in sorted(by_decorators))]
    while waiting:
        current = waiting.pop()
        if current.name in kept:
            continue
        if current.keeps_it:
            kept.add(current.name)
        found = [uses_at_import(current, module, linker)]
        found += (uses for _, uses in _uses_by_functions(current, module, linker))
        waiting += (UsedName(name, True) for name in sorted(joined_uses(found).kept - {itself.name}))
    return frozenset(kept)


def calling(used: UsedName, module: Module, linker: Linker) -> list[FunctionFacts]:
    """The functions of a module that call something, or what is kept in it, or give it to who may."""
    found = _uses_by_functions(used, module, linker)
    return [function for function, uses in found if uses.is_called or uses.is_given_back]


def uses_at_import(used: UsedName, module: Module, linker: Linker) -> Uses:
    """What a module does at import with something, outside of its main guard."""
    return linker.remembered(("uses at import", module.path, used), lambda: _at_import(used, module, linker))


def _at_import(used: UsedName, module: Module, linker: Linker) -> Uses:
    word, found = re.compile(rf"\b{re.escape(used.name)}\b"), list[Uses]()
    for block in module.outline.blocks:
        if stands_in(word, block.span, module) and not is_guard(block, module):
            statements = block_read(block, module).tree.body
            found.append(uses_in(used, statements, module, linker) if statements else _UNREAD)
    return joined_uses(found)


def is_called_under_guard(used: UsedName, module: Module, linker: Linker) -> bool:
    """Whether the main guard of a module calls something, or what is kept in it."""
    guards = [each for each in module.outline.blocks if is_guard(each, module)]
    bodies = (block_read(each, module).tree.body for each in guards)
    return any(uses_in(used, body, module, linker).is_called for body in bodies)


def _uses_by_functions(used: UsedName, module: Module, linker: Linker) -> tuple[tuple[FunctionFacts, Uses], ...]:
    question = ("uses by functions", module.path, used)
    return linker.remembered(question, lambda: tuple(_each_use(used, module, linker)))


def _each_use(used: UsedName, module: Module, linker: Linker) -> Iterator[tuple[FunctionFacts, Uses]]:
    for function in functions_naming(used.name, module):
        node = _ast_of(function, module)
        yield function, uses_by(used, node, module, linker) if node is not None else _UNREAD


def _ast_of(function: FunctionFacts, module: Module) -> Function | None:
    """The `ast` of a function; None of a lambda."""
    block = module.outline.block_at(function.span.start)
    read = block_read(block, module) if block is not None else None
    for node in within(read.tree) if read is not None else ():
        if isinstance(node, FUNCTIONS) and node.name == function.name and read is not None:
            start = read.span(node).start
            if function.span.start <= start < function.span.end:
                return node
    return None
