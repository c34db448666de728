"""The format for people."""

from __future__ import annotations

from msgspec.structs import replace

from lintpickle.diagnostics import FileChange, Fix, Outcome
from lintpickle.report import render
from lintpickle.report.diff import unified_diff
from lintpickle.report.summary import fixed_summary, statistics
from tests.report.conftest import KEYS_ERROR, Project


def test_trail_through_files(trail_project: Project, trail_outcome: Outcome) -> None:
    assert render("full", trail_outcome, trail_project.context()) == (
        "error[LP101] dict-view-attribute: `self.config` holds an object that stores a dict view\n"
        " --> data.py:4:9\n"
        "  |\n"
        "2 |     def __init__(self, cfg):\n"
        "3 |         super().__init__()\n"
        "4 |         self.config = config_factory(cfg)\n"
        "  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "5 |\n"
        "6 |     def __len__(self):\n"
        "  |\n"
        "  = under spawn and forkserver: TypeError: cannot pickle 'dict_keys' object\n"
        "  = how it gets there:\n"
        "    1. a DataLoader with workers pickles its dataset\n"
        "       train.py:4  loader = DataLoader(ds, num_workers=4)\n"
        "    2. passed as dataset\n"
        "       train.py:3  ds = data.Roads(cfg)\n"
        "    3. stores the result of config_factory()\n"
        "       data.py:4  self.config = config_factory(cfg)\n"
        "    4. stores a dict view in `names`\n"
        "       /env/site-packages/kit/config.py:3  self.names = ranges.keys()\n"
        "help: Turn it into plain values before storing it\n"
        "\n"
        "Found 1 error.\n"
    )


def test_error_within_the_message_stays(trail_project: Project) -> None:
    finding = trail_project.finding("data.py", "config_factory", message=f"fails with {KEYS_ERROR} at once")
    text = render("full", Outcome((finding,)), trail_project.context())
    assert f"fails with {KEYS_ERROR} at once\n" in text


def test_error_before_the_python_from_which_on_it_comes_does_not(trail_project: Project) -> None:
    message = f"`x` is kept: {KEYS_ERROR}, from Python 3.14 on"
    finding = trail_project.finding("data.py", "config_factory", message=message)
    headline, *_ = render("full", Outcome((finding,)), trail_project.context()).splitlines()
    assert headline.endswith(": `x` is kept, from Python 3.14 on")


def test_carets_stand_under_wide_text_and_tabs(mixed_project: Project, mixed_outcome: Outcome) -> None:
    text = render("full", mixed_outcome, mixed_project.context())
    # Two tabs, one é, two Chinese characters and an emoji of two columns each.
    assert (
        "3 |         é = '你好😋'; self.k = d.keys()\n"
        "  |                                ^^^^^^^^\n"
    ) in text  # fmt: skip
    assert " --> pkg/mixed.py:3:23\n" in text


def test_span_of_several_rows(mixed_project: Project, mixed_outcome: Outcome) -> None:
    text = render("full", mixed_outcome, mixed_project.context())
    assert (
        "4 |           self.f = partial(\n"
        "  |  __________________^\n"
        "5 | |             lambda x: x,\n"
        "6 | |             1,\n"
        "7 | |         )\n"
        "  | |_________^\n"
    ) in text


def test_long_span_is_cut() -> None:
    rows = "".join(f"    {number},\n" for number in range(20))
    project = Project({"a.py": f"x = [\n{rows}]\ny = 1\n"})
    finding = project.finding("a.py", f"x = [\n{rows}]")
    text = render("full", Outcome((finding,)), project.context())
    assert " 1 | / x = [\n" in text
    assert "22 | | ]\n   | |_^\n" in text
    assert "10 | |" not in text
    assert " 3 | |     1,\n...  |\n21 | |     19,\n" in text


def test_long_row_is_cut_around_the_span() -> None:
    project = Project({"a.py": f"x = {'1' * 300} + d.keys() + {'2' * 300}\n"})
    finding = project.finding("a.py", "d.keys()")
    lines = render("full", Outcome((finding,)), project.context()).split("\n")
    row, carets = lines[3], lines[4]
    assert len(row) < 180
    assert row[carets.index("^") : carets.rindex("^") + 1] == "d.keys()"


def test_empty_span_has_a_caret() -> None:
    project = Project({"a.py": "x = 1\n"})
    finding = project.finding("a.py", "")
    assert "1 | x = 1\n  | ^\n" in render("full", Outcome((finding,)), project.context())


def test_fix_as_diff_only_when_asked(mixed_project: Project, mixed_outcome: Outcome) -> None:
    without = render("full", mixed_outcome, mixed_project.context())
    assert "help: [*] Convert to a list\n\n" in without
    text = render("full", mixed_outcome, mixed_project.context(show_fixes=True))
    assert (
        "help: [*] Convert to a list\n"
        "  |\n"
        "  - self.k = d.keys()\n"
        "4 + self.k = list(d.keys())\n"
        "5 | self.v = d.values()\n"
        "  |\n"
    ) in text
    assert "note: this fix may change behaviour; `--unsafe-fixes` applies it\n" in text
    assert "note: this change is only shown: lintpickle does not apply it\n" in text


def test_fix_in_two_places() -> None:
    text = "import torch\n\n\n\n\nself.k = d.keys()\n"
    project = Project({"a.py": text})
    use = project.fix("a.py", "d.keys()", "tuple(d.keys())")
    new_import = project.fix("a.py", "import torch", "import operator\nimport torch")
    fix = Fix("Use both", use.applicability, (*new_import.edits, *use.edits))
    finding = project.finding("a.py", "d.keys()", fix=fix)
    assert (
        "help: [*] Use both\n"
        "  |\n"
        "1 + import operator\n"
        "2 | import torch\n"
        "...\n"
        "  - self.k = d.keys()\n"
        "7 + self.k = tuple(d.keys())\n"
        "  |\n"
    ) in render("full", Outcome((finding,)), project.context(show_fixes=True))


def test_confidence(mixed_project: Project, mixed_outcome: Outcome) -> None:
    text = render("full", mixed_outcome, mixed_project.context())
    assert f"  = likely under spawn and forkserver: {KEYS_ERROR}\n" in text
    assert f"  = possible at run time: {KEYS_ERROR}\n" in text
    assert "  = under every start method\n" in text


def test_cells(notebook_project: Project, notebook_outcome: Outcome) -> None:
    text = render("full", notebook_outcome, notebook_project.context(show_fixes=True))
    assert (
        " --> nb.ipynb:cell 2:3:10\n  |\n1 | d = {}\n2 |\n3 | self.k = d.keys()\n  |          ^^^^^^^^\n  |\n"
    ) in text
    assert "       nb.ipynb:cell 3:1  loader = DataLoader(ds)\n" in text
    assert "3 + self.k = list(d.keys())\n  |\n" in text


def test_source_text_cannot_steer_the_terminal() -> None:
    project = Project({"a\x1b[2J.py": "x = '\x1b[2J\u202e' + d.keys()\n"})
    finding = project.finding("a\x1b[2J.py", "d.keys()", message="stores \x1b[2J")
    text = render("full", Outcome((finding,)), project.context())
    assert "\x1b" not in text and "\u202e" not in text


def test_positions_outside_the_text_do_not_crash(mixed_project: Project, mixed_outcome: Outcome) -> None:
    shorter = Project(dict.fromkeys(mixed_project.files, "x\n"))
    text = render("full", mixed_outcome, shorter.context(show_fixes=True))
    assert " --> pkg/mixed.py:3:23\n" in text


class TestSummary:
    def test_counts_and_hints(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        text = render("concise", mixed_outcome, mixed_project.context())
        assert text.endswith(
            "Found 3 errors and 1 warning.\n[*] 1 fixable with `--fix`, 1 more with `--unsafe-fixes`.\n"
        )
        text = render("concise", mixed_outcome, mixed_project.context(unsafe_fixes=True))
        assert text.endswith("[*] 2 fixable with `--fix --unsafe-fixes`.\n")

    def test_only_unsafe(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        outcome = Outcome(mixed_outcome.diagnostics[1:2])
        text = render("concise", outcome, mixed_project.context())
        assert text.endswith("Found 1 error.\n1 fixable with `--fix --unsafe-fixes`.\n")

    def test_quiet(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        text = render("concise", mixed_outcome, mixed_project.context(quiet=True))
        assert len(text.splitlines()) == len(mixed_outcome.diagnostics)
        assert render("full", Outcome(()), mixed_project.context(quiet=True)) == ""

    def test_after_fixing(self, mixed_project: Project, mixed_outcome: Outcome, change: FileChange) -> None:
        outcome = replace(mixed_outcome, diagnostics=mixed_outcome.diagnostics[1:], changes=(change,))
        context = mixed_project.context(show_fixes=True)
        text = render("grouped", outcome, context)
        listed = "Fixed 1 problem:\n- a.py:\n    1 x LP101 (dict-view-attribute)\n"
        assert f"{listed}\nFound 4 problems (1 fixed, 3 remaining).\n" in text
        assert fixed_summary(outcome, context) == listed

    def test_number_of_files(self) -> None:
        assert render("full", Outcome((), files=12), Project().context()) == "All checks passed! (12 files)\n"

    def test_statistics(self, mixed_project: Project, mixed_outcome: Outcome) -> None:
        text = statistics(mixed_outcome, mixed_project.context(quiet=True))
        assert text == "3  LP101  [-] dict-view-attribute\n1  LP302  [ ] slow-partial\n"


def test_concise(mixed_project: Project, mixed_outcome: Outcome) -> None:
    lines = render("concise", mixed_outcome, mixed_project.context()).splitlines()
    assert lines[0] == "a.py:4:10: LP101 [*] `self.k` stores a dict view"
    assert lines[1] == "pkg/mixed.py:4:12: LP302 50% slower: a, b"


def test_grouped(mixed_project: Project, mixed_outcome: Outcome) -> None:
    text = render("grouped", mixed_outcome, mixed_project.context())
    assert text.startswith(
        "a.py:\n"
        "  4:10  LP101 [*] `self.k` stores a dict view\n"
        "  5:10  LP101 `self.v` stores a dict view\n"
        "\n"
        "pkg/mixed.py:\n"
    )


class TestUnifiedDiff:
    def test_plain(self, mixed_project: Project, change: FileChange) -> None:
        assert unified_diff((change,), mixed_project.context()) == (
            "--- a.py\n+++ a.py\n@@ -1,5 +1,5 @@\n import torch\n \n \n"
            "-self.k = d.keys()\n+self.k = list(d.keys())\n self.v = d.values()\n"
        )

    def test_no_newline_at_the_end_and_crlf(self, mixed_project: Project, change: FileChange) -> None:
        odd = replace(change, before="a\r\nb", after="a\r\nc")
        assert unified_diff((odd,), mixed_project.context()) == (
            "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n a\r\n"
            "-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
        )

    def test_form_feeds_are_no_newlines(self, mixed_project: Project, change: FileChange) -> None:
        odd = replace(change, before="a\x0cb\nc\n", after="a\x0cb\nd\n")
        assert " a\x0cb\n-c\n+d\n" in unified_diff((odd,), mixed_project.context())
