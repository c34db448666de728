"""The sweep over public code: what it measures, how two sweeps are compared, and how verdicts are joined."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tools.sweep.comparing import compare
from tools.sweep.figures import record, tables
from tools.sweep.report import changes, overview, precision
from tools.sweep.results import Finding, Result, append_result, read_results, slow
from tools.sweep.running import Tool, check, sweep
from tools.sweep.trees import Pin, Tree, empty_environment, read_pins, trees
from tools.sweep.verdicts import Count, Judgement, Verdict, VerdictError, Verdicts, read_verdicts, tally

LAMBDA = """\
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self):
        self.f = lambda x: x

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.f(index)


if __name__ == "__main__":
    for each in DataLoader(Numbers(), num_workers=2):
        print(each)
"""


def tree(folder: Path, text: str = LAMBDA, name: str = "me/it") -> Tree:
    """A tree of one file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data.py").write_text(text, encoding="utf-8")
    return Tree(Pin("github", name, "abc"), folder, 1, text.count("\n"))


def result(
    *findings: Finding, name: str = "me/it", lines: int = 10_000, cpu: float = 1.0, status: int | None = 1
) -> Result:
    """What a run over a tree might have found."""
    return Result(name, "abc", "lintpickle 1", 1, lines, 1.0, cpu, 50.0, status, findings=findings)


def finding(
    line: int = 6, code: str = "LP102", confidence: str = "certain", message: str = "a lambda is kept"
) -> Finding:
    return Finding(code, confidence, "data.py", line, message)


def verdict(judgement: Judgement, line: int = 6, message: str = "a lambda") -> Verdict:
    return Verdict("me/it", "abc", "LP102", f"data.py:{line}", message, judgement, "because")


def fake(folder: Path, code: str) -> str:
    """A command that runs this code in the place of lintpickle."""
    path = folder / "fake.py"
    path.write_text(code, encoding="utf-8")
    return f"{sys.executable} {path}"


def test_a_run_is_measured_and_its_findings_are_kept(tmp_path: Path) -> None:
    tool = Tool.from_command(None, empty_environment(tmp_path / "cache"))
    found = check(tree(tmp_path / "tree"), tool)
    assert found.ended and found.status == 1
    assert [(each.code, each.confidence, each.place) for each in found.findings] == [("LP102", "certain", "data.py:6")]
    assert found.findings[0].trail[-1].startswith("data.py:6 ")
    assert found.cpu > 0 and found.peak > 5
    assert found.lintpickle.startswith("lintpickle ")


def test_the_code_of_a_tree_is_not_run(tmp_path: Path) -> None:
    here = tree(tmp_path / "tree")
    for name in ("lintpickle.py", "click.py", "sitecustomize.py"):
        (here.folder / name).write_text("raise SystemExit(3)\n", encoding="utf-8")
    assert check(here, Tool.from_command(None, empty_environment(tmp_path / "cache"))).status == 1


def test_a_run_without_end_is_stopped(tmp_path: Path) -> None:
    command = fake(tmp_path, "import sys, time\nif 'check' in sys.argv: time.sleep(60)\n")
    tool = Tool.from_command(command, empty_environment(tmp_path / "cache"), limit=0.5)
    stopped = check(tree(tmp_path / "tree"), tool)
    assert stopped.status is None and not stopped.ended and stopped.seconds < 30


def test_a_crash_is_told_with_what_it_said(tmp_path: Path) -> None:
    command = fake(tmp_path, "import sys\nsys.exit('something broke')\n")
    crashed = check(tree(tmp_path / "tree"), Tool.from_command(command, empty_environment(tmp_path / "cache")))
    assert crashed.status == 1 and "something broke" in crashed.errors and crashed.unreadable
    assert not crashed.ended


def test_trees_are_swept_together_and_results_are_kept(tmp_path: Path) -> None:
    tool = Tool.from_command(None, empty_environment(tmp_path / "cache"))
    both = [tree(tmp_path / "one", name="me/one"), tree(tmp_path / "two", "x = 1\n", name="me/two")]
    for each in sweep(iter(both), tool):
        append_result(tmp_path / "results.jsonl", each)
    kept = read_results(tmp_path / "results.jsonl")
    assert {name: len(each.findings) for name, each in kept.items()} == {"me/one": 1, "me/two": 0}


def test_packages_are_unpacked_and_what_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archives = tmp_path / "cache" / "archives" / "it-1.0"
    archives.mkdir(parents=True)
    with zipfile.ZipFile(archives / "it-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("it/__init__.py", "a = 1\nb = 2\n")
        wheel.writestr("it/data.bin", "no Python")
    (tmp_path / "checkouts" / "me+that").mkdir(parents=True)
    pins = [Pin("pypi", "it", "1.0"), Pin("github", "me/that", "abc"), Pin("github", "me/gone", "abc")]
    found = list(trees(pins, tmp_path / "cache", tmp_path / "checkouts"))
    assert [(each.pin.name, each.files, each.lines) for each in found] == [("it", 1, 2), ("me/that", 0, 0)]
    assert capsys.readouterr().err == "absent: github me/gone abc\n"


def test_two_sweeps_are_compared() -> None:
    old = result(finding(6), finding(7), finding(8), cpu=4)
    new = result(finding(6), finding(7, confidence="likely"), finding(9), cpu=8)
    (change,) = compare({"me/it": old}, {"me/it": new, "me/new": result(name="me/new")})
    assert [each.line for each in change.added] == [9]
    assert [each.line for each in change.gone] == [8]
    assert [(before, each.line, each.confidence) for before, each in change.moved] == [("certain", 7, "likely")]
    lines = list(changes([change], Verdicts([verdict(Judgement.BITES, 8)])))
    assert lines[0] == "1 trees: 1 findings added, 1 gone, 1 of another confidence. CPU 4 s -> 8 s."
    assert "* me/it data.py:8 LP102 certain [bites]: a lambda is kept" in lines
    assert "| me/it | 4.0 | 8.0 | 2.00 | 1 -> 1 |" in lines


def test_what_one_finding_now_stands_for_is_neither_gone_nor_new() -> None:
    one = Finding("LP102", "certain", "factory.py", 3, "a lambda is kept", related=("data.py:6", "data.py:7"))
    (change,) = compare({"me/it": result(finding(6), finding(7), finding(8))}, {"me/it": result(one)})
    assert change.added == ()
    assert [each.line for each in change.gone] == [8]
    verdicts = Verdicts([verdict(Judgement.LETTER, 6), verdict(Judgement.BITES, 7)])
    found = verdicts.on(result(one), one)
    assert found is not None and found.place == "data.py:7"
    assert list(verdicts.unseen([result(one)])) == []


def test_trees_of_another_version_are_not_compared() -> None:
    other = Result("me/it", "def", "lintpickle 1", 1, 1, 1.0, 1.0, 1.0, 0)
    assert compare({"me/it": result(finding())}, {"me/it": other}) == []


def test_what_costs_more_than_the_rest_is_shown() -> None:
    usual = [result(name=f"me/{number}", cpu=1) for number in range(5)]
    found = [*usual, result(name="me/slow", cpu=6), result(name="me/never", cpu=2, status=None)]
    assert {each.tree for each in slow(found)} == {"me/slow", "me/never"}
    assert "| me/never | 10,000 | 2 | 200 | 50 | time limit |" in list(overview(found))


def test_findings_are_counted_by_rule_and_by_part() -> None:
    elsewhere = Finding("LP102", "likely", "tests/test_data.py", 1, "a lambda")
    assert [each.part for each in (elsewhere, finding(), Finding("LP1", "likely", "a.ipynb", 1, "", cell=2))] == [
        "test",
        "library",
        "notebook",
    ]
    assert "| LP102 | 1 | 1 | 0 | 1 |" in list(overview([result(finding(), elsewhere)]))


def test_verdicts_are_joined_by_place_and_by_words_where_there_are_several() -> None:
    verdicts = Verdicts(
        [verdict(Judgement.BITES, 6), verdict(Judgement.FALSE, 7, "a lambda"), verdict(Judgement.LETTER, 7, "a lock")]
    )
    found = result(
        finding(6, message="worded anew"), finding(7, message="a lock is kept"), finding(7, message="a socket")
    )
    judged = [verdicts.on(found, each) for each in found.findings]
    assert [each.judgement if each else None for each in judged] == [Judgement.BITES, Judgement.LETTER, None]
    assert [each.message for _, each in verdicts.unread([found])] == ["a socket"]
    assert [(each.place, each.judgement) for each in verdicts.unseen([found])] == [("data.py:7", Judgement.FALSE)]


def test_a_verdict_holds_for_one_version_only() -> None:
    newer = Result("me/it", "def", "lintpickle 1", 1, 1, 1.0, 1.0, 1.0, 1, findings=(finding(),))
    assert Verdicts([verdict(Judgement.BITES)]).on(newer, newer.findings[0]) is None
    assert list(Verdicts([verdict(Judgement.BITES)]).unseen([newer])) == []


def test_precision_is_told_by_rule_and_confidence() -> None:
    verdicts = Verdicts([verdict(Judgement.BITES, 6), verdict(Judgement.FALSE, 7), verdict(Judgement.BITES, 20)])
    found = [result(finding(6), finding(7), finding(8, confidence="likely"))]
    assert tally(found, verdicts) == {("LP102", "certain"): Count(1, 0, 1, 0), ("LP102", "likely"): Count(unread=1)}
    lines = list(precision(found, verdicts))
    assert "| LP102 | certain | 1 | 0 | 1 | 50 % | 0 |" in lines
    assert "| all | likely | 0 | 0 | 0 | - | 1 |" in lines
    assert "* me/it data.py:20 LP102: a lambda" in lines
    assert "* me/it data.py:8 LP102 likely: a lambda is kept" in lines


def test_the_figures_of_a_release_are_kept_once(tmp_path: Path) -> None:
    verdicts = Verdicts([verdict(Judgement.BITES, 6)])
    record([result(finding(6), finding(7))], verdicts, "1.0", tmp_path)
    record([result(finding(6))], verdicts, "1.1", tmp_path)
    record([result(finding(6))], verdicts, "1.0", tmp_path)
    releases, costs, rules = tables(tmp_path)
    assert "| 1.0 | certain | 1 | 1 | 100 % | 0 % | 0 % |" in releases
    assert costs.count("| 10,000 | 1 | 100 ms |") == 2
    assert rules.count("| LP102 | certain | 1 | 0 | 0 | 100 % | 0 |") == 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("t\t1\tLP1\ta.py:1\tm\tmaybe\tw", "the verdict is 'maybe'"),
        ("t\t1\tLP1\ta.py:1\tm\tbites", "there must be 7 fields"),
        ("t\t1\tLP1\ta.py:1\tm\tbites\tw\tmore", "there must be 7 fields"),
        ("t\t1\tLP1\ta.py:1\tm\tbites\t ", "no reason"),
    ],
)
def test_a_verdict_that_is_none_is_refused(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "verdicts.tsv"
    path.write_text(f"tree\tversion\tcode\tplace\tmessage\tverdict\twhy\n{line}\n", encoding="utf-8")
    with pytest.raises(VerdictError, match=complaint):
        read_verdicts(path)


def test_the_tables_of_the_repository_can_be_read() -> None:
    pins = {(pin.name, pin.version) for pin in read_pins()}
    assert len(pins) >= 100 and len({name for name, _ in pins}) == len(pins)
    rows = read_verdicts().rows
    assert {(row.tree, row.version) for row in rows} <= pins, "verdicts are on pinned trees"
    keys = [(row.tree, row.code, row.place, row.message) for row in rows]
    assert len(keys) == len(set(keys)), "one verdict on one finding"
