"""The arithmetic of the benchmarks, and that their page says what their results say."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import daily, repositories
from benchmarks.corpora import RECIPES
from benchmarks.goals import GOALS, Goal, growth_ratio, peak_megabytes
from benchmarks.measure import Run, Runner, in_turns, paired_ratio, pairs_for
from benchmarks.plot import line_chart
from benchmarks.report import END, README, START, plot, report, write
from benchmarks.results import FILE, Machine, Measurement, Results, Size, load, save
from benchmarks.scenarios import COLD, scenarios
from lintpickle.diagnostics import LintpickleError

MACHINE = Machine("a processor", 2, 2**34, "Linux x86_64", "3.11.7")


def _runs(cpus: Sequence[float], peak: int = 10**7) -> tuple[Run, ...]:
    return tuple(Run(cpu, cpu / 2, peak) for cpu in cpus)


def _cold(corpus: str, ours: Sequence[float], theirs: Sequence[float], peer: str = "flake8") -> Measurement:
    return Measurement("cold", corpus, _runs(ours), peer, _runs(theirs), "2026-01-02")


def _goal(text: str) -> Goal:
    (goal,) = (goal for goal in GOALS if goal.text == text)
    return goal


def test_a_ratio_is_the_median_of_pairs_and_not_the_ratio_of_medians() -> None:
    assert paired_ratio([1, 20, 3], [10, 20, 3]) == 1
    assert paired_ratio([1, 2], [10, 10]) == pytest.approx(0.15)


def test_ratios_of_different_numbers_of_runs_are_refused() -> None:
    with pytest.raises(ValueError):
        paired_ratio([1, 2], [1])


@pytest.mark.parametrize(("seconds", "pairs"), [(0.9, 35), (1, 7), (14, 7), (15, 3), (59, 3), (60, 1)])
def test_short_pairs_are_run_more_often_than_long_ones(seconds: float, pairs: int) -> None:
    assert pairs_for(seconds, 7) == pairs


def test_every_pair_is_run_once_at_least() -> None:
    assert pairs_for(20, 1) == pairs_for(200, 1) == 1


def test_runs_take_turns() -> None:
    calls = []

    def ours(number: int) -> Run:
        calls.append(f"A{number}")
        return Run(1, 1, 1)

    def theirs(number: int) -> Run:
        calls.append(f"B{number}")
        return Run(2, 2, 2)

    mine, others = in_turns([ours, theirs], 3)
    assert calls == ["A0", "B0", "A1", "B1", "A2", "B2"]
    assert mine == (Run(1, 1, 1),) * 3
    assert others == (Run(2, 2, 2),) * 3


def test_a_short_run_beside_a_long_one_is_made_several_times() -> None:
    cpus = iter([9, 1, 3, 2, 8] * 2)
    rounds: list[int] = []

    def ours(number: int) -> Run:
        rounds.append(number)
        return Run(next(cpus), 1, 1)

    mine, others = in_turns([ours, lambda _: Run(40, 20, 1)], 4)
    assert rounds == [0] * 5 + [1] * 5
    assert [run.cpu for run in mine] == [3, 3]
    assert [run.cpu for run in others] == [40, 40]


def test_a_run_counts_its_children_and_not_its_parent(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys\n"
        "subprocess.run([sys.executable, '-c', 'b = bytearray(3 * 10**7); sum(range(5 * 10**6)); print(1)'])\n"
    )
    outcome = Runner(tmp_path / "home").run([sys.executable, "-c", program], tmp_path)
    idle = Runner(tmp_path / "home").run([sys.executable, "-I", "-S", "-c", ""], tmp_path)
    assert outcome.output.split() == [b"1"]
    assert outcome.run.cpu > idle.run.cpu
    assert outcome.run.peak > 3 * 10**7 > idle.run.peak


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")
def test_a_run_counts_what_it_leaves_behind(tmp_path: Path) -> None:
    orphan = "bytearray(4 * 10**7)"
    program = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {orphan!r}])"
    assert Runner(tmp_path / "home").run([sys.executable, "-c", program], tmp_path).run.peak > 4 * 10**7


def test_a_command_that_fails_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(LintpickleError, match=r"exit code 3[^\0]*out of order"):
        program = "import sys; print('out of order', file=sys.stderr); sys.exit(3)"
        Runner(tmp_path / "home").run([sys.executable, "-c", program], tmp_path)


def test_a_goal_is_met_at_its_limit_and_not_above() -> None:
    goal = _goal("Cold, large corpus, to flake8")
    for ours, verdict in ((17, "met"), (17.1, "not met")):
        results = Results(MACHINE, measurements=(_cold("large", [ours], [100]),))
        assert goal.verdict(results) == verdict
    assert goal.verdict(Results(MACHINE, measurements=(_cold("small", [1], [100]),))) == "not measured"


def test_growth_compares_the_cost_of_a_line_with_that_on_the_smallest_corpus() -> None:
    lines = {"medium": 100, "large": 400, "large-x4": 1600}
    sizes = tuple(Size(name, 1, count, 1) for name, count in lines.items())
    runs = {"medium": [1.0, 2.0], "large": [4.4, 8.8], "large-x4": [16.0, 32.0]}
    measurements = tuple(Measurement("growth", name, _runs(cpus)) for name, cpus in runs.items())
    assert growth_ratio(Results(MACHINE, sizes=sizes, measurements=measurements)) == pytest.approx(1.1)
    assert growth_ratio(Results(MACHINE, sizes=sizes, measurements=measurements[:2])) is None


def test_the_peak_is_the_highest_of_the_large_corpus() -> None:
    peaks = [Measurement("cold", "large", _runs([1], peak), "ruff", _runs([1], 10**9)) for peak in (10**7, 2 * 10**7)]
    assert peak_megabytes(Results(MACHINE, measurements=tuple(peaks))) == 20


def test_newer_results_take_the_place_of_older_ones() -> None:
    older = Results(MACHINE, {"lintpickle": "1"}, measurements=(_cold("small", [1], [2]), _cold("large", [1], [2])))
    merged = older.merged(Results(MACHINE, {"lintpickle": "1", "ruff": "3"}, measurements=(_cold("small", [5], [6]),)))
    assert merged.versions == {"lintpickle": "1", "ruff": "3"}
    assert [(each.corpus, each.cpu) for each in merged.measurements] == [("small", 5), ("large", 1)]


@pytest.mark.parametrize(
    "newer",
    [
        Results(MACHINE, {"lintpickle": "2"}),
        Results(Machine("another", 2, 2**34, "Linux x86_64", "3.11.7"), {"lintpickle": "1"}),
    ],
)
def test_results_of_different_things_are_not_mixed(newer: Results) -> None:
    older = Results(MACHINE, {"lintpickle": "1"}, measurements=(_cold("small", [1], [2]),))
    assert older.merged(newer) == newer


def test_results_survive_their_file(tmp_path: Path) -> None:
    size = Size("small", 1, 2, 3, ("timm 1",))
    results = Results(MACHINE, {"ruff": "3"}, {"ruff": ("ruff==3",)}, (size,), (_cold("small", [1], [2]),))
    save(results, tmp_path / "results.json")
    assert load(tmp_path / "results.json") == results
    assert load(tmp_path / "absent.json") is None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"machine": {}}'])
def test_a_file_that_holds_no_results_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "results.json").write_text(content)
    with pytest.raises(LintpickleError, match=r"results\.json.*remove it"):
        load(tmp_path / "results.json")


def test_the_report_says_which_goals_are_met(tmp_path: Path) -> None:
    comment = Measurement("comment", "large", _runs([1]), COLD, _runs([20]), "2026-01-02")
    measurements = (_cold("large", [1], [20]), comment)
    results = Results(MACHINE, {"ruff": "3"}, {}, (Size("small", 1, 2000, 3),), measurements)
    lines = report(results).splitlines()
    assert "| Cold, large corpus, to flake8 | 0.17 | 0.050 (1/20.0) | met |" in lines
    assert "| A comment line added, large corpus, to a cold run | 1/33 | 0.050 (1/20.0) | not met |" in lines
    assert any(line.startswith("| `--version` |") and line.endswith("| - | not measured |") for line in lines)
    assert any("Of 9 goals: 2 met, 1 not met, 6 not measured." in line for line in lines)
    assert "2026-01-02" in lines[0]


def test_the_report_stands_between_its_markers(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{START}\nwhat stood here\n{END}\nafter\n")
    write(Results(MACHINE, measurements=(_cold("small", [1], [20]),)), readme)
    text = readme.read_text()
    assert text.startswith(f"before\n{START}\n\nMeasured")
    assert text.endswith(f"\n{END}\nafter\n")
    assert "what stood here" not in text
    readme.write_text("nothing")
    with pytest.raises(LintpickleError, match="has no lines"):
        write(Results(MACHINE), readme)


def test_the_plot_places_larger_figures_higher_and_further_right() -> None:
    picture = ElementTree.fromstring(line_chart({"<a>": [(100, 1), (1000, 10)]}, "lines", "seconds"))
    (first, second) = picture.findall("{http://www.w3.org/2000/svg}circle")
    assert float(first.attrib["cx"]) < float(second.attrib["cx"])
    assert float(first.attrib["cy"]) > float(second.attrib["cy"])


def test_corpora_are_pinned() -> None:
    for recipe in RECIPES.values():
        assert all(len(package.sha256) == 64 for package in recipe.packages)
    assert len({recipe.folder_name for recipe in RECIPES.values()}) == len(RECIPES)


def test_scenarios_are_found_and_described() -> None:
    assert {"cold", "growth", "version"} <= set(scenarios())
    assert all(each.description.endswith(".") for each in scenarios().values())


def test_the_page_says_what_the_results_say() -> None:
    results = load(FILE)
    told = README.read_text(encoding="utf-8").partition(START)[2].partition(END)[0].strip()
    assert told == ("Not measured yet." if results is None else report(results))
    picture = None if results is None else plot(results)
    if picture is not None:
        assert README.with_name("cold.svg").read_text(encoding="utf-8") == picture


def test_tables_of_the_daily_loop_take_the_place_of_older_ones(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"before\n\n{daily.START}\n\nearlier\n\n{daily.END}\n\nbehind\n", encoding="utf-8")
    cold, warm = daily.Situation("cold", None, _runs([10.0])), daily.Situation("warm", None, _runs([0.1]))
    edit, again = daily.Situation("an edit", 0.05, _runs([0.4])), daily.Situation("again", None, _runs([0.3]))
    daily.write([daily.table("project", 1234, [cold, warm, edit, again])], page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n\n") and text.endswith("\n\nbehind\n") and "earlier" not in text
    assert "| an edit | 400 ms | 0.040 | 0.05 of cold | met |" in text
    assert "| again | 300 ms | 0.030 | 2 warm runs | not met |" in text


def test_repositories_are_ordered_by_what_a_line_costs() -> None:
    run = Run(6.0, 6.0, 80_000_000)
    dear, cheap = (repositories.Cost(name, 2, lines, run, 0.001) for name, lines in (("a@1", 1000), ("b@2", 3000)))
    told = repositories.table([dear, cheap])
    assert told.startswith("1 of 2 cost at most 3 times the small corpus; the median is 4.0.")
    assert told.splitlines()[-2:] == [
        "| b@2 | 2 | 3,000 | 6.0 s | 2000 µs | 2.0 | 80 |",
        "| a@1 | 2 | 1,000 | 6.0 s | 6000 µs | 6.0 | 80 |",
    ]
