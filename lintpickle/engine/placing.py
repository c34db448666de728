"""From hazards to findings: where each is reported, under which start methods, and how sure it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec.structs import replace

from lintpickle.analyses.at_import.absent_names import imports_absent_name
from lintpickle.analyses.at_import.self_tests import is_self_test
from lintpickle.analyses.calls_and_values.python_2_builtins import is_of_python_2_only, is_of_python_2_program
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.engine.findings import RuleFinding
from lintpickle.interpreter.abstract_values import Hop, Site
from lintpickle.payload.confidence import is_of_python_2, lowered, weaker
from lintpickle.payload.crossings import Root
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module
from lintpickle.rules.base import Hazard, Rule, at_culprit


class HazardPlacing:
    """Places hazards in a linked program that may run under some start methods. `paths` are the absolute paths of the
    files that may be reported on; `purposes` says what they are for."""

    def __init__(
        self, linker: Linker, start_methods: Collection[StartMethod], paths: Collection[str], purposes: FilePurposes
    ) -> None:
        self._linker = linker
        self._start_methods = frozenset(start_methods)
        self._paths = frozenset(paths)
        self._purposes = purposes

    def allowed(self, rule: Rule) -> tuple[StartMethod, ...]:
        """The start methods under which the program may run and the rule bites."""
        return tuple(method for method in rule.start_methods if method in self._start_methods)

    def biting(self, rule: Rule, root: Root) -> tuple[StartMethod, ...]:
        """The allowed start methods under which the payload is pickled and the rule bites. A payload that is pickled
        under all of them (torch.save) bites whatever is allowed."""
        if root.spec is not None and root.is_always_pickled:
            return root.start_methods
        return tuple(m for m in root.start_methods if m in self._start_methods and m in rule.start_methods)

    def placed(
        self,
        home: Module,
        rule: Rule,
        hazards: Iterable[Hazard],
        confidence: Confidence,
        methods: tuple[StartMethod, ...],
        way: tuple[Hop, ...],
    ) -> Iterator[RuleFinding]:
        """The findings for those hazards of a rule that may be reported. `home` is the module that led to them,
        `confidence` how sure the way there is, `methods` the start methods under which they bite if they do not say so
        themselves, and `way` the steps to them."""
        for hazard in hazards:
            hops = (*way, *hazard.hops)
            place = self._place(hazard.site, hops)
            biting = hazard.start_methods
            biting = methods if biting is None else tuple(m for m in biting if m in self._start_methods)
            if place is not None and biting:
                weakest = weaker(confidence, hazard.confidence or confidence)
                if any(hop.guessed for hop in hops):
                    weakest = weaker(weakest, Confidence.LIKELY)
                moved = at_culprit(hazard)
                if moved is not None and moved.site.module.path not in self._paths:
                    moved = None
                told_in = moved.site.module if moved is not None else place.module
                homes = (home.path, *(module.path for module in hazard.rests_on))
                steps = max(self._purposes.steps_down(each, told_in.path) for each in homes)
                steps += is_self_test(moved.site if moved is not None else place, self._linker)
                is_outdated = any(map(self._never_runs, (home, told_in))) or any(
                    is_of_python_2_only(each, self._linker) for each in (hazard.site, *(hop.site for hop in hops))
                )
                sure = Confidence.POSSIBLE if is_outdated else lowered(weakest, steps)
                forked = StartMethod.FORK in (hazard.start_methods or rule.start_methods)
                finding = RuleFinding(home, rule, hazard, sure, biting, hops, place, is_forked_too=forked)
                if moved is not None:
                    finding = replace(finding, at_culprit=replace(finding, hazard=moved, place=moved.site))
                yield finding

    def _never_runs(self, module: Module) -> bool:
        """Whether nothing runs a module any more: only Python 2 can, or an import of it fails."""
        return (
            is_of_python_2(module, self._linker.program)
            or is_of_python_2_program(module, self._linker)
            or imports_absent_name(module, self._linker)
        )

    def _place(self, site: Site, hops: Sequence[Hop]) -> Site | None:
        """Where to report: the hazard, or the nearest first-party step that leads to it. None if that is not in a file
        that may be reported on."""
        candidates = [site, *(hop.site for hop in reversed(hops))]
        place = next((candidate for candidate in candidates if candidate.module.first_party), None)
        if place is None or place.module.path not in self._paths:
            return None
        return place
