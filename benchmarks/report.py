"""Writes what was measured into the README: python -m benchmarks.report [--results FILE] [--readme FILE]."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.goals import GOALS, VERDICTS, Goal, growth_ratio
from benchmarks.plot import Point, line_chart
from benchmarks.results import FILE, Measurement, Results, load
from benchmarks.scenarios import GROWTH, scenarios
from lintpickle.diagnostics import LintpickleError

README = Path(__file__).with_name("README.md")
PLOT_NAME = "cold.svg"
START, END = "<!-- results: start -->", "<!-- results: end -->"


def report(results: Results) -> str:
    """The results as Markdown."""
    blocks = [_conditions(results), _goals(results), _corpora(results)]
    blocks += [_scenario(name, results) for name in scenarios() if results.of(name)]
    return "\n\n".join(blocks)


def plot(results: Results) -> str | None:
    """CPU time of cold runs by lines, as SVG; None if there are none."""
    lines: dict[str, list[Point]] = {}
    for measurement in results.of("cold"):
        size = results.size(measurement.corpus)
        if size is not None:
            lines.setdefault(measurement.peer, []).append((size.lines, measurement.of_peer().cpu))
            if measurement.peer == "ruff":
                lines.setdefault("lintpickle", []).append((size.lines, measurement.cpu))
    largest = results.find("growth", GROWTH[-1])
    size = results.size(GROWTH[-1])
    if largest is not None and size is not None:
        lines.setdefault("lintpickle", []).append((size.lines, largest.cpu))
    return line_chart(lines, "lines of code", "CPU seconds, cold") if lines else None


def write(results: Results, readme: Path) -> None:
    """Put the report between the markers of a file, and the plot beside the file. Raises LintpickleError if the file
    has no markers."""
    text = readme.read_text(encoding="utf-8")
    if text.find(START) < 0 or text.find(END) < text.find(START):
        raise LintpickleError(f"{readme} has no lines {START} and {END} to write the results between")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    readme.write_text(f"{before}{START}\n\n{report(results)}\n\n{END}{after}", encoding="utf-8")
    picture = plot(results)
    if picture is not None:
        readme.with_name(PLOT_NAME).write_text(picture, encoding="utf-8")


def _conditions(results: Results) -> str:
    dates = sorted({each.date for each in results.measurements})
    machine = results.machine
    versions = ", ".join(f"{name} {version}" for name, version in results.versions.items())
    load = max((each.load for each in results.measurements), default=0.0)
    days = " to ".join(dict.fromkeys([*dates[:1], *dates[-1:]])) or "not yet"
    return (
        f"Measured: {days}. Machine: {machine.cpu}, {machine.cores} cores, {machine.memory / 2**30:.0f} GiB, "
        f"{machine.system}, Python {machine.python}; its load average was {load:.1f} at most when runs began. "
        f"Versions: {versions}."
    )


def _goals(results: Results) -> str:
    rows = [(goal.text, _limit(goal), _value(goal, results), goal.verdict(results)) for goal in GOALS]
    counts = [verdict for *_, verdict in rows]
    told = ", ".join(f"{counts.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in counts)
    return f"### Goals\n\nOf {len(rows)} goals: {told}.\n\n" + _table(("CPU", "goal", "measured", ""), rows)


def _corpora(results: Results) -> str:
    rows = [
        (size.name, f"{size.files:,}", f"{size.lines:,}", f"{size.bytes / 1e6:.1f}", ", ".join(size.packages))
        for size in sorted(results.sizes, key=lambda size: size.lines)
    ]
    return "### Corpora\n\n" + _table(("corpus", "files", "lines", "MB", "packages"), rows)


def _scenario(name: str, results: Results) -> str:
    picture = f"\n\n![CPU seconds of cold runs by lines of code]({PLOT_NAME})" if name == "cold" else ""
    heading = f"### {name}\n\n{scenarios()[name].description}{picture}\n\n"
    found = sorted(results.of(name), key=lambda each: size.lines if (size := results.size(each.corpus)) else 0)
    if any(each.peer for each in found):
        return heading + _comparison(found)
    return heading + _growth(found, results)


def _comparison(found: Iterable[Measurement]) -> str:
    header = ("corpus", "to", "CPU", "its CPU", "CPU ratio", "wall", "its wall", "wall ratio", "peak MB", "its", "runs")
    return _table(header, (_compared(each) for each in found))


def _compared(each: Measurement) -> tuple[str, ...]:
    other = each.of_peer()
    return (
        each.corpus or "-",
        each.peer,
        _time(each.cpu),
        _time(other.cpu),
        f"**{_ratio(each.cpu_ratio)}**",
        _time(each.wall),
        _time(other.wall),
        _ratio(each.wall_ratio),
        f"{each.peak / 1e6:.0f}",
        f"{other.peak / 1e6:.0f}",
        str(len(each.ours)),
    )


def _growth(found: Iterable[Measurement], results: Results) -> str:
    def rows() -> Iterator[tuple[str, ...]]:
        for each in found:
            size = results.size(each.corpus)
            cost = f"{1e6 * each.cpu / size.lines:.2f}" if size else "?"
            yield each.corpus, _time(each.cpu), cost, _time(each.wall), f"{each.peak / 1e6:.0f}", str(len(each.ours))

    ratio = growth_ratio(results)
    told = f"\n\nThe cost of a line, in relation to {GROWTH[0]}: at most {_ratio(ratio)}." if ratio is not None else ""
    return _table(("corpus", "CPU", "CPU µs a line", "wall", "peak MB", "runs"), rows()) + told


def _limit(goal: Goal) -> str:
    if goal.unit == "x":
        return f"1/{1 / goal.limit:.0f}" if goal.limit < 0.1 else f"{goal.limit:g}"
    return f"{goal.limit:g} {goal.unit}"


def _value(goal: Goal, results: Results) -> str:
    value = goal.measured(results)
    if value is None:
        return "-"
    return _ratio(value) if goal.unit == "x" else f"{value:.0f} {goal.unit}"


def _ratio(value: float) -> str:
    """As a number, and small ones as a fraction too."""
    return f"{value:.3f} (1/{1 / value:.1f})" if value < 0.1 else f"{value:.2f}"


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.3g} s"


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=FILE)
    parser.add_argument("--readme", type=Path, default=README)
    given = parser.parse_args()
    results = load(given.results)
    if results is None:
        raise SystemExit(f"{given.results} does not exist: run python -m benchmarks first")
    write(results, given.readme)


if __name__ == "__main__":
    main()
