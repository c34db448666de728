"""Functions that are made for one value of an option alone (`if activation == "linear": return lambda x: x`), which the
program never gives that option: all that it stores under its name, in whatever object, are other constants."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from lintpickle.control_flow.claims import tests_in
from lintpickle.facts.values import Attribute, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, FunctionValue, is_indefinite
from lintpickle.interpreter.frames import passed_first
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.prefilter.words import Words

_OF_ITSELF = "self."
_MAKES_OR_FILLS = re.compile(r"(?i)\b(?:\w*dict|\w*namespace|\w*config|\w*munch|update|replace|set_?defaults?|create)$")
"""What is called that makes or fills an object which has whatever attributes it is given."""
_CONSTANT = re.compile(r"""["']([^"']*)["']|None\b""")
_FAR, _NAME = 2000, 60
"""How far before an argument is looked for the call, and how long its name may be."""


def is_never_chosen(crossing: Crossing, linker: LinkedProgram) -> bool:
    """Whether what crosses is a function that is made only if an attribute of an unknown object is a certain text, and
    the program gives attributes of that name other constants alone."""
    match crossing.value:
        case FunctionValue(facts=facts, frame=Frame() as frame):
            pass
        case _:
            return False
    asker = crossing.root.site.module.path
    for around in frame.paths.conditions_around(facts.span.start):
        for parameter, wanted in _wanted(*around):
            option = _option_given(parameter, frame, linker)
            if option is None:
                continue
            question = ("always another", *option, wanted, asker)
            if linker.remembered(question, partial(_is_always_another, *option, wanted, asker, linker)):
                return True
    return False


def _wanted(test: ast.expr, answer: bool) -> Iterator[tuple[str, str]]:
    """The names and texts that are equal if a condition is answered like that."""
    for each, outcome in tests_in(test, answer):
        match each:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=str(text))]):
                if outcome:
                    yield name, text
            case _:
                pass


def _option_given(parameter: str, frame: Frame, linker: LinkedProgram) -> tuple[str, bool] | None:
    """The attribute of something that a parameter gets, if nothing is known of what that holds; and whether it is one
    of an object of a library, such as `argparse.Namespace()`."""
    bound = frame.bindings.get(parameter)
    first = passed_first(bound) if bound is not None else None
    given = without_narrowing(first.expr) if first is not None and first.expr is not None else None
    if first is None or first.frame is None or not isinstance(given, Attribute):
        return None
    values = [each.value for each in linker.evaluator.evaluate(given, first.frame)]
    is_foreign = all(isinstance(each, ExternalValue) and each.path.endswith(f").{given.name}") for each in values)
    return (given.name, is_foreign) if is_foreign or all(map(is_indefinite, values)) else None


def _is_always_another(option: str, is_foreign: bool, wanted: str, asker: str, linker: LinkedProgram) -> bool:
    """Whether the program stores other constants under the name of an option, and nothing of which it does not know
    what it is, but for what has that name itself. What classes of the program have is nothing of a foreign object."""
    name = re.escape(option)
    given = re.compile(rf"(?<!\w)(?P<path>\w[\w.]*\.)?{name}\s*(?P<type>:\s*[\w.\[\]| ]+)?=(?!=)\s*(?P<value>[^\n#]*)")
    otherwise = re.compile(rf"""["'](?:--)?{name.replace("_", "[-_]")}["'](?!\s*,\s*(?:None|["']\w+["'])\s*\))""")
    itself = re.compile(rf"\b{name}\b")
    is_stored = False
    for module in linker.first_party.naming_in_text(Words({option}), asker):
        if otherwise.search(module.code) is not None:
            return False
        for found in given.finditer(module.code):
            value, path = found["value"], found["path"]
            if is_foreign and (path == _OF_ITSELF or found["type"]):
                continue
            if is_foreign and path is None and not _fills_objects(module.code, found.start()):
                continue  # A parameter of another function, or a variable.
            constant = _CONSTANT.match(value)
            if constant is not None and constant[1] == wanted:
                return False
            if constant is None and itself.search(value) is None:
                return False
            is_stored = is_stored or (constant is not None and path is not None)
    return is_stored


def _fills_objects(code: str, place: int) -> bool:
    """Whether an argument at a place is one of a call that makes or fills an object, or of one that is not found."""
    depth = 0
    for at in range(place - 1, max(0, place - _FAR), -1):
        if code[at] in ")]}":
            depth += 1
        elif code[at] in "([{":
            depth -= 1
        if depth < 0:
            return _MAKES_OR_FILLS.search(code[max(0, at - _NAME) : at].rstrip()) is not None
    return True
