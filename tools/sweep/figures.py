"""The figures of each release, which `docs/precision.md` shows."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles

from tools.sweep.report import precision_table, share
from tools.sweep.results import LEAST, Result, typical_cost
from tools.sweep.verdicts import Count, Verdicts, tally

FIGURES = Path(__file__).resolve().parent / "figures.tsv"
COSTS = Path(__file__).resolve().parent / "costs.tsv"
_FIGURE_COLUMNS = ("release", "code", "confidence", "bites", "letter", "false", "unread")
_COST_COLUMNS = ("release", "trees", "lines", "ended", "findings", "median_ms", "ninth_decile_ms", "peak_mb")


def record(results: Sequence[Result], verdicts: Verdicts, release: str, folder: Path | None = None) -> None:
    """Keep the figures of a release in the two tables (of `folder`); what they said of it before is replaced."""
    figures = [
        {"release": release, "code": code, "confidence": confidence, **vars(count)}
        for (code, confidence), count in tally(results, verdicts).items()
    ]
    costs = sorted(result.cost * 1000 for result in results if result.ended and result.lines >= LEAST)
    cost = {
        "release": release,
        "trees": len(results),
        "lines": sum(result.lines for result in results),
        "ended": sum(1 for result in results if result.ended),
        "findings": sum(len(result.findings) for result in results),
        "median_ms": round(typical_cost(results) * 1000),
        "ninth_decile_ms": round(quantiles(costs, n=10)[-1]) if len(costs) > 1 else 0,
        "peak_mb": round(max((result.peak for result in results), default=0)),
    }
    _replace(folder / FIGURES.name if folder else FIGURES, _FIGURE_COLUMNS, release, figures)
    _replace(folder / COSTS.name if folder else COSTS, _COST_COLUMNS, release, [cost])


def _replace(path: Path, columns: Sequence[str], release: str, rows: Sequence[dict[str, object]]) -> None:
    kept: list[dict[str, object]] = [dict(row) for row in _rows(path) if row["release"] != release]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE)
        writer.writeheader()
        writer.writerows([*kept, *rows])


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def tables(folder: Path | None = None) -> tuple[str, str, str]:
    """Markdown for the documentation: each release by confidence, what it cost, and the newest release by rule."""
    counts: dict[str, dict[tuple[str, str], Count]] = {}
    for row in _rows(folder / FIGURES.name if folder else FIGURES):
        count = Count(*(int(row[column]) for column in _FIGURE_COLUMNS[3:]))
        counts.setdefault(row["release"], {})[row["code"], row["confidence"]] = count
    releases = [
        "| release | confidence | findings | read | bite | by the letter | false |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for release, by_rule in counts.items():
        for name in ("certain", "likely"):
            total = sum((count for (_, confidence), count in by_rule.items() if confidence == name), Count())
            read = total.read
            shares = (share(part, read) for part in (total.bites, total.letter, total.false))
            releases.append(f"| {release} | {name} | {read + total.unread} | {read} | {' | '.join(shares)} |")
    costs = [
        "| release | trees | lines | ended | median for 1,000 lines | nine of ten below | largest process |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in _rows(folder / COSTS.name if folder else COSTS):
        costs.append(
            f"| {row['release']} | {row['trees']} | {int(row['lines']):,} | {row['ended']} | {row['median_ms']} ms | "
            f"{row['ninth_decile_ms']} ms | {_peak(row)} |"
        )
    newest = counts[next(reversed(counts))] if counts else {}
    return "\n".join(releases) + "\n", "\n".join(costs) + "\n", "\n".join(precision_table(newest)) + "\n"


def _peak(row: dict[str, str]) -> str:
    return f"{row['peak_mb']} MB" if row["peak_mb"] != "0" else "not measured"
