"""Which rules are on, from what users write: codes (LP101), prefixes (LP1), names, "ALL"."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from lintpickle.diagnostics import LintpickleError
from lintpickle.settings import Origin, Selectors, Settings
from lintpickle.source.patterns import Patterns

PREFIX = "LP"
ALL = "ALL"


class SelectableRule(Protocol):
    """What selection needs to know of a rule (a class of `lintpickle.rules` has it)."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def default(self) -> bool: ...


class Selector(Struct, frozen=True):
    """A selector and its codes. A higher `specificity` takes precedence: ALL, LP, LP1, LP101. `codes` are all codes
    that match, `default_codes` those that it turns on in select."""

    text: str
    specificity: int
    codes: frozenset[str]
    default_codes: frozenset[str]


def parse_selector(text: str, rules: Sequence[SelectableRule], *, option: str, origin: Origin) -> Selector:
    """The selector that a user wrote, matched with `rules`. A prefix matches every code that begins with it. The bare
    prefix LP, in select, turns on only the rules that are on by default; every other selector turns on all that it
    matches. Raises `LintpickleError`, which names the place of the selector and the nearest one that exists."""
    if text == ALL:
        codes = frozenset(rule.code for rule in rules)
        return Selector(text, 0, codes, codes)
    if text == PREFIX:
        codes = frozenset(rule.code for rule in rules)
        return Selector(text, 2, codes, frozenset(rule.code for rule in rules if rule.default))
    if re.fullmatch(rf"{PREFIX}[0-9]{{1,3}}", text):
        codes = frozenset(rule.code for rule in rules if rule.code.startswith(text))
        specificity = len(text)
    else:
        codes = frozenset(rule.code for rule in rules if rule.name == text)
        specificity = len(PREFIX) + 3
    if not codes:
        raise LintpickleError(_unknown(text, rules, option, origin))
    return Selector(text, specificity, codes, codes)


def is_foreign_code(text: str) -> bool:
    """Whether a word looks like a code or a prefix of another linter (F401, PLR09, E), and not like a slip in ours."""
    letters = text.upper().rstrip("0123456789")
    looks_like_a_code = re.fullmatch(r"[A-Z]{1,3}|[A-Z]{1,6}[0-9]{1,4}|[a-z]{1,6}[0-9]{2,4}", text) is not None
    return looks_like_a_code and not any(set(letters) <= set(ours) for ours in (PREFIX, ALL))


def _unknown(text: str, rules: Sequence[SelectableRule], option: str, origin: Origin) -> str:
    where = "from the CLI: " if origin.path is None else f"{origin}: "
    if is_foreign_code(text):
        hint = f" It is a code of another linter: {PREFIX} is what lintpickle's begin with."
    elif text.upper() != text and (text.upper() == ALL or text.upper().startswith(PREFIX)):
        hint = f' Did you mean "{text.upper()}"?'
    else:
        known = [word for rule in rules for word in (rule.code, rule.name)]
        near = difflib.get_close_matches(text, known, n=1, cutoff=0.6)
        hint = f' Did you mean "{near[0]}"?' if near else " `lintpickle rule` lists the rules."
    return f'{where}unknown rule selector "{text}" in {option.replace("_", "-")}.{hint}'


class RuleSelection(Struct, frozen=True, dict=True):
    """The rules that are on under some settings.

    `codes` are those that are on, `fixable` those whose fixes may be applied. `per_file` holds (glob, codes)
    in the order of the settings; the globs are relative to `root`.
    """

    codes: frozenset[str]
    fixable: frozenset[str]
    root: Path
    per_file: tuple[tuple[str, frozenset[str]], ...] = ()

    @classmethod
    def build(cls, settings: Settings, rules: Iterable[SelectableRule]) -> RuleSelection:
        """The selection that settings make among `rules`. Raises `LintpickleError` for unknown selectors."""
        reader = _Reader(tuple(rules), settings)
        on: frozenset[str] = frozenset()
        for layer in settings.layers():
            on = reader.apply(layer, on)
        fixable = Selectors(select=settings.fixable, ignore=settings.unfixable)
        return cls(
            codes=on,
            fixable=reader.apply(fixable, frozenset(), names=("fixable", "unfixable")),
            root=settings.root,
            per_file=tuple(
                (
                    glob,
                    frozenset().union(*(reader.read("per_file_ignores", item).codes for item in selectors)),
                )
                for glob, selectors in settings.per_file_ignores.items()
            ),
        )

    def selects(self, code: str, path: str | Path) -> bool:
        """Whether a rule is on in a file, given by its absolute path."""
        return code in self.codes and code not in self.ignored(path)

    def ignored(self, path: str | Path) -> frozenset[str]:
        """The codes that per-file-ignores turns off in a file, given by its absolute path."""
        matching = (codes for glob, codes in self._globs if glob.matches(Path(path), self.root))
        return frozenset().union(*matching)

    def glob_against(self, code: str, path: str | Path) -> str | None:
        """The glob of per-file-ignores that turns a rule off in a file, given by its absolute path; None if none
        does."""
        kept = zip(self.per_file, self._globs, strict=True)
        return next(
            (text for (text, codes), (glob, _) in kept if code in codes and glob.matches(Path(path), self.root)), None
        )

    @cached_property
    def _globs(self) -> tuple[tuple[_Glob, frozenset[str]], ...]:
        return tuple((_Glob.parse(glob), codes) for glob, codes in self.per_file)


class _Reader:
    """Turns the selectors of one `Settings` into sets of codes."""

    def __init__(self, rules: tuple[SelectableRule, ...], settings: Settings) -> None:
        self._rules = rules
        self._origins: dict[tuple[str, str], Origin] = {}
        for layer in settings.layers():
            self._origins.update(layer.origins)

    def read(self, option: str, text: str) -> Selector:
        origin = self._origins.get((option, text), Origin())
        return parse_selector(text, self._rules, option=option, origin=origin)

    def apply(
        self,
        layer: Selectors,
        on: frozenset[str],
        names: tuple[str, str] = ("select", "ignore"),
    ) -> frozenset[str]:
        """What is on after a layer, when `on` was on before: selectors count from broad to narrow, and of two
        equally narrow ones the one that turns off counts."""
        turn_on = [self.read(names[0], text) for text in layer.select or ()]
        turn_on += [self.read("extend_select", text) for text in layer.extend_select]
        turn_off = [self.read(names[1], text) for text in layer.ignore]
        turn_off += [self.read("extend_ignore", text) for text in layer.extend_ignore]
        if layer.select is not None:
            on = frozenset()
        for specificity in sorted({selector.specificity for selector in turn_on + turn_off}):
            for selector in turn_on:
                if selector.specificity == specificity:
                    on |= selector.default_codes if names[0] == "select" else selector.codes
            for selector in turn_off:
                if selector.specificity == specificity:
                    on -= selector.codes
        return on


class _Glob(Struct, frozen=True):
    """A glob of per-file-ignores. If `negated`, it matches the files that the pattern does not."""

    patterns: Patterns
    negated: bool

    @classmethod
    def parse(cls, glob: str) -> _Glob:
        negated = glob.startswith("!")
        pattern = glob.removeprefix("!").removeprefix("./")
        return cls(Patterns([pattern]), negated)

    def matches(self, path: Path, root: Path) -> bool:
        relative = path.relative_to(root) if path.is_relative_to(root) else Path(path.name)
        return self._fits(relative) != self.negated

    def _fits(self, path: Path) -> bool:
        """Whether the glob stands for a file, or for a folder that it is in."""
        verdict = self.patterns.verdict(path.as_posix(), False)
        folders = (folder for folder in path.parents if folder.parts)
        return bool(verdict) or any(self.patterns.verdict(folder.as_posix(), True) for folder in folders)


def selector_words(rules: Iterable[SelectableRule]) -> Mapping[str, str]:
    """Every code and name, mapped to the other one: for completion and for suggestions."""
    words: dict[str, str] = {}
    for rule in rules:
        words[rule.code] = rule.name
        words[rule.name] = rule.code
    return words
