"""What lintpickle promises of its speed, and whether measurements bear it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.measure import paired_ratio
from benchmarks.results import Results
from benchmarks.scenarios import COLD, GROWTH

VERDICTS = MET, NOT_MET, NOT_MEASURED = "met", "not met", "not measured"


@dataclass(frozen=True)
class Goal:
    """A figure that must not exceed a limit. `measured` computes it, and gives None if what it needs was not measured;
    `unit` is "x" for ratios, "ms" or "MB" (10^6 bytes)."""

    text: str
    limit: float
    unit: str
    measured: Callable[[Results], float | None]

    def verdict(self, results: Results) -> str:
        """One of `VERDICTS`."""
        value = self.measured(results)
        if value is None:
            return NOT_MEASURED
        return MET if value <= self.limit else NOT_MET


def _cpu_ratio(scenario: str, corpus: str, peer: str) -> Callable[[Results], float | None]:
    def ratio(results: Results) -> float | None:
        found = results.find(scenario, corpus, peer)
        return found.cpu_ratio if found else None

    return ratio


def _cpu_ms(scenario: str) -> Callable[[Results], float | None]:
    def milliseconds(results: Results) -> float | None:
        found = results.find(scenario, "", "ruff")
        return 1000 * found.cpu if found else None

    return milliseconds


def peak_megabytes(results: Results) -> float | None:
    """The most memory that a process of a cold run on the large corpus took."""
    peaks = [each.peak for each in (*results.of("cold"), *results.of("growth")) if each.corpus == "large"]
    return max(peaks) / 1e6 if peaks else None


def growth_ratio(results: Results) -> float | None:
    """CPU for each line on the largest corpora in relation to the smallest of those that growth is measured on; of
    several, that which is furthest above."""
    measured = [(results.find("growth", name), results.size(name)) for name in GROWTH]
    costs = [[run.cpu / size.lines for run in found.ours] for found, size in measured if found and size]
    if len(costs) < len(GROWTH):
        return None
    return max(paired_ratio(cost, costs[0]) for cost in costs[1:])


GOALS = (
    Goal("Cold, large corpus, to flake8", 0.17, "x", _cpu_ratio("cold", "large", "flake8")),
    Goal("A comment line added, large corpus, to a cold run", 0.03, "x", _cpu_ratio("comment", "large", COLD)),
    Goal("Cold, large corpus, peak memory of a process", 150, "MB", peak_megabytes),
    Goal("Warm, no findings, large corpus, to ruff", 0.9, "x", _cpu_ratio("warm-clean", "large", "ruff")),
    Goal("Warm, with findings, large corpus, to ruff", 0.1, "x", _cpu_ratio("warm-findings", "large", "ruff")),
    Goal("Warm, one of 3,000 files changed", 300, "ms", _cpu_ms("edit")),
    Goal("Warm, one file of 100 lines named", 80, "ms", _cpu_ms("one-file")),
    Goal("`--version`", 25, "ms", _cpu_ms("version")),
    Goal("CPU for each line, large corpora to medium", 1.15, "x", growth_ratio),
)
