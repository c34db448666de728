"""Objects of which a method is never called: `start()`, which makes a process, of a runner that a test makes and whose
other methods it calls."""

from __future__ import annotations

import re
from collections.abc import Callable

from lintpickle.boundaries.kept_to_itself import Scrutiny, is_left_alone_where_made
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter, may_be, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Frame, FunctionValue
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.evaluator import Evaluator

_ON_ITSELF = re.compile(r"\b(?:self|cls|super\(\))\s*\.\s*(\w+)")


def is_uncalled(
    method: str, made: Call, class_: ClassValue, frame: Frame, evaluator: Evaluator, is_of_test: bool
) -> bool:
    """Whether a function keeps the object that a call makes to itself, and calls no method of it that may call this
    one. A test's fixture may give it to the tests of its module, and what `is_of_test`, to code of the program whose
    modules never name such a method."""
    function, classes = frame.function, evaluator.classes
    if function.is_module_body:
        return False

    def may_call(name: str) -> bool:
        return _leads_to(method, name, class_, classes)

    def is_made(value: Expr) -> bool:
        return may_be(value, made) or _is_given_back(value, is_made, class_, classes)

    form = _form(class_, may_call, classes) if is_of_test else None

    def ignores(call: Call) -> bool:
        return form is not None and _is_of_others(call, frame, form, evaluator)

    return is_left_alone_where_made(function, Scrutiny(is_made, may_call, ignores), frame.module)


def _form(class_: ClassValue, may_call: Callable[[str], bool], classes: Classes) -> re.Pattern[str]:
    """How code names the methods of an object that may call the one in question."""
    own = (each for each in classes.mro(class_) if isinstance(each, ClassValue))
    names = sorted({name for each in own for name in each.facts.methods if may_call(name)})
    return re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, names))})\b")


def _is_of_others(call: Call, frame: Frame, form: re.Pattern[str], evaluator: Evaluator) -> bool:
    """Whether what is called at a place of a frame's module is a class or function of a module without that form."""
    if not isinstance(call.function, Name | Attribute):
        return False
    found = [each.value for each in evaluator.evaluate(call.function, frame)]
    return bool(found) and all(
        isinstance(each, ClassValue | FunctionValue) and each.module.first_party and not each.module.has(form)
        for each in found
    )


def _is_given_back(value: Expr, is_made: Callable[[Expr], bool], class_: ClassValue, classes: Classes) -> bool:
    """Whether a value is what a method of the object gives that gives the object back: `Made().with_rows(rows)`."""
    match without_narrowing(value):
        case Call(function=Attribute(base=base, name=name)) if is_made(base):
            found = classes.find_method(class_, name)
            returns = found[1].returns if found is not None else ()
            me = found[1].parameters[:1] if found is not None else ()
            return any(isinstance(each, Parameter) and each.name == given.name for each in returns for given in me)
        case _:
            return False


def _leads_to(method: str, name: str, class_: ClassValue, classes: Classes) -> bool:
    """Whether a method of a class, by way of others, may be or call a method, or may give its object to somebody who
    does; what a library's class has may."""
    is_of_library = any(
        isinstance(each, ExternalValue) and each.path != "builtins.object" for each in classes.mro(class_)
    )
    names, known = [name], set[str]()
    while names:
        current = names.pop()
        if current == method:
            return True
        if current in known:
            continue
        known.add(current)
        found = classes.find_method(class_, current)
        if found is not None:
            owner, facts = found
            if _gives_itself(owner, facts):
                return True
            names += _ON_ITSELF.findall(owner.module.code, facts.span.start, facts.span.end)
        elif is_of_library:
            return True
    return False


def _gives_itself(owner: ClassValue, method: FunctionFacts) -> bool:
    """Whether a method does anything with its object but read and store attributes of it, and give it back."""
    if not method.parameters:
        return True
    me, code = method.parameters[0].name, owner.module.code
    after_parameter = code.find(me, method.header.end) + len(me)
    alone = re.compile(rf"(?<![\w.]){me}\b(?!\s*\.)(?<!\breturn {me}(?=\s*(?:\n|#|\Z)))")
    return alone.search(code, after_parameter, method.span.end) is not None
