"""What is worth parsing: decided over outlines, before any parsed block is read."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from lintpickle.catalog import NAMING, Catalog
from lintpickle.limits import MAKERS
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.outline import Block
from lintpickle.payload.by_kind import SHIPPED_KINDS
from lintpickle.prefilter.forms import LAMBDA
from lintpickle.prefilter.marks import CALLED, IMPORTED, LEADING, PART, PRODUCT, Mark, is_value
from lintpickle.program.cross_module import CrossModuleFacts
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.resolution.class_headers import ClassHeaderKinds
from lintpickle.resolution.construction import Construction, Run
from lintpickle.resolution.name_targets import NameTargets


class Interest:
    """`marks` are those that the enabled rules ask for."""

    def __init__(
        self,
        program: Program,
        places: NameTargets,
        headers: ClassHeaderKinds,
        catalog: Catalog,
        marks: Collection[str],
        told: CrossModuleFacts,
    ) -> None:
        self._cross_module = told
        self._program = program
        self._headers = headers
        self._places = places
        self._making = Construction(places)
        self._classes: dict[tuple[int, bool], bool] = {}
        self._methods_of_classes: dict[tuple[int, str, bool], bool] = {}
        self._meanings: dict[tuple[str, Mark, int], bool] = {}
        self._catalog = catalog
        self._marks = frozenset({*marks, *LEADING}) if marks else frozenset()
        self._made_by_methods = catalog.hazard_methods()

    def in_class(self, module: Module, block: Block) -> bool:
        """Whether a form that a rule asks for stands in what making an object of the block's class runs.

        Of a first-party class that it derives from, that counts which is not run for objects of that class itself; and
        only for the first one of the classes that run it, since it is reported where it stands.
        """
        if not block.is_class:
            return self.in_block(module, block)
        return self._in_making(module, block, judged=True)

    def _in_making(self, module: Module, block: Block, judged: bool) -> bool:
        """The same of a class; if it is not judged itself (objects of it are held by others), whatever other classes
        run."""
        key = (id(block), judged)
        if key not in self._classes:
            self._classes[key] = False  # What makes another object of the class, and so on.
            own, *inherited = self._making.runs(module, block)
            judging = module if judged else None
            self._classes[key] = self._in_run(own) or any(self._in_inherited(run, judging) for run in inherited)
        return self._classes[key]

    def _in_inherited(self, run: Run, judged: Module | None) -> bool:
        """Whether such a form stands in what a class of the program adds to that which a derived class runs; if that
        is judged in a module, without what has been looked into for another derived class."""
        if not run.module.first_party or not run.block.is_class:
            return self._in_run(run)
        added = run.methods - self._making.runs(run.module, run.block)[0].methods
        marked = [name for name in sorted(added) if self._in_method(run.module, run.block, name)]
        new = marked if judged is None else [name for name in marked if self._is_new(name, run, judged)]
        return bool(new)

    def _is_new(self, method: str, run: Run, judged: Module) -> bool:
        topic = ("inherited", run.module.path, run.block.span.start, method)
        judging = judged.path
        is_new = not self._cross_module.is_shared(judging, topic, earlier=True)
        if is_new:
            self._cross_module.share(judging, topic)
        return is_new

    def _in_run(self, run: Run, given: bool = False) -> bool:
        facts = run.module.facts
        if not facts.may_hold_marks(run.block, run.methods, partial(self._leads, run.module)):
            return False
        return self._mean_something(facts.marks_of_methods(run.block, run.methods, given), run.module, 0)

    def _mean_something(self, marks: Collection[Mark], module: Module, depth: int) -> bool:
        return any(mark.form in self._marks and self._means_something(mark, module, depth) for mark in marks)

    def _leads(self, module: Module, form: str, name: str) -> bool:
        """Whether a name that is bound outside of a class can mean what a mark of the form suspects."""
        if form == LAMBDA:
            return name in module.outline.lambdas
        head = name.partition(".")[0]
        is_bound = form != PRODUCT and (module.outline.binding(head) or module.outline.stars)
        if not is_bound and head not in module.outline.imports:
            return False
        return self._means_something(Mark(form, name), module, 0)

    def in_block(self, module: Module, block: Block, depth: int = 0, given: bool = False) -> bool:
        """Whether the block holds a form that a rule asks for, or stores what such a function returns; with `given`, of
        a function, only in what it gives."""
        if depth > MAKERS.most:
            self._places.cuts.note_of(MAKERS, module, block.span.start)
            return False
        return self._mean_something(module.facts.marks(block, given), module, depth)

    def _means_something(self, mark: Mark, module: Module, depth: int) -> bool:
        """Whether the name behind a mark can be what the mark suspects."""
        key = (module.path, mark, depth)
        if key not in self._meanings:
            self._meanings[key] = self._can_mean_something(mark, module, depth)
        return self._meanings[key]

    def _can_mean_something(self, mark: Mark, module: Module, depth: int) -> bool:
        if not mark.name:
            return True
        places = self._places.of_name(module, mark.name) if mark.form in LEADING else ()
        if mark.form == CALLED:
            last = mark.name.rpartition(".")[2]
            return any(self._is_made_by(*place, last, depth + 1) for place in places)
        if any(self._is_value(*place, depth + 1) for place in places):
            return True
        if mark.form == PART:
            return False
        head, _, rest = mark.name.partition(".")
        imported = module.outline.importing(head)
        if not imported:
            return mark.form != IMPORTED and self._is_own_product(head, rest, module)
        return any(self._is_imported(mark.form, each, rest, module) for each in imported)

    def _is_imported(self, form: str, imported: ImportedName, rest: str, module: Module) -> bool:
        """Whether an attribute of what an import gives can be what a mark of the form suspects."""
        path = imported.path(rest)
        if form == IMPORTED and (imported.name is None or self._catalog.is_module(path)):
            return True
        if imported.level == 0 and self._is_known(path):
            return True
        return self._is_own(imported, module)

    def _is_known(self, path: str) -> bool:
        """Whether a name of a library is that of a hazard, or of a function whose results can be one by their names."""
        catalog = self._catalog
        return bool(catalog.product(path) or catalog.value(path)) or catalog.converter(path) in NAMING

    def _is_value(self, module: Module, block: Block, depth: int) -> bool:
        """Whether a block gives its name to something that may be a hazard."""
        return is_value(block) and self.in_block(module, block, depth)

    def _is_made_by(self, module: Module, block: Block, name: str, depth: int) -> bool:
        """Whether what a function, a class or the class's method of that name gives may be or hold a hazard. What is
        judged itself does not count."""
        if not block.is_class:
            return self.in_block(module, block, depth, block.defines_function)
        if name not in block.names:
            defining = self._making.defining(module, block, name) or [(module, block)]
            return any(self._in_method(*place, name, given=True) for place in defining)
        is_judged = module.first_party and self._headers.kind(module, block.classes[0]) in SHIPPED_KINDS
        if depth > MAKERS.most and not is_judged:
            self._places.cuts.note_of(MAKERS, module, block.span.start)
            return False
        return not is_judged and self._in_making(module, block, judged=False)

    def _in_method(self, module: Module, block: Block, name: str, given: bool = False) -> bool:
        """Whether such a form stands in a method (with `given`, in what it gives), or in the body of its class."""
        key = (id(block), name, given)
        if key not in self._methods_of_classes:
            self._methods_of_classes[key] = False  # It may call itself.
            self._methods_of_classes[key] = self._in_run(Run(module, block, frozenset({name})), given)
        return self._methods_of_classes[key]

    def _is_own_product(self, head: str, rest: str, module: Module) -> bool:
        """A name that is not imported by itself: a builtin's call, that of a library by a star import, or a method of
        some object."""
        if rest:
            return rest.rpartition(".")[2] in self._made_by_methods
        sources = ("builtins", *(star.module for star in module.outline.stars if not star.level))
        is_product = any(self._catalog.product(f"{source}.{head}") is not None for source in sources)
        return is_product and not module.outline.binding(head)

    def _is_own(self, imported: ImportedName, module: Module) -> bool:
        """Whether an import leads to a lambda or a module of the program."""
        source = module.absolute(imported, self._program.finder)
        if source is None or imported.name is None:
            return False
        if self._program.file_of(f"{source}.{imported.name}", module) is not None:
            return True
        target = self._program.find(source, module)
        return target is not None and imported.name in target.outline.lambdas
