"""What functions of workers use that depends on settings of the process and of libraries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import is_guard
from lintpickle.analyses.calls_and_values.declared_types import types_of_attributes
from lintpickle.analyses.calls_and_values.shown_values import (
    makers_of_text,
    makers_reckoned_with,
    parts_reckoned_with,
    place_reckoning,
    types_reckoned_with,
)
from lintpickle.analyses.calls_and_values.types_given import makers_given
from lintpickle.analyses.main_state.asked_globals import may_be_missing
from lintpickle.analyses.process_state.setting_makers import is_below
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.builtin_names import BUILTINS
from lintpickle.catalog import SettingSpec
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Parameter
from lintpickle.interpreter.abstract_values import ConstantValue, FunctionValue, is_indefinite
from lintpickle.parsing.names_read import names_used, within
from lintpickle.parsing.syntax import BrokenSyntax, dotted, parse
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

CALLS_ITSELF = "<recursion>"
"""What depends on the recursion limit: a function that calls itself."""
_SHOWN = "<text of> "
"""What stands before the path of a call whose result a function makes into text."""
_RECKONED = "<reckoned with> "
"""The same of a result that it reckons with."""
_PART = "<reckoned with part> "
"""The same of an attribute that it reckons with."""
MARKS = (_SHOWN, _RECKONED, _PART)
OF_BUILTINS = "builtins."
_ATTRIBUTES = frozenset({"handlers", "requires_grad", "grad_fn"})
"""What of `read-methods` is no method."""
RAISED_BY_NUMPY = "FloatingPointError"
"""What Python itself never raises (its documentation), and NumPy only where it is told to."""
_CAUGHT = frozenset({RAISED_BY_NUMPY, *(name for name in BUILTINS if name.endswith("Warning"))})
"""Names that, as a rule, stand in an `except`, which `FunctionFacts.reads` leaves out."""


class Dependence(Struct, frozen=True):
    """A use in a worker's function that depends on a setting: its place, and its name there."""

    function: WorkerFunction
    written: str
    span: Span
    is_doubted: bool = False
    """Whether it may not depend on it: that is not seen."""

    @property
    def is_catching(self) -> bool:
        """Whether it stands for no call: it is a warning that the function catches."""
        return self.written in _CAUGHT and not _is_called(self)

    @property
    def is_named_under_guard(self) -> bool:
        """Whether its name is one that the module binds under its main guard alone: a worker ends there in a NameError,
        and the setting does not matter."""
        module, name = self.function.module, self.written.partition(".")[0]
        blocks = module.outline.binding(name) if name in self.function.facts.reads else ()
        return bool(blocks) and name not in module.outline.imports and all(is_guard(each, module) for each in blocks)

    @property
    def does(self) -> str:
        """What the function does with it, as messages say that."""
        return f"catches `{self.written}`" if self.is_catching else f"uses `{self.written}`"

    @property
    def error(self) -> str | None:
        """How it ends without the setting: for a name that `builtins` does not have by itself."""
        module, name = self.function.module, self.written
        if not name.isidentifier() or name not in self.function.facts.reads or name in BUILTINS:
            return None
        is_bound = bool(module.outline.binding(name)) or name in module.outline.imports or bool(module.outline.stars)
        return None if is_bound or may_be_missing(name, self.function) else f"NameError: name '{name}' is not defined"


class SettingUses(Struct, frozen=True):
    """What of the settings a function concerns, by their places in the catalog: those that it makes itself, and its
    first dependence on others, as the name and its place, as far as it names them itself."""

    own: frozenset[int]
    dependences: dict[int, tuple[str, Span]]
    parts: tuple[Dependence, ...]
    """The attributes with which it reckons."""


def uses_in_workers(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, SettingUses]]:
    """What the functions of workers concern, also by the attributes of what crosses, whose types their classes declare:
    `loan.rate / 12`."""
    found = [(each, uses_of(each, linker)) for each in code.functions]
    specs = [(place, spec) for place, spec in enumerate(linker.catalog.settings()) if spec.reckoned]
    names = {_last(each) for _, used in found for each in used.parts}
    types = types_of_attributes(names, code, linker)
    for function, used in found:
        typed = [(each, types[_last(each)]) for each in used.parts if _last(each) in types]
        if linker.moving_to is not None:
            given = makers_given(function, code, linker)
            typed += [(Dependence(function, written, span), paths) for written, span, paths in given]
        added = {
            place: (each.written, each.span)
            for place, spec in specs
            for each, paths in reversed(typed)
            if any(is_below(path, pattern) for path in paths for pattern in spec.reckoned)
        }
        yield function, replace(used, dependences={**added, **used.dependences})


def _is_entered(made: Dependence) -> bool:
    """Whether a function makes a context where it enters it: `with torch.device("meta"):`."""
    code, span = made.function.module.code, made.function.facts.span
    return re.search(rf"\bwith\b[^\n]*\b{re.escape(made.written)}\(", code[span.start : span.end]) is not None


def _last(part: Dependence) -> str:
    return part.written.rpartition(".")[2]


def uses_of(function: WorkerFunction, linker: Linker) -> SettingUses:
    key = ("settings used", function.module.path, function.facts.span)
    return linker.remembered(key, lambda: _find_uses(function, linker))


def _find_uses(function: WorkerFunction, linker: Linker) -> SettingUses:
    catalog, used = linker.catalog, [*used_by(function), *_recursive(function, linker)]
    own = (
        place
        for place, spec in enumerate(catalog.settings())
        if any(is_below(path, pattern) for path, _ in used for pattern in spec.own)
        or any(path in spec.contexts and _is_entered(each) for path, each in used)
    )
    dependences: dict[int, tuple[str, Span]] = {}
    for place, spec in enumerate(catalog.settings()):
        depending = (each for path, each in used if _depends(path, each, spec, linker))
        first = min(depending, key=lambda each: (each.span == function.facts.header, each.span.start), default=None)
        if first is not None:
            path = imported_path(tuple(first.written.split(".")), function.module) if spec.reckoned else None
            is_reckoned = path is not None and any(is_below(path, pattern) for pattern in spec.reckoned)
            where = place_reckoning(function.module.code, function.facts.span) if is_reckoned else None
            dependences[place] = (first.written, where or first.span)
    return SettingUses(frozenset(own), dependences, tuple(each for path, each in used if path == _PART))


def used_by(function: WorkerFunction) -> Iterator[tuple[str, Dependence]]:
    """The paths of what a function uses; of methods of unknown objects, their names after a dot."""
    module, span = function.module, function.facts.span
    if not module.first_party or module.document.cells is not None:
        return
    row = max(module.code.rfind("\n", 0, span.start), module.code.rfind("\r", 0, span.start)) + 1
    for written, start in _names_in(module.code[row : span.end], span.start - row):
        first = row + start
        mark, name = _unmarked(written)
        place = Span(first, first + len(name)) if start >= 0 else function.facts.header
        dependence = Dependence(function, name.lstrip("."), place)
        yield mark if mark == _PART else _path_used(written, function), dependence


def _path_used(written: str, function: WorkerFunction) -> str:
    """The path of a name that a function uses, also of what `builtins` has or may be given; otherwise its last part,
    after a dot. What is reckoned with stays so marked."""
    module, (mark, name) = function.module, _unmarked(written)
    path = imported_path(tuple(name.split(".")), module)
    if path is not None:
        return f"{mark}{path}"
    outline = module.outline
    is_read = name in function.facts.reads or name in _CAUGHT
    is_bound = bool(outline.binding(name)) or name in outline.imports or bool(outline.stars)
    if is_read and (not is_bound or outline.is_builtin(name)):
        return f"{OF_BUILTINS}{name}"
    return f"{mark if mark == _RECKONED else ''}.{name.rpartition('.')[2]}"


def _unmarked(written: str) -> tuple[str, str]:
    """The mark before a name, if there is one, and the name."""
    mark = next((each for each in MARKS if written.startswith(each)), "")
    return mark, written[len(mark) :]


@lru_cache(maxsize=2048)
def _names_in(rows: str, begin: int) -> tuple[tuple[str, int], ...]:
    """The names that a function uses, which begins at an offset of these rows, each with where it first stands there;
    -1 if it stands there otherwise. Remembered, because the same functions run in the workers of many boundaries. What
    makes something that becomes text, or that is reckoned with, is there once more, so marked."""
    try:
        tree = parse(f"if True:\n{rows}" if rows[:1].isspace() else rows)
    except BrokenSyntax:
        return ()
    used = sorted({*names_used(tree), *_names_asked(tree)})
    shown = sorted({f"{_SHOWN}{each}" for each in makers_of_text(tree)})
    reckoned = sorted({f"{_RECKONED}{each}" for each in (*makers_reckoned_with(tree), *types_reckoned_with(tree))})
    parts = sorted({f"{_PART}{each}" for each in parts_reckoned_with(tree)})
    marked = (*used, *shown, *reckoned, *parts)
    found = (re.compile(rf"(?<!\w){re.escape(_unmarked(written)[1])}\b").search(rows, begin) for written in marked)
    return tuple(
        (written, place.start() if place is not None else -1) for written, place in zip(marked, found, strict=True)
    )


def _names_asked(tree: ast.AST) -> Iterator[str]:
    """The attributes of names that code asks for by `getattr(owner, "name", default)`, as if they were written out."""
    for node in within(tree):
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str() as name), *_]):
                if isinstance(owner, (ast.Name, ast.Attribute)) and dotted(owner):
                    yield f"{dotted(owner)}.{name}"
            case _:
                pass


def _recursive(function: WorkerFunction, linker: Linker) -> Iterator[tuple[str, Dependence]]:
    """A function that calls itself, or has one in it that does."""
    for facts in (function.facts, *function.facts.functions):
        calling = re.compile(rf"(?<!def )\b{re.escape(facts.name)}\(")
        for found in calling.finditer(function.module.code, facts.header.end, facts.span.end):
            span = Span(*found.span())
            if not _is_of_another(facts, span, function, linker):
                yield CALLS_ITSELF, Dependence(function, facts.name, span)
                break


def _is_of_another(facts: FunctionFacts, called: Span, function: WorkerFunction, linker: Linker) -> bool:
    """Whether what a function calls at a place is seen to be another function of its name."""
    calls = (event.call for event in function.facts.events if isinstance(event, Called))
    named = (call for call in calls if call.function.span.end == called.end - 1)
    known = [each.value for call in named for each in linker.evaluate(call.function, function.frame)]
    return bool(known) and all(isinstance(each, FunctionValue) and each.facts is not facts for each in known)


def _depends(path: str, dependence: Dependence, spec: SettingSpec, linker: Linker) -> bool:
    if path.startswith("."):
        if all(path[1:] != each.partition("(")[0] for each in spec.read_methods):
            return False
        if is_of_given(dependence, spec, linker):
            return True
        is_named = spec.word in dependence.function.module.code
        return is_named and (path[1:] in _ATTRIBUTES or _is_called(dependence))
    if path.startswith(_SHOWN):
        return any(is_below(path[len(_SHOWN) :], pattern) for pattern in spec.shown)
    if path.startswith(f"{_RECKONED}.") and spec.word not in dependence.function.module.code:
        return False
    if path.startswith(_RECKONED):
        return any(is_below(path[len(_RECKONED) :], pattern) for pattern in spec.reckoned)
    is_read = any(_is_read(path, pattern, dependence, spec, linker) for pattern in spec.read)
    is_read = is_read and not _is_told(path, dependence, spec)
    return is_read and (not _names_class(path) or dependence.written in _CAUGHT or _is_called(dependence))


def _is_read(path: str, pattern: str, dependence: Dependence, spec: SettingSpec, linker: Linker) -> bool:
    """Whether a path is one that depends on the setting, with the argument that the pattern asks for: the name of what
    the setting makes, and not of what is there anyway."""
    called, _, argument = pattern.partition("(")
    if not argument or not is_below(path, called):
        return is_below(path, called)
    name, _, place = argument.partition("@")
    given = (call.argument(name, int(place)) for call in calls_named(dependence))
    values = (
        each.value for one in given if one is not None for each in linker.evaluate(one, dependence.function.frame)
    )
    return any(
        each.value not in spec.there if isinstance(each, ConstantValue) else is_indefinite(each) for each in values
    )


def _names_class(path: str) -> bool:
    return path.rpartition(".")[2][:1].isupper()


def _is_called(dependence: Dependence) -> bool:
    """Whether the function calls what it names: `isinstance(x, torch.Tensor)` makes none."""
    module, span = dependence.function.module, dependence.function.facts.span
    calling = re.compile(rf"(?<![\w.]){re.escape(dependence.written)}\s*\(")
    return calling.search(module.code, span.start, span.end) is not None


def is_of_given(dependence: Dependence, spec: SettingSpec, linker: Linker) -> bool:
    """Whether a method is called on what the function was given under a name that tells what it is: `log.info(…)`,
    `options["log"].info(…)`, `self.logger.info(…)`; not on what is known to be something else."""
    last = dependence.written.rpartition(".")[2]
    for event in dependence.function.facts.events if spec.owners else ():
        if not isinstance(event, Called) or not isinstance(event.call.function, Attribute):
            continue
        owner = event.call.function.base
        if event.call.function.name == last and _is_named(owner, spec.owners) and _is_given(owner):
            return all(is_indefinite(each.value) for each in linker.evaluate(owner, dependence.function.frame))
    return False


def _is_named(owner: Expr, names: tuple[str, ...]) -> bool:
    match owner:
        case Attribute(name=name) | Parameter(name=name) | Item(key=Constant(value=str() as name)):
            return name.lstrip("_").lower() in names
        case _:
            return False


def _is_given(owner: Expr) -> bool:
    """Whether it is a parameter, or a part of one."""
    while isinstance(owner, Attribute | Item):
        owner = owner.base
    return isinstance(owner, Parameter)


def _is_told(path: str, dependence: Dependence, spec: SettingSpec) -> bool:
    """Whether an argument determines what would otherwise depend on the setting, in all calls by that name."""
    named = calls_named(dependence) if spec.unless else []
    return bool(named) and all(any(_is_argument(each, call, path) for each in spec.unless) for call in named)


def _is_argument(told: str, call: Call, path: str) -> bool:
    """Whether a call has such an argument: of any by its keyword, of one function by its place as well; with a value
    where only that tells it."""
    called, _, argument = told.rpartition("(")
    argument, _, value = argument.partition("=")
    name, _, place = argument.partition("@")
    if called and not is_below(path, called):
        return False
    given = call.argument(name, int(place)) if place else call.keyword(name)
    if value and isinstance(given, Constant):
        return str(given.value) == value
    return given is not None


def calls_named(dependence: Dependence) -> list[Call]:
    """The calls of a function by the name that it uses."""
    code, calls = dependence.function.module.code, dependence.function.facts.events
    return [
        event.call
        for event in calls
        if isinstance(event, Called)
        and code[event.call.function.span.start : event.call.function.span.end] == dependence.written
    ]
