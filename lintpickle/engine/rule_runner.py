"""Running the rules: they see what crosses and what runs in workers, and their hazards become diagnostics.

A finding belongs to the module whose boundaries, classes or functions led to it, which need not be the one in which it
is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import ParamSpec, TypeVar

from msgspec.structs import replace

from lintpickle.analyses.results.errors_caught import is_caught
from lintpickle.analyses.results.failures_told import ends_main
from lintpickle.analyses.workers.task_workers import task_codes
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.defects import LINKING
from lintpickle.diagnostics import STRENGTH, Confidence, Diagnostic, Severity, Span, StartMethod
from lintpickle.engine.diagnosing import diagnostic_of, fixes_of
from lintpickle.engine.findings import RuleFinding
from lintpickle.engine.placing import HazardPlacing
from lintpickle.engine.settling import Key, Rank, RankedDiagnostic
from lintpickle.interpreter.abstract_values import Site
from lintpickle.limits import START_ALLOWANCE
from lintpickle.payload.confidence import of_boundary
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.payload.linker import Linker
from lintpickle.payload.shared_budgets import SharedBudgets
from lintpickle.payload.worker_results import results_sent
from lintpickle.payload.worker_side import WorkerCode, same_functions
from lintpickle.payload.worker_ways import may_get_to
from lintpickle.prefilter.words import Words
from lintpickle.profiling import Part, watched
from lintpickle.program.module import Module
from lintpickle.program.stages import in_stage
from lintpickle.rules.base import ALL_START_METHODS, HOOKS, Hazard, Rule, worded

_Item = TypeVar("_Item")
_Given = ParamSpec("_Given")
_WATCHED = (*HOOKS, "fix")


class RuleRunner:
    """Shows a linked program to rules. `paths` are the absolute paths of the files that may be reported on; `purposes`
    says what they are for."""

    def __init__(
        self,
        linker: Linker,
        rules: Sequence[type[Rule]],
        start_methods: Collection[StartMethod],
        paths: Collection[str],
        purposes: FilePurposes,
    ) -> None:
        self._linker = linker
        self._purposes = purposes
        self._rules = [watched(rule(), _WATCHED, Part.RULES, f"{rule.code} {rule.name}") for rule in rules]
        self._words = frozenset(word for rule in self._rules for word in rule.words)
        self._placing = HazardPlacing(linker, start_methods, paths, purposes)

    def found(self, pedantic: bool) -> dict[str, tuple[RankedDiagnostic, ...]]:
        """The diagnostics by the path of the module that led to them."""
        best: dict[str, dict[tuple[Key, Key], RankedDiagnostic]] = {}
        for finding in self._findings(pedantic):
            of_module = best.setdefault(finding.home.path, {})
            keys = (finding.key, finding.place_key)
            known = of_module.get(keys)
            rank = self._rank(finding)
            if known is None or rank < known.rank:
                # The fix asks about things that linking lets go of when it goes on.
                for told in self._asked(finding.rule, _home(finding), self._told, finding, rank):
                    of_module[keys] = told
        return {path: tuple(of_module.values()) for path, of_module in best.items()}

    def judged(self, pedantic: bool) -> Iterator[tuple[RuleFinding, Diagnostic]]:
        """The findings boundary by boundary: for each boundary all that it leads to, before findings with one culprit
        are merged."""
        seen: set[tuple[Site | None, Key, Key]] = set()
        for finding in self._findings(pedantic):
            keys = (finding.root, finding.key, finding.place_key)
            if keys not in seen:
                seen.add(keys)
                for told in self._asked(finding.rule, _home(finding), lambda each: [self._diagnostic(each)], finding):
                    yield finding, told

    def _told(self, finding: RuleFinding, rank: Rank) -> Iterator[RankedDiagnostic]:
        culprit, moved = finding.at_culprit, None
        # What only tests lead to is told in a test, even if the library defines it.
        if culprit is not None and rank[1] <= self._purposes.order(culprit.place.module.path):
            moved = self._diagnostic(culprit)
        yield RankedDiagnostic(finding.key, finding.place_key, rank, self._diagnostic(finding), moved)

    def _rank(self, finding: RuleFinding) -> Rank:
        sites = (finding.place, *(hop.site for hop in finding.hops))
        paths = {finding.home.path, *(site.module.path for site in sites)}
        least = max(map(self._purposes.order, paths))
        is_told_by_class = finding.root is None or not finding.from_boundary
        return (STRENGTH[finding.confidence], least, is_told_by_class, len(finding.hops))

    def _asked(
        self,
        rule: Rule,
        about: Site,
        ask: Callable[_Given, Iterable[_Item]],
        /,
        *given: _Given.args,
        **also: _Given.kwargs,
    ) -> Sequence[_Item]:
        """What a rule's hook returns; nothing if it fails, which is recorded and affects nothing else."""
        cuts = self._linker.evaluator.cuts
        with cuts.at(about):
            found = self._linker.defects.all_of(about.module.path, rule.label, ask, *given, **also)
        return [_unsure(each) for each in found] if rule.of_absence and cuts.hide else found

    def _findings(self, pedantic: bool) -> Iterator[RuleFinding]:
        failing: dict[Site, frozenset[StartMethod]] = {}
        stages = (
            _noting_failures(self._of_crossings(pedantic), failing),
            self._of_boundaries(failing),
            self._of_workers(failing),
            self._of_blocks(),
            self._of_modules(),
        )
        for stage in stages:
            yield from self._linker.defects.each_of("", LINKING, stage)

    def _of_crossings(self, pedantic: bool) -> Iterator[RuleFinding]:
        rules: Sequence[Rule] = ()
        by_value: dict[type, list[Rule]] = {}
        read = -1
        is_asked = any("crossing" in rule.hooks() for rule in self._rules)
        for crossing in self._linker.crossings(pedantic) if is_asked else ():
            root, thing = crossing.root, type(crossing.value)
            if read != len(self._linker.program.reads):  # A trail may lead to a file with a rule's words.
                read = len(self._linker.program.reads)
                rules = self._with_hook("crossing")
                by_value.clear()
            if thing not in by_value:
                by_value[thing] = [rule for rule in rules if issubclass(thing, rule.value_types)]
            for rule in by_value[thing]:
                methods = self._placing.biting(rule, root)
                if methods:
                    found = self._asked(rule, root.site, rule.crossing, crossing, self._linker)
                    confidence = self._linker.confidence(crossing) if found else root.confidence
                    home = _led_from(crossing)
                    for finding in self._placing.placed(home, rule, found, confidence, methods, crossing.hops):
                        biting = finding.hazard.start_methods or root.start_methods
                        yield replace(
                            finding,
                            from_boundary=root.spec is not None,
                            root=root.site,
                            is_forked_too=StartMethod.FORK in root.start_methods and StartMethod.FORK in biting,
                            crossing=crossing,
                        )

    def _of_boundaries(self, failing: Collection[Site]) -> Iterator[RuleFinding]:
        """The findings of rules about boundaries. Where a boundary fails itself, nothing is said of what it writes."""
        rules, budgets = self._with_hook("boundary"), SharedBudgets(self._linker.evaluator)
        for call in self._linker.boundary_calls() if rules else ():
            with budgets.of(call):
                yield from self._of_boundary(call, rules, failing)
            self._linker.evaluator.forget()

    def _of_boundary(
        self, call: BoundaryCall, rules: Sequence[Rule], failing: Collection[Site]
    ) -> Iterator[RuleFinding]:
        for rule in rules:
            if rule.of_what_is_written and call.site in failing:
                continue
            home = call.frame.module
            found = self._asked(rule, call.site, rule.boundary, call, self._linker)
            sure, allowed = of_boundary(call), self._placing.allowed(rule)
            for finding in self._placing.placed(home, rule, found, sure, allowed, call.hops):
                yield replace(finding, root=call.site)

    def _of_workers(self, failing: Mapping[Site, frozenset[StartMethod]]) -> Iterator[RuleFinding]:
        """The findings of rules about what runs in workers. What is met only under start methods by which the workers
        are not started, because a boundary fails, is merely possible: first it is that which has to be mended."""
        rules, judging = self._with_hook("worker"), [rule for rule in self._with_hook("crossing") if rule.of_results]
        known: dict[object, int] = {}
        budgets = SharedBudgets(self._linker.evaluator)
        for code in self._linker.worker_codes() if rules or judging else ():
            if judging and code.boundary is not None:
                with budgets.of(code.boundary):
                    yield from self._of_results(judging, code)
            self._linker.evaluator.cuts.hide |= code.is_cut
            failed = failing.get(code.root.site, frozenset()) if self._linker.moving_to is None else frozenset()
            strength, same = STRENGTH[code.confidence], same_functions(code)
            is_new = strength < known.get(same, strength + 1)
            known[same] = min(strength, known.get(same, strength))
            for rule in rules if is_new else [rule for rule in rules if not rule.of_functions]:
                home = code.root.site.module
                found = self._asked(rule, code.root.site, self._met_by, rule, code)
                allowed = self._placing.allowed(rule)
                for finding in self._placing.placed(home, rule, found, code.confidence, allowed, ()):
                    is_met = not failed.issuperset(finding.start_methods)
                    confidence = finding.confidence if is_met else Confidence.POSSIBLE
                    yield replace(finding, root=code.root.site, confidence=confidence)
            self._linker.evaluator.forget()
        yield from self._of_tasks([rule for rule in rules if rule.of_fresh_workers])

    def _of_tasks(self, rules: Sequence[Rule]) -> Iterator[RuleFinding]:
        """The findings of rules in what workers run that are new interpreters under every start method."""
        for code in task_codes(self._linker) if rules else ():
            for rule in rules:
                found = self._asked(rule, code.root.site, self._met_by, rule, code)
                home, allowed = code.root.site.module, self._placing.allowed(rule)
                for finding in self._placing.placed(home, rule, found, code.confidence, allowed, ()):
                    yield replace(finding, root=code.root.site)
            self._linker.evaluator.forget()

    def _of_results(self, rules: Sequence[Rule], code: WorkerCode) -> Iterator[RuleFinding]:
        """The findings of rules in what workers send back."""
        for function, crossing in results_sent(code, self._linker):
            for rule in rules:
                if not isinstance(crossing.value, rule.value_types):
                    continue
                found = [
                    replace(hazard, start_methods=ALL_START_METHODS)
                    for hazard in self._asked(rule, code.root.site, rule.crossing, crossing, self._linker)
                ]
                confidence = self._linker.confidence(crossing) if found else code.confidence
                hops = (*function.hops, *crossing.hops)
                allowed = self._placing.allowed(rule)
                for finding in self._placing.placed(code.root.site.module, rule, found, confidence, allowed, hops):
                    yield replace(finding, root=code.root.site)

    def _met_by(self, rule: Rule, code: WorkerCode) -> Iterator[Hazard]:
        """The hazards of a rule in the functions of workers that these may get to; for `migrate`, those whose error the
        workers catch are silent, unless the main process ends by them."""
        for found in rule.worker(code, self._linker):
            if may_get_to(found.site, code, self._linker):
                yield self._as_caught(found, code) if self._linker.moving_to is not None else found

    def _as_caught(self, found: Hazard, code: WorkerCode) -> Hazard:
        match found.error:
            case str() as error if is_caught(error, found.site, code, self._linker):
                return found if ends_main(error, code, self._linker) else replace(found, error=None)
            case _:
                return found

    def _of_blocks(self) -> Iterator[RuleFinding]:
        """The findings of rules about classes and functions, which see the parsed blocks that contain one of their
        words."""
        rules = dict.fromkeys((*self._with_hook("class_"), *self._with_hook("function")))
        hooks = (("class_", self._of_classes), ("function", self._of_functions))
        asked = ((rule, look, _words(rule, hook)) for rule in rules for hook, look in hooks)
        looks = [(rule, look, words) for rule, look, words in asked if words is not None]
        sought = Words({word for _, _, words in looks for word in words.words})
        for module in in_stage(self._linker.modules, "checking classes", self._linker.stage) if looks else ():
            standing = frozenset(sought.standing_in(module.lexicon))
            for rule, look, words in looks if standing else ():
                if standing.isdisjoint(words.words):
                    continue
                found = self._linker.defects.each_of(module.path, LINKING, look(rule, module, words))
                yield from self._placing.placed(module, rule, found, Confidence.LIKELY, self._placing.allowed(rule), ())
                self._linker.evaluator.forget()

    def _of_modules(self) -> Iterator[RuleFinding]:
        rules = self._with_hook("module")
        for module in in_stage(self._linker.modules, "checking files", self._linker.stage) if rules else ():
            self._linker.evaluator.allowance = START_ALLOWANCE
            for rule in rules:
                found = self._asked(rule, Site(module, Span(0, 0)), rule.module, module, self._linker)
                allowed = self._placing.allowed(rule)
                yield from self._placing.placed(module, rule, found, Confidence.CERTAIN, allowed, ())
            self._linker.evaluator.forget()

    def _of_classes(self, rule: Rule, module: Module, words: Words) -> Iterator[Hazard]:
        for block in words.plots_in(module.lexicon, module.outline.blocks):
            is_asked = block.classes and self._linker.may_be_of_kind(module, block, rule.class_kinds)
            facts = module.facts_of(block) if is_asked else None
            for class_ in self._linker.activations.classes_in(module, facts) if facts is not None else ():
                header = Site(module, class_.facts.header)
                yield from self._asked(rule, header, rule.class_, class_, self._linker)

    def _of_functions(self, rule: Rule, module: Module, words: Words) -> Iterator[Hazard]:
        for block in words.plots_in(module.lexicon, module.outline.blocks):
            facts = module.facts_of(block)
            found = self._linker.activations.in_block(module, facts, words.pattern) if facts is not None else ()
            for activation in found:
                header = Site(module, activation.function.header)
                yield from self._asked(rule, header, rule.function, activation, self._linker)

    def _with_hook(self, hook: str) -> list[Rule]:
        """The rules that have the hook, can bite under the allowed start methods, and whose words occur. For `migrate`,
        also those about what workers lack that the program sets, whichever script begins it."""
        rules = [rule for rule in self._rules if hook in rule.hooks() and self._placing.allowed(rule)]
        occurring = self.occurring
        is_moving = self._linker.moving_to is not None
        return [
            rule
            for rule in rules
            if not rule.words or (is_moving and rule.of_absence) or not occurring.isdisjoint(rule.words)
        ]

    @property
    def occurring(self) -> frozenset[str]:
        """The words of rules that occur in any module read so far."""
        return self._linker.program.file_survey.mentioned(self._words)

    def _diagnostic(self, finding: RuleFinding) -> Diagnostic:
        message, error = worded(finding.rule, finding.hazard, self._linker)
        fixes = self._asked(finding.rule, _home(finding), fixes_of, finding)
        return diagnostic_of(finding, message, error, next(iter(fixes), None))


def _unsure(found: _Item) -> _Item:
    """What a rule's hook returns, if what it concludes from may only not have been read."""
    if isinstance(found, Hazard) and not found.is_sure_of_absence:
        return replace(found, confidence=Confidence.POSSIBLE)
    return found


def _noting_failures(
    found: Iterable[RuleFinding], failing: dict[Site, frozenset[StartMethod]]
) -> Iterator[RuleFinding]:
    """The same findings; `failing` receives the boundaries that fail by one of them, and the start methods by which."""
    for finding in found:
        is_error = finding.rule.severity is Severity.ERROR and finding.confidence is not Confidence.POSSIBLE
        if is_error and finding.from_boundary and finding.root is not None:
            failing[finding.root] = failing.get(finding.root, frozenset()).union(finding.start_methods)
        yield finding


def _words(rule: Rule, hook: str) -> Words | None:
    """The words without which the hook need not be called; None if the rule does not have the hook."""
    if hook not in rule.hooks():
        return None
    fewer = rule.class_words if hook == "class_" else rule.function_words
    return Words(rule.words if fewer is None else fewer)


def _led_from(crossing: Crossing) -> Module:
    """The first-party module that led to what crosses: that of the boundary, or of the call that leads to one in a
    dependency."""
    home = crossing.root.site.module
    return home if home.first_party or not crossing.hops else crossing.hops[0].site.module


def _home(finding: RuleFinding) -> Site:
    """The module that led to a finding."""
    return Site(finding.home, Span(0, 0))
