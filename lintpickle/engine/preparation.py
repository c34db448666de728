"""What judging a project needs before it starts: its environment, its Pythons, its rules, and its program."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lintpickle.cache.facts import FactsCache
from lintpickle.cache.store import CacheStore
from lintpickle.catalog import Catalog
from lintpickle.engine.processes import may_share
from lintpickle.engine.roots import Project
from lintpickle.imports.environment import Environment
from lintpickle.imports.environment_search import find_environment
from lintpickle.imports.module_finder import ModuleFinder
from lintpickle.prefilter.forms import LAMBDA, LOCAL_FUNCTION
from lintpickle.prefilter.marks import Vocabulary
from lintpickle.prefilter.screen import Screen
from lintpickle.prefilter.words import Words
from lintpickle.profiling import Part, running
from lintpickle.program.program import Program
from lintpickle.program.spill_file import SpillFile
from lintpickle.pythons import Pythons, Version, read_pythons
from lintpickle.settings import Settings

if TYPE_CHECKING:
    from lintpickle.program.program import Survey
    from lintpickle.rules.base import Rule


def environment_of(project: Project) -> Environment:
    """The present Python environment of a project. Raises LintpickleError if the configured one does not exist."""
    settings = project.settings
    setting = str(settings.python) if settings.python is not None else None
    return find_environment(setting, project.root, os.environ, sys.prefix)


def pythons_of(settings: Settings, environment: Environment) -> tuple[Version, ...]:
    """The Pythons that the program runs on: as configured, otherwise the version of its environment and later ones,
    otherwise that of lintpickle."""
    configured = read_pythons(settings.target_version) if settings.target_version is not None else None
    return (configured or Pythons()).since(environment.python_version or sys.version_info[:2])


def rules_with(codes: Collection[str]) -> tuple[type[Rule], ...]:
    """The rules with these codes."""
    from lintpickle.rules import all_rules

    with running(Part.LOAD):
        return tuple(rule for rule in all_rules() if rule.code in codes)


def screen_for(rules: Sequence[type[Rule]], catalog: Catalog) -> Screen:
    """The screen for the text that the rules need to see."""
    from lintpickle.payload.loader_hooks import hook_words
    from lintpickle.payload.made_transforms import transform_words

    marks = {mark for rule in rules if "crossing" in rule.hooks() for mark in rule.marks}
    words = {word for rule in rules for word in rule.words}
    kept = catalog.keeping_classes() if marks & {LAMBDA, LOCAL_FUNCTION} else frozenset()
    return Screen(marks, words | transform_words(marks) | hook_words(marks) | kept, catalog.boundary_words())


def program_at(
    roots: Sequence[str],
    project: Project,
    environment: Environment,
    catalog: Catalog,
    store: CacheStore | None,
    jobs: int | None,
    words: Callable[[], Words],
) -> Program:
    """A program without modules yet: a project whose imports start at these roots. `words` gives what text must contain
    to be read."""
    described, vocabulary = catalog.described(), _vocabulary(catalog)
    program = Program(
        ModuleFinder(roots, environment, described),
        described,
        vocabulary,
        FactsCache(store, str(project.root), vocabulary),
        SpillFile(Words(catalog.boundary_makers()), is_open=may_share(jobs)),
        words,
    )
    program.find_surveys = partial(_surveys, catalog)
    return program


def _vocabulary(catalog: Catalog) -> Vocabulary:
    return Vocabulary(
        catalog.hazard_calls(),
        catalog.hazard_values(),
        catalog.boundary_words(),
        catalog.hazard_holders(),
        catalog.naming_calls(),
    )


def _surveys(catalog: Catalog) -> dict[str, Survey]:
    """All surveys by name. What asks them is loaded now: a run in which nothing is judged does without it."""
    from lintpickle.analyses.process_state import setting_makers
    from lintpickle.call_graph import named_calls

    return {**setting_makers.surveys(catalog), **named_calls.surveys()}
