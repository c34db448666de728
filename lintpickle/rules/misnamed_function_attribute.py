from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.functions import has_name, name_at_run, wraps
from lintpickle.analyses.pickle_hooks.renamed_functions import has_name_of_its_own
from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import (
    ALL_MARKS,
    SHIPPED_KINDS,
    AbstractValue,
    Call,
    ClassFacts,
    ClassValue,
    ContainerValue,
    Crossing,
    Expr,
    ExternalValue,
    Frame,
    FunctionFacts,
    FunctionValue,
    Hazard,
    InstanceValue,
    Linker,
    Module,
    Name,
    ProductValue,
    Shipped,
    Site,
    Words,
    carries_functions,
    ending_name,
    excerpt as excerpt_at,
    excerpt_of,
    how_held,
)

_WRAPPERS = {
    "functools.cache": "functools._lru_cache_wrapper object",
    "functools.lru_cache": "functools._lru_cache_wrapper object",
    "torch.compile": None,
    "torch.no_grad": None,
    "torch.enable_grad": None,
    "torch.inference_mode": None,
}
"""Functions whose result takes the name of the wrapped function, with the printed type of results that are not
functions."""
_Original: TypeAlias = FunctionValue | ClassValue | ExternalValue
"""What is wrapped."""
_WRAPPER_NAMES = frozenset(path.rpartition(".")[2] for path in _WRAPPERS)
_WRAPPING = Words(
    {" cache(", "functools.cache(", "lru_cache(", " compile(", "torch.compile(", "_grad()(", "inference_mode()("}
)
"""Words, one of which occurs wherever a function is wrapped."""


class MisnamedFunctionAttribute(ProductRule):
    """A wrapped function whose `__name__` leads pickle to another function."""

    code = "LP122"
    name = "misnamed-function-attribute"
    kinds = frozenset({"local-function", "rewrapped-function"})
    noun = "wrapped function"
    help = "decorate the function where it is defined (`@decorator`), so that its name leads to the wrapped one"
    value_types = (ProductValue, InstanceValue, FunctionValue, ContainerValue)
    class_kinds = SHIPPED_KINDS
    marks = ALL_MARKS
    words = frozenset(
        {*_WRAPPING.all, "wraps(", "vmap(", "torch.func", "frompyfunc", "legendre_p", "sph_"}
        | {"SimpleBlobDetector_", "fsencode", "fsdecode", "hashlib.new", "lambdify", "Template("}
    )
    class_words = _WRAPPING.all

    def __init__(self) -> None:
        self._wrapping: dict[int, bool] = {}

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        yield from super().crossing(crossing, linker)
        if carries_functions(crossing):
            return
        match crossing.value:
            case ContainerValue(kind=kind, slots=(wrapped, *_), call=Call()) if kind in _WRAPPERS:
                original = _original(wrapped.value, wrapped.frame, kind, linker)
                if original is not None and not _is_found(original, crossing, linker):
                    yield _hazard(crossing.site, excerpt_of(crossing), how_held(crossing), original, _WRAPPERS[kind])
            case InstanceValue() as holder if self._may_wrap(holder, linker):
                yield from _wrapped_in(holder, linker)
            case FunctionValue(bound=None) as wrapper:
                original = _decorated(wrapper, crossing, linker)
                if original is not None and not has_name_of_its_own(crossing):
                    yield _hazard(crossing.site, excerpt_of(crossing), how_held(crossing), original)
            case _:
                pass

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        if linker.classes.kind(class_) in SHIPPED_KINDS:
            instance = linker.activations.instance(class_)
            if self._may_wrap(instance, linker):
                yield from _wrapped_in(instance, linker)

    def _may_wrap(self, holder: InstanceValue, linker: Linker) -> bool:
        """Whether the name of a wrapping function occurs in a class of the hierarchy, or in the function that makes the
        object."""
        line = (each for each in linker.classes.mro(holder) if isinstance(each, ClassValue))
        if any(self._holds_wrapper(each.module, each.facts) for each in line):
            return True
        return holder.frame is not None and self._holds_wrapper(holder.frame.module, holder.frame.function)

    def _holds_wrapper(self, module: Module, facts: ClassFacts | FunctionFacts) -> bool:
        """The same for one class or function, computed once, because many of its objects may cross."""
        if id(facts) not in self._wrapping:
            self._wrapping[id(facts)] = _WRAPPING.stand_at(module.code, facts.span)
        return self._wrapping[id(facts)]


def _hazard(site: Site, excerpt: str, held: str, original: _Original, type_: str | None = None) -> Hazard:
    return Hazard(
        site=site,
        noun="the wrapped function",
        error=(
            f"_pickle.PicklingError: Can't pickle <{type_ or f'function {_name_of(original)}'} at 0x…>: "
            f"it's not the same object as {_home_of(original)}.{_name_of(original)}"
        ),
        data={"noun": MisnamedFunctionAttribute.noun, "excerpt": excerpt, "held": held},
    )


def _name_of(original: _Original) -> str:
    return original.path.rpartition(".")[2] if isinstance(original, ExternalValue) else original.facts.qualname


def _home_of(original: _Original) -> str:
    """The module in which pickle looks for the name: a library may define elsewhere what it is imported from
    (`os.listdir` is `posix.listdir`)."""
    return "…" if isinstance(original, ExternalValue) else name_at_run(original.module)


def _wrapped_in(holder: InstanceValue, linker: Linker) -> Iterator[Hazard[KeptProduct]]:
    """`self.f = torch.compile(f)`, `self.read = lru_cache(None)(self.read)`: the wrapper has the function's name."""
    lets_through = Shipped(holder, linker.evaluator)
    for held in linker.classes.states.state(holder):
        if held.name not in lets_through or not held.direct or not isinstance(held.value, Call):
            continue
        call = held.value
        positional = call.positional() or ()
        maker = call.function.function if isinstance(call.function, Call) else call.function
        if len(positional) != 1 or not _may_be_wrapper(maker, held.frame.module):
            continue
        for made in linker.evaluate(maker, held.frame):
            if not isinstance(made.value, ExternalValue) or made.value.path not in _WRAPPERS:
                continue
            original = _original(positional[0], held.frame, made.value.path, linker)
            if original is not None:
                owner = held.owner.facts.name if held.owner is not None else holder.class_.facts.name
                site, excerpt = Site(held.frame.module, call.span), excerpt_at(held.frame.module, call)
                hazard = _hazard(
                    site, excerpt, f"kept in `{owner}.{held.attribute}`", original, _WRAPPERS[made.value.path]
                )
                is_option = linker.conditions.reaches(held.site.span, held.frame) is None
                yield replace(hazard, confidence=Confidence.POSSIBLE) if is_option else hazard


def _may_be_wrapper(maker: Expr, module: Module) -> bool:
    """Whether what is called can be a wrapping function, by its name; under whatever name it is imported."""
    match maker:
        case Name(name=name):
            imported = module.outline.importing(name)
            return not imported or any(each.name in _WRAPPER_NAMES for each in imported)
        case _:
            return ending_name(maker) in _WRAPPER_NAMES


def _original(value: Expr, frame: Frame, wrapper: str, linker: Linker) -> _Original | None:
    """The wrapped function, or the class or function of a library around which there is a cache, if it can be found by
    name."""
    for traced in linker.evaluate(value, frame):
        match traced.value:
            case FunctionValue() as function if has_name(function):
                return function
            case ClassValue(frame=None) | ExternalValue() as original if _WRAPPERS[wrapper] is not None:
                return original
            case _:
                pass
    return None


def _decorated(value: FunctionValue, crossing: Crossing, linker: Linker) -> FunctionValue | None:
    """The function whose name a decorator of the program gives to its wrapper (with `functools.wraps`), if the name
    does not lead to the wrapper."""
    original = wraps(value, linker)
    if original is None:
        return None
    return None if _is_found(original, crossing, linker) else original


def _is_found(original: _Original, crossing: Crossing, linker: Linker) -> bool:
    """Whether the name that a wrapper has from a function leads to the wrapper: not that of a library."""
    if isinstance(original, ExternalValue):
        return False
    if original.facts.qualname != original.facts.name:
        return False
    if _is_put_around(crossing.value, original, linker):
        return True
    definitions = linker.evaluator.names.lookup(original.module, original.facts.name)
    return any(
        _is_same(traced.value, crossing.value)
        for definition in definitions
        for traced in linker.evaluator.definition(definition, crossing.site)
    )


def _is_put_around(wrapper: AbstractValue, original: FunctionValue | ClassValue, linker: Linker) -> bool:
    """Whether a decorator of a function gives the wrapper, which the name of the function leads to then."""
    if not isinstance(original, FunctionValue) or not isinstance(wrapper, FunctionValue):
        return False
    if not original.facts.decorators:
        return False
    frame = original.frame or Frame(original.module, original.facts)
    return any(each.facts is wrapper.facts for each in linker.evaluator.decorators.around(original, frame))


def _is_same(found: AbstractValue, wrapper: AbstractValue) -> bool:
    match found, wrapper:
        case FunctionValue(facts=facts), FunctionValue(facts=other):
            return facts is other
        case ContainerValue(call=call), ContainerValue(call=other) if call is not None:
            return call is other
        case _:
            return False
