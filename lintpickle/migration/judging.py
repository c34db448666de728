"""From paths to a migration: the program judged as if nothing pinned fork, boundary by boundary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from lintpickle import disk
from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.boundaries.in_threads import runners_made
from lintpickle.boundaries.manager_registries import classes_started, is_only_registered, registered_with
from lintpickle.diagnostics import Confidence, Defect, Diagnostic, StartMethod
from lintpickle.engine.findings import RuleFinding
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import projects
from lintpickle.facts.values import Attribute, Call, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, FunctionValue, InstanceValue, Site
from lintpickle.interpreter.partials import without_partials
from lintpickle.interpreter.slots import excerpt
from lintpickle.limits import EVALUATIONS, LIMITS, Limit
from lintpickle.migration.gaps import gaps_of
from lintpickle.migration.growing import Growing
from lintpickle.migration.held_by_fork import HeldByFork
from lintpickle.migration.hiding_comments import HidingComments
from lintpickle.migration.hiding_settings import HidingSettings, judging_codes
from lintpickle.migration.model import Boundary, Finding, Gap, Migration, Pin, Spot
from lintpickle.migration.origins import spot_of
from lintpickle.migration.settings_files import pins_in_files
from lintpickle.payload.components import STARTING_KINDS
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover

_LONGEST = 60


def migrate(
    paths: Sequence[str],
    resolver: SettingsResolver,
    to: StartMethod,
    python: str,
    check: Callable[[], None] | None = None,
) -> Migration:
    """What is left to do before the files and folders can run under a start method other than fork. `check` is called
    often: what it raises ends the work.

    Raises `LintpickleError` for bad settings and for paths that do not exist.
    """
    discovered = discover(paths, resolver)
    named = [folder for path in paths if (folder := resolver.cwd / path).is_dir()]
    boundaries: list[Boundary] = []
    pins: list[Pin] = []
    defects: list[Defect] = []
    hidden = 0
    off_elsewhere: list[str] = []
    for project in projects(discovered.files, resolver, named):
        with disk.at_most(project.settings.max_file_size):
            analysis = Analysis(project, resolver, moving_to=to, also=judging_codes())
            judging = _Judging(analysis, HidingSettings(resolver, analysis.selections), project.reported, to, check)
            found = list(judging.boundaries())
            forks = judging.held_by_fork()
            asked = list(forks.pins(found))
            boundaries += forks.held(found, asked)
            pins += asked
            defects += judging.defects
            hidden += judging.hidden
            off_elsewhere += judging.off_elsewhere
    pins += pins_in_files(paths, resolver)
    return Migration(
        to,
        python,
        tuple(sorted(boundaries, key=lambda each: (each.work, each.spot, each.what))),
        tuple(sorted(set(pins), key=lambda pin: (pin.spot, pin.text))),
        len(discovered.files),
        discovered.notices,
        tuple(dict.fromkeys(defects)),
        hidden,
        tuple(sorted(off_elsewhere)),
    )


class _Judging:
    """Judges one project."""

    def __init__(
        self,
        analysis: Analysis,
        switches: HidingSettings,
        reported: Iterable[str],
        to: StartMethod,
        check: Callable[[], None] | None,
    ) -> None:
        self._analysis = analysis
        self._switches = switches
        self._reported = frozenset(reported)
        self._to = to
        self._linker = analysis.linked()
        if check is not None:
            self._linker.evaluator.check = _both(check, self._linker.evaluator.check)
        self._runner = analysis.shown_to_rules(self._linker, {StartMethod.SPAWN, StartMethod.FORKSERVER})
        self._at: dict[Site, Growing] = {}
        self._comments = HidingComments(analysis.files)
        self.hidden = 0
        """How many findings to which no boundary leads are hidden by comments, once all boundaries are known."""
        self.off_elsewhere: list[str] = []
        """The codes of the others to which none leads and whose rules the settings switch off."""

    @property
    def defects(self) -> tuple[Defect, ...]:
        """What of lintpickle itself failed."""
        found = self._linker.defects.found
        return tuple(each for path in sorted(found) for each in found[path])

    def boundaries(self) -> Iterator[Boundary]:
        """All boundaries at which processes start or run something, then what is found elsewhere."""
        for boundary in self._linker.boundary_calls():
            starts = boundary.spec.kind in STARTING_KINDS and self._linker.boundaries.crosses(boundary)
            if starts and boundary.site.module.path in self._reported:
                self._add(boundary)
                self._linker.evaluator.forget()
        elsewhere: dict[tuple[str, Spot], Boundary] = {}
        for judged, diagnostic in self._judged():
            finding = Finding(
                diagnostic,
                diagnostic.error is not None,
                judged.is_forked_too,
                self._comments.at(diagnostic),
                self._switches.against(diagnostic),
            )
            for place in self._places(judged, diagnostic):
                if self._bites(diagnostic, self._at[place]):
                    self._at[place].findings.setdefault(_key(diagnostic), finding)
            is_possible = diagnostic.confidence is Confidence.POSSIBLE
            if not self._places(judged, diagnostic) and not finding.is_old and not is_possible:
                elsewhere.setdefault(_key(diagnostic), self._elsewhere(diagnostic, finding))
        self._pass_on()
        yield from self._unsettled()
        makers = {site for growing in self._at.values() for site in growing.makers}
        for site, growing in self._at.items():
            findings, gaps = self._settled(growing, site)
            if growing.is_inner and not findings and not gaps and not self._is_made(site):
                gaps = (Gap("no code is seen that makes such an object", spot_of(site)),)
            if growing.is_only_registered or any(self._starting(growing)):
                continue
            if findings or not (growing.is_inner and self._is_made(site)):
                is_making = site in makers and not growing.starts
                spot, methods = spot_of(site), growing.methods
                yield Boundary(growing.what, growing.starts, spot, methods, findings, gaps, is_making=is_making)
        known = {key for growing in self._at.values() for key in growing.findings}
        others = [each for key, each in elsewhere.items() if key not in known]
        kept = [finding for each in others for finding in each.findings if finding.is_hidden]
        self.off_elsewhere = [each.diagnostic.code for each in kept if each.hidden_at is None]
        self.hidden = len(kept) - len(self.off_elsewhere)
        yield from (each for each in others if not any(finding.is_hidden for finding in each.findings))

    def _unsettled(self) -> Iterator[Boundary]:
        """The calls at which processes may start: too much had to be followed to find out."""
        for site in self._linker.unsettled_calls():
            if site.module.path in self._reported and site not in self._at:
                spot, what = spot_of(site), site.module.code[site.span.start : site.span.end]
                gap = Gap(f"whether processes start here is not known: {_reached(EVALUATIONS)}", spot)
                yield Boundary(" ".join(what.split())[:_LONGEST], "", spot, (self._to,), gaps=(gap,))

    def _is_made(self, inner: Site) -> bool:
        """Whether an object is seen to be made of the class in which `__init__` of its base is called, or of one that
        derives from it."""
        return any(
            each.is_object and any(class_.contains(inner) for class_ in each.derived_from) for each in self._at.values()
        )

    def _pass_on(self) -> None:
        """What is said of a call of `Process.__init__` by a class of the program concerns who makes the object."""
        for inner in self._at.values():
            for site in inner.through:
                outer = self._at.get(site)
                if outer is not None and outer.is_object and outer is not inner:
                    outer.gaps.update(inner.gaps)
                    outer.contexts.update(inner.contexts)
                    outer.forks.update(inner.forks)
                    for key, finding in inner.findings.items():
                        if _passes(site, finding.diagnostic):
                            outer.findings.setdefault(key, finding)

        for registering in self._at.values():
            for starting in self._starting(registering):
                starting.gaps.update(registering.gaps)
                starting.findings.update(registering.findings)

    def _starting(self, registering: Growing) -> Iterator[Growing]:
        """The starts of managers of a class with which something is registered: there it crosses."""
        return (each for each in self._at.values() if not each.started.isdisjoint(registering.registered_with))

    def held_by_fork(self) -> HeldByFork:
        """Where the code asks for fork, once all boundaries are known."""
        return HeldByFork(self._analysis, self._linker, self._reported, self._at)

    def _add(self, boundary: BoundaryCall) -> None:
        site, starting = boundary.site, self._linker.boundaries.starting
        with self._linker.evaluator.cuts.at(site):
            gaps = dict.fromkeys(gaps_of(boundary, self._linker))
        if site not in self._at:
            what = excerpt(site.module, boundary.call)
            methods = starting.start_methods(boundary)
            self._at[site] = Growing(what[:_LONGEST], self._starts(boundary), methods, set(), [], {}, True, True)
        growing = self._at[site]
        growing.is_never_forked = growing.is_never_forked and starting.is_never_forked(boundary)
        growing.names_its_method = growing.names_its_method and starting.names_its_method(boundary)
        growing.gaps.update(gaps)
        growing.contexts.update(starting.contexts_made(boundary))
        growing.contexts.update(runners_made(boundary, self._linker.evaluator))
        growing.forks.update(starting.forks_asked(boundary))
        growing.registered_with |= registered_with(boundary, self._linker.evaluator)
        growing.is_only_registered = is_only_registered(boundary)
        growing.started |= classes_started(boundary, self._linker.evaluator)
        others = (each.site for each in starting.with_its_maker(boundary) if each.site != site)
        growing.makers.update(others)
        growing.is_object = growing.is_object or ITSELF in boundary.payload
        function = boundary.call.function
        passes = any(role in boundary.arguments for role in boundary.payload)
        growing.is_inner = isinstance(function, Attribute) and function.name == "__init__" and not passes
        growing.through.update(hop.site for hop in boundary.hops)
        for crossing in self._linker.shipped_by(boundary):
            if isinstance(crossing.value, InstanceValue):
                class_ = crossing.value.class_
                growing.classes.append(Site(class_.module, class_.facts.span))
                line = (each for each in self._linker.classes.mro(class_) if isinstance(each, ClassValue))
                growing.derived_from.update(Site(each.module, each.facts.span) for each in line)

    def _starts(self, boundary: BoundaryCall) -> str:
        """What runs there, in a few words."""
        if ITSELF in boundary.payload and boundary.callee is not None:
            return f"{boundary.callee.facts.name}.run"
        roles = (*boundary.spec.functions, "dataset")
        given = [role for role in roles if role in boundary.arguments and boundary.arguments[role].expr is not None]
        texts = []
        for role in given:
            bound = boundary.arguments[role]
            if bound.expr is not None and bound.frame is not None:
                named = self._given_by_call(boundary, role) if isinstance(without_narrowing(bound.expr), Call) else ()
                texts += named or [excerpt(bound.frame.module, bound.expr)]
        return ", ".join(dict.fromkeys(texts))

    def _given_by_call(self, boundary: BoundaryCall, role: str) -> list[str]:
        """The names of the functions that a call gives (`target=build_trial(x)`), also as partial objects; none if it
        may give something else."""
        given = self._linker.boundaries.values(boundary, role)
        functions = [each.value for each in without_partials(given, self._linker.evaluator)]
        names = [each.facts.name for each in functions if isinstance(each, FunctionValue)]
        return names if len(names) == len(functions) else []

    def _judged(self) -> Iterator[tuple[RuleFinding, Diagnostic]]:
        """What rules find, also what comments hide, without what is no concern of this."""
        for finding, diagnostic in self._runner.judged(pedantic=False):
            if diagnostic.location.path in self._reported and self._switches.concerns(diagnostic):
                yield finding, diagnostic

    def _places(self, judged: RuleFinding, diagnostic: Diagnostic) -> list[Site]:
        """The boundaries at which a finding counts: the one that gave it away, those on its trail, and those that ship
        an instance of the class in which it stands."""
        if judged.root in self._at:
            return [judged.root]
        if judged.root is not None:
            return []
        rows = {(step.location.path, step.location.start) for step in diagnostic.trail}
        rows.add((diagnostic.location.path, diagnostic.location.start))
        return [
            site
            for site, growing in self._at.items()
            if (site.module.path, site.module.document.position(site.span.start)) in rows
            or any(_holds(class_, diagnostic) for class_ in growing.classes)
        ]

    def _bites(self, diagnostic: Diagnostic, growing: Growing) -> bool:
        """Whether a finding concerns a boundary under the start method to which the program moves: some are of another
        one alone."""
        biting = diagnostic.start_methods
        return not biting or self._to in biting or self._to not in growing.methods

    def _lost_at(self, site: Site) -> Iterator[Gap]:
        """The limits that were reached while what crosses at a boundary was followed, and what failed in its module."""
        spot = spot_of(site)
        for defect in sorted(self._linker.defects.found.get(spot.path, ()), key=lambda each: (each.task, each.error)):
            yield Gap(f"lintpickle itself failed here ({defect.task}): {defect.given_up or defect.error}", spot)
        for cut in sorted(self._linker.evaluator.cuts.found.get(spot.path, ())):
            limit = LIMITS[cut.limit]
            if cut.row == spot.row and not limit.minor:
                yield Gap(_reached(limit), spot, is_limit=True)

    def _settled(self, growing: Growing, site: Site) -> tuple[tuple[Finding, ...], tuple[Gap, ...]]:
        """What is found for certain or likely; what is only possible is not known. What is silent and no other than
        today is left to `lintpickle check`, and what is not forked today either is as it was."""
        findings, gaps = [], [*growing.gaps, *self._lost_at(site)]
        for finding in growing.findings.values():
            if (finding.is_old or growing.is_never_forked) and not finding.is_loud:
                continue
            if finding.diagnostic.confidence is Confidence.POSSIBLE:
                where = finding.diagnostic.location
                said = f"it may be that {finding.diagnostic.told} ({finding.diagnostic.code}{_hidden(finding)})"
                gaps.append(Gap(said, Spot.of(where)))
            else:
                findings.append(finding)
        return tuple(sorted(findings, key=_order)), () if growing.is_never_forked else tuple(gaps)

    def _elsewhere(self, diagnostic: Diagnostic, finding: Finding) -> Boundary:
        spot = Spot.of(diagnostic.location)
        return Boundary(diagnostic.name, "", spot, (self._to,), (finding,), is_seen=False)


def _hidden(finding: Finding) -> str:
    if finding.hidden_at is not None:
        return ", which a comment hides"
    return ", which the settings switch off" if finding.switched_off is not None else ""


def _reached(limit: Limit) -> str:
    return f"the limit of {limit.most} {limit.counts} was reached: {limit.cut}"


def _both(first: Callable[[], None], second: Callable[[], None]) -> Callable[[], None]:
    def both() -> None:
        first()
        second()

    return both


def _passes(site: Site, diagnostic: Diagnostic) -> bool:
    """Whether the trail of a diagnostic leads by a call."""
    start = site.module.document.position(site.span.start)
    steps = ((step.location.path, step.location.start) for step in diagnostic.trail)
    return (site.module.path, start) in steps


def _key(diagnostic: Diagnostic) -> tuple[str, Spot]:
    return diagnostic.code + diagnostic.message, Spot.of(diagnostic.location)


def _order(finding: Finding) -> tuple[bool, str, int, str]:
    location = finding.diagnostic.location
    return not finding.is_loud, location.path, location.start.row, finding.diagnostic.code


def _holds(class_: Site, diagnostic: Diagnostic) -> bool:
    span = class_.span
    is_there = class_.module.path == diagnostic.location.path
    return is_there and span.start <= diagnostic.span.start < span.end
