"""The identifiers without which a text holds nothing that the catalog knows: what text scans search for."""

from __future__ import annotations

import sys
from functools import cached_property

from lintpickle.catalog.records import NAMING, RECEIVER, SLICE
from lintpickle.catalog.tables import ANY_ATTRIBUTE, Tables

BOUNDARY_PARTS = frozenset({"Loader", "Executor"})
"""Words in the names of loaders and executors that the catalog does not list."""


class CatalogWords:
    """The identifiers in names of the tables, by what the names are."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def boundary_methods(self, kinds: frozenset[str] | None = None) -> frozenset[str]:
        """The names of methods that are boundaries on some object; of these kinds alone, if any are named."""
        if kinds is None:
            return self._boundary_methods
        return frozenset(method for (_, method), spec in self._tables.method_boundaries.items() if spec.kind in kinds)

    @cached_property
    def _boundary_methods(self) -> frozenset[str]:
        return frozenset(method for _, method in self._tables.method_boundaries)

    def boundary_words(self) -> frozenset[str]:
        """Identifiers, one of which occurs in every function or class that calls a boundary of the catalog: the
        boundary's name, or that of the object whose method it is."""
        return self._boundary_words

    @cached_property
    def _boundary_words(self) -> frozenset[str]:
        of_receivers = [key for key, spec in self._tables.method_boundaries.items() if spec.payload == (RECEIVER,)]
        # Any class may inherit a method from a base class; what another object comes from is a word of its own.
        inherited = {method for owner, method in of_receivers if "." in owner}
        words = self._tables.boundaries.words() - {method for owner, method in of_receivers if "." not in owner}
        return frozenset({*words, *self.boundary_makers(), *BOUNDARY_PARTS, *inherited})

    def starting_words(self, kinds: frozenset[str]) -> frozenset[str]:
        """The `boundary_words` of boundaries of the given kinds, or of their makers."""
        return self.boundary_names(kinds) | self.boundary_makers()

    def boundary_names(self, kinds: frozenset[str]) -> frozenset[str]:
        """The last name components of the boundaries of the given kinds."""
        return frozenset(self._tables.boundaries.words(lambda spec: spec.kind in kinds))

    def boundary_makers(self) -> frozenset[str]:
        """The last name components of calls that make an object with methods that are boundaries."""
        return self._boundary_makers

    @cached_property
    def _boundary_makers(self) -> frozenset[str]:
        tables, kinds = self._tables, self._owners_of_boundaries
        shown = {owner for (owner, _), spec in tables.method_boundaries.items() if spec.payload != (RECEIVER,)}
        found = {owner.rpartition(".")[2] for owner in shown if "." in owner}
        found |= tables.products.words(lambda cases: any(case.product and case.product.kind in kinds for case in cases))
        found |= tables.functions.words(lambda function: function.returns in kinds)
        found |= self._making_methods
        found |= {
            method
            for (owner, method), function in tables.method_functions.items()
            if function.returns in kinds and function.returns != owner
        }
        return frozenset(found)

    def making_methods(self) -> frozenset[str]:
        """The names of methods that make an object with methods that are boundaries: `context.Pool`."""
        return self._making_methods

    @cached_property
    def _making_methods(self) -> frozenset[str]:
        made, kinds = self._tables.methods.items(), self._owners_of_boundaries
        return frozenset(method for (_, method), product in made if product.kind in kinds)

    @cached_property
    def _owners_of_boundaries(self) -> frozenset[str]:
        return frozenset(owner for owner, _ in self._tables.method_boundaries)

    def keeping_methods(self) -> frozenset[str]:
        """The names of methods that give an object which holds their receiver and their arguments."""
        return self._keeping_methods

    @cached_property
    def _keeping_methods(self) -> frozenset[str]:
        effects = self._tables.method_functions.items()
        return frozenset(method for (_, method), effect in effects if effect.result == "keep")

    def keeping_classes(self) -> frozenset[str]:
        """The names of classes of third parties whose objects keep what they are given, and that are not made to be
        shipped."""
        return self._keeping_classes

    @cached_property
    def _keeping_classes(self) -> frozenset[str]:
        functions, classes = self._tables.functions, self._tables.classes
        keeping = functions.names(lambda effect: effect.result == "keep")
        foreign = {name for name in keeping if name.partition(".")[0] not in sys.stdlib_module_names}
        last = {name.rpartition(".")[2] for name in foreign if classes.get(name) is None}
        return frozenset(name for name in last if name[:1].isupper())

    def hazard_calls(self) -> frozenset[str]:
        """Last name components of the calls and methods whose results cannot cross."""
        return self._hazard_calls

    @cached_property
    def _hazard_calls(self) -> frozenset[str]:
        return frozenset(self._tables.products.words() | self.hazard_methods())

    def naming_calls(self) -> frozenset[str]:
        """Last name components of the imported functions that give a class, or a wrapped function, which pickle looks
        for by a name that it is given."""
        return self._naming_calls

    @cached_property
    def _naming_calls(self) -> frozenset[str]:
        names = self._tables.functions.names(lambda function: function.argument_use in NAMING)
        return frozenset(name.rpartition(".")[2] for name in names if not name.startswith("builtins."))

    def hazard_holders(self) -> frozenset[str]:
        """Those of `hazard_calls` whose results have items (`made[key]`) that cannot cross either."""
        return self._hazard_holders

    @cached_property
    def _hazard_holders(self) -> frozenset[str]:
        tables = self._tables
        types = {owner for owner, method in tables.methods if method in ("__getitem__", SLICE)}
        found = tables.products.words(lambda cases: any(case.product and case.product.type in types for case in cases))
        return frozenset(found | {method for (_, method), product in tables.methods.items() if product.type in types})

    def hazard_methods(self) -> frozenset[str]:
        """Names of the methods whose results cannot cross, on some object."""
        return self._hazard_methods

    @cached_property
    def _hazard_methods(self) -> frozenset[str]:
        return frozenset(method for _, method in self._tables.methods if method != ANY_ATTRIBUTE)

    def hazard_values(self) -> frozenset[str]:
        """Last name components of the names whose values cannot cross."""
        return self._hazard_values

    @cached_property
    def _hazard_values(self) -> frozenset[str]:
        return frozenset(self._tables.values.words())

    def thread_pool_words(self) -> frozenset[str]:
        """The last identifier of every function that runs in OpenCV's thread pool."""
        return self._thread_pool_words

    @cached_property
    def _thread_pool_words(self) -> frozenset[str]:
        return frozenset(self._tables.threads.words())

    def words(self) -> frozenset[str]:
        """The last identifier of every product, value, boundary and class name: in a file without any of them (and
        without syntax that is a hazard by itself), the catalog applies to nothing."""
        return self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        tables = self._tables
        return frozenset(
            tables.products.words() | tables.values.words() | tables.boundaries.words() | tables.classes.words()
        )

    def trainer_names(self) -> frozenset[str]:
        """Names that stand in code in which a library may make the loaders of datasets that it is given, or ships them
        otherwise."""
        return frozenset(self._tables.trainers)
