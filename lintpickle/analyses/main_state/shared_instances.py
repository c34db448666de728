"""Objects of which each process has one: singletons, and what functions keep and give again.

What the main process sets on its own is not on those that workers make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.stored_by_methods import kept_by
from lintpickle.analyses.main_state.added_keys import failing_in_filled
from lintpickle.analyses.main_state.given_objects import set_where_given
from lintpickle.analyses.main_state.held_state import databases_written
from lintpickle.analyses.main_state.main_setters import (
    Met,
    Setter,
    Setting,
    is_mentioned,
    of_the_program,
    set_by,
    setter_at,
)
from lintpickle.analyses.main_state.read_objects import Reading
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Imported, Item, Name, rooted, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_KEPT = re.compile(r"\breturn\s+([^\W\d]\w*\.(\w+)(?:\[\s*cls\s*\])?)[ \t]*(?:#.*)?$", re.MULTILINE)
"""What a function returns that keeps its result on a class."""
_KEEPS = re.compile(r"\blru_cache\b|\bcache\b|\bglobal\b|\bcls\.\w|\bmetaclass\b|\.__dict__\s*=|(?i:singleton|borg)")
_MAKES_ONE = re.compile(r"\bcls\(")
_KEEPS_ITSELF = re.compile(r"(?:type\(self\)|self\.__class__|cls|[A-Z]\w*)\.(\w+)\s*=\s*self\b")
_SHARES_STATE = re.compile(r"\.__dict__\s*=(?!=)")
_AS_MADE = Met("there it is as its first use makes it", "changed")


class _Maker(Struct, frozen=True):
    """A class or function each call of which gives the same object: its name, and what tells it from all others."""

    name: str
    identity: int
    home: ClassValue | None = None
    """The class whose method it is, if it gives an object of that."""

    @property
    def written(self) -> str:
        """As code that uses the class calls it."""
        return f"{self.home.facts.name}.{self.name}" if self.home is not None else self.name


def shared_changed(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The objects that workers make for themselves, and that only the main process changes before."""
    told: set[int] = set()
    for function in code.functions:
        if not function.module.first_party or function.module.document.cells is not None:
            continue
        for event in function.facts.events:
            if not isinstance(event, Called):
                continue
            maker = _maker_of(event.call, function.frame, linker)
            if maker is None or maker.identity in told:
                continue
            told.add(maker.identity)
            changes = [*_setters(maker, code, linker), *_first_made(maker, event.call, code, linker)]
            setters = of_the_program(changes, code, linker)
            setting = set_by(setters, _AS_MADE, linker, code.root.site.module.path)
            if setting is not None:
                setting = replace(setting, met=_met(maker, event.call, setting.met, function.frame, code, linker))
                yield function, Reading(f"{maker.written}()", event.span, False), setting


def _met(maker: _Maker, made: Expr, met: Met, frame: Frame, code: WorkerCode, linker: Linker) -> Met:
    """What workers meet that take items of what the object holds, which only the main process fills."""
    values = (traced.value for traced in linker.evaluate(made, frame)) if maker.home is None else ()
    home = maker.home or next((each.class_ for each in values if isinstance(each, InstanceValue)), None)
    if home is None:
        return met
    running = {id(each.facts) for each in code.functions}
    methods = [each for each in home.facts.methods.values() if each.name != "__init__"]
    own = {each for method in methods if id(method) in running for each in kept_by(method)}
    filled = dict.fromkeys(each for method in methods for each in kept_by(method) if each not in own)
    found = (failing_in_filled(met, each, home, code, linker) for each in filled)
    return next((each for each in found if each.error is not None), met)


def _maker_of(call: Expr, frame: Frame, linker: Linker) -> _Maker | None:
    """What an expression calls, if that gives the same object each time."""
    inner = without_narrowing(call)
    if not isinstance(inner, Call) or not _may_be_one(inner.function, frame.module, linker):
        return None
    makers = [_maker(traced.value, linker) for traced in linker.evaluate(inner.function, frame)]
    return makers[0] if len(makers) == 1 else None


def _may_be_one(function: Expr, module: Module, linker: Linker) -> bool:
    """Whether the text of what a name stands for says that it may give the same object each time: to evaluate all that
    is called would be too much."""
    root, names = rooted(function)
    if isinstance(root, Imported):
        return True
    if not isinstance(root, Name):
        return False
    dotted = [".".join((root.name, *names[:length])) for length in range(2) if length <= len(names)]
    return any(
        linker.remembered(("may keep", module.path, each), partial(_may_keep, each, module, linker)) for each in dotted
    )


def _may_keep(dotted: str, module: Module, linker: Linker) -> bool:
    places = linker.own_places.of_name(module, dotted)
    return any(home.first_party and _KEEPS.search(home.facts.text(block)) for home, block in places)


def _maker(value: AbstractValue, linker: Linker) -> _Maker | None:
    match value:
        case FunctionValue(facts=facts, module=module) if module.first_party and not facts.is_local:
            return _Maker(facts.name, id(facts), _home(value)) if _keeps_result(facts, module) else None
        case ClassValue(facts=facts, module=module) if module.first_party and not facts.is_local:
            return _Maker(facts.name, id(facts)) if _is_one(value, linker) else None
        case _:
            return None


def _home(function: FunctionValue) -> ClassValue | None:
    match function.bound:
        case ClassValue() as class_ if _MAKES_ONE.search(_text(function.module, function.facts)):
            return class_
        case _:
            return None


def _keeps_result(facts: FunctionFacts, module: Module) -> bool:
    """Whether a function gives what it has given before: it is cached, or returns a global or an attribute of a class
    that it sets itself."""
    if facts.decorated_by("lru_cache", "cache"):
        return not facts.parameters
    text = module.code[facts.span.start : facts.span.end]
    if any(_is_returned_once_set(name, text) for name in facts.globals_declared):
        return True
    return _returns_what_it_stores(text)


def _is_returned_once_set(name: str, text: str) -> bool:
    returned = re.search(rf"\breturn\s+{re.escape(name)}\b(?!\s*[.(\[])", text)
    return returned is not None and _asks_for(name, text)


def _returns_what_it_stores(text: str) -> bool:
    return any(
        (re.search(rf"(?<![\w.]){re.escape(found[1])}\s*=(?!=)", text) or _MAKES_ONE.search(text))
        and _asks_for(found[2], text)
        for found in _KEPT.finditer(text)
    )


def _asks_for(name: str, text: str) -> bool:
    return re.search(rf"\bif\b[^\n]*\b{re.escape(name)}\b", text) is not None


def _is_one(class_: ClassValue, linker: Linker) -> bool:
    """Whether all objects of a class are the same, or share their attributes."""
    made = linker.classes.find_method(class_, "__new__")
    if made is not None and _returns_what_it_stores(_text(made[0].module, made[1])):
        return True
    prepared = linker.classes.find_method(class_, "__init__")
    if prepared is not None and _SHARES_STATE.search(_text(prepared[0].module, prepared[1])):
        return True
    called = linker.classes.metaclass_call(class_)
    return called is not None and _returns_what_it_stores(_text(called.module, called.facts))


def _text(module: Module, facts: FunctionFacts) -> str:
    return module.code[facts.span.start : facts.span.end]


def _setters(maker: _Maker, code: WorkerCode, linker: Linker) -> Iterator[Setter]:
    """Where code changes the object that a call gives, which is not what makes it."""
    asker = code.root.site.module.path
    running = {id(each.facts) for each in code.functions}
    form = re.compile(rf"(?<!\w){re.escape(maker.name)}\b")
    for root in linker.activations_with({maker.name}, form, asker):
        facts = root.function
        if id(facts) == maker.identity:
            continue
        for event in facts.events:
            for attribute in _changed(event, maker, root.frame, running, linker):
                if attribute is None or _is_read(attribute, maker, code, linker):
                    yield setter_at(root.frame.module, facts, event.span, linker, asker)


def _first_made(maker: _Maker, used: Call, code: WorkerCode, linker: Linker) -> Iterator[Setter]:
    """Where code makes the object with arguments, which workers that ask for it without any do not know: `Config(path)`
    in the main process, and `Config()` or `Config.get()` in a worker."""
    asker = code.root.site.module.path
    if used.arguments or _begins_in_workers(maker, asker, linker):
        return
    names = frozenset({maker.name} | ({maker.home.facts.name} if maker.home is not None else set()))
    form = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})\(\s*[^)\s]")
    for root in linker.activations_with(names, form, asker):
        for event in root.function.events:
            if isinstance(event, Called) and _makes(event.call, maker, root.frame, linker):
                yield setter_at(root.frame.module, root.function, event.span, linker, asker)


def _begins_in_workers(maker: _Maker, asker: str, linker: Linker) -> bool:
    """Whether workers begin with what makes the object: as an initializer, which gets its arguments elsewhere."""
    codes = (code for code in linker.worker_codes() if code.root.site.module.path == asker)
    return any(bool(code.functions) and id(code.functions[0].facts) == maker.identity for code in codes)


def _makes(call: Call, maker: _Maker, frame: Frame, linker: Linker) -> bool:
    """Whether a call with arguments gives the object, or makes it of a class that keeps itself."""
    if not call.arguments:
        return False
    if _is_of(call, maker, frame, linker):
        return True
    home = maker.home
    if home is None or not _keeps_itself(home):
        return False
    made = (traced.value for traced in linker.evaluate(call.function, frame))
    return any(isinstance(each, ClassValue) and each.facts is home.facts for each in made)


def _keeps_itself(class_: ClassValue) -> bool:
    """Whether `__init__` of a class keeps the object as an attribute of the class."""
    prepared = class_.facts.methods.get("__init__")
    return prepared is not None and _KEEPS_ITSELF.search(_text(class_.module, prepared)) is not None


def _is_read(attribute: str, maker: _Maker, code: WorkerCode, linker: Linker) -> bool:
    """Whether code of the workers reads an attribute of that name, or calls a method of the object that does so."""
    if is_mentioned(attribute, code, linker):
        return True
    reading = re.compile(rf"\.\s*{re.escape(attribute)}\b(?!\s*=[^=])")
    home = maker.home
    return home is not None and any(
        reading.search(_text(home.module, method)) is not None and is_mentioned(name, code, linker)
        for name, method in home.facts.methods.items()
    )


def _changed(event: Event, maker: _Maker, frame: Frame, running: set[int], linker: Linker) -> Iterator[str | None]:
    """The attributes of the object that an event changes; None for what it holds as a container."""
    match event:
        case Store(target=target, attribute=attribute):
            names = _path_on(target, maker, frame, linker)
            if names is not None:
                yield names[0] if names else attribute
        case ItemStore(target=target):
            inner = without_narrowing(target)
            names = _path_on(inner.base if isinstance(inner, Item) else inner, maker, frame, linker)
            if names is not None:
                yield names[0] if names else None
        case Called(call=Call(function=Attribute(base=base) as function) as call):
            if _path_on(base, maker, frame, linker) == ():
                for method in _methods(function, maker, frame, linker):
                    if id(method.facts) in running:
                        continue
                    yield from (each.partition(".")[0] for each in kept_by(method.facts))
                    made = maker.home or method.bound
                    if isinstance(made, (ClassValue, InstanceValue)):
                        yield from databases_written(method.facts, method.module, made, linker)
            if linker.moving_to is not None:
                yield from _set_where_given(call, maker, frame, linker)
        case Called(call=call) if linker.moving_to is not None:
            yield from _set_where_given(call, maker, frame, linker)
        case _:
            pass


def _set_where_given(call: Call, maker: _Maker, frame: Frame, linker: Linker) -> Iterator[str]:
    """The attributes of the object that a function sets which is given it. For `migrate`."""
    return set_where_given(
        call,
        frame,
        lambda value: _path_on(value, maker, frame, linker) == (),
        lambda method, inner: (
            attribute for each in _methods(method, maker, inner, linker) for attribute in kept_by(each.facts)
        ),
        linker,
    )


def _methods(function: Attribute, maker: _Maker, frame: Frame, linker: Linker) -> Iterator[FunctionValue]:
    """The methods that an attribute of the object may be; where that is not known, the one of that name of the class
    whose method gives the object."""
    known = [each.value for each in linker.evaluate(function, frame)]
    if maker.home is not None and not any(isinstance(each, FunctionValue) for each in known):
        found = linker.classes.find_method(maker.home, function.name)
        known = [FunctionValue(found[0].module, found[1])] if found is not None else []
    yield from (each for each in known if isinstance(each, FunctionValue))


def _path_on(target: Expr, maker: _Maker, frame: Frame, linker: Linker) -> tuple[str, ...] | None:
    """The attributes that lead from the object to what an expression is; None if it does not begin with that."""
    root, names = rooted(target)
    return names if isinstance(root, Call) and _is_of(root, maker, frame, linker) else None


def _is_of(call: Call, maker: _Maker, frame: Frame, linker: Linker) -> bool:
    found = _maker_of(call, frame, linker)
    return found is not None and found.identity == maker.identity
