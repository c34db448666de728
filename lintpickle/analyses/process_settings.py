"""Settings of the process and of libraries that workers depend on but only the main process makes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.asked_globals import may_be_missing
from lintpickle.analyses.calling_circles import first_circle
from lintpickle.analyses.contexts_around import Entered, entered_around
from lintpickle.analyses.declared_types import types_of_attributes
from lintpickle.analyses.initializers_named import library_initializers
from lintpickle.analyses.main_setters import Met, Setter, Setting, of_the_program, set_by
from lintpickle.analyses.setting_makers import (
    ANY_SETTING,
    all_words,
    imported_path,
    is_below,
    makings,
    setting_words,
    survey_of,
)
from lintpickle.analyses.shown_values import (
    makers_of_text,
    makers_reckoned_with,
    parts_reckoned_with,
    types_reckoned_with,
)
from lintpickle.analyses.workers_started import is_after_first_workers
from lintpickle.builtin_names import BUILTINS
from lintpickle.catalog import SettingSpec
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.interpreter.abstract_values import FunctionValue, Site
from lintpickle.parsing.names_read import names_used, within
from lintpickle.parsing.syntax import BrokenSyntax, dotted, parse
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_RECURSION = "<recursion>"
"""What depends on the recursion limit: a function that calls itself."""
_SHOWN = "<text of> "
"""What stands before the path of a call whose result a function makes into text."""
_RECKONED = "<reckoned with> "
"""The same of a result that it reckons with."""
_PART = "<reckoned with part> "
"""The same of an attribute that it reckons with."""
MARKS = (_SHOWN, _RECKONED, _PART)
_LOADER = "dataloader"
OF_BUILTINS = "builtins."
_ATTRIBUTES = frozenset({"handlers", "requires_grad", "grad_fn"})
"""What of `read-methods` is no method."""
_KEEPING = frozenset({"warnings.catch_warnings"})
"""Contexts that only set back what is set in them."""
_CAUGHT = frozenset(name for name in BUILTINS if name.endswith("Warning"))
"""Names that, as a rule, stand in an `except`, which `FunctionFacts.reads` leaves out."""
_NAMED = re.compile(r"""["'](?P<name>\w+)["']""")
"""The name of a variable of the environment, where it is written out."""
_UPDATED = re.compile(r"(?:\w+\.)*environ\.update\(")
_NUMBER = re.compile(r"\(\s*(\d[\d_]*)\s*,?\s*\)$")
"""The one argument of a call, if that is a whole number."""
_NUMBER_FIRST = re.compile(r"\d+")
_WHILE_RUNNING = "while the main process runs one"
_WHILE_STARTING = "while it starts workers"
NOT_THERE = Met("there it is as it was", "set")


class Dependence(Struct, frozen=True):
    """A use in a worker's function that depends on a setting: its place, and its name there."""

    function: WorkerFunction
    written: str
    span: Span

    @property
    def error(self) -> str | None:
        """How it ends without the setting: for a name that `builtins` does not have by itself."""
        module, name = self.function.module, self.written
        if not name.isidentifier() or name not in self.function.facts.reads or name in BUILTINS:
            return None
        is_bound = bool(module.outline.binding(name)) or name in module.outline.imports or bool(module.outline.stars)
        return None if is_bound or may_be_missing(name, self.function) else f"NameError: name '{name}' is not defined"


class _Uses(Struct, frozen=True):
    """What of the settings a function concerns, by their places in the catalog: those that it makes itself, and its
    first dependence on others, as the name and its place, as far as it names them itself."""

    own: frozenset[int]
    dependences: dict[int, tuple[str, Span]]
    parts: tuple[Dependence, ...]
    """The attributes with which it reckons."""


def settings_made(code: WorkerCode, linker: Linker) -> Iterator[tuple[SettingSpec, Dependence, Setting]]:
    """The settings that the workers of a boundary depend on, each once, with how only the main process makes them."""
    asker = code.root.site.module.path
    is_any_made = linker.first_party.is_surveyed(ANY_SETTING, all_words(linker.catalog), asker)
    uses = list(_uses(code, linker)) if is_any_made else []
    own = frozenset[int]().union(*(each.own for _, each in uses))
    begun = library_initializers(code, linker) if is_any_made else frozenset[str]()
    for place, spec in enumerate(linker.catalog.settings()):
        if place in own or any(is_below(path, pattern) for path in begun for pattern in spec.by):
            continue
        if _kind(code) in spec.given_by:
            continue
        dependence = _first_dependence(place, uses) or _in_circle(place, spec, code, linker)
        if dependence is None:
            continue
        words = Words(setting_words(spec))
        setters = (
            Setter(module, made.function, made.span, made.certain)
            for module in linker.first_party.surveyed(survey_of(place), words, asker)
            for made in makings(spec, module)
        )
        if spec.error is not None:
            setting = _while_it_runs(spec.error, setters)
        else:
            found = sorted(of_the_program(setters, code, linker), key=lambda each: _how_telling(each, spec))
            if spec.only is StartMethod.FORKSERVER and len(found) > 1:
                again = _set_again(found, dependence, asker, linker)
                found = [each for each in again if not _is_behind_start(each, code)] or found
            setting = set_by(found, NOT_THERE, linker, asker)
            setting = replace(setting, met=_met(spec, dependence, setting)) if setting is not None else None
        if setting is not None:
            yield spec, dependence, setting


def _met(spec: SettingSpec, dependence: Dependence, setting: Setting) -> Met:
    """What a worker meets that starts with the default; an error, unless main is seen to set less than that, or the
    worker only asks for the setting."""
    outcome = f"there it is still {spec.default}" if spec.default else NOT_THERE.outcome
    site, asking = setting.site, {path.rpartition(".")[2] for path in spec.by}
    given = _NUMBER.search(site.module.code, site.span.start, site.span.end)
    first = _NUMBER_FIRST.match(spec.default or "")
    is_less = given is not None and first is not None and int(given[1].replace("_", "")) <= int(first[0])
    is_error = spec.lacking is not None and not is_less and dependence.written.rpartition(".")[2] not in asking
    return Met(outcome, NOT_THERE.how, spec.lacking if is_error else None)


def _first_dependence(place: int, uses: Sequence[tuple[WorkerFunction, _Uses]]) -> Dependence | None:
    """The first use of the setting that has a place in the catalog."""
    found = ((function, used.dependences[place]) for function, used in uses if place in used.dependences)
    return next((Dependence(function, *use) for function, use in found), None)


def _in_circle(place: int, spec: SettingSpec, code: WorkerCode, linker: Linker) -> Dependence | None:
    """The first call by which functions of workers call one another in a circle, if that depends on a setting which the
    program makes."""
    words, asker = Words(setting_words(spec)), code.root.site.module.path
    if _RECURSION not in spec.read or not linker.first_party.is_surveyed(survey_of(place), words, asker):
        return None
    found = first_circle(code, linker)
    return Dependence(found.function, found.called, found.span) if found is not None else None


def _uses(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, _Uses]]:
    """What the functions of workers concern, also by the attributes of what crosses, whose types their classes declare:
    `loan.rate / 12`."""
    found = [(each, _uses_of(each, linker)) for each in code.functions]
    specs = [(place, spec) for place, spec in enumerate(linker.catalog.settings()) if spec.reckoned]
    names = {_last(each) for _, used in found for each in used.parts}
    types = types_of_attributes(names, code, linker)
    for function, used in found:
        typed = [(each, types[_last(each)]) for each in used.parts if _last(each) in types]
        added = {
            place: (each.written, each.span)
            for place, spec in specs
            for each, paths in reversed(typed)
            if any(is_below(path, pattern) for path in paths for pattern in spec.reckoned)
        }
        yield function, replace(used, dependences={**added, **used.dependences})


def _last(part: Dependence) -> str:
    return part.written.rpartition(".")[2]


def _set_again(setters: Sequence[Setter], asked: Dependence, asker: str, linker: Linker) -> list[Setter]:
    """Those of several places that set what a worker asks for to which the main process comes when it has started
    workers, to another value than before: the server has that one."""
    after = [each for each in setters if is_after_first_workers(each.span, each.facts, each.module, asker, linker)]
    known = {_statement_at(each) for each in setters if each not in after}
    again = [each for each in after if _statement_at(each) not in known]
    return [each for each in again if is_asked_by_name(asked, Site(each.module, each.span))]


def _is_behind_start(setter: Setter, code: WorkerCode) -> bool:
    """Whether a place stands behind that in the same function at which workers start or get something."""
    here = [each.span.end for each in code.way if Site(setter.module, setter.facts.span).contains(each)]
    return bool(here) and max(here) < setter.span.start


def _statement_at(setter: Setter) -> str:
    code, start = setter.module.code, setter.span.start
    end = code.find("\n", setter.span.end)
    return code[start : end if end >= 0 else None].strip()


def _how_telling(setter: Setter, spec: SettingSpec) -> int:
    """The place of the method that makes a setting in the order of the catalog: before all stands what is no method."""
    text = setter.module.code[setter.span.start : setter.span.end]
    called = (at for at, name in enumerate(spec.methods, 1) if f".{name}(" in text)
    return next(called, 0)


def is_asked_by_name(dependence: Dependence, site: Site) -> bool:
    """Whether a function asks for the very variable that is set: both name it in quotes, or where the setting is given
    a dict (`os.environ.update(values)`), a key of the module that does so is named like that."""
    function = dependence.function
    code, home = function.module.code, site.module.code
    set_here = _NAMED.search(home, site.span.start, site.span.end)
    if set_here is not None:
        named = re.compile(rf"""["']{set_here["name"]}["']""")
        return named.search(code, dependence.span.start, function.facts.span.end) is not None
    if _UPDATED.match(home, site.span.start) is None:
        return False
    asked = {each["name"] for each in _NAMED.finditer(code, dependence.span.start, function.facts.span.end)}
    return any(re.search(rf"""["']{name}["']\s*:|\b{name}\s*=(?!=)""", home) for name in asked)


def _while_it_runs(error: str, decorating: Iterable[Setter]) -> Setting | None:
    """What is there only while something decorated runs: a context which is left when that ends."""
    first = next(iter(decorating), None)
    return Setting(Met(error, error=error), _WHILE_RUNNING, Site(first.module, first.span)) if first else None


def settings_around(code: WorkerCode, linker: Linker) -> Iterator[tuple[SettingSpec, Dependence, Setting]]:
    """The settings that a context makes (`with redirect_stdout(file):`) in which the main process starts the workers
    that depend on them."""
    entered = list(entered_around(code, linker))
    uses = [(each, _uses_of(each, linker)) for each in code.functions] if entered else []
    own = frozenset[int]().union(*(each.own for _, each in uses))
    for place, spec in enumerate(linker.catalog.settings()):
        site = next((each.site for each in entered if _is_made_by(each, spec)), None)
        if site is None or place in own:
            continue
        for function, found in uses:
            if place in found.dependences:
                written, span = found.dependences[place]
                yield spec, Dependence(function, written, span), Setting(NOT_THERE, _WHILE_STARTING, site)
                break


def _is_made_by(entered: Entered, spec: SettingSpec) -> bool:
    if entered.path in _KEEPING:
        return False
    patterns = (*spec.own, *spec.by) if entered.is_inside else spec.own
    return any(is_below(entered.path, pattern) for pattern in patterns)


def _kind(code: WorkerCode) -> str:
    """The kind of boundary that starts the workers; of a dataset without a visible loader, that of a loader."""
    return code.boundary.spec.kind if code.boundary is not None else _LOADER


def _uses_of(function: WorkerFunction, linker: Linker) -> _Uses:
    key = ("settings used", function.module.path, function.facts.span)
    return linker.remembered(key, lambda: _find_uses(function, linker))


def _find_uses(function: WorkerFunction, linker: Linker) -> _Uses:
    catalog, used = linker.catalog, [*used_by(function), *_recursive(function, linker)]
    own = (
        place
        for place, spec in enumerate(catalog.settings())
        if any(is_below(path, pattern) for path, _ in used for pattern in spec.own)
    )
    dependences: dict[int, tuple[str, Span]] = {}
    for place, spec in enumerate(catalog.settings()):
        depending = (each for path, each in used if _depends(path, each, spec))
        first = min(depending, key=lambda each: (each.span == function.facts.header, each.span.start), default=None)
        if first is not None:
            dependences[place] = (first.written, first.span)
    return _Uses(frozenset(own), dependences, tuple(each for path, each in used if path == _PART))


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
    after a dot."""
    module, (mark, name) = function.module, _unmarked(written)
    path = imported_path(tuple(name.split(".")), module)
    if path is not None:
        return f"{mark}{path}"
    is_read = name in function.facts.reads or name in _CAUGHT
    is_of_builtins = is_read and not module.outline.binding(name)
    if is_of_builtins and name not in module.outline.imports and not module.outline.stars:
        return f"{OF_BUILTINS}{name}"
    return f".{name.rpartition('.')[2]}"


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
                yield _RECURSION, Dependence(function, facts.name, span)
                break


def _is_of_another(facts: FunctionFacts, called: Span, function: WorkerFunction, linker: Linker) -> bool:
    """Whether what a function calls at a place is seen to be another function of its name."""
    calls = (event.call for event in function.facts.events if isinstance(event, Called))
    named = (call for call in calls if call.function.span.end == called.end - 1)
    known = [each.value for call in named for each in linker.evaluate(call.function, function.frame)]
    return bool(known) and all(isinstance(each, FunctionValue) and each.facts is not facts for each in known)


def _depends(path: str, dependence: Dependence, spec: SettingSpec) -> bool:
    if path.startswith("."):
        is_read = path[1:] in spec.read_methods and spec.word in dependence.function.module.code
        return is_read and (path[1:] in _ATTRIBUTES or _is_called(dependence))
    if path.startswith(_SHOWN):
        return any(is_below(path[len(_SHOWN) :], pattern) for pattern in spec.shown)
    if path.startswith(_RECKONED):
        return any(is_below(path[len(_RECKONED) :], pattern) for pattern in spec.reckoned)
    is_read = any(is_below(path, pattern) for pattern in spec.read) and not _is_told(dependence, spec)
    return is_read and (not _names_class(path) or dependence.written in _CAUGHT or _is_called(dependence))


def _names_class(path: str) -> bool:
    return path.rpartition(".")[2][:1].isupper()


def _is_called(dependence: Dependence) -> bool:
    """Whether the function calls what it names: `isinstance(x, torch.Tensor)` makes none."""
    module, span = dependence.function.module, dependence.function.facts.span
    calling = re.compile(rf"(?<![\w.]){re.escape(dependence.written)}\s*\(")
    return calling.search(module.code, span.start, span.end) is not None


def _is_told(dependence: Dependence, spec: SettingSpec) -> bool:
    """Whether an argument of the call determines what would otherwise depend on the setting."""
    calls = (event.call for event in dependence.function.facts.events if isinstance(event, Called))
    here = [call for call in calls if call.span.start == dependence.span.start]
    return bool(here) and any(call.keyword(name) is not None for call in here for name in spec.unless)
