"""The names in a file written by `torch.save` that `torch.load` refuses by default."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.written_files.main_classes import defined_in
from lintpickle.analyses.written_files.numpy_values import NumpyValues, is_known
from lintpickle.analyses.written_files.written import WrittenPart
from lintpickle.analyses.written_files.written_modules import runs_as_main
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Parameter, uncalled, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    InstanceValue,
)
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

# Measured with torch 2.13.0: what torch.save writes for each and torch.load refuses by default.
_ARRAY, _SCALAR = "numpy._core.multiarray._reconstruct", "numpy._core.multiarray.scalar"
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
_ALLOWED_BASES = ("torch.nn.Parameter", "torch.nn.parameter.Parameter")


class RefusedName(Struct, frozen=True):
    """A name that `torch.load` does not allow. It `is_sure` unless the value is one of several, or there is another
    doubt about it."""

    name: str
    is_sure: bool = True


def refused_names(part: WrittenPart, asking: Module, numpy: NumpyValues, linker: Linker) -> Iterator[RefusedName]:
    """The names that `torch.load` does not allow in the file with a part; `asking` is the module being judged, `numpy`
    knows what has been made with NumPy in that file."""
    of_numpy = numpy.made_at(part.value, part.frame)
    if of_numpy is not None:
        yield RefusedName(_ARRAY if of_numpy.is_array else _SCALAR, of_numpy.is_sure)
    yield from _by_call(part.value, part.frame, linker)
    yield from _by_decorator(part.value, part.frame, linker)
    for traced in linker.evaluate(part.value, part.frame):
        for name in _by_value(traced.value, asking, linker):
            yield RefusedName(name, not traced.doubts)


def _by_call(value: Expr, frame: Frame, linker: Linker) -> Iterator[RefusedName]:
    match value:
        case Call(function=Attribute(name="parse_args")) if not is_known(value.function, frame, linker):
            yield RefusedName("argparse.Namespace")
        case Call(function=Attribute(base=base, name="get_state")) if _is_generator(base, frame, linker):
            yield RefusedName(_ARRAY)
        case Item(base=Call(function=Attribute(name="parse_known_args")), key=Constant(value=0)):
            yield RefusedName("argparse.Namespace")
        case Call(function=function):
            for traced in linker.evaluate(function, frame):
                if isinstance(traced.value, ExternalValue):
                    for path in _by_path(traced.value.path):
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
        function = uncalled(decorator)
        names = external_names(function, home, linker)
        yield from (RefusedName(_GIVEN_BY[name]) for name in names if name in _GIVEN_BY)


def _by_path(path: str) -> Iterator[str]:
    if path in _RESULTS:
        yield _RESULTS[path]
    elif path.startswith("torch.optim.") and path.rpartition(".")[2][:1].isupper():
        yield _optimizer(path)


def _optimizer(path: str) -> str:
    """The module path of an optimizer or scheduler class in torch."""
    name = path.rpartition(".")[2]
    return path if "lr_scheduler" in path else f"torch.optim.{name.lower()}.{name}"


def _by_value(value: AbstractValue, asking: Module, linker: Linker) -> Iterator[str]:
    match value:
        case ContainerValue(kind=kind):
            names = [name for path, name in _RESULTS.items() if kind in (path, path.rpartition(".")[2])]
            yield from names[:1]
        case ExternalResult(path=path):
            yield from _by_path(path)
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
