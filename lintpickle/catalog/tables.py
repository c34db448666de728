"""The tables behind the catalog: rows in, records by name out."""

from __future__ import annotations

from collections.abc import Iterable

from lintpickle.catalog.aliases import check_aliases
from lintpickle.catalog.entries import Base, Callback, CallEffect, Case, LengthAsked, Wording
from lintpickle.catalog.names import CatalogNames
from lintpickle.catalog.records import (
    BoundarySpec,
    ErrorKind,
    FreshSpec,
    Product,
    RepeatedSpec,
    SettingSpec,
    StateSpec,
    WaitingSpec,
)
from lintpickle.catalog.row_records import (
    boundary_record,
    error_kind_record,
    fresh_record,
    product_record,
    repeated_record,
    setting_record,
    state_record,
    waiting_record,
    wording_record,
)
from lintpickle.catalog.rows import Row

ANY_ATTRIBUTE = "*"
"""Stands for the name of any attribute, in the place of a method's."""


class Tables:
    """The rows of all files, by name. Where rows contradict each other, the first one holds."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.products: CatalogNames[list[Case]] = CatalogNames()
        self.values: CatalogNames[Product] = CatalogNames()
        self.classes: CatalogNames[str] = CatalogNames()
        self.functions: CatalogNames[CallEffect] = CatalogNames()
        self.boundaries: CatalogNames[BoundarySpec] = CatalogNames()
        self.threads: CatalogNames[bool] = CatalogNames()
        self.callbacks: CatalogNames[Callback] = CatalogNames()
        self.lengths: CatalogNames[LengthAsked] = CatalogNames()
        self.decorated: CatalogNames[bool] = CatalogNames()
        self.registering: tuple[str, ...] = ()
        self.methods: dict[tuple[str, str], Product] = {}
        self.method_functions: dict[tuple[str, str], CallEffect] = {}
        self.naming_methods: dict[str, frozenset[str]] = {}
        self.method_boundaries: dict[tuple[str, str], BoundarySpec] = {}
        self.views: dict[tuple[str, str], Product | None] = {}
        self.aliases: dict[str, str] = {}
        self.wordings: list[Wording] = []
        self.settings: list[SettingSpec] = []
        self.states: dict[str, StateSpec] = {}
        self.waitings: dict[str, list[WaitingSpec]] = {}
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
        check_aliases(self._own_aliases, self.aliases)

    def _add_product(self, row: Row) -> None:
        when, parameters = row.values.get("when", {}), row.names("parameters")
        for path in row.paths("call"):
            product = None if row.values.get("fine") else product_record(row.values, path)
            self.products.collect(path, []).append(Case(product, when, parameters))

    def _add_value(self, row: Row) -> None:
        for path in row.paths("name"):
            self.values.add(path, product_record(row.values, path))

    def _add_method(self, row: Row) -> None:
        for name in row.names("name"):
            product = product_record(row.values, name)
            for owner in row.names("of"):
                self.methods.setdefault((owner, name), product)

    def _add_view(self, row: Row) -> None:
        for name in row.names("name"):
            product = None if row.values.get("fine") else product_record({"kind": "view", **row.values}, name)
            for owner in row.names("of"):
                self.views.setdefault((owner, name), product)

    def _add_function(self, row: Row) -> None:
        function = CallEffect(row.values.get("result"), row.values.get("returns"), row.names("drops"))
        for owner in row.names("of"):
            for name in row.names("name"):
                self.method_functions.setdefault((owner, name), function)
            if function.result == "name":
                self.naming_methods[owner] = self.naming_methods.get(owner, frozenset()) | set(row.names("name"))
        if "of" not in row.values:
            for path in row.paths("name"):
                self.functions.add(path, function)

    def _add_callback(self, row: Row) -> None:
        callback = Callback(row.names("function"), row.values.get("given"))
        for path in row.paths("name"):
            self.callbacks.add(path, callback)

    def _add_length(self, row: Row) -> None:
        asked = LengthAsked(row.values["asked"] == "made", row.names("unless"))
        for path in row.paths("name"):
            self.lengths.add(path, asked)

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
                self.method_boundaries.setdefault((owner, name), boundary_record(row, f"{owner}.{name}"))
        if "of" not in row.values:
            for path in row.paths("call"):
                self.boundaries.add(path, boundary_record(row, path))

    def _add_library(self, row: Row) -> None:
        self.libraries.update(row.names("name"))

    def _add_alias(self, row: Row) -> None:
        for name in row.names("name"):
            self.aliases.setdefault(name, row.values["of"])
        if row.is_own:
            self._own_aliases.append(row)

    def _add_wording(self, row: Row) -> None:
        self.wordings.append(wording_record(row))

    def _add_error(self, row: Row) -> None:
        self.error_kinds.append(error_kind_record(row))

    def _add_frame(self, row: Row) -> None:
        for path in row.names("path"):
            self.frame_kinds.setdefault(path, row.values["kind"])

    def _add_setting(self, row: Row) -> None:
        self.settings.append(setting_record(row))

    def _add_state(self, row: Row) -> None:
        spec = state_record(row)
        for path in spec.names:
            self.states.setdefault(path, spec)

    def _add_waiting(self, row: Row) -> None:
        spec = waiting_record(row)
        for path in spec.names:
            self.waitings.setdefault(path, []).append(spec)

    def _add_fresh(self, row: Row) -> None:
        spec = fresh_record(row)
        for path in spec.names:
            self.fresh.setdefault(path, spec)

    def _add_repeated(self, row: Row) -> None:
        spec = repeated_record(row)
        for path in spec.names:
            self.repeated.setdefault(path, []).append(spec)

    def _add_threads(self, row: Row) -> None:
        for path in row.paths("name"):
            self.threads.add(path, True)
