"""Calls that affect the whole program: setting the start method, registering classes with copyreg."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from lintpickle.diagnostics import StartMethod
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ExternalResult,
    ExternalValue,
    ProductValue,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.root_frames import RootFrame, RootFrames
from lintpickle.parsing.main_guard import has_guard
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import THE_PROGRAM, FirstPartyModules

_SETTERS = ("set_start_method",)
_SETTER_WORDS = Words({"set_start_method"})
_ASKED = re.compile(
    r"""\bif[ \t(]+\s*(?:\w+\.)*get_start_method\([^()\n]*\)[ \t]*(?:!=|==|is not|is)[ \t]*(?:["']\w+["']|None)"""
    r"""(?:\s+and\s+not\s+os\.environ\.get\([^()\n]*\)|\s+and\s+os\.environ\.get\([^()\n]*\)\s*!=\s*["']\w*["'])?"""
    r"""\s*\)?[ \t]*:\s*\Z"""
)
"""The question which start method is set, also where an environment variable may forbid to set one."""
_LONGEST_QUESTION = 200
_REGISTRARS = ("copyreg.pickle", "ForkingPickler.register", "reduction.register")
_REGISTRAR_WORDS = Words({"copyreg", "ForkingPickler", "reduction.register", "reduction import"})
_INSTALLERS = {"pickling_support.install": "traceback"}
"""Functions of libraries that register a reducer, with the type that it is for, as errors say it: tblib's (its page on
PyPI, "Pickling tracebacks")."""
_INSTALLER_WORDS = Words({"pickling_support"})

_TEST_FILE = re.compile(r"test_.+\.py|.+_test\.py|conftest\.py")
_CONFIGURATION = "conftest.py"
_TEST_FOLDERS = frozenset({"test", "tests"})


class SetMethods(Struct, frozen=True):
    """The start methods that code sets: all of them where it sets one under a condition (except fork in a conftest.py,
    and where it only asks which one is set) or to an unknown value. Settings in tests apply only to tests: `in_tests`
    holds them by test file, or by the folder of the conftest.py, the deepest first. Those of scripts apply only to
    programs that run code of the script: `in_scripts` holds them by its path."""

    everywhere: frozenset[StartMethod]
    in_tests: tuple[tuple[str, frozenset[StartMethod]], ...] = ()
    in_scripts: tuple[tuple[str, frozenset[StartMethod]], ...] = ()
    by_default: frozenset[StartMethod] = frozenset(StartMethod)
    """Those that there are where none is set."""

    def at(self, path: str, runs_with: Callable[[str], bool]) -> frozenset[StartMethod]:
        """The start methods under which the code of a file runs. `runs_with` says whether that may be in one program
        with a script of a path."""
        for reach, methods in self.in_tests:
            if _reaches(reach, path):
                return methods
        of_scripts = (methods for script, methods in self.in_scripts if runs_with(script))
        return self.everywhere.union(*of_scripts) or self.by_default


def is_test_file(path: str) -> bool:
    """Whether the name of a file makes pytest treat it as tests or as their configuration."""
    return _TEST_FILE.fullmatch(os.path.basename(path)) is not None


def _reaches(reach: str, path: str) -> bool:
    """Whether what tests set, for a file or for those of a folder, counts for a file."""
    if not reach.endswith(os.sep):
        return path == reach
    return path.startswith(reach) and (is_test_file(path) or not _TEST_FOLDERS.isdisjoint(reach.split(os.sep)[-3:]))


def _reach_of(path: str) -> str:
    """For which files a test file sets something: a conftest.py does for all below its folder."""
    folder, name = os.path.split(path)
    return folder + os.sep if name == _CONFIGURATION else path


def _asks_what_is_set(event: Called, root: RootFrame) -> bool:
    """Whether a call stands under the question which start method is set: `if get_start_method() != "spawn":`."""
    code, start = root.frame.module.code, event.span.start
    return _ASKED.search(code, max(0, start - _LONGEST_QUESTION), start) is not None


class ProgramWide:
    """Searches the modules in which the words occur."""

    def __init__(self, evaluator: Evaluator, roots: RootFrames, first_party: FirstPartyModules) -> None:
        self._evaluator = evaluator
        self._activations = roots
        self._first_party = first_party
        self.answers: list[str] = []
        """What was found, for all modules, in words. Whoever finds other answers has to judge all of them again."""

    def start_methods(self) -> SetMethods:
        """The start methods that the program sets, those that its tests set, and those that its scripts set."""
        found: set[StartMethod] = set()
        in_tests: dict[str, set[StartMethod]] = {}
        in_scripts: dict[str, set[StartMethod]] = {}
        for root, event in self._calls(_SETTER_WORDS, _SETTERS):
            path, here = root.frame.module.path, found
            if is_test_file(path):
                here = in_tests.setdefault(_reach_of(path), set())
            elif has_guard(root.frame.module.code):
                here = in_scripts.setdefault(path, set())
            here |= self._set_by(event, root) or set(StartMethod)
        self.answers += sorted(
            f"{reach or 'anywhere'}: {each.value}"
            for reach, methods in (("", found), *in_tests.items(), *in_scripts.items())
            for each in methods
        )
        tests = sorted(in_tests.items(), key=lambda each: (-len(each[0]), each[0]))
        return SetMethods(
            frozenset(found),
            tuple((reach, frozenset(methods)) for reach, methods in tests),
            tuple((script, frozenset(methods)) for script, methods in in_scripts.items()),
        )

    def _set_by(self, event: Called, root: RootFrame) -> set[StartMethod]:
        """What a call sets; nothing if it is made by condition, or sets what cannot be seen. A conftest.py that asks
        for fork by condition (`if sys.version_info >= (3, 14):`) does so wherever its tests would not be forked."""
        arguments = event.call.arguments
        value = event.call.keyword("method") or (arguments[0].value if arguments else None)
        if value is None:
            return set()
        values = [traced.value for traced in self._evaluator.evaluate(value, root.frame)]
        names = [abstract.value if isinstance(abstract, ConstantValue) else None for abstract in values]
        known = {method.value: method for method in StartMethod}
        found = {known[name] for name in names if isinstance(name, str)} if known.keys() >= set(names) else set()
        is_for_tests = os.path.basename(root.frame.module.path) == _CONFIGURATION and found == {StartMethod.FORK}
        is_set = is_for_tests or not event.conditional or _asks_what_is_set(event, root)
        return found if is_set else set()

    def registered_classes(self) -> frozenset[int | str]:
        """The classes for which a reducer is registered: the ids of their `ClassFacts`, or the names of libraries'
        types, as they are written and as errors say them."""
        found: set[int | str] = set()
        for root, event in self._calls(_REGISTRAR_WORDS, _REGISTRARS):
            for argument in event.call.arguments[:1]:
                for traced in self._evaluator.evaluate(argument.value, root.frame):
                    found |= self._types(traced.value)
        for installer, type_ in _INSTALLERS.items():
            if any(self._calls(_INSTALLER_WORDS, (installer,))):
                self.answers.append(f"reducer of {type_}")
                found.add(type_)
        return frozenset(found)

    def _types(self, value: AbstractValue) -> set[int | str]:
        """The type that a value is: a class, or `type(x)`."""
        match value:
            case ClassValue(module=module, facts=facts):
                self.answers.append(f"reducer of {module.path}: {facts.qualname}")
                return {id(facts)}
            case ExternalValue(path=path):
                self.answers.append(f"reducer of {path}")
                return set(self._evaluator.catalog.names(path))
            case ExternalResult(path="builtins.type", call=Call(arguments=(made,)), frame=frame):
                given = [traced.value for traced in self._evaluator.evaluate(made.value, frame)]
                types = {each.product.type for each in given if isinstance(each, ProductValue)}
                self.answers += sorted(f"reducer of {each}" for each in types)
                return set(types)
            case _:
                return set()

    def _calls(self, words: Words, paths: tuple[str, ...]) -> Iterator[tuple[RootFrame, Called]]:
        for module in self._first_party.modules(self._first_party.which(words, THE_PROGRAM)):
            for block in words.plots_in(module.lexicon, module.outline.blocks):
                facts = module.facts_of(block)
                found = self._activations.in_block(module, facts, words.pattern) if facts is not None else ()
                for root in found:
                    for event in root.function.events:
                        if isinstance(event, Called) and self._is_one_of(event, root, paths):
                            yield root, event

    def _is_one_of(self, event: Called, root: RootFrame, paths: tuple[str, ...]) -> bool:
        return any(
            isinstance(traced.value, ExternalValue) and traced.value.path.endswith(paths)
            for traced in self._evaluator.evaluate(event.call.function, root.frame)
        )
