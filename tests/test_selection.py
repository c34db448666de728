"""Which rules are on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from lintpickle.diagnostics import LintpickleError
from lintpickle.rules import all_rules
from lintpickle.selection import RuleSelection
from lintpickle.settings import Settings, load_settings


@dataclass(frozen=True)
class FakeRule:
    code: str
    name: str
    default: bool = True


RULES = (
    FakeRule("LP101", "dict-view-attribute"),
    FakeRule("LP102", "lambda-attribute"),
    FakeRule("LP201", "lambda-argument"),
    FakeRule("LP401", "opinionated-wiring", default=False),
)
ROOT = Path("/project").absolute()


def on(**options: object) -> set[str]:
    settings = Settings(root=ROOT, **options)  # type: ignore[arg-type]
    return set(RuleSelection.build(settings, RULES).codes)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"LP101", "LP102", "LP201"}),
        ({"select": ("LP",)}, {"LP101", "LP102", "LP201"}),
        ({"select": ("ALL",)}, {"LP101", "LP102", "LP201", "LP401"}),
        ({"select": ("LP4",)}, {"LP401"}),
        ({"select": ("LP10",)}, {"LP101", "LP102"}),
        ({"select": ("dict-view-attribute",)}, {"LP101"}),
        ({"select": ()}, set()),
        ({"extend_select": ("opinionated-wiring",)}, {"LP101", "LP102", "LP201", "LP401"}),
        ({"ignore": ("LP1",)}, {"LP201"}),
        ({"extend_ignore": ("LP1",)}, {"LP201"}),
        ({"ignore": ("LP",)}, set()),
        # The more specific selector wins, whichever list it stands in; ignore wins a tie.
        ({"select": ("LP101",), "ignore": ("LP1",)}, {"LP101"}),
        ({"select": ("LP1",), "ignore": ("LP101",)}, {"LP102"}),
        ({"select": ("LP1",), "ignore": ("LP1",)}, set()),
        ({"select": ("LP101",), "ignore": ("dict-view-attribute",)}, set()),
        ({"ignore": ("LP",), "extend_select": ("lambda-argument",)}, {"LP201"}),
        ({"select": ("ALL",), "ignore": ("LP",)}, set()),
    ],
)
def test_what_is_on(options: dict[str, object], expected: set[str]) -> None:
    assert on(**options) == expected


def test_command_line_comes_after_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lintpickle.toml").write_text('select = ["LP1"]\nignore = ["LP101"]\n')

    def codes(**overrides: object) -> set[str]:
        return set(RuleSelection.build(load_settings("a.py", overrides=overrides), RULES).codes)

    assert codes() == {"LP102"}
    assert codes(ignore=["LP102"]) == set()
    assert codes(extend_select=["LP2"]) == {"LP102", "LP201"}
    assert codes(extend_select=["LP1"]) == {"LP101", "LP102"}
    assert codes(select=["LP"]) == {"LP101", "LP102", "LP201"}


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("LP999", "`lintpickle rule` lists the rules."),
        ("dict-view-atribute", 'Did you mean "dict-view-attribute"?'),
        ("lp101", 'Did you mean "LP101"?'),
        ("all", 'Did you mean "ALL"?'),
        ("xyz", "`lintpickle rule` lists the rules."),
        ("F401", "a code of another linter"),
        ("b008", "a code of another linter"),
        ("PLR0913", "a code of another linter"),
        ("UP", "a code of another linter"),
        ("L101", 'Did you mean "LP101"?'),
        ("PL101", 'Did you mean "LP101"?'),
        ("LP1011", 'Did you mean "LP101"?'),
        ("", "`lintpickle rule` lists the rules."),
    ],
)
def test_unknown_selector_on_the_command_line(
    word: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings("a.py", overrides={"extend-select": [word]})
    with pytest.raises(LintpickleError) as error:
        RuleSelection.build(settings, RULES)
    assert str(error.value).startswith(f'from the CLI: unknown rule selector "{word}" in extend-select. ')
    assert hint in str(error.value)


@pytest.mark.parametrize(
    ("text", "row", "option"),
    [
        ('\nignore = [\n  "LP1",\n  "LP999",\n]\n', 4, "ignore"),
        ('[per-file-ignores]\n"a" = ["LP1"]\n"b" = ["LP999"]\n', 3, "per-file-ignores"),
        ('unfixable = ["LP999"]\n', 1, "unfixable"),
    ],
)
def test_unknown_selector_in_a_file_names_its_row(
    text: str, row: int, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "lintpickle.toml"
    path.write_text(text)
    with pytest.raises(LintpickleError) as error:
        RuleSelection.build(load_settings("a.py"), RULES)
    assert str(error.value).startswith(f'{path}:{row}: unknown rule selector "LP999" in {option}. ')


@pytest.mark.parametrize(
    ("glob", "path", "ignored"),
    [
        ("tests/", "tests/unit/test_a.py", True),
        ("tests/", "src/a.py", False),
        ("*_test.py", "src/deep/a_test.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/deep/a.py", True),
        ("./src/a.py", "src/a.py", True),
        ("!src/", "tests/a.py", True),
        ("!src/", "src/a.py", False),
        ("a.py", "/elsewhere/a.py", True),
        ("src/a.py", "/elsewhere/src/a.py", False),
    ],
)
def test_per_file_ignores(glob: str, path: str, ignored: bool) -> None:
    settings = Settings(root=ROOT, per_file_ignores={glob: ("LP1",)})
    selection = RuleSelection.build(settings, RULES)
    assert selection.selects("LP101", str(ROOT / path)) is not ignored
    assert selection.selects("LP201", str(ROOT / path))


def test_fixable() -> None:
    settings = Settings(root=ROOT, fixable=("LP",), unfixable=("LP1", "opinionated-wiring"))
    assert RuleSelection.build(settings, RULES).fixable == {"LP201"}
    assert RuleSelection.build(Settings(root=ROOT), RULES).fixable == {rule.code for rule in RULES}


def test_real_rules_can_be_selected() -> None:
    rules = all_rules()
    selection = RuleSelection.build(Settings(root=ROOT), rules)
    assert selection.codes == {rule.code for rule in rules if rule.default}
