"""Auditing installed distributions: what in them cannot be shipped, and how much of it the project's own code
reaches."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from lintpickle.catalog import load_catalog
from lintpickle.diagnostics import STRENGTH, Confidence, Defect, Diagnostic, LintpickleError, Location
from lintpickle.engine.findings import Findings, RuleFinding
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project, projects
from lintpickle.imports.environment import Environment
from lintpickle.imports.installed import InstalledPackage, normalized, packages_in
from lintpickle.payload.confidence import of_crossing
from lintpickle.payload.crossings import Crossing
from lintpickle.resolution.top_imports import imported_top_levels
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover

_LEFT_OUT = frozenset({"tests", "test", "testing", "__pycache__"})


class Culprit(Struct, frozen=True):
    """Something in a distribution that cannot be shipped. `class_name` is None for what a function ships. `reached`
    are the places in the project at which the normal run reports it."""

    code: str
    name: str
    class_name: str | None
    attribute: str
    message: str
    error: str | None
    confidence: Confidence
    location: Location
    reached: tuple[Location, ...]


class AuditedDistribution(Struct, frozen=True):
    """A distribution with its culprits, sorted by path and row. `version` is "" if it is not written down."""

    name: str
    version: str
    files: int
    culprits: tuple[Culprit, ...]


class Audit(Struct, frozen=True):
    """The result, distributions sorted by name; `notices` are one-line remarks about the run, `defects` what of
    lintpickle itself failed."""

    distributions: tuple[AuditedDistribution, ...]
    notices: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()

    @property
    def culprits(self) -> tuple[Culprit, ...]:
        return tuple(culprit for distribution in self.distributions for culprit in distribution.culprits)


def audit(names: Sequence[str], resolver: SettingsResolver) -> Audit:
    """Audit the distributions that the project in the working folder imports, or those named (a distribution, or a
    package that it installs). Nothing is imported.

    Raises `LintpickleError` if there is no Python environment, or nothing of a name in it.
    """
    found = discover([resolver.cwd], resolver)
    audited: dict[str, AuditedDistribution] = {}
    notices: list[str] = []
    defects: list[Defect] = []
    for project in projects(found.files, resolver, [resolver.cwd]):
        analysis = Analysis(project, resolver)
        installed = _installed(analysis.environment)
        if not installed:
            notices.append(f"{project.root}: no Python environment with packages was found; name one with --python")
            continue
        chosen = _named(names, installed) if names else _imported(analysis, project, installed)
        if not chosen:
            continue
        reached = _reached(analysis)
        for distribution, packages in chosen.items():
            if distribution not in audited:
                audited[distribution] = _audited(distribution, packages, project, analysis, resolver, reached, defects)
        defects += analysis.defects
    if not found.files:
        raise LintpickleError(f"{resolver.cwd} has no Python files: run the audit in the folder of a project")
    return Audit(tuple(audited[name] for name in sorted(audited)), tuple(notices), tuple(defects))


def _installed(environment: Environment) -> dict[str, InstalledPackage]:
    """The top-level packages and modules of the environment, by import name; the first folder wins."""
    found: dict[str, InstalledPackage] = {}
    for site in environment.site_packages:
        for package in packages_in(site):
            found.setdefault(package.name, package)
    return found


def _named(names: Sequence[str], installed: Mapping[str, InstalledPackage]) -> dict[str, list[InstalledPackage]]:
    chosen: dict[str, list[InstalledPackage]] = {}
    for name in names:
        wanted = normalized(name)
        packages = [p for p in installed.values() if p.distribution == wanted]
        if not packages and name in installed:
            packages = [p for p in installed.values() if p.distribution == installed[name].distribution]
        if not packages:
            known = {p.distribution for p in installed.values()} | set(installed)
            near = difflib.get_close_matches(name, sorted(known), n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise LintpickleError(f"{name} is not installed in the project's environment.{hint}")
        chosen.setdefault(packages[0].distribution, packages)
    return chosen


def _imported(
    analysis: Analysis, project: Project, installed: Mapping[str, InstalledPackage]
) -> dict[str, list[InstalledPackage]]:
    """The distributions that first-party code imports, without the libraries that the catalog describes."""
    described = load_catalog(tuple(str(path) for path in project.settings.catalog)).described()
    tops: set[str] = set()
    for path in project.reported:
        document = analysis.files.document(path)
        if document is not None:
            tops.update(imported_top_levels(document.code))
    wanted = {installed[top].distribution for top in tops if top in installed and top not in described}
    chosen: dict[str, list[InstalledPackage]] = {}
    for package in installed.values():
        if package.distribution in wanted:
            chosen.setdefault(package.distribution, []).append(package)
    return chosen


def _reached(analysis: Analysis) -> dict[tuple[str, str], list[tuple[Location, Location]]]:
    """By code and file of the hazard: the place of the hazard, and where the normal run reports it."""
    found: dict[tuple[str, str], list[tuple[Location, Location]]] = {}
    for diagnostics in analysis.diagnostics().values():
        for diagnostic in diagnostics:
            for place in _places(diagnostic):
                found.setdefault((diagnostic.code, place.path), []).append((place, diagnostic.location))
    return found


def _places(diagnostic: Diagnostic) -> Iterator[Location]:
    """Where a hazard can be that is not in the file at which it is reported: the end of its trail."""
    if diagnostic.trail and diagnostic.trail[-1].location.path != diagnostic.location.path:
        yield diagnostic.trail[-1].location


def _audited(
    name: str,
    packages: Sequence[InstalledPackage],
    project: Project,
    analysis: Analysis,
    resolver: SettingsResolver,
    reached: Mapping[tuple[str, str], list[tuple[Location, Location]]],
    defects: list[Defect],
) -> AuditedDistribution:
    """One distribution, each of its packages as a program of its own. What fails on the way is added to `defects`."""
    best: dict[tuple[str, str, int], Culprit] = {}
    count = 0
    settings = replace(project.settings, pedantic=True, python=_prefix(analysis.environment), src=())
    for package in packages:
        files = tuple(_python_files(package.path))
        count += len(files)
        root = Path(package.path) if os.path.isdir(package.path) else Path(package.path).parent
        alone = Analysis(Project(root, settings, files), resolver, files)
        findings = Findings(alone.linked(), alone.rules, settings.start_methods)
        within = frozenset(files)
        for crossing, found in findings.crossings(pedantic=True):
            for finding in found:
                if finding.hazard.site.module.path in within:
                    culprit = _culprit(crossing, finding, findings, reached)
                    key = (culprit.code, culprit.location.path, finding.hazard.site.span.start)
                    known = best.get(key)
                    if known is None or STRENGTH[culprit.confidence] < STRENGTH[known.confidence]:
                        best[key] = culprit
        defects += findings.defects
    ordered = tuple(best[key] for key in sorted(best, key=lambda key: (key[1], key[2], key[0])))
    return AuditedDistribution(name, packages[0].version, count, ordered)


def _culprit(
    crossing: Crossing,
    finding: RuleFinding,
    findings: Findings,
    reached: Mapping[tuple[str, str], list[tuple[Location, Location]]],
) -> Culprit:
    site = finding.hazard.site
    location = site.module.document.location(site.span)
    held, holder = crossing.held, crossing.holder
    class_ = (held.owner if held is not None else None) or (holder.class_ if holder is not None else None)
    rule = finding.rule
    message, error = findings.worded(finding)
    return Culprit(
        rule.code,
        rule.name,
        class_.facts.qualname if class_ is not None else None,
        held.attribute if held is not None else crossing.path,
        message,
        error,
        finding.hazard.confidence or of_crossing(crossing),
        location,
        tuple(dict.fromkeys(_reached_from(location, reached.get((rule.code, location.path), ())))),
    )


def _reached_from(location: Location, reached: Iterable[tuple[Location, Location]]) -> Iterator[Location]:
    for hazard, place in reached:
        if hazard.start.row <= location.start.row <= hazard.end.row:
            yield place


def _prefix(environment: Environment) -> Path | None:
    return Path(environment.prefix) if environment.prefix is not None else None


def _python_files(path: str) -> Iterator[str]:
    """The Python files of a package or module, sorted; test suites are nothing that a project ships."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name.isidentifier() and name not in _LEFT_OUT)
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))
