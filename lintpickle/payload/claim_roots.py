"""Where the answers of conditions come from, told so that those of different functions can be compared."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.control_flow.claims import Claim
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, Implied, PartRead, Store
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.limits import PASSED_FLAGS
from lintpickle.parsing.syntax import last_name
from lintpickle.program.module import Module
from lintpickle.resolution.declared_globals import is_set_by_functions

_NOWHERE = Span(0, 0)


class ClaimRoots:
    """Finds them for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def of_claim(self, claim: Claim, frame: Frame) -> Iterator[Claim]:
        """A claim whose subject tells where its value comes from, if it can be compared with those of others."""
        subject = claim.test
        while isinstance(subject, ast.UnaryOp):
            subject = subject.operand
        if isinstance(subject, ast.Compare):
            if claim.compare is None:
                return
            subject = subject.left
        root = self._root(subject, frame)
        if root is not None:
            yield replace(claim, subject=root)

    def _root(self, subject: ast.expr, frame: Frame) -> str | None:
        """What tells where the value of an expression comes from, the same in all functions; None if that may change
        in between."""
        match subject:
            case ast.Name(id=name):
                return self._root_of_name(name, frame)
            case ast.Attribute(value=ast.Name(id=me), attr=name) if frame.bindings.get(me) is not None:
                abstract = frame.bindings[me].value
                if isinstance(abstract, InstanceValue):
                    return self._root_of_attribute(name, abstract)
        match subject:
            case ast.Attribute(value=base, attr=name):
                owner = self._root(base, frame)
                return f"{owner}.{name}" if owner is not None and not _stores(frame.function, name) else None
            case ast.Subscript(value=base, slice=ast.Constant(value=str() as key)):
                held = self._root(base, frame) if not _is_put_in(key, base, frame.module) else None
                return f"{held}[{key!r}]" if held is not None else None
            case ast.Call(func=function, args=arguments, keywords=[]) if (named := _named(function)) is not None:
                called = [each.value for each in self._evaluator.evaluate(named, frame)]
                return _root_of_call(called, [self._root(argument, frame) for argument in arguments])
            case _:
                return None

    def _root_of_name(self, name: str, frame: Frame, steps: int = 0) -> str | None:
        function = frame.function
        held = function.variables.get(name)
        if function.parameter(name) is None:
            if held is None:
                is_global = bool(frame.module.outline.binding(name)) and name not in function.captures
                return f"{frame.module.path}:{name}" if is_global and not function.is_module_body else None
            return self._root_of_value(held, frame, steps)
        if held is not None or frame.paths.binds(name):
            return None
        attribute = _kept_as(name, function)
        if attribute is not None:
            return f"{id(function)}.{attribute}"
        bound = frame.bindings.get(name)
        if bound is None or (bound.expr is None and bound.value is None):
            return parameter_root(name, function)
        if bound.expr is None or bound.frame is None:
            return None
        return self._root_of_value(bound.expr, bound.frame, steps)

    def _root_of_value(self, value: Expr, frame: Frame, steps: int) -> str | None:
        """The same for what a variable holds, or a call passes on: a parameter, or what a function answers that does
        nothing but to read (`use_threads(config)`)."""
        if steps >= PASSED_FLAGS.most:
            self._evaluator.cuts.note(PASSED_FLAGS)
            return None
        match without_narrowing(value):
            case Parameter(name=name, owner=owner) if home := frame.enclosing(owner):
                return self._root_of_name(name, home, steps + 1)
            case Attribute(base=Parameter(name=me, owner=owner), name=name) if home := frame.enclosing(owner):
                itself = home.bindings[me].value if me in home.bindings else None
                return self._root_of_attribute(name, itself) if isinstance(itself, InstanceValue) else None
            case Call(function=function, arguments=arguments) if all(not argument.star for argument in arguments):
                roots = [self._root_of_value(argument.value, frame, steps + 1) for argument in arguments]
                called = [traced.value for traced in self._evaluator.evaluate(function, frame)]
                return _root_of_call(called, roots)
            case _:
                return None

    def _root_of_attribute(self, name: str, instance: InstanceValue) -> str | None:
        """Of an attribute that only the constructor stores, or a method that only the constructor calls."""
        found = self._evaluator.classes.find_method(instance, "__init__")
        if found is None:
            return None
        owner, init = found
        storing = [
            (class_.module, method)
            for class_ in self._evaluator.classes.mro(instance)
            if isinstance(class_, ClassValue)
            for method in class_.facts.methods.values()
            if _stores(method, name)
        ]
        is_set_then = all(
            method is init or (module is owner.module and _is_named_in_alone(method.name, init, module))
            for module, method in storing
        )
        return f"{id(init)}.{name}" if storing and is_set_then else None


def parameter_root(name: str, function: FunctionFacts) -> str:
    """What tells where a parameter's value comes from, if callers are not known."""
    return f"{id(function)}:{name}"


def _is_named_in_alone(name: str, function: FunctionFacts, module: Module) -> bool:
    """Whether a method is named in one function of the module, and nowhere else in it."""
    form = re.compile(rf"\.\s*{re.escape(name)}\b")
    places = [found.start() for found in form.finditer(module.code)]
    return bool(places) and all(function.span.start <= place < function.span.end for place in places)


def _named(function: ast.expr) -> Expr | None:
    match function:
        case ast.Name(id=name):
            return Name(_NOWHERE, name)
        case ast.Attribute(value=base, attr=name) if (owner := _named(base)) is not None:
            return Attribute(_NOWHERE, owner, name)
        case _:
            return None


def _root_of_call(called: list[AbstractValue], roots: list[str | None]) -> str | None:
    """What a call answers, if that only depends on what it is given, or on what stays as it is."""
    match called:
        case [FunctionValue(facts=facts, bound=None) as function] if not (facts.decorators or facts.is_generator):
            given = [root for root in roots if root is not None]
            is_alike = len(given) == len(roots) and _answers_alike(function)
            is_given_away = bool(roots) and any(not isinstance(event, PartRead) for event in facts.events)
            return f"{id(facts)}({', '.join(given)})" if is_alike and not is_given_away else None
        case _:
            return None


def _answers_alike(function: FunctionValue) -> bool:
    """Whether a function answers the same each time that it is given the same, as far as its own code tells: it stores
    nothing, and reads no global that functions set."""
    module, facts = function.module, function.facts
    is_pure = not facts.is_async and all(isinstance(event, (Called, Implied, PartRead)) for event in facts.events)
    return is_pure and not any(is_set_by_functions(name, module) for name in facts.reads)


def _is_put_in(key: str, base: ast.expr, module: Module) -> bool:
    """Whether code of the module puts something under a key, or may do so by a method of what is called like that which
    the key is read from (`config.update(…)`)."""
    name = last_name(base)
    if not name:
        return True
    put = rf"\[\s*['\"]{re.escape(key)}['\"]\s*\]\s*=(?!=)"
    by_method = rf"\b{re.escape(name)}\s*\.\s*(?:update|setdefault|pop|clear)\b|\bdel\s+[\w.]*\b{re.escape(name)}\["
    return module.has(re.compile(f"{put}|{by_method}"))


def _stores(function: FunctionFacts, attribute: str) -> bool:
    return any(isinstance(event, Store) and event.attribute == attribute for event in function.events)


def _kept_as(name: str, function: FunctionFacts) -> str | None:
    """The attribute in which a constructor keeps a parameter, on every run."""
    if function.name != "__init__":
        return None
    for event in function.events:
        match event:
            case Store(conditional=False, attribute=attribute, value=Parameter(name=kept, owner=owner)):
                if kept == name and owner == function.qualname:
                    return attribute
            case _:
                pass
    return None
