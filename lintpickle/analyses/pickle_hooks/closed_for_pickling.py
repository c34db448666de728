"""Objects that a `__getstate__` closes before it gives the state, and that then hold nothing which cannot cross: they
open themselves again when they are used (`Product.crosses_after`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.catalog import Product
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call
from lintpickle.interpreter.abstract_values import ClassValue, ProductValue
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_HOOK = "__getstate__"


def called_on_attributes(method: FunctionFacts) -> Iterator[tuple[str, str, Span]]:
    """The attributes of the object of which the method calls a method: the names of both, and the call."""
    for event in method.events:
        match event:
            case Called(
                call=Call(function=Attribute(base=Attribute(base=me, name=attribute), name=called)), span=span
            ) if is_me(me, method):
                yield attribute, called, span
            case _:
                pass


def is_closed_for_pickling(crossing: Crossing, product: Product, linker: Linker) -> bool:
    """Whether the hook of what holds an object in an attribute closes it, whenever there is one, so that it crosses."""
    holder, held = crossing.holder, crossing.held
    if not product.crosses_after or holder is None or held is None or held.key is not None:
        return False
    found = linker.classes.find_method(holder, _HOOK)
    if found is None:
        return False
    owner, method = found
    return any(
        attribute == held.attribute
        and called in product.crosses_after
        and _is_always_called(attribute, span, method, owner.module)
        for attribute, called, span in called_on_attributes(method)
    )


def opens_again(class_: ClassValue, attribute: str, called: str, linker: Linker) -> bool:
    """Whether all that an attribute of the objects of a class may hold, as far as that is known, opens itself again
    after the call of a method."""
    states = linker.classes.states.state(linker.activations.instance(class_))
    held = [each for each in states if each.attribute == attribute and each.direct]
    values = [traced.value for each in held for traced in linker.evaluate(each.value, each.frame)]
    products = [each.product for each in values if isinstance(each, ProductValue)]
    return bool(products) and all(called in each.crosses_after for each in products)


def _is_always_called(attribute: str, call: Span, method: FunctionFacts, module: Module) -> bool:
    """Whether a method makes a call on all its ways, or asks only whether the attribute is there."""
    me = method.parameters[0].name
    tests = (test for test, _ in Paths(module, method.span).conditions_around(call.start))
    return all(_is_about(test, f"{me}.{attribute}") for test in tests)


def _is_about(test: ast.expr, name: str) -> bool:
    match test:
        case ast.Compare(left=asked, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return dotted(asked) == name
        case ast.UnaryOp(op=ast.Not(), operand=asked):
            return dotted(asked) == name
        case _:
            return dotted(test) == name
