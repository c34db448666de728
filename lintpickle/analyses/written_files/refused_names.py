"""The names in a file written by `torch.save` that `torch.load` refuses by default."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.written_files.main_classes import defined_in
from lintpickle.analyses.written_files.written import WrittenPart
from lintpickle.analyses.written_files.written_modules import runs_as_main
from lintpickle.facts.values import Attribute, Call, Collection, Constant, Expr, Item, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    InstanceValue,
    is_indefinite,
)
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

# Measured with torch 2.13.0: what torch.save writes for each and torch.load refuses by default.
_ARRAY, _SCALAR = "numpy._core.multiarray._reconstruct", "numpy._core.multiarray.scalar"
_NUMPY_ARRAYS = re.compile(
    r"append|arange|argsort|array|asarray|ascontiguousarray|column_stack|concatenate|copy|corrcoef|cov|cumsum|diag|diff|"
    r"empty|empty_like|eye|frombuffer|fromiter|full|full_like|genfromtxt|hstack|identity|linspace|loadtxt|"
    r"logspace|ones|ones_like|random\.get_state|random\.permutation|random\.rand|random\.randn|repeat|sort|"
    r"stack|tile|unique|vstack|zeros|zeros_like"
)
_NUMPY_SCALARS = re.compile(r"bool_|float16|float32|float64|int16|int32|int64|int8|uint8")
_NUMPY_REDUCTIONS = re.compile(
    r"amax|amin|argmax|argmin|average|max|mean|median|min|nanmax|nanmean|nanmin|nanstd|percentile|prod|quantile|std|"
    r"sum|var"
)
"""Functions that return a scalar for a whole array, and an array if an axis is given."""
_AXIS_BEHIND = {"percentile": 2, "quantile": 2}
"""The position of the axis argument, where it is not the second."""
_RESULTS = {
    "addict.Dict": "addict.addict.Dict",
    "box.Box": "box.box.Box",
    "dotmap.DotMap": "dotmap.DotMap",
    "easydict.EasyDict": "easydict.EasyDict",
    "ml_collections.ConfigDict": "ml_collections.config_dict.config_dict.ConfigDict",
    "ml_collections.config_dict.ConfigDict": "ml_collections.config_dict.config_dict.ConfigDict",
    "munch.Munch": "munch.Munch",
    "munch.munchify": "munch.Munch",
    "yacs.config.CfgNode": "yacs.config.CfgNode",
    "builtins.frozenset": "frozenset",
    "builtins.range": "range",
    "builtins.slice": "slice",
    "collections.ChainMap": "collections.ChainMap",
    "collections.defaultdict": "collections.defaultdict",
    "collections.deque": "collections.deque",
    "datetime.date.today": "datetime.date",
    "datetime.datetime": "datetime.datetime",
    "datetime.datetime.now": "datetime.datetime",
    "datetime.datetime.today": "datetime.datetime",
    "datetime.datetime.utcnow": "datetime.datetime",
    "datetime.timedelta": "datetime.timedelta",
    "decimal.Decimal": "decimal.Decimal",
    "fractions.Fraction": "fractions.Fraction",
    "omegaconf.DictConfig": "omegaconf.dictconfig.DictConfig",
    "pathlib.Path": "pathlib.PosixPath",
    "pathlib.PosixPath": "pathlib.PosixPath",
    "pathlib.PurePath": "pathlib.PurePosixPath",
    "pathlib.PurePosixPath": "pathlib.PurePosixPath",
    "re.compile": "re._compile",
    "types.SimpleNamespace": "types.SimpleNamespace",
    "argparse.Namespace": "argparse.Namespace",
    "functools.partial": "functools.partial",
    "uuid.uuid1": "uuid.UUID",
    "uuid.uuid4": "uuid.UUID",
}
_GIVEN_BY = {"hydra.main": "omegaconf.dictconfig.DictConfig"}
"""What decorators pass to the functions that they decorate."""
_GENERATOR = "numpy.random.Generator"
"""What the catalog calls all random generators of NumPy."""
_METHODS = {"parse_args": "argparse.Namespace", "numpy": _ARRAY}
"""Methods whose name tells what they return."""
_ALLOWED_BASES = ("torch.nn.Parameter", "torch.nn.parameter.Parameter")


class RefusedName(Struct, frozen=True):
    """A name that `torch.load` does not allow. It `is_sure` unless the value is one of several, or there is another
    doubt about it."""

    name: str
    is_sure: bool = True


def refused_names(part: WrittenPart, asking: Module, linker: Linker) -> Iterator[RefusedName]:
    """The names that `torch.load` does not allow in the file with a part; `asking` is the module being judged."""
    yield from _by_call(part.value, part.frame, linker)
    yield from _by_decorator(part.value, part.frame, linker)
    for traced in linker.evaluate(part.value, part.frame):
        for name in _by_value(traced.value, asking, linker):
            yield RefusedName(name, not traced.doubts)


def _by_call(value: Expr, frame: Frame, linker: Linker) -> Iterator[RefusedName]:
    match value:
        case Call(function=Attribute(name=name)) if name in _METHODS and not _is_external(value, frame, linker):
            yield RefusedName(_METHODS[name])
        case Call(function=Attribute(base=base, name="get_state")) if _is_generator(base, frame, linker):
            yield RefusedName(_ARRAY)
        case Item(base=Call(function=Attribute(name="parse_known_args")), key=Constant(value=0)):
            yield RefusedName("argparse.Namespace")
        case Call(function=function):
            for traced in linker.evaluate(function, frame):
                if isinstance(traced.value, ExternalValue):
                    for path in _by_path(traced.value.path, value, frame, linker):
                        yield RefusedName(path, not traced.doubts)
        case _:
            pass


def _is_generator(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether an expression is a variable that holds one of NumPy's `RandomState`s, whose state holds an array."""
    made = without_narrowing(value)
    names = external_names(made.function, frame, linker) if isinstance(made, Call) else ()
    return any(linker.catalog.returns(name) == _GENERATOR for name in names)


def _by_decorator(value: Expr, frame: Frame, linker: Linker) -> Iterator[RefusedName]:
    """The type of the one argument that a decorator passes to its function: of `hydra.main`, the configuration."""
    home = frame.enclosing(value.owner) if isinstance(value, Parameter) else None
    if home is None or home.parent is not None or len(home.function.parameters) != 1:
        return
    for decorator in home.function.decorators:
        function = decorator.function if isinstance(decorator, Call) else decorator
        names = external_names(function, home, linker)
        yield from (RefusedName(_GIVEN_BY[name]) for name in names if name in _GIVEN_BY)


def _is_external(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether the callee is in fact a module's function, or a method of the project itself."""
    return any(
        not isinstance(traced.value, ExternalValue) and not is_indefinite(traced.value)
        for traced in linker.evaluate(call.function, frame)
    )


def _by_path(path: str, call: Call, frame: Frame, linker: Linker) -> Iterator[str]:
    head, _, name = path.partition(".")
    if head == "numpy" and _NUMPY_ARRAYS.fullmatch(name):
        yield _ARRAY
    elif head == "numpy" and _NUMPY_SCALARS.fullmatch(name):
        yield _ARRAY if _is_given_several(call, frame, linker) else _SCALAR
    elif head == "numpy" and _NUMPY_REDUCTIONS.fullmatch(name):
        yield from _reduced(name, call)
    elif path in _RESULTS:
        yield _RESULTS[path]
    elif path.startswith("torch.optim.") and path.rpartition(".")[2][:1].isupper():
        yield _optimizer(path)


def _is_given_several(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a NumPy type is called with a list or tuple, of which it makes an array."""
    given = next(iter(call.positional() or ()), None)
    values = linker.evaluate(given, frame) if given is not None else ()
    return any(isinstance(each.value, ContainerValue) for each in values)


def _reduced(name: str, call: Call) -> Iterator[str]:
    """The name that the result of a NumPy reduction is pickled as; nothing if its axis is not a literal."""
    positional, place = call.positional(), _AXIS_BEHIND.get(name, 1)
    if positional is None or any(argument.star for argument in call.arguments):
        return
    axis = call.keyword("axis") or next(iter(positional[place:]), None)
    several = call.keyword("q") or next(iter(positional[1:place]), None)
    match axis:
        case _ if call.keyword("keepdims") is not None or isinstance(several, Collection):
            yield _ARRAY
        case None | Constant(value=None):
            yield _SCALAR
        case Constant() | Collection():
            yield _ARRAY
        case _:
            pass


def _optimizer(path: str) -> str:
    """The module path of an optimizer or scheduler class in torch."""
    name = path.rpartition(".")[2]
    return path if "lr_scheduler" in path else f"torch.optim.{name.lower()}.{name}"


def _by_value(value: AbstractValue, asking: Module, linker: Linker) -> Iterator[str]:
    match value:
        case ContainerValue(kind=kind):
            names = [name for path, name in _RESULTS.items() if kind in (path, path.rpartition(".")[2])]
            yield from names[:1]
        case ExternalResult(path=path, call=call, frame=frame):
            yield from _by_path(path, call, frame, linker)
        case InstanceValue() | ClassValue():
            yield from _of_class(value, asking, linker)
        case _:
            found = defined_in(value)
            if found is not None:
                yield f"{_imported_as(found[0])}.{found[1]}"


def _imported_as(module: Module) -> str:
    """The name under which code imports a module: no folder whose name is no identifier is a package
    (`my-project/data/rows.py` is `data.rows`)."""
    parts = module.name.split(".")
    outside = max((place for place, part in enumerate(parts[:-1]) if not part.isidentifier()), default=-1)
    return ".".join(parts[outside + 1 :])


def _of_class(value: InstanceValue | ClassValue, asking: Module, linker: Linker) -> Iterator[str]:
    found = defined_in(value)
    if (
        found is None
        or linker.classes.find_method(value, "__reduce__")
        or linker.classes.find_method(value, "__reduce_ex__")
    ):
        return
    if any(isinstance(each, ExternalValue) and each.path in _ALLOWED_BASES for each in linker.classes.mro(value)):
        return
    module, name = found
    yield f"__main__.{name}" if runs_as_main(module, asking, linker) else f"{_imported_as(module)}.{name}"
