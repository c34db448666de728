"""The catalog: answers questions about names from the tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from lintpickle.catalog.aliases import forms
from lintpickle.catalog.catalog_words import CatalogWords
from lintpickle.catalog.entries import RESULT, Callback, CallEffect, Case, LengthAsked
from lintpickle.catalog.records import (
    ArgumentUse,
    BoundarySpec,
    Error,
    ErrorKind,
    FreshSpec,
    KnownArguments,
    Product,
    RepeatedSpec,
    SettingSpec,
    StateSpec,
    WaitingSpec,
)
from lintpickle.catalog.tables import ANY_ATTRIBUTE, Tables
from lintpickle.pythons import Version

if TYPE_CHECKING:
    from lintpickle.catalog.names import CatalogNames
    from lintpickle.catalog.rows import Row

T = TypeVar("T")


class Catalog(CatalogWords):
    """Answers questions about fully qualified names ("lmdb.open"), by their public or their defining module. Every
    answer is None, False or empty for an unknown name.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        super().__init__(Tables(rows))
        self._known_forms: dict[str, tuple[str, ...]] = {}
        self._known_cases: dict[str, Sequence[Case]] = {}
        tables = (self._tables.products, self._tables.values, self._tables.functions, self._tables.classes)
        parents = {parent for table in tables for parent in table.parents()}
        self._modules = frozenset(parent for parent in parents if not any(parent in table for table in tables))

    def product(self, path: str, arguments: KnownArguments | None = None) -> Product | None:
        """The object that calling `path` makes, if it cannot cross. With `arguments`, the result for them (`open(p,
        "rb")`, `np.load("a.npz")`); without, the default result.
        """
        return next((case.product for case in self._cases(path) if case.holds(arguments)), None)

    def depends_on_arguments(self, path: str) -> bool:
        """Whether the result of `product` depends on the arguments of the call."""
        return any(case.when for case in self._cases(path))

    def depends_on_use(self, path: str) -> bool:
        """Whether the result of `product` is told by the use that code makes of it."""
        return any(RESULT in case.when for case in self._cases(path))

    def _cases(self, path: str) -> Sequence[Case]:
        if path not in self._known_cases:
            found = (self._tables.products.get(form) for form in self._forms(path))
            self._known_cases[path] = next((cases for cases in found if cases is not None), ())
        return self._known_cases[path]

    def value(self, path: str) -> Product | None:
        """The value of the name, if it cannot cross (`torch.nn.functional.max_pool2d`, `os.environ`)."""
        return self._first(self._tables.values, path)

    def error_on(self, error: Error, python: Version) -> str:
        """An error of Python 3.11 (or a product's), in the wording of another Python version."""
        if not isinstance(error, str):
            for version, text in reversed(error.errors):
                if python >= version:
                    return text
            error = error.error
        for wording in self._tables.wordings:
            if python >= wording.since:
                error = wording.of(error)
        return error

    @property
    def error_kinds(self) -> Sequence[ErrorKind]:
        """The families of run-time errors, in the order in which to try them."""
        return self._tables.error_kinds

    def frame_kind(self, path: str) -> str | None:
        """The kind of boundary implemented in a library's file, by its path with "/" (a longer path is fine:
        "/usr/lib/python3.11/multiprocessing/pool.py")."""
        parts = path.split("/")
        tails = ("/".join(parts[start:]) for start in range(len(parts)))
        return next((self._tables.frame_kinds[tail] for tail in tails if tail in self._tables.frame_kinds), None)

    def method_product(self, owner: str | Product, method: str) -> Product | None:
        """The object that a method makes, if it cannot cross. `owner` is a product, the path of a class, or a kind."""
        for name in self._owners(owner):
            found = self._tables.methods.get((name, method))
            if found is not None:
                return found
        return None

    def settings_of(self, owner: Product) -> frozenset[str]:
        """The attributes of a product that decide what its methods make (`row_factory=sqlite3.Row.fetchall`)."""
        return self._settings.get(owner.type, frozenset())

    @cached_property
    def _settings(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for of, method in self._tables.methods:
            attribute, is_setting, _ = method.partition("=")
            if is_setting:
                found.setdefault(of, set()).add(attribute)
        return {of: frozenset(names) for of, names in found.items()}

    def attribute_product(self, owner: Product) -> Product | None:
        """What any other attribute of a product is, if it cannot cross (the functions of `ctypes.CDLL`)."""
        return self._tables.methods.get((owner.type, ANY_ATTRIBUTE))

    def view_product(self, receiver: str | Product | None, method: str) -> Product | None:
        """The result of the receiver's `.keys()`, `.values()` or `.items()`, if it cannot cross. The receiver is None
        or "dict" for a dict (or anything that may be one), or the path of a class, a product, or a kind. None means
        that the result can cross, or that the receiver is unknown.
        """
        for name in self._owners("dict" if receiver is None else receiver):
            if (name, method) in self._tables.views:
                return self._tables.views[name, method]
        return None

    def is_safe_function(self, path: str) -> bool:
        """Whether the call returns plain data for any arguments (`len`, `numpy.array`)."""
        found = self._first(self._tables.functions, path)
        return found is not None and found.result == "plain" and self.product(path) is None

    def converter(self, path: str) -> ArgumentUse | None:
        """The effect of the call on its arguments. "consume": the result is a container of the *elements* of the
        positional arguments; keyword arguments are kept (`list`, `dict`, `deque`, `nn.ModuleList`). "iterate": it
        holds an iterator over each iterable argument, which makes a dict view harmless, and keeps the others (`map`,
        `zip`, `iter`). "keep": it holds all its arguments. "default": it holds its first argument, and the elements
        of others (`defaultdict`). "copy": it is a copy of its first argument; "change": with what keyword arguments
        give in the place of its attributes. "first", "last": it is, or holds only, its first or last positional
        argument (`torch.compile`, `typing.cast`); "parts": it is a list of views of its first one (`random_split`);
        "element": it is one of the elements of its first one (`random.choice`); "fields": it is a dict of the fields of
        its first one (`dataclasses.asdict`).
        "class": it is a class of the name that is given first (`namedtuple`, `Enum`). "wrap": it is an object of the
        name of the function that it, or what it gives, is called with (`lru_cache`).
        """
        found = self._first(self._tables.functions, path)
        return found.argument_use if found is not None else None

    def drops(self, path: str) -> tuple[str, ...]:
        """Keyword arguments that a call does not keep although it keeps the others."""
        found = self._first(self._tables.functions, path)
        return found.drops if found is not None else ()

    def callback(self, path: str) -> Callback | None:
        """The argument that a call calls, if it calls one before it returns, or as its result is used."""
        return self._first(self._tables.callbacks, path)

    def length_asked(self, path: str) -> LengthAsked | None:
        """How a call, or what it makes, asks what it is given for its length; None if it is not known to."""
        return self._first(self._tables.lengths, path)

    def method_converter(self, owner: str | Product, method: str) -> str | None:
        """What a method does: "self" returns its receiver (`module.to(...)`), "store" puts its arguments into
        its receiver (`module.register_forward_hook(hook)`)."""
        found = self._method_function(owner, method)
        return found.result if found is not None else None

    def returns(self, path: str) -> str | None:
        """The kind or class of a result that can cross but whose methods matter (`multiprocessing.get_context` ->
        "mp-context")."""
        found = self._first(self._tables.functions, path)
        return found.returns if found is not None else None

    def method_returns(self, owner: str | Product, method: str) -> str | None:
        """As `returns`, for a method (`module.state_dict()` -> "collections.OrderedDict")."""
        found = self._method_function(owner, method)
        return found.returns if found is not None else None

    def attribute(self, owner: str | Product, name: str) -> str | None:
        """The class of the object in an attribute (`path.parent` -> "pathlib.Path")."""
        found = self._method_function(owner, name)
        return found.returns if found is not None and found.result == "read" else None

    def naming_methods(self, owner: str) -> frozenset[str]:
        """The methods of a class that keep what they are given, as a partial object, in the attribute of the name that
        they are told first (`toolbox.register("run", task, 3)`)."""
        return self._tables.naming_methods.get(owner, frozenset())

    def kind_of_class(self, path: str) -> str | None:
        """The kind by which a class is payload ("dataset", "iterable-dataset", "sampler", "batch-sampler",
        "module", "transform", "collate", "datamodule", "lightning-module"), or by which rules know it
        ("dataloader", "process", "exception")."""
        if not path.rpartition(".")[2].lstrip("_")[:1].isupper():
            return None
        return self._first(self._tables.classes, path)

    def kind_by_name(self, name: str) -> str | None:
        """The kind of a class of which only the name is known (a base class that cannot be resolved)."""
        last = name.rpartition(".")[2]
        for base in self._tables.bases:
            if (last in base.exact or last.endswith(base.ends)) and not name.startswith(base.excepted):
                return base.kind
        return None

    def kind_by_decorator(self, path_suffix: str) -> str | None:
        """The kind implied by a registry's decorator ("DATASETS.register_module"); a longer path is fine."""
        return self._tables.decorators.get(".".join(path_suffix.split(".")[-2:]))

    def keeps_decorated(self, path: str) -> bool:
        """Whether a decorator returns what it decorates, or a function with the same name."""
        return self._first(self._tables.decorated, path) is not None or self.registers(path)

    def registers(self, name: str) -> bool:
        """Whether a decorator's name is that of one that registers what it decorates and returns it."""
        is_known = self.kind_by_decorator(name) is not None
        return is_known or name.rpartition(".")[2].startswith(self._tables.registering)

    def worker_methods(self, kind: str) -> tuple[str, ...]:
        """The methods of a class of that kind that run in workers."""
        return self._tables.workers.get(kind, ())

    def is_reduced(self, kind: str | None) -> bool:
        """Whether a reducer of its own pickles the objects of a class of that kind, without anything that they hold."""
        return kind in self._tables.reduced

    def boundary(self, path: str) -> BoundarySpec | None:
        """The boundary that calling `path` is; None if it is not one."""
        return self._first(self._tables.boundaries, path)

    def boundary_method(self, type_kind: str | Product, method: str) -> BoundarySpec | None:
        """The boundary that calling the method of such an object is: a product, its kind ("mp-pool",
        "process-executor", "mp-queue", "joblib"), "mp-context", or the path of a class."""
        for name in self._owners(type_kind):
            found = self._tables.method_boundaries.get((name, method))
            if found is not None:
                return found
        return None

    def settings(self) -> Sequence[SettingSpec]:
        """The settings of the process and of libraries that only fork passes on."""
        return self._tables.settings

    def state(self, path: str, first: object = None) -> StateSpec | None:
        """The state in memory of what calling `path` with that first argument makes."""
        states = self._tables.states
        return states.get(f"{path}({first}") or states.get(path)

    def waitings(self, path: str, first: object = None) -> Sequence[WaitingSpec]:
        """How processes wait for one another at what calling `path` with that first argument makes."""
        waitings = self._tables.waitings
        return (*waitings.get(f"{path}({first}", ()), *waitings.get(path, ()))

    def fresh(self) -> Mapping[str, FreshSpec]:
        """The calls that give another value in each process, by their paths."""
        return self._tables.fresh

    def repeated(self) -> Mapping[str, Sequence[RepeatedSpec]]:
        """The calls that do something again in each process that imports the module again, by their paths."""
        return self._tables.repeated

    def uses_thread_pool(self, path: str) -> bool:
        """Whether the function runs in OpenCV's thread pool."""
        return self._first(self._tables.threads, path) is not None

    def starts_boundary(self, path: str) -> bool:
        """Whether the name is a boundary, or makes an object with methods that are boundaries."""
        return self.boundary(path) is not None or self._makes_boundaries(path)

    def is_hazard_or_boundary(self, path: str) -> bool:
        """Whether the name is a boundary, makes an object with boundaries, or is or makes something that cannot
        cross."""
        return self.starts_boundary(path) or self.product(path) is not None or self.value(path) is not None

    def is_pickling_function(self, path: str) -> bool:
        """Whether the name is only a boundary: neither a class nor a maker of objects with boundaries."""
        is_function = path.rpartition(".")[2].islower()
        return is_function and self.boundary(path) is not None and not self._makes_boundaries(path)

    def _makes_boundaries(self, path: str) -> bool:
        product = self.product(path)
        kinds = self._owners_of_boundaries
        if (product is not None and product.kind in kinds) or self.returns(path) in kinds:
            return True
        return any(form in kinds for form in self._forms(path))

    def is_module(self, path: str) -> bool:
        """Whether the name is a module in which the catalog knows names (`torch.nn.functional`)."""
        return path.rpartition(".")[2].islower() and any(form in self._modules for form in self._forms(path))

    def has_boundaries(self, kind: str) -> bool:
        """Whether some methods of objects of that kind, or class, are boundaries."""
        return kind in self._owners_of_boundaries

    def described(self) -> frozenset[str]:
        """Top-level packages whose sources need not be followed, because the catalog describes them."""
        return self._described

    @cached_property
    def _described(self) -> frozenset[str]:
        return frozenset(self._tables.libraries)

    def own_name(self, path: str) -> str:
        """The name in its module of origin: `multiprocessing.Lock` for `torch.multiprocessing.Lock`."""
        return self._forms(path)[-1]

    def names(self, path: str) -> tuple[str, ...]:
        """The name itself, then those of which it is another one: `types.ModuleType`, then `module`."""
        return self._forms(path)

    def _first(self, names: CatalogNames[T], path: str) -> T | None:
        for form in self._forms(path):
            found = names.get(form)
            if found is not None:
                return found
        return None

    def _forms(self, path: str) -> tuple[str, ...]:
        if path not in self._known_forms:
            self._known_forms[path] = tuple(forms(path, self._tables.aliases))
        return self._known_forms[path]

    def _owners(self, owner: str | Product) -> Iterator[str]:
        """The names under which the catalog may list methods of the owner, the most specific first."""
        if isinstance(owner, Product):
            yield owner.type
            yield owner.kind
            return
        yield from self._forms(owner)
        kind = self.kind_of_class(owner)
        if kind is not None:
            yield kind

    def _method_function(self, owner: str | Product, method: str) -> CallEffect | None:
        for name in self._owners(owner):
            found = self._tables.method_functions.get((name, method))
            if found is not None:
                return found
        return None
