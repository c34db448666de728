"""From an attribute of a live object to the code that stores it: reading only, by what lintpickle knows of code."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from msgspec import Struct, structs

from lintpickle import disk
from lintpickle.diagnostics import Applicability, Confidence, Diagnostic, Fix, Location, Step, without_error
from lintpickle.engine.diagnosing import fix_of, last_step, steps_of
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project, project_root
from lintpickle.facts.records import ClassFacts, FunctionFacts, Store
from lintpickle.facts.values import Parameter
from lintpickle.interpreter.abstract_values import ClassValue, Site, TracedValue
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.linker import PICKLED_ON_START
from lintpickle.probing.events import ClassRef, PathStep, ProbedOwner
from lintpickle.program.module import Module
from lintpickle.rules.base import Hazard, Rule, worded
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import Document

_KIND = "dataset"
"""As what an object is followed: all of it is looked at, as of whatever a boundary ships."""


class SourceVerdict(Struct, frozen=True):
    """What static reading says of a culprit: the rule, its message, and the fix if there is one."""

    code: str
    name: str
    message: str
    error: str | None
    help: str | None
    fix: Fix | None
    location: Location
    trail: tuple[Step, ...]
    """From the attribute on: where the value comes from."""


class ProbedCode:
    """The source of the classes that live objects are of, read as one program. `files` are absolute."""

    def __init__(self, files: Sequence[str], resolver: SettingsResolver) -> None:
        readable = tuple(dict.fromkeys(file for file in files if file.endswith(".py") and disk.is_file(file)))
        self.cwd = resolver.cwd
        root = project_root(resolver.cwd / "any.py", resolver)
        settings = replace(resolver.for_folder(root), pedantic=True)
        self._analysis = Analysis(Project(root, settings, readable), resolver, readable)
        self._linker = self._analysis.linked()
        self._diagnostics: list[Diagnostic] | None = None
        self._rules: list[Rule] = [rule() for rule in self._analysis.rules if rule.crossing is not Rule.crossing]

    def document(self, path: str) -> Document | None:
        """The document of a file of the program."""
        module = self._module(path)
        return module.document if module is not None else None

    def stores(self, owner: ProbedOwner) -> tuple[Step, ...]:
        """Where the attribute is stored: by construction, else by any method, the first class that does counts."""
        for ref in owner.bases:
            class_ = self._class(ref)
            if class_ is None:
                continue
            if ref is owner.bases[0] or (ref.module, ref.name) == (owner.module, owner.name):
                held = [h for h in self._held(class_) if owner.attribute in (h[0], h[1])]
                if held:
                    return tuple(step for _, _, step in held[-3:])
            found = tuple(self._any_stores(class_, owner.attribute))
            if found:
                return found[:3]
        return ()

    def verdict(self, steps: Sequence[PathStep], error: str) -> SourceVerdict | None:
        """What the rules say of the object at the end of a path, followed statically from the objects on the way to it,
        the outermost first."""
        for holder, step in itertools.pairwise(steps):
            owner = step.owner
            class_ = self._class(ClassRef(owner.module, owner.name, owner.file)) if owner is not None else None
            if class_ is not None:
                for verdict in self._asked(class_, holder.path, steps[-1].path, error):
                    return verdict
        return None

    def verdict_at(self, file: str, row: int, error: str) -> SourceVerdict | None:
        """What a check of the code reports in a row of a file, or leads to that row, if it is about such an error."""
        for diagnostic in self._checked():
            ends = (diagnostic.location, *(step.location for step in diagnostic.trail[-1:]))
            related = (each.location for each in diagnostic.related)
            if any(end.path == file and end.start.row == row for end in (*ends, *related)) and _is_about(
                diagnostic.error, error
            ):
                return _verdict_of(diagnostic)
        return None

    def _checked(self) -> list[Diagnostic]:
        if self._diagnostics is None:
            found = self._analysis.diagnostics()
            self._diagnostics = [each for path in sorted(found) for each in found[path]]
        return self._diagnostics

    def _asked(self, class_: ClassValue, prefix: str, path: str, error: str) -> Iterator[SourceVerdict]:
        root = Root(Confidence.CERTAIN, PICKLED_ON_START, None, _KIND, _header(class_))
        start = TracedValue(self._linker.activations.instance(class_), _header(class_))
        found = self._linker.payload.crossings(start, root, prefix, None)
        asked = self._linker.defects.each_of(class_.module.path, "linking", found)
        for crossing in sorted(_at(path, asked), key=lambda each: each.path != path):
            for rule in self._rules:
                hazards = self._linker.defects.all_of(
                    class_.module.path, rule.label, rule.crossing, crossing, self._linker
                )
                for hazard in hazards:
                    if crossing.path == path or _is_about(worded(rule, hazard, self._linker)[1], error):
                        yield self._told(rule, hazard, crossing)
        self._linker.evaluator.forget()

    def _told(self, rule: Rule, hazard: Hazard, crossing: Crossing) -> SourceVerdict:
        message, error = worded(rule, hazard, self._linker)
        module = hazard.site.module
        fix = fix_of(rule, hazard)
        if fix is not None and not module.first_party:
            fix = structs.replace(fix, applicability=Applicability.DISPLAY)
        trail = steps_of((*crossing.hops, *hazard.hops), last_step(hazard))
        location = module.document.location(hazard.site.span)
        help_ = hazard.help or rule.help
        return SourceVerdict(
            rule.code, rule.name, without_error(message, error), error, help_, fix, location, tuple(trail)
        )

    def _held(self, class_: ClassValue) -> Iterator[tuple[str, str, Step]]:
        instance = self._linker.activations.instance(class_)
        for held in self._linker.classes.states.state(instance):
            text = held.site.module.document.location(held.site.span)
            where = f"{held.owner.facts.name if held.owner else class_.facts.name}.{held.attribute}"
            yield held.name, held.attribute, Step(f"{where} is stored", text)

    def _any_stores(self, class_: ClassValue, attribute: str) -> Iterator[Step]:
        for method in class_.facts.methods.values():
            for event in method.events:
                if isinstance(event, Store) and event.attribute == attribute and isinstance(event.target, Parameter):
                    place = class_.module.document.location(event.span)
                    yield Step(f"{class_.facts.name}.{attribute} is stored by {method.name}()", place)

    def _class(self, ref: ClassRef) -> ClassValue | None:
        module = self._module(ref.file) if ref.file is not None else None
        if module is None:
            return None
        head = ref.name.partition(".")[0]
        for block in module.outline.binding(head):
            facts = module.facts_of(block)
            if facts is not None:
                found = _nested([facts.body], facts.classes.values(), ref.name)
                if found is not None:
                    return self._linker.classes.module_level(module, found)
        return None

    def _module(self, path: str) -> Module | None:
        module = self._linker.program.load(os.path.abspath(path)) if path.endswith(".py") else None
        return module if isinstance(module, Module) else None


def _verdict_of(diagnostic: Diagnostic) -> SourceVerdict:
    return SourceVerdict(
        diagnostic.code,
        diagnostic.name,
        diagnostic.told,
        diagnostic.error,
        diagnostic.help,
        diagnostic.fix,
        diagnostic.location,
        diagnostic.trail,
    )


def _header(class_: ClassValue) -> Site:
    return Site(class_.module, class_.facts.header)


_ITEM = re.compile(r"\[[^\]]*\]")


def _at(path: str, crossings: Iterable[Crossing]) -> Iterator[Crossing]:
    """Those whose path is the same, whatever the items are called on the way."""
    wanted = _ITEM.sub("[]", path)
    return (each for each in crossings if each.inside is not None and _ITEM.sub("[]", each.path) == wanted)


def _is_about(told: str | None, error: str) -> bool:
    """Whether an error that a rule foretells is the one that was seen: of the same type, and about the same thing."""
    if told is None:
        return False
    names = re.findall(r"'([^']+)'", told)
    return told.partition(":")[0].rpartition(".")[2] == error.partition(":")[0].rpartition(".")[2] and (
        not names or names[0] in error
    )


def _nested(functions: Iterable[FunctionFacts], classes: Iterable[ClassFacts], qualname: str) -> ClassFacts | None:
    """The class of that qualified name, in functions too."""
    for class_ in classes:
        if class_.qualname == qualname:
            return class_
        if qualname.startswith(f"{class_.qualname}."):
            found = _nested(class_.methods.values(), class_.classes, qualname)
            if found is not None:
                return found
    for function in functions:
        if function.is_module_body or qualname.startswith(f"{function.qualname}."):
            found = _nested(function.functions, function.classes, qualname)
            if found is not None:
                return found
    return None
