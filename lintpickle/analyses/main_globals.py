"""Globals of a module that only the main process sets or fills."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterator

from lintpickle.analyses.import_time import functions_of, is_guard
from lintpickle.analyses.main_setters import (
    NEVER_FILLED,
    STILL_EMPTY,
    STILL_NONE,
    Met,
    Setting,
    by_function,
    changes,
    constant_in,
    is_called,
    missing,
    runs_elsewhere,
    still,
    under_guard,
)
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Call, Constant, Expr, Item, Name, Parameter
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.prefilter.words import Words, standing_alone
from lintpickle.program.module import Module
from lintpickle.resolution.declared_globals import declared_global

OF_EVERY_MODULE = frozenset(dir(builtins))
_TARGET = r"\w+\s*(?::[^=\n]+)?=\s*"
_COMMENT = r"\s*(?:#.*)?"
_BY_KEY = r"""\bglobals\(\)\[\s*["']{}["']\s*\]"""
"""How the global of a name is written as an item."""
_ASSIGNMENT = re.compile(rf"{_TARGET}([^#\n]+?){_COMMENT}")
TELLS_PROCESSES_APART = re.compile(r"(?:^|_)(?:main|master|parent|worker|child|process|rank)(?:$|_)", re.IGNORECASE)
"""Words in the names of flags that say in which process a program runs."""
_CONTAINER = r"(?:list|dict|set|tuple|collections\.\w+|OrderedDict|defaultdict|Counter|deque)"
_IS_EMPTY = re.compile(rf"{_TARGET}(?:\[\s*\]|\{{\s*\}}|{_CONTAINER}\(\s*[a-z]*\s*\)){_COMMENT}")


def setting_of(name: str, function: WorkerFunction, linker: Linker, asker: str) -> Setting | None:
    """How only the main process sets a global that a function reads in a worker; None if workers set it too, or if that
    is unknown. `asker` is as for `OwnModules.search`."""
    module = function.module
    blocks = module.outline.binding(name)
    if name in module.outline.imports or (name in OF_EVERY_MODULE and not blocks):
        return None
    if linker.evaluator.names.may_come_by_star(module, name):
        return None
    guards = [block for block in blocks if is_guard(block, module)]
    bound = [block for block in blocks if block not in guards]
    setters = setters_of(name, module)
    if not guards and not setters and not _is_empty(name, bound, module):
        return None  # `main_objects` looks at what changes a filled container.
    if any(runs_elsewhere(setter, module, linker, asker) for setter in setters) or _counts_up_and_down(name, module):
        return None
    if not bound:
        is_expected = name in OF_EVERY_MODULE or may_be_missing(name, function)
        return None if is_expected else _setting(name, guards, setters, module, missing(name))
    constant = constant_at_import(name, bound, module)
    if constant is not None and constant != "None":
        return _changed(name, constant, guards, setters, module, linker, asker)
    if asks(name, function) and not (linker.moving_to is not None and only_insists(name, function)):
        return None
    if constant == "None":
        return _setting(name, guards, setters, module, STILL_NONE)
    if _is_empty(name, bound, module):
        return _filled(name, guards, setters, module, linker, asker)
    if linker.moving_to is not None and guards and not setters:
        return _bound_anew(name, guards[0], bound, module)
    return None


def _bound_anew(name: str, guard: Block, bound: Collection[Block], module: Module) -> Setting | None:
    """How the main guard gives a function, class or object another value; None if it is written as at import."""
    value = _value(name, guard, module)
    written = _written(value, module)
    if written is not None and any(_written(_value(name, block, module), module) == written for block in bound):
        return None
    return under_guard(_place(name, guard, module), Met("there it is as at import", "bound anew"))


def _written(value: Expr | None, module: Module) -> str | None:
    return module.code[value.span.start : value.span.end] if value is not None else None


def may_be_missing(name: str, function: WorkerFunction) -> bool:
    """Whether the function is ready to go on without the global wherever it reads that: `except NameError:`."""
    span, module = function.facts.span, function.module
    if module.code.find("NameError", span.start, span.end) < 0:
        return False
    tree = function.frame.paths.tree
    rows = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    return bool(rows) and all(is_ready_for("NameError", tree, row) for row in rows)


def _setting(
    name: str, guards: list[Block], setters: tuple[FunctionFacts, ...], module: Module, met: Met
) -> Setting | None:
    if guards:
        return under_guard(_place(name, guards[0], module), met)
    if not setters:
        return None
    found = stored_globals(name).search(module.code, setters[0].span.start, setters[0].span.end)
    return by_function(setters[0], Site(module, Span(*found.span()) if found else setters[0].header), met)


def _changed(
    name: str,
    constant: str,
    guards: list[Block],
    setters: tuple[FunctionFacts, ...],
    module: Module,
    linker: Linker,
    asker: str,
) -> Setting | None:
    if TELLS_PROCESSES_APART.search(name):
        return None
    guards = [block for block in guards if changes(_value(name, block, module), constant)]
    changing = (facts for facts in setters if changes(value_set(name, facts), constant))
    called = tuple(
        facts
        for facts in changing
        if is_called(facts, linker, asker, constant if isinstance(value_set(name, facts), Parameter) else None)
    )
    return _setting(name, guards, called, module, still(constant))


def _filled(
    name: str,
    guards: list[Block],
    setters: tuple[FunctionFacts, ...],
    module: Module,
    linker: Linker,
    asker: str,
) -> Setting | None:
    fillers: list[FunctionFacts] = []
    for filler in _filling(name, module):
        if filler.is_module_body:
            return None  # at import, or under the guard, where it may be a part of many things
        fillers.append(filler)
    if any(runs_elsewhere(filler, module, linker, asker) for filler in fillers):
        return None
    if any(_is_used_elsewhere(filler, module, linker, asker) for filler in (*setters, *fillers)):
        return None
    return _setting(name, guards, setters, module, STILL_EMPTY) or (
        by_function(fillers[0], Site(module, fillers[0].header), NEVER_FILLED) if fillers else None
    )


def _place(name: str, block: Block, module: Module) -> Site:
    """Where a block gives the name its value, or where the block begins."""
    facts = module.facts_of(block)
    defined = (facts.functions.get(name) or facts.classes.get(name)) if facts is not None else None
    value = facts.values.get(name) if facts is not None else None
    return Site(module, value.span if value is not None else defined.header if defined is not None else block.span)


def _value(name: str, block: Block, module: Module) -> Expr | None:
    facts = module.facts_of(block)
    return facts.values.get(name) if facts is not None else None


def constant_at_import(name: str, bound: Collection[Block], module: Module) -> str | None:
    """The constant, as written, that these blocks assign to the name."""
    values = {_assigned(name, block, module) for block in bound}
    return values.pop() if len(values) == 1 else None


def at_import(name: str, module: Module) -> str | None:
    """What the import gives a global, in words, if that is one constant or an empty container and nothing else is seen
    that binds it but functions."""
    bound = module.outline.binding(name)
    if name in module.outline.imports or len(bound) != 1:
        return None
    constant = constant_at_import(name, bound, module)
    return f"`{constant}`" if constant is not None else "empty" if _is_empty(name, [*bound], module) else None


def changing(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module, and its bodies, that bind a global anew or put something into its container."""
    yield from setters_of(name, module)
    yield from _filling(name, module)


def _assigned(name: str, block: Block, module: Module) -> str | None:
    found = _as(_ASSIGNMENT, name, block, module)
    return constant_in(found.group(1)) if found is not None else None


def _is_empty(name: str, bound: list[Block], module: Module) -> bool:
    return len(bound) == 1 and _as(_IS_EMPTY, name, bound[0], module) is not None


def _as(assignment: re.Pattern[str], name: str, block: Block, module: Module) -> re.Match[str] | None:
    """A block that is an assignment of that form, to the name."""
    return assignment.fullmatch(module.facts.text(block).strip()) if block.names == (name,) else None


def setters_of(name: str, module: Module) -> tuple[FunctionFacts, ...]:
    """The functions of the module that declare the name global, and bind it, or store it by `globals()["name"]`."""
    return module.remembered(("setters of", name), lambda: tuple(_setters_of(name, module)))


def _setters_of(name: str, module: Module) -> Iterator[FunctionFacts]:
    if "global " in module.code:
        yield from functions_of(
            module, declared_global(name), lambda facts: name in facts.globals_declared and name in facts.variables
        )
    if "globals()" in module.code:
        yield from functions_of(
            module,
            _stored_by_key(name),
            lambda facts: not facts.is_module_body and _given_by_key(name, facts) is not None,
        )


def value_set(name: str, facts: FunctionFacts) -> Expr | None:
    """What a function that sets a global gives it."""
    by_key = _given_by_key(name, facts)
    return by_key if by_key is not None else facts.variables.get(name)


def stored_globals(name: str) -> re.Pattern[str]:
    """How a statement of a function begins that gives a global another value."""
    word = re.escape(name)
    return re.compile(rf"(?:(?<![\w.]){word}\s*(?::[^=\n]+)?|{_BY_KEY.format(word)}\s*)[-+*/|&%]?=(?!=)[^\n]*")


def _stored_by_key(name: str) -> re.Pattern[str]:
    return re.compile(rf"{_BY_KEY.format(re.escape(name))}\s*=(?!=)")


def _given_by_key(name: str, facts: FunctionFacts) -> Expr | None:
    for event in facts.events:
        match event:
            case ItemStore(
                target=Call(function=Name(name="globals"), arguments=()), key=Constant(value=key), value=value
            ) if key == name:
                return value
            case _:
                pass
    return None


def _filling(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module, and its bodies, that put something into the container that the name is bound to."""

    def fills(facts: FunctionFacts) -> bool:
        stores = (event.target for event in facts.events if isinstance(event, ItemStore))
        filled = (target.base if isinstance(target, Item) else target for target in stores)
        return any(isinstance(target, Name) and target.name == name for target in filled)

    yield from functions_of(module, re.compile(rf"(?<![\w.]){re.escape(name)}\s*[.\[]"), fills)


def _is_used_elsewhere(setter: FunctionFacts, module: Module, linker: Linker, asker: str) -> bool:
    """Whether it decorates something, or another module names it beside this one: then it may run at import there. What
    a function in a function does is not followed so far."""
    if setter.is_local or re.search(rf"@\s*(?:\w+\.)*{re.escape(setter.name)}\b", module.code):
        return True
    own_name = standing_alone(module.name.rpartition(".")[2])
    return any(path != module.path for path in linker.first_party.which(Words({setter.name}), asker, own_name))


def _counts_up_and_down(name: str, module: Module) -> bool:
    """Whether the global counts what is going on just now, as how deep calls are nested: elsewhere, nothing is."""
    word = re.escape(name)
    return all(re.search(rf"\b{word}\s*{sign}=", module.code) for sign in (r"\+", "-"))


def only_insists(name: str, function: WorkerFunction) -> bool:
    """Whether the function asks for the global only to raise an error where it is not set."""
    found = _questions(name, function.frame.paths.tree)
    return bool(found) and all(
        isinstance(asking, ast.Assert) or (isinstance(asking, ast.If) and isinstance(asking.body[0], ast.Raise))
        for asking in found
    )


def _questions(name: str, tree: ast.AST) -> list[ast.AST]:
    """The smallest statements with a test in which the name stands."""
    asking = (ast.If, ast.IfExp, ast.While, ast.Assert, ast.BoolOp, ast.comprehension)
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, asking):
            tests = (
                node.values
                if isinstance(node, ast.BoolOp)
                else node.ifs
                if isinstance(node, ast.comprehension)
                else [node.test]
            )
            names = (each for test in tests for each in ast.walk(test) if isinstance(each, ast.Name))
            if any(each.id == name for each in names):
                found.append(node)
    return found


def asks(name: str, function: WorkerFunction) -> bool:
    """Whether the function checks if the global is set, or contains what it needs."""
    span = function.facts.span
    text = function.module.code[span.start : span.end]
    word = re.escape(name)
    asking = rf"\b(?:if|not|assert|or|and|while)\s+{word}\b(?!\s*[\[.(])|\b{word}\s+is\b|\blen\(\s*{word}\s*\)"
    asking += rf"|\bif\b[^\n:]*\bin\s+{word}\b(?!\s*[\[.(])"
    return re.search(asking, text) is not None
