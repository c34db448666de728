"""What an object has become when a function reads an attribute of it, by the methods that have been called since it was
made: `builder.add(step)`, and then `builder.steps`; `toolbox.register("run", task)`, and then `toolbox.run`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from lintpickle.call_graph.running import after_calls
from lintpickle.facts.methods import names_holding
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Argument, Attribute, Call, Constant, Name
from lintpickle.interpreter.abstract_values import ClassValue, Done, Frame, InstanceValue, Site
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.held import OWN_ITEMS
from lintpickle.program.module import Module
from lintpickle.program.remembering import Remembering

_STORES_AS_TOLD = re.compile(r"\bsetattr\(\s*\w+\s*,\s*\w+\s*,")
"""How a method stores an attribute under a name that it is told."""
_PUTS_IN = re.compile(r"[\w)]\s*(?:\.(?:append|appendleft|extend|add|update|insert|setdefault)\(|\[[^\]\n]*\]\s*=[^=])")
"""How something is put into an object that is a list or a dict itself."""
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})


class ObjectsWhenRead(Remembering):
    """Finds the calls of methods that an object has been through, in functions that make it."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__()
        self._evaluator = evaluator
        self._known: dict[tuple[int, int, int], tuple[Frame, InstanceValue]] = {}
        self._states: dict[tuple[int, int, tuple[tuple[int, int, tuple[str, ...], str], ...]], InstanceValue] = {}
        self._under_way: set[int] = set()

    def when_read(self, instance: InstanceValue, name: str, site: Site, frame: Frame) -> InstanceValue:
        """An object as it is where a frame reads an attribute of it, if a method other than the constructor changes
        that attribute. (Of objects that a module makes, only what is stored under a name that a call gives is sought,
        by the module and the function that reads it: all code may have done something to them.)"""
        call, maker = instance.call, instance.frame
        if call is None or maker is None or instance.ran is not None or instance.done or id(call) in self._under_way:
            return instance
        is_in_function = not maker.function.is_module_body
        is_changed = is_in_function and (self._is_changed(instance, name) or self._is_part_called(maker, name))
        if not is_changed and not self._is_named_in_call(instance, maker, name):
            return instance
        moment = _moment(maker.function, maker.module, site, frame)
        key = (id(call), id(maker), moment)
        if key not in self._known:
            self._under_way.add(id(call))
            try:
                self._known[key] = (maker, self._shared(after_calls(instance, (), self._evaluator, end=moment)))
            finally:
                self._under_way.discard(id(call))
        known = self._known[key][1]
        if is_in_function or frame.function.is_module_body:
            return known
        here = tuple(self._told_here(call, name, site, frame))
        return self._shared(replace(known, done=(*known.done, *here))) if here else known

    def _told_here(self, made: Call, name: str, site: Site, frame: Frame) -> Iterator[Done]:
        """The calls of methods that are told a name, of an object of the module, before a function reads it."""
        for event in frame.function.events:
            match event:
                case Called(
                    span=span,
                    call=Call(
                        function=Attribute(base=Name() as owner, name=method),
                        arguments=(Argument(value=Constant(value=told)), *_),
                    ),
                ) if told == name and span.start < site.span.start:
                    values = (each.value for each in self._evaluator.evaluate(owner, frame))
                    if any(isinstance(each, InstanceValue) and each.call is made for each in values):
                        yield Done(event, frame, (), method)
                case _:
                    pass

    def _shared(self, instance: InstanceValue) -> InstanceValue:
        """The same object for all that has been through the same calls: its state is known once."""
        done = tuple((id(each.event), id(each.frame), each.path, each.method) for each in instance.done)
        return self._states.setdefault((id(instance.call), id(instance.frame), done), instance)

    def _is_changed(self, instance: InstanceValue, name: str) -> bool:
        return self.remembered(
            ("changed", name, *instance.class_.key),
            lambda: self._has_method(instance, _changed(name)) or self._has_method(instance, _called(name)),
        )

    def _is_part_called(self, maker: Frame, name: str) -> bool:
        """Whether the function that makes an object calls methods of what the attribute holds."""
        return self.remembered(
            ("part called", name, maker.module.path, maker.function.span), lambda: _stands_in(maker, _called(name))
        )

    def _is_named_in_call(self, instance: InstanceValue, maker: Frame, name: str) -> bool:
        """Whether the function or the module that makes an object has the name of an attribute as a text behind the
        bracket of a call, and a method of the object stores attributes under names that it is told."""
        stores_as_told = self.remembered(
            ("stores as told", *instance.class_.key), lambda: self._has_method(instance, _STORES_AS_TOLD)
        )
        span = None if maker.function.is_module_body else maker.function.span
        return stores_as_told and self.remembered(
            ("named in call", name, maker.module.path, span), lambda: _stands_in(maker, _given(name))
        )

    def _has_method(self, instance: InstanceValue, form: re.Pattern[str]) -> bool:
        """Whether a form stands in a method of the object other than the constructor."""
        line = (each for each in self._evaluator.classes.mro(instance) if isinstance(each, ClassValue))
        return any(
            not _CONSTRUCTORS.issuperset(names_holding(each.facts.methods, form, each.module.code)) for each in line
        )


def _stands_in(maker: Frame, form: re.Pattern[str]) -> bool:
    """Whether a form stands in the function that makes an object, or anywhere in the module that does."""
    function, code = maker.function, maker.module.code
    if function.is_module_body:
        return form.search(code) is not None
    return form.search(code, function.span.start, function.span.end) is not None


def _moment(maker: FunctionFacts, home: Module, site: Site, frame: Frame) -> int:
    """Where the function, or the module, that makes an object is when something reads it: at that place, at the call
    that leads there, or at its end."""
    if maker.is_module_body:
        is_there = site.module is home and frame.function.is_module_body
        return site.span.start if is_there else len(home.code)
    if frame.function is maker:
        return site.span.start if site.module is frame.module else maker.span.end
    current = frame
    while current.called_by is not None:
        current, call = current.called_by
        if current.function is maker:
            return call.span.start
    return maker.span.end


@lru_cache(maxsize=1024)
def _changed(name: str) -> re.Pattern[str]:
    """How an attribute stands where it is stored, or something is put into what it holds."""
    if name == OWN_ITEMS:
        return _PUTS_IN
    return re.compile(rf"\.{re.escape(name)}\b\s*(?:=[^=]|\[|\.(?:append|extend|add|update|insert|setdefault)\b)")


@lru_cache(maxsize=1024)
def _called(name: str) -> re.Pattern[str]:
    """How an attribute stands where a method of what it holds is called."""
    if name == OWN_ITEMS:
        return _PUTS_IN
    return re.compile(rf"\.{re.escape(name)}\.\w+\(")


@lru_cache(maxsize=1024)
def _given(name: str) -> re.Pattern[str]:
    """How a call is written whose first argument is the name."""
    return re.compile(rf"""\(\s*['"]{re.escape(name)}['"]\s*,""")
