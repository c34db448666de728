from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.hierarchies import (
    REDUCERS,
    call_error,
    defines,
    external_bases,
    is_me,
    known_ancestors,
)
from lintpickle.analyses.calls_and_values.kept_parameters import kept_behind, kept_parameters, stores_by_attribute
from lintpickle.analyses.pickle_hooks.own_state import is_needed
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    Argument,
    Attribute,
    Bound,
    Call,
    ClassValue,
    Collection,
    Constant,
    Expr,
    Frame,
    FunctionFacts,
    Hazard,
    Item,
    Linker,
    Name,
    Parameter,
    Rule,
    Site,
    ending_name,
    options_of,
    without_narrowing,
)


class ReduceArgumentsMismatch(Rule):
    """A `__reduce__` whose arguments do not fit the `__init__` that is called with them."""

    code = "LP608"
    name = "reduce-arguments-mismatch"
    message = "`{class_}.{method}` rebuilds the object with arguments that do not fit `__init__`: {error}"
    help = "return all arguments that `__init__` needs, in its order"
    words = frozenset({"__reduce"})

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        line = known_ancestors(class_, linker.classes)
        init = linker.classes.find_method(class_, "__init__")
        if line is None or init is None or init[1].decorators or class_.facts.keywords or defines(line, "__new__"):
            return
        if not all(path.startswith("builtins.") for path in external_bases(line)):
            return
        for name in sorted(REDUCERS & set(class_.facts.methods)):
            method = class_.facts.methods[name]
            if method.parameters and not method.decorators:
                yield from _judged(class_, method, init, linker)


def _judged(
    class_: ClassValue, method: FunctionFacts, constructor: tuple[ClassValue, FunctionFacts], linker: Linker
) -> Iterator[Hazard]:
    init = constructor[1]
    for given, state in _given(class_, method, linker):
        error = call_error(class_.facts.qualname, init, len(given.elements)) or _confused(given, method, init)
        doubtful = None
        if error is None:
            doubtful = _described(given, method, init)
            if doubtful is None and not state:
                doubtful = _lost(len(given.elements), class_, constructor, linker)
        error = error or doubtful
        if error is not None:
            yield Hazard(
                site=Site(class_.module, given.span),
                noun="what `__init__` is called with",
                error=error,
                data={"class_": class_.facts.name, "method": method.name},
                confidence=Confidence.LIKELY if doubtful is None else Confidence.POSSIBLE,
            )


def _given(class_: ClassValue, method: FunctionFacts, linker: Linker) -> Iterator[tuple[Collection, bool]]:
    """The arguments that a reducer returns with the object's own class, and whether a state follows; nothing for
    results of another form."""
    me = linker.activations.instance(class_)
    frame = Frame(class_.module, method, {method.parameters[0].name: Bound(value=me)}, None, 1, open=True)
    for value in method.returns:
        match value:
            case Collection(kind="tuple", elements=[callable_, Collection(kind="tuple") as given, *more]):
                is_known = not any(isinstance(each, Item) and each.is_starred for each in given.elements)
                if is_known and _is_own_class(callable_, class_, frame, linker):
                    yield given, any(not (isinstance(each, Constant) and each.value is None) for each in more)
            case _:
                pass


def _is_own_class(value: Expr, class_: ClassValue, frame: Frame, linker: Linker) -> bool:
    """Whether a value is the object's own class: `type(self)`, `self.__class__`, or its name."""
    match value:
        case Call(function=Name(name="type"), arguments=[Argument(value=me)]):
            return is_me(me, frame.function)
        case Attribute(base=me, name="__class__"):
            return is_me(me, frame.function)
        case _:
            made = [traced.value for traced in linker.evaluate(value, frame)]
            return all(isinstance(each, ClassValue) and each.facts is class_.facts for each in made)


def _confused(given: Collection, method: FunctionFacts, init: FunctionFacts) -> str | None:
    """The first attribute that holds another parameter than the one it is passed as, described for the message."""
    kept = dict(kept_parameters(init))
    arrived = [(name, kept[attribute]) for name, attribute in _passed(given, method, init) if attribute in kept]
    for name, source in arrived:
        if source != name and (source, source) not in arrived:
            return f"silently, `{source}` is passed as `{name}`"
    return None


def _described(given: Collection, method: FunctionFacts, init: FunctionFacts) -> str | None:
    """The first parameter that may be kept as it is, and for which the text that describes it is passed."""
    stores = {
        attribute: [option for value in values for option in options_of(without_narrowing(value))]
        for attribute, values in stores_by_attribute(init).items()
    }
    for name, attribute in _passed(given, method, init):
        is_kept = any(_is(option, name) for kept, options in stores.items() if kept != attribute for option in options)
        if is_kept and any(_describes(option, name) for option in stores.get(attribute, ())):
            return f"silently, a text is passed as `{name}`"
    return None


def _lost(count: int, class_: ClassValue, constructor: tuple[ClassValue, FunctionFacts], linker: Linker) -> str | None:
    """The first parameter that the arguments end before though the object keeps and uses it, described."""
    line = [each for each in linker.classes.mro(class_) if isinstance(each, ClassValue)]
    for name, attribute in kept_behind(count, class_, constructor, linker):
        if any(is_needed(attribute, each) for each in line):
            return f"silently, `{name}` is lost"
    return None


def _passed(given: Collection, method: FunctionFacts, init: FunctionFacts) -> Iterator[tuple[str, str]]:
    """The attributes of the object that a reducer passes, each behind the parameter that gets it."""
    names = [parameter.name for parameter in init.parameters[1:] if parameter.kind in ("positional-only", "positional")]
    for name, argument in zip(names, given.elements, strict=False):
        if isinstance(argument, Attribute) and is_me(argument.base, method):
            yield name, argument.name


def _is(value: Expr, name: str) -> bool:
    """Whether a value is the parameter of that name."""
    value = without_narrowing(value)
    return isinstance(value, Parameter) and value.name == name


def _describes(value: Expr, name: str) -> bool:
    """Whether a value is the text of a parameter: what `repr`, `str`, or a function that is called like `safe_repr`
    gives of it."""
    match without_narrowing(value):
        case Call(function=function, arguments=(Argument(value=described),)):
            describing = ending_name(function) or ""
            return (describing == "str" or describing.endswith("repr")) and _is(described, name)
        case _:
            return False
