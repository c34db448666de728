"""What is taken of one of several objects of which a test asks something: `if command.heavy: run(command.function)`."""

from __future__ import annotations

import ast
import re

from lintpickle.control_flow.claims import Claim
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Expr, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ConstantValue, Frame, Site, TracedValue
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker

_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")


def left_by_tests(value: Expr, place: Span, frame: Frame, linker: Linker) -> tuple[AbstractValue, ...]:
    """What a value can be at a place in its frame. Of several values, only those remain of which it is known that the
    tests before that ask for them come out so."""
    values = linker.evaluate(value, frame)
    claims = linker.conditions.claims_before(place, frame) if len(values) > 1 else ()
    about = [each for each in claims if _is_about(each, value, frame)]
    if not about:
        return tuple(traced.value for traced in values)
    given = without_narrowing(value)
    if not isinstance(given, Attribute):
        return ()
    owner = frame.module.code[value.span.start : value.span.end].rpartition(".")[0].strip()
    site = Site(frame.module, value.span)
    return tuple(
        traced.value
        for each in linker.evaluate(given.base, frame)
        if all(_is_known_of(each, claim, owner, site, frame, linker) for claim in about)
        for traced in linker.evaluator.attribute(each, given.name, site, frame)
    )


def _is_known_of(each: TracedValue, claim: Claim, owner: str, site: Site, frame: Frame, linker: Linker) -> bool:
    """Whether an attribute of one of the objects is known to be as a test says of that which was chosen."""
    match claim.test:
        case ast.Attribute(value=asked, attr=flag) if ast.unparse(asked) == owner:
            found = [traced.value for traced in linker.evaluator.attribute(each, flag, site, frame)]
            return bool(found) and all(
                isinstance(value, ConstantValue) and bool(value.value) is claim.answer for value in found
            )
        case _:
            return False


def _is_about(claim: Claim, value: Expr, frame: Frame) -> bool:
    """Whether a test names a variable by which a value is written, or both name one of which they are made."""
    code = frame.module.code
    asked = {node.id for node in within(claim.test) if isinstance(node, ast.Name)}
    written = set(_NAME.findall(code[value.span.start : value.span.end]))
    return not _with_parts(asked, frame).isdisjoint(_with_parts(written, frame))


def _with_parts(names: set[str], frame: Frame) -> set[str]:
    """Names, with those of which the variables are made that they stand for."""
    variables = frame.function.variables
    made = (variables[name].span for name in names if name in variables)
    return names.union(*(_NAME.findall(frame.module.code[span.start : span.end]) for span in made))
