from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    ClassValue,
    Crossing,
    Expr,
    FunctionValue,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    Rule,
    Site,
    carries_functions,
    excerpt,
    is_special_name,
)


class OverriddenMethod(Rule):
    """A method of a base class, bound to an object whose class overrides it: the copy of it is the other method."""

    code = "LP622"
    name = "overridden-method"
    start_methods = ALL_START_METHODS
    value_types = (FunctionValue,)
    message = (
        "bound method `{excerpt}` crosses: pickle sends the object and the name `{method}`, under which the copy has "
        "`{class_}.{method}`: that runs instead"
    )
    help = "send a method of another name that calls it, or a partial of the function (`partial(Base.run, self)`)"
    marks = frozenset()
    of_results = True

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        """`Process(target=super().encode)`."""
        value = crossing.value
        if not isinstance(value, FunctionValue) or not isinstance(value.bound, InstanceValue):
            return
        if crossing.root.kind == "deepcopy" or carries_functions(crossing):
            return  # They send the function itself.
        name = value.facts.name
        found = linker.classes.find_method(value.bound, name)
        if found is None or found[1] is value.facts or is_special_name(name):
            return
        for base in linker.classes.mro(value.bound):
            if isinstance(base, ClassValue) and base.facts is not found[0].facts and _has(base, value):
                owner, module = found[0].facts.name, crossing.site.module
                yield Hazard(
                    site=crossing.site,
                    noun="the method of the base class",
                    error=None,
                    data={"excerpt": excerpt(module, Expr(crossing.site.span)), "method": name, "class_": owner},
                    hops=(Hop(f"`{owner}` overrides it here", Site(found[0].module, found[1].header)),),
                )
                return


def _has(class_: ClassValue, function: FunctionValue) -> bool:
    return class_.facts.methods.get(function.facts.name) is function.facts
