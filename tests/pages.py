"""What the page of a rule says of the linter, tested: each file of tests/rules has a class derived from `PageTests`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest

from lintpickle.diagnostics import Applicability
from lintpickle.rulebook.pages import Page, PageBlock, load_pages
from lintpickle.rules import all_rules
from lintpickle.rules.base import Rule
from tools.new_rule import FILL_IN

from .support import fixed, marks

ROOT = Path(__file__).resolve().parent.parent


@cache
def pages() -> dict[str, Page]:
    """The pages of the rule book, by code."""
    return {page.code: page for page in load_pages()}


def places(rule: type[Rule]) -> tuple[Path, Path, Path]:
    """The files of a rule: itself, its page, and its tests."""
    module = rule.__module__.rpartition(".")[2]
    return (
        Path("lintpickle", "rules", f"{module}.py"),
        Path("rules", f"{rule.code}-{rule.name}.md"),
        Path("tests", "rules", f"test_{module}.py"),
    )


class PageTests:
    """The tests of the page of the rule with the code `code`."""

    code: ClassVar[str]

    @property
    def page(self) -> Page:
        return pages()[self.code]

    @property
    def rule(self) -> type[Rule]:
        return next(rule for rule in all_rules() if rule.code == self.code)

    @property
    def also(self) -> str | None:
        """The rule's code, where it has to be turned on."""
        return None if self.rule.default else self.code

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        kinds = {"bad": ("bad",), "silent": ("good", "fixed")}
        for name, wanted in kinds.items():
            if name in metafunc.fixturenames:
                blocks = [block for kind in wanted for block in self.page.of_kind(kind)]
                metafunc.parametrize(name, blocks, ids=[block.label for block in blocks])

    def test_nothing_is_left_to_fill_in(self) -> None:
        left = [
            f"{place.as_posix()}:{row}: {line.strip()}"
            for place in places(self.rule)
            for row, line in enumerate((ROOT / place).read_text(encoding="utf-8").splitlines(), 1)
            if FILL_IN in line
        ]
        assert not left, "fill this in:\n" + "\n".join(left)

    def test_page_and_rule_agree(self) -> None:
        assert (self.rule.name, self.rule.applicability) == (self.page.name, self.page.fix)

    def test_a_bad_block_gives_exactly_the_diagnostics_marked(self, bad: PageBlock) -> None:
        assert marks(bad.code, self.also) == list(bad.expected)

    def test_good_and_fixed_blocks_are_silent(self, silent: PageBlock) -> None:
        assert marks(silent.code, self.also) == []

    def test_fixing_a_bad_block_gives_its_fixed_block_or_changes_nothing(self, bad: PageBlock) -> None:
        mended = self.page.block("fixed", bad.id) or bad
        assert fixed(bad.code, unsafe=self.page.fix is Applicability.UNSAFE) == mended.code

    def test_unsafe_fixes_wait_until_they_are_asked_for(self, bad: PageBlock) -> None:
        if self.page.fix is Applicability.UNSAFE:
            assert fixed(bad.code, unsafe=False) == bad.code

    def test_as_much_is_silent_as_fires(self) -> None:
        assert len(self.page.of_kind("bad")) <= len(self.page.of_kind("good"))

    def test_a_fix_is_shown_if_and_only_if_there_is_one(self) -> None:
        assert bool(self.page.of_kind("fixed")) == (self.page.fix in (Applicability.SAFE, Applicability.UNSAFE))

    def test_bad_and_fixed_blocks_are_proved(self) -> None:
        rows = {row.label: row for row in self.page.proof}
        if rows:
            assert {block.label for block in (*self.page.of_kind("bad"), *self.page.of_kind("fixed"))} <= set(rows)
        for row in rows.values():
            assert (set(row.outcomes.values()) == {"ok"}) == (not row.label.startswith("bad"))

    def test_the_proof_names_the_start_methods_of_the_rule(self) -> None:
        bites = {
            method
            for row in self.page.proof
            if row.label.startswith("bad")
            for method, outcome in row.outcomes.items()
            if outcome != "ok"
        }
        assert not self.page.proof or bites == set(self.rule.start_methods)

    def test_blocks_are_python(self) -> None:
        for block in self.page.blocks:
            if (self.page.name, block.kind) != ("syntax-error", "bad"):
                compile(block.code, self.page.path, "exec")
