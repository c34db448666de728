"""Running the rules: they see what crosses and what runs in workers, and their hazards become diagnostics.

A finding belongs to the module whose boundaries, classes or functions led to it, which need not be the one in which it
is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import ParamSpec, TypeVar

from msgspec.structs import replace

from lintpickle.defects import LINKING
from lintpickle.diagnostics import STRENGTH, Confidence, Diagnostic, Fix, Span, StartMethod, Step
from lintpickle.engine.findings import RuleFinding
from lintpickle.engine.settling import Key, Rank, RankedDiagnostic
from lintpickle.facts.methods import Methods
from lintpickle.facts.records import BlockFacts
from lintpickle.interpreter.abstract_values import FunctionValue, Hop, Site
from lintpickle.payload.confidence import is_of_python_2, lowered, of_boundary, weaker
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.profiling import Part, watched
from lintpickle.program.module import Module
from lintpickle.rules.base import HOOKS, Hazard, Rule, at_culprit, worded

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
        self._start_methods = frozenset(start_methods)
        self._paths = frozenset(paths)

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
        return (STRENGTH[finding.confidence], least, not finding.from_boundary, len(finding.hops))

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
        with self._linker.evaluator.cuts.at(about):
            return self._linker.defects.all_of(about.module.path, rule.label, ask, *given, **also)

    def _findings(self, pedantic: bool) -> Iterator[RuleFinding]:
        stages = (
            self._of_crossings(pedantic),
            self._of_boundaries(),
            self._of_workers(),
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
                methods = self._biting(rule, root)
                if methods:
                    found = self._asked(rule, root.site, rule.crossing, crossing, self._linker)
                    confidence = self._linker.confidence(crossing) if found else root.confidence
                    home = _led_from(crossing)
                    for finding in self._placed(home, rule, found, confidence, methods, crossing.hops):
                        yield replace(
                            finding,
                            from_boundary=root.spec is not None,
                            root=root.site,
                            is_forked_too=StartMethod.FORK in root.start_methods,
                            crossing=crossing,
                        )

    def _of_boundaries(self) -> Iterator[RuleFinding]:
        rules = self._with_hook("boundary")
        for call in self._linker.boundary_calls() if rules else ():
            for rule in rules:
                home = call.frame.module
                found = self._asked(rule, call.site, rule.boundary, call, self._linker)
                for finding in self._placed(home, rule, found, of_boundary(call), self._allowed(rule), call.hops):
                    yield replace(finding, root=call.site)
            self._linker.evaluator.forget()

    def _of_workers(self) -> Iterator[RuleFinding]:
        rules = self._with_hook("worker")
        for code in self._linker.worker_codes() if rules else ():
            for rule in rules:
                home = code.root.site.module
                found = self._asked(rule, code.root.site, rule.worker, code, self._linker)
                for finding in self._placed(home, rule, found, code.confidence, self._allowed(rule), ()):
                    yield replace(finding, root=code.root.site)

    def _of_blocks(self) -> Iterator[RuleFinding]:
        """The findings of rules about classes and functions, which see the parsed blocks that contain one of their
        words."""
        rules = dict.fromkeys((*self._with_hook("class_"), *self._with_hook("function")))
        hooks = (("class_", self._of_classes), ("function", self._of_functions))
        asked = ((rule, look, _words(rule, hook)) for rule in rules for hook, look in hooks)
        looks = [(rule, look, words) for rule, look, words in asked if words is not None]
        sought = Words({word for _, _, words in looks for word in words.words})
        for module in self._linker.modules if looks else ():
            standing = frozenset(sought.standing_in(module.lexicon))
            for rule, look, words in looks if standing else ():
                if standing.isdisjoint(words.words):
                    continue
                found = self._linker.defects.each_of(module.path, LINKING, look(rule, module, words))
                yield from self._placed(module, rule, found, Confidence.LIKELY, self._allowed(rule), ())
                self._linker.evaluator.forget()

    def _of_modules(self) -> Iterator[RuleFinding]:
        rules = self._with_hook("module")
        for module in self._linker.modules if rules else ():
            for rule in rules:
                found = self._asked(rule, Site(module, Span(0, 0)), rule.module, module, self._linker)
                yield from self._placed(module, rule, found, Confidence.CERTAIN, self._allowed(rule), ())
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
        """The rules that have the hook, can bite under the allowed start methods, and whose words occur."""
        rules = [rule for rule in self._rules if hook in rule.hooks() and self._allowed(rule)]
        return [rule for rule in rules if not rule.words or not self.occurring.isdisjoint(rule.words)]

    @property
    def occurring(self) -> frozenset[str]:
        """The words of rules that occur in any module read so far."""
        return self._linker.program.file_survey.mentioned({word for rule in self._rules for word in rule.words})

    def _allowed(self, rule: Rule) -> tuple[StartMethod, ...]:
        return tuple(method for method in rule.start_methods if method in self._start_methods)

    def _biting(self, rule: Rule, root: Root) -> tuple[StartMethod, ...]:
        """The allowed start methods under which the payload is pickled and the rule bites. A payload that is pickled
        under all of them (torch.save) bites whatever is allowed."""
        if root.spec is not None and len(root.start_methods) == len(StartMethod):
            return root.start_methods
        return tuple(m for m in root.start_methods if m in self._start_methods and m in rule.start_methods)

    def _placed(
        self,
        home: Module,
        rule: Rule,
        hazards: Iterable[Hazard],
        confidence: Confidence,
        methods: tuple[StartMethod, ...],
        way: tuple[Hop, ...],
    ) -> Iterator[RuleFinding]:
        for hazard in hazards:
            hops = (*way, *hazard.hops)
            place = self._place(hazard.site, hops)
            biting = hazard.start_methods
            biting = methods if biting is None else tuple(m for m in biting if m in self._start_methods)
            if place is not None and biting:
                weakest = weaker(confidence, hazard.confidence or confidence)
                moved = at_culprit(hazard)
                if moved is not None and moved.site.module.path not in self._paths:
                    moved = None
                told_in = moved.site.module if moved is not None else place.module
                homes = (home.path, *(module.path for module in hazard.rests_on))
                steps = max(self._purposes.steps_down(each, told_in.path) for each in homes)
                is_outdated = any(map(is_of_python_2, (home, told_in)))
                sure = Confidence.POSSIBLE if is_outdated else lowered(weakest, steps)
                forked = StartMethod.FORK in (hazard.start_methods or rule.start_methods)
                finding = RuleFinding(home, rule, hazard, sure, biting, hops, place, is_forked_too=forked)
                if moved is not None:
                    finding = replace(finding, at_culprit=replace(finding, hazard=moved, place=moved.site))
                yield finding

    def _place(self, site: Site, hops: Sequence[Hop]) -> Site | None:
        """Where to report: the hazard, or the nearest first-party step that leads to it. None if that is not in a file
        that may be reported on."""
        candidates = [site, *(hop.site for hop in reversed(hops))]
        place = next((candidate for candidate in candidates if candidate.module.first_party), None)
        if place is None or place.module.path not in self._paths:
            return None
        return place

    def _diagnostic(self, finding: RuleFinding) -> Diagnostic:
        rule, hazard, place = finding.rule, finding.hazard, finding.place
        document = place.module.document
        message, error = worded(rule, hazard, self._linker)
        elsewhere = place.module is not hazard.site.module
        if elsewhere:
            row = hazard.site.module.document.position(hazard.site.span.start).row
            message = f"{message} (in {hazard.site.module.name}, line {row})"
        fixes = self._asked(rule, _home(finding), _fixes, finding)
        return Diagnostic(
            code=rule.code,
            name=rule.name,
            message=message,
            severity=rule.severity,
            confidence=finding.confidence,
            location=document.location(place.span),
            span=place.span,
            noqa_row=document.noqa_row(place.span.start),
            start_methods=finding.start_methods,
            error=error,
            help=hazard.help or rule.help,
            trail=tuple(steps_of(finding.hops, last_step(hazard))),
            fix=next(iter(fixes), None),
        )


def _words(rule: Rule, hook: str) -> Words | None:
    """The words without which the hook need not be called; None if the rule does not have the hook."""
    if hook not in rule.hooks():
        return None
    fewer = rule.class_words if hook == "class_" else rule.function_words
    return Words(rule.words if fewer is None else fewer)


def _fixes(finding: RuleFinding) -> Iterator[Fix]:
    """The fix of a finding, if there is one."""
    fix = fix_of(finding.rule, finding.hazard) if finding.place.module is finding.hazard.site.module else None
    if fix is not None:
        yield fix


def fix_of(rule: Rule, hazard: Hazard) -> Fix | None:
    """The fix of a hazard, in the file of the hazard; None if there is none."""
    return rule.fix(hazard) if _exact(hazard.site) else None


def _led_from(crossing: Crossing) -> Module:
    """The first-party module that led to what crosses: that of the boundary, or of the call that leads to one in a
    dependency."""
    home = crossing.root.site.module
    return home if home.first_party or not crossing.hops else crossing.hops[0].site.module


def _home(finding: RuleFinding) -> Site:
    """The module that led to a finding."""
    return Site(finding.home, Span(0, 0))


def last_step(hazard: Hazard) -> Hop:
    """The last step of a trail: the hazard, or the local function that it is, if another function made that."""
    culprit = hazard.culprit
    if isinstance(culprit, FunctionValue) and culprit.frame is not None:
        home = Site(culprit.module, culprit.frame.function.span)
        if not home.contains(hazard.site):
            return Hop(hazard.noun, Site(culprit.module, culprit.facts.header))
    return Hop(hazard.noun, hazard.site)


def steps_of(hops: Sequence[Hop], end: Hop) -> Iterator[Step]:
    """The steps of a trail without repetitions. The hazard itself is a separate step unless the last hop contains
    it."""
    last: Hop | None = None
    for hop in hops:
        if hop != last:
            yield Step(hop.message, hop.site.module.document.location(hop.site.span))
        last = hop
    if last is not None and not last.site.contains(end.site):
        yield Step(end.message, end.site.module.document.location(end.site.span))


def _exact(site: Site) -> bool:
    """Whether spans in the parsed block around the site are exact, so that edits may use them."""
    for block in site.module.outline.blocks:
        if block.span.start <= site.span.start < block.span.end:
            facts = site.module.facts_of(block)
            return facts is not None and facts.exact and _is_exact_in_methods(facts, site.span.start)
    return False


def _is_exact_in_methods(block: BlockFacts, offset: int) -> bool:
    methods = (class_.methods for class_ in block.body.classes)
    return all(each.is_exact(offset) for each in methods if isinstance(each, Methods))
