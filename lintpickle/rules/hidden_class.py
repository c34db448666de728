from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.functions import name_at_run
from lintpickle.rules.authoring import (
    ALL_MARKS,
    AbstractValue,
    ClassValue,
    Crossing,
    FunctionValue,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    Rule,
    Site,
    carries_functions,
    excerpt_of,
    how_held,
    in_the_end,
    pickles_its_class,
)

_PUTS_BACK = re.compile(r"__qualname__|__module__|__reduce|globals\(\)|sys\.modules\[|copyreg")
"""What may let pickle find a class in another way than by its name."""

_OF_A_NAME = "give the object another name than its class has"


class HiddenClass(Rule):
    """An object that crosses, and whose class is hidden: its name leads to what a decorator has put in its place."""

    code = "LP126"
    name = "hidden-class"
    value_types = (InstanceValue,)
    message = "object `{excerpt}` is {held}, but the name `{class_}` leads to {what}: {error}"
    help = "let the decorator return the class itself, or keep the one object in a function with `functools.cache`"
    marks = ALL_MARKS

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.value:
            case InstanceValue(class_=class_) if not carries_functions(crossing) and not class_.facts.is_local:
                what = _in_its_place(class_, linker)
                if what is None or not pickles_its_class(crossing.value, linker.evaluator):
                    return
                path = f"{name_at_run(class_.module)}.{class_.facts.qualname}"
                yield Hazard(
                    site=Site(class_.module, class_.facts.header),
                    noun=f"its name leads to {what}",
                    error=f"_pickle.PicklingError: Can't pickle <class '{path}'>: it's not the same object as {path}",
                    data={
                        "excerpt": excerpt_of(crossing),
                        "held": how_held(crossing),
                        "class_": class_.facts.name,
                        "what": what,
                    },
                    hops=(Hop(f"an object of {class_.facts.name}", crossing.site),),
                    help=None if class_.facts.decorators else _OF_A_NAME,
                )
            case _:
                pass


def _in_its_place(class_: ClassValue, linker: Linker) -> str | None:
    """What the name of a class leads to, if that is surely not the class."""
    name, module = class_.facts.name, class_.module
    if class_.facts.qualname != name or module.has(_PUTS_BACK):
        return None
    definitions = in_the_end(linker.evaluator.names.lookup(module, name))
    site = Site(module, class_.facts.header)
    if [each.class_ for each in definitions] == [class_.facts] and class_.facts.decorators:
        block = definitions[0].block
        if block is None:
            return None
        frame = linker.evaluator.module_frame(module, block.body)
        made = linker.evaluator.decorators.in_place_of(class_, frame)
    elif len(definitions) == 1 and definitions[0].value is not None:
        made = tuple(each.value for each in linker.evaluator.definition(definitions[0], site))
    else:
        return None
    phrases = {_phrase(each, class_) for each in made}
    return phrases.pop() if len(phrases) == 1 else None


def _phrase(made: AbstractValue, class_: ClassValue) -> str | None:
    match made:
        case FunctionValue(module=module, opaque=False) if not module.has(_PUTS_BACK):
            return "a function"
        case InstanceValue(class_=of) if of.facts is class_.facts:
            return "an object of it"
        case InstanceValue(class_=of):
            return f"an object of `{of.facts.name}`"
        case _:
            return None
