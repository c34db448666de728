"""From findings to diagnostics, with their trails and their fixes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.diagnostics import Diagnostic, Fix, Step
from lintpickle.engine.findings import RuleFinding
from lintpickle.facts.methods import Methods
from lintpickle.facts.records import BlockFacts
from lintpickle.interpreter.abstract_values import FunctionValue, Hop, Site
from lintpickle.rules.base import Hazard, Rule


def diagnostic_of(finding: RuleFinding, message: str, error: str | None, fix: Fix | None) -> Diagnostic:
    """The diagnostic for a finding, with the message, run-time error and fix that its rule gives."""
    rule, hazard, place = finding.rule, finding.hazard, finding.place
    document = place.module.document
    elsewhere = place.module is not hazard.site.module
    if elsewhere:
        row = hazard.site.module.document.position(hazard.site.span.start).row
        message = f"{message} (in {hazard.site.module.name}, line {row})"
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
        fix=fix,
    )


def fixes_of(finding: RuleFinding) -> Iterator[Fix]:
    """The fix of a finding, if there is one."""
    fix = fix_of(finding.rule, finding.hazard) if finding.place.module is finding.hazard.site.module else None
    if fix is not None:
        yield fix


def fix_of(rule: Rule, hazard: Hazard) -> Fix | None:
    """The fix of a hazard, in the file of the hazard; None if there is none."""
    return rule.fix(hazard) if _exact(hazard.site) else None


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
