"""The rule book: how pages are read, and that every page says what the linter really does."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lintpickle.catalog import load_catalog
from lintpickle.diagnostics import Applicability, LintpickleError, StartMethod
from lintpickle.pythons import NEWEST
from lintpickle.rulebook.pages import Page, load_pages, page_for, parse_page, rules_root
from lintpickle.rules import all_rules
from lintpickle.toml_text import read_toml

from .pages import ROOT, places
from .proofs.harness import script_for

PAGES = load_pages()
RULES = {rule.code: rule for rule in all_rules()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_errors_stand_there_in_the_words_of_the_newest_python_too(page: Page) -> None:
    catalog, classes = load_catalog(), re.compile(r"(local object) <class '__main__\.([^']+)'>")
    said = {classes.sub(r"\1 <function \2 at 0x…>", line.replace("0x7f…", "0x…")) for line in page.text.splitlines()}
    for line in said:
        if re.match(r"    [\w.]+(?:Error|Exception): ", line) and "identity" not in line:  # pickles by now
            newer = catalog.error_on(line.strip(), NEWEST)
            found = any(newer in other or "_create_environ_mapping" in other for other in said)
            assert found, f"the page must also show the error as the newest Python words it: {newer}"


# What belongs to each rule (what its page says is tested in its file of tests/rules)


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert RULES
    assert {rule.code: rule.name for rule in RULES.values()} == {page.code: page.name for page in PAGES}


def test_every_rule_has_one_test_file_with_the_tests_of_its_page() -> None:
    """Others of the rule, by subject, are called after it: `test_<name>_<subject>.py`."""
    folder = ROOT / "tests" / "rules"
    wanted = {
        places(rule)[2].name: f'class TestPage(PageTests):\n    code = "{rule.code}"\n' for rule in RULES.values()
    }
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("test_*.py")}
    stems = tuple(f"{Path(name).stem}_" for name in wanted)
    assert [name for name in found if name not in wanted and not name.startswith(stems)] == ["test_base.py"]
    assert [name for name, tests in wanted.items() if tests not in found.get(name, "")] == []


PROJECTS = {"cv2": "opencv-python-headless"}
"""The names on the package index of modules that are called otherwise."""


def modules_imported(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_what_proofs_import_is_in_their_dependency_group() -> None:
    groups = read_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    installed = {re.split(r"[<>=]", requirement)[0] for requirement in groups["proof"]}
    scripts = [script_for(page, row) for page in PAGES for row in page.proof]
    imported = {module for script in scripts for module in modules_imported(script)} - sys.stdlib_module_names
    assert {PROJECTS.get(module, module) for module in imported} - installed == set()


# How pages are read

GOOD_PAGE = """\
# LP199: some-thing

fix: safe

## What it finds

Some thing
on two lines.

More about it.

## Why it breaks

## Example

```python bad
x = 1  # LP199
y = 2  # LP199, LP101
```

## Use instead

```python fixed
x = 2
```

```python
not_executed
```

## Proof

| block | fork | spawn | forkserver |
| --- | --- | --- | --- |
| bad | ok | `TypeError: no` | hang |

```python proof
## not a heading
```

## Fix safety

## Known gaps

## References

- [a link](https://example.org)
"""
PATH = "rules/LP199-some-thing.md"


def test_a_page_is_read() -> None:
    page = parse_page(GOOD_PAGE, PATH)
    assert (page.code, page.name, page.title) == ("LP199", "some-thing", "LP199: some-thing")
    assert page.fix is Applicability.SAFE
    assert page.summary == "Some thing on two lines."
    assert (page.text, page.path) == (GOOD_PAGE, PATH)
    assert page.sections["References"] == "- [a link](https://example.org)"
    assert [block.label for block in page.blocks] == ["bad", "fixed", "proof"]


def test_marks_are_expectations_and_no_code() -> None:
    block = parse_page(GOOD_PAGE, PATH).block("bad", "")
    assert block is not None
    assert block.code == "x = 1\ny = 2\n"
    assert block.expected == ((1, "LP199"), (2, "LP199"), (2, "LP101"))
    assert GOOD_PAGE.splitlines()[block.row - 1].startswith("x = 1")


def test_a_proof_row_is_read() -> None:
    (row,) = parse_page(GOOD_PAGE, PATH).proof
    assert row.label == "bad"
    assert row.outcomes == {
        StartMethod.FORK: "ok",
        StartMethod.SPAWN: "TypeError: no",
        StartMethod.FORKSERVER: "hang",
    }


def test_no_fix_is_none() -> None:
    text = GOOD_PAGE.replace("fix: safe", "fix: none")
    assert parse_page(text, PATH).fix is None


def test_the_tools_own_rules_need_no_proof() -> None:
    start, end = GOOD_PAGE.index("## Proof"), GOOD_PAGE.index("## Fix safety")
    text = (GOOD_PAGE[:start] + GOOD_PAGE[end:]).replace("LP199", "LP999")
    assert parse_page(text, "LP999-some-thing.md").proof == ()
    with pytest.raises(LintpickleError, match="'## Proof' is missing"):
        parse_page(text.replace("LP999", "LP199"), PATH)


@pytest.mark.parametrize(
    ("change", "row", "message"),
    [
        (
            lambda text: text.replace("# LP199:", "# LP198:", 1),
            1,
            "the first line must be '# LP199: some-thing'",
        ),
        (
            lambda text: text.replace("fix: safe", "fix: maybe"),
            3,
            "'fix: safe', 'fix: unsafe' or 'fix: none'",
        ),
        (lambda text: text.replace("## Known gaps\n", ""), 3, "'## Known gaps' is missing"),
        (lambda text: text.replace("## Known gaps", "## Gaps"), 3, "'## Known gaps' is missing"),
        (lambda text: text + "\n## More\n", 49, "'## More' is out of place"),
        (lambda text: text.replace("## Why it breaks", "## Example", 1), 14, "'## Example' stands twice"),
        (lambda text: text.replace("python bad", "python badd"), 16, "unknown block 'python badd'"),
        (lambda text: text.replace("x = 2\n", "x = 2  # LP199\n"), 24, "only bad blocks can expect"),
        (
            lambda text: text.replace("  # LP199", "").replace(", LP101", ""),
            16,
            "needs a line that ends with",
        ),
        (lambda text: text.replace("python fixed", "python fixed=it"), 23, "no bad block with the same id"),
        (lambda text: text.replace("```python\nn", "```python bad\nn"), 27, "two blocks 'bad'"),
        (lambda text: text + "```python good\n", 48, "never closed"),
        (lambda text: text.replace("| spawn ", ""), 33, "must begin with | block | fork"),
        (lambda text: text.replace("| hang |", "|  |"), 35, "4 cells, none of them empty"),
        (lambda text: text.replace("| hang |", "|"), 35, "4 cells, none of them empty"),
        (lambda text: text.replace("| bad |", "| bad=it |"), 35, "has no block 'bad=it'"),
        (lambda text: text.replace("python proof", "text"), 35, "no 'python proof' block drives 'bad'"),
        (lambda text: text.replace("\n|", "\n"), 31, "needs a table, or 'Not proved here'"),
        (
            lambda text: text.replace("Some thing\non two lines.\n\nMore about it.\n", ""),
            5,
            "with a paragraph",
        ),
    ],
)
def test_a_malformed_page_is_refused(change: Callable[[str], str], row: int, message: str) -> None:
    text = change(GOOD_PAGE)
    assert text != GOOD_PAGE
    with pytest.raises(LintpickleError) as caught:
        parse_page(text, PATH)
    assert str(caught.value).startswith(f"{PATH}:{row}: ")
    assert message in str(caught.value)


def test_a_page_that_is_not_named_like_a_rule_is_refused() -> None:
    with pytest.raises(LintpickleError, match=r"LP1-thing\.md: a rule page is named like"):
        parse_page(GOOD_PAGE, "LP1-thing.md")


def test_a_mark_that_names_no_page_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "LP199-some-thing.md").write_text(GOOD_PAGE, encoding="utf-8")
    (tmp_path / "README.md").write_text("# The rules\n", encoding="utf-8")
    monkeypatch.setattr("lintpickle.rulebook.pages.rules_root", lambda: tmp_path)
    with pytest.raises(LintpickleError, match=r"LP199-some-thing\.md:18: LP101 has no page"):
        load_pages()


def test_pages_are_sorted_by_code() -> None:
    assert [page.code for page in PAGES] == sorted(page.code for page in PAGES)
    names = [entry.name for entry in rules_root().iterdir() if entry.name.startswith("LP")]
    assert len(PAGES) == len(names)


@pytest.mark.parametrize("word", ["LP101", "lp101", "dict-view-attribute", " Dict-View-Attribute "])
def test_a_page_is_found_by_code_or_name(word: str) -> None:
    assert page_for(word).code == "LP101"


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("LP110x", "did you mean LP110?"),
        ("dict-view-atribute", "did you mean dict-view-attribute?"),
        ("zzz", "`lintpickle rule --all` lists the rules"),
    ],
)
def test_an_unknown_rule_is_refused_with_a_hint(word: str, hint: str) -> None:
    with pytest.raises(LintpickleError) as caught:
        page_for(word)
    assert str(caught.value) == f"unknown rule {word!r}: {hint}"
