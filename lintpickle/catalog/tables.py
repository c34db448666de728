"""The tables behind the catalog: rows in, records by name out."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from lintpickle.catalog.linear import Linear, Refused
from lintpickle.catalog.names import CatalogNames
from lintpickle.catalog.records import (
    BoundarySpec,
    ErrorKind,
    FreshSpec,
    KnownArguments,
    Product,
    RepeatedSpec,
    SettingSpec,
    StateSpec,
)
from lintpickle.diagnostics import LintpickleError, StartMethod
from lintpickle.input_limits import CATALOG_ALIASES
from lintpickle.pythons import Version

if TYPE_CHECKING:
    from lintpickle.catalog.reading import Row


class Case(Struct, frozen=True):
    """The result of a call with certain arguments; None for something harmless."""

    product: Product | None
    when: Mapping[str, str]
    parameters: tuple[str, ...]

    def holds(self, arguments: KnownArguments | None) -> bool:
        """Whether the call matches this case, as far as its arguments are known."""
        if not self.when:
            return True
        if not arguments:
            return False
        named = {self._name(key): value for key, value in arguments.items()}
        return all(name in named and _matches(named[name], pattern) for name, pattern in self.when.items())

    def _name(self, key: int | str) -> str:
        if isinstance(key, int):
            return self.parameters[key] if key < len(self.parameters) else str(key)
        return key


class CallEffect(Struct, frozen=True):
    """The effect of a function or method on its arguments, and the kind of its result."""

    result: str | None
    returns: str | None
    drops: tuple[str, ...] = ()


class Base(Struct, frozen=True):
    """Names that imply the kind of a class."""

    exact: frozenset[str]
    ends: tuple[str, ...]
    excepted: tuple[str, ...]
    kind: str


class Wording(Struct, frozen=True):
    """A change of messages from one Python version on."""

    since: Version
    pattern: str
    text: str
    linear: Linear | None = None
    """Of a wording that does not ship with lintpickle."""

    def of(self, error: str) -> str:
        """An error in this wording."""
        return re.sub(self.pattern, self.text, error) if self.linear is None else self.linear.sub(error)


def forms(path: str, aliases: Mapping[str, str]) -> Iterator[str]:
    """The name itself, then its aliases: `torch.multiprocessing.Lock`, then `multiprocessing.Lock`."""
    found = {path}
    yield path
    prefix = path
    while prefix:
        target = aliases.get(prefix)
        if target is None:
            prefix = prefix.rpartition(".")[0]
            continue
        path = prefix = target + path[len(prefix) :]
        if path in found:
            return  # aliases of a project's own catalog that lead back to themselves
        found.add(path)
        yield path


def _is_own(row: Row) -> bool:
    """Whether a row does not ship with lintpickle."""
    return os.path.dirname(row.file) != os.path.dirname(__file__)


class Tables:
    """The rows of all files, by name. Where rows contradict each other, the first one holds."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.products: CatalogNames[list[Case]] = CatalogNames()
        self.values: CatalogNames[Product] = CatalogNames()
        self.classes: CatalogNames[str] = CatalogNames()
        self.functions: CatalogNames[CallEffect] = CatalogNames()
        self.boundaries: CatalogNames[BoundarySpec] = CatalogNames()
        self.threads: CatalogNames[bool] = CatalogNames()
        self.decorated: CatalogNames[bool] = CatalogNames()
        self.registering: tuple[str, ...] = ()
        self.methods: dict[tuple[str, str], Product] = {}
        self.method_functions: dict[tuple[str, str], CallEffect] = {}
        self.method_boundaries: dict[tuple[str, str], BoundarySpec] = {}
        self.views: dict[tuple[str, str], Product | None] = {}
        self.aliases: dict[str, str] = {}
        self.wordings: list[Wording] = []
        self.settings: list[SettingSpec] = []
        self.states: dict[str, StateSpec] = {}
        self.fresh: dict[str, FreshSpec] = {}
        self.repeated: dict[str, list[RepeatedSpec]] = {}
        self.bases: list[Base] = []
        self.decorators: dict[str, str] = {}
        self.workers: dict[str, tuple[str, ...]] = {}
        self.reduced: set[str] = set()
        self.trainers: set[str] = set()
        self._own_aliases: list[Row] = []
        """Those that do not ship with lintpickle."""
        self.libraries: set[str] = set()
        self.error_kinds: list[ErrorKind] = []
        self.frame_kinds: dict[str, str] = {}
        for row in rows:
            getattr(self, f"_add_{row.table}")(row)
        for row in self._own_aliases:
            for name in row.names("name"):
                if any(islice(forms(name, self.aliases), CATALOG_ALIASES.most, None)):
                    raise LintpickleError(
                        f"{row.file}: [[alias]] {row.number}: more than {CATALOG_ALIASES.most} names follow `{name}`"
                    )

    def _add_product(self, row: Row) -> None:
        when, parameters = row.values.get("when", {}), row.names("parameters")
        for path in row.paths("call"):
            product = None if row.values.get("fine") else _product(row.values, path)
            self.products.collect(path, []).append(Case(product, when, parameters))

    def _add_value(self, row: Row) -> None:
        for path in row.paths("name"):
            self.values.add(path, _product(row.values, path))

    def _add_method(self, row: Row) -> None:
        for name in row.names("name"):
            product = _product(row.values, name)
            for owner in row.names("of"):
                self.methods.setdefault((owner, name), product)

    def _add_view(self, row: Row) -> None:
        for name in row.names("name"):
            product = None if row.values.get("fine") else _product({"kind": "view", **row.values}, name)
            for owner in row.names("of"):
                self.views.setdefault((owner, name), product)

    def _add_function(self, row: Row) -> None:
        function = CallEffect(row.values.get("result"), row.values.get("returns"), row.names("drops"))
        for owner in row.names("of"):
            for name in row.names("name"):
                self.method_functions.setdefault((owner, name), function)
        if "of" not in row.values:
            for path in row.paths("name"):
                self.functions.add(path, function)

    def _add_class(self, row: Row) -> None:
        for path in row.paths("name"):
            self.classes.add(path, row.values["kind"])
        if row.values.get("reduced"):
            self.reduced.add(row.values["kind"])

    def _add_base(self, row: Row) -> None:
        self.bases.append(Base(frozenset(row.names("is")), row.names("ends"), row.names("except"), row.values["kind"]))

    def _add_decorator(self, row: Row) -> None:
        for path in row.paths("name"):
            self.decorators.setdefault(path, row.values["kind"])

    def _add_decorated(self, row: Row) -> None:
        for path in row.paths("name"):
            self.decorated.add(path, True)
        self.registering += row.names("begins")

    def _add_worker(self, row: Row) -> None:
        for kind in row.names("kind"):
            self.workers.setdefault(kind, row.names("method"))

    def _add_trainer(self, row: Row) -> None:
        self.trainers.update(row.names("name"))

    def _add_boundary(self, row: Row) -> None:
        for owner in row.names("of"):
            for name in row.names("call"):
                self.method_boundaries.setdefault((owner, name), _boundary(row, f"{owner}.{name}"))
        if "of" not in row.values:
            for path in row.paths("call"):
                self.boundaries.add(path, _boundary(row, path))

    def _add_library(self, row: Row) -> None:
        self.libraries.update(row.names("name"))

    def _add_alias(self, row: Row) -> None:
        for name in row.names("name"):
            self.aliases.setdefault(name, row.values["of"])
        if _is_own(row):
            self._own_aliases.append(row)

    def _add_wording(self, row: Row) -> None:
        values = row.values
        linear = None
        if _is_own(row):
            try:
                linear = Linear(values["pattern"], values["text"])
            except Refused as error:
                raise LintpickleError(
                    f"{row.file}: [[wording]] {row.number}: the pattern is refused: {error}"
                ) from None
        self.wordings.append(Wording(_number(values["since"]), values["pattern"], values["text"], linear))

    def _add_error(self, row: Row) -> None:
        values = row.values
        patterns, rules, needs = row.names("pattern"), row.names("rules"), row.names("needs")
        symptom = values.get("symptom", False)
        kind, means, next_, here = values["kind"], values["means"], values.get("next"), values.get("here")
        self.error_kinds.append(ErrorKind(kind, patterns, means, next_, rules, needs, symptom, here))

    def _add_frame(self, row: Row) -> None:
        for path in row.names("path"):
            self.frame_kinds.setdefault(path, row.values["kind"])

    def _add_setting(self, row: Row) -> None:
        values = row.values
        self.settings.append(
            SettingSpec(
                values["what"],
                row.names("by"),
                row.names("methods"),
                row.names("read"),
                row.names("read-methods"),
                row.names("own"),
                row.names("unless"),
                StartMethod(values["only"]) if "only" in values else None,
                values.get("word", ""),
                values.get("seldom", False),
                row.names("once"),
                values.get("arguments", 0),
                row.names("shown"),
                row.names("given-by"),
            )
        )

    def _add_state(self, row: Row) -> None:
        values, names = row.values, row.names("name")
        spec = StateSpec(
            names,
            row.names("methods"),
            row.names("functions"),
            values.get("stores", False),
            values.get("shared", False),
            values["outcome"],
            values.get("error"),
        )
        for path in names:
            self.states.setdefault(path, spec)

    def _add_fresh(self, row: Row) -> None:
        values, names = row.values, row.names("name")
        spec = FreshSpec(
            names,
            values["what"],
            values.get("seldom", False),
            values.get("changes", False),
            values.get("seeded", False),
            row.names("having"),
            values.get("after", ""),
        )
        for path in names:
            self.fresh.setdefault(path, spec)

    def _add_repeated(self, row: Row) -> None:
        values, names = row.values, row.names("name")
        spec = RepeatedSpec(
            names,
            values["outcome"],
            values.get("error"),
            values.get("destroys", False),
            values.get("quiet", False),
            values.get("fresh", False),
            row.names("unless"),
            values.get("mode", ""),
            row.names("having"),
            row.names("lacking"),
        )
        for path in names:
            self.repeated.setdefault(path, []).append(spec)

    def _add_threads(self, row: Row) -> None:
        for path in row.paths("name"):
            self.threads.add(path, True)


def _product(values: Mapping[str, Any], path: str) -> Product:
    name = path.rpartition(".")[2]
    kind = values["kind"]
    type_ = values.get("type", kind).replace("{name}", name).replace("{class}", _made_class(path))

    def fill(text: str) -> str:
        return text.replace("{type}", type_).replace("{name}", name)

    return Product(
        kind=kind,
        type=type_,
        error=fill(values.get("error", "TypeError: cannot pickle '{type}' object")),
        fails=values.get("fails", "dumps"),
        cloudpickle=values.get("cloudpickle"),
        dill=values.get("dill"),
        reopen=values.get("reopen", False),
        note=values.get("note"),
        since=_version(values.get("since")),
        until=_version(values.get("until")),
        fine_on=tuple(_number(version) for version in _names(values.get("fine-on", ()))),
        crosses=_names(values.get("crosses", ())),
        error_at_start=values.get("error-at-start"),
        errors=tuple(sorted((_number(version), fill(text)) for version, text in values.get("errors", {}).items())),
    )


def _made_class(path: str) -> str:
    """The class that a factory is named after: of `m.createCLAHE`, `m.ORB_create` and `m.ORB.create`."""
    owner, _, name = path.rpartition(".")
    if name == "create":
        return owner.rpartition(".")[2]
    return name.removeprefix("create").removesuffix("_create")


def _boundary(row: Row, path: str) -> BoundarySpec:
    values = row.values
    return BoundarySpec(
        path=path,
        kind=values["kind"],
        parameters=row.names("parameters"),
        payload=row.names("payload"),
        functions=row.names("functions"),
        workers=values.get("workers"),
        workers_default_zero=values.get("workers-default-zero", False),
        context=values.get("context"),
        start_methods=tuple(
            StartMethod(name) for name in values.get("start-methods", [method.value for method in StartMethod])
        ),
        elements=row.names("elements"),
        receiver=row.names("receiver"),
        given=row.names("given"),
    )


def _matches(value: object, pattern: str) -> bool:
    """Whether an argument fits: "*" is any that switches something on, else alternatives of globs."""
    if pattern == "*":
        return value is ... or bool(value)
    return value is not ... and any(fnmatchcase(str(value), glob) for glob in pattern.split("|"))


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _version(text: str | None) -> Version | None:
    return None if text is None else _number(text)


def _number(text: str) -> Version:
    major, _, minor = text.partition(".")
    return int(major), int(minor)
