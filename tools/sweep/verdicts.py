"""The verdicts: what a person who read the source says of a finding, and what that makes of all of them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tools.sweep.results import Finding, Result

VERDICTS = Path(__file__).resolve().parent / "verdicts.tsv"
_COLUMNS = ("tree", "version", "code", "place", "message", "verdict", "why")


class Judgement(Enum):
    """What reading the source showed."""

    BITES = "bites"
    """An ordinary user, doing the ordinary thing, meets it."""
    LETTER = "letter"
    """True by the letter, but practically never met."""
    FALSE = "false"
    """Wrong."""


@dataclass(frozen=True)
class Verdict:
    """A line of the table. `place` is "path:line"; `message` holds the first words of what was reported."""

    tree: str
    version: str
    code: str
    place: str
    message: str
    judgement: Judgement
    why: str


class VerdictError(ValueError):
    """The table of verdicts cannot be read."""


class Verdicts:
    """Finds the verdict on a finding.

    The tree, its version, the rule and the place decide; the words only where several verdicts share these. A finding
    that stands for several places has the verdict on one of them, if there is none on its own.
    """

    def __init__(self, rows: Iterable[Verdict]) -> None:
        self.rows = tuple(rows)
        self._by_place: dict[tuple[str, str, str, str], list[Verdict]] = {}
        for row in self.rows:
            self._by_place.setdefault((row.tree, row.version, row.code, row.place), []).append(row)

    def on(self, result: Result, finding: Finding) -> Verdict | None:
        """The verdict on one finding of a result; None if nobody has read it."""
        rows = self._by_place.get((result.tree, result.version, finding.code, finding.place), ())
        if len(rows) == 1:
            return rows[0]
        found = next((row for row in rows if finding.message.startswith(row.message)), None)
        return found or next(self._on_related(result, finding), None)

    def _on_related(self, result: Result, finding: Finding) -> Iterator[Verdict]:
        """The verdicts on the places that share the finding's culprit; those that bite first."""
        keys = ((result.tree, result.version, finding.code, place) for place in finding.related)
        rows = [row for key in keys for row in self._by_place.get(key, ())]
        return iter(sorted(rows, key=lambda row: row.judgement is not Judgement.BITES))

    def unread(self, results: Iterable[Result]) -> Iterator[tuple[Result, Finding]]:
        """The findings on which there is no verdict."""
        for result in results:
            for finding in result.findings:
                if self.on(result, finding) is None:
                    yield result, finding

    def unseen(self, results: Iterable[Result]) -> Iterator[Verdict]:
        """The verdicts on these trees to which there is no finding any more."""
        swept = {result.tree: result for result in results}
        findings = [(result, finding) for result in swept.values() for finding in result.findings]
        met = {self.on(result, finding) for result, finding in findings}
        stood_for = {(result.tree, each.code, place) for result, each in findings for place in each.related}
        for row in self.rows:
            result = swept.get(row.tree)
            is_swept = result is not None and result.ended and result.version == row.version
            if is_swept and row not in met and (row.tree, row.code, row.place) not in stood_for:
                yield row


def read_verdicts(path: Path = VERDICTS) -> Verdicts:
    """The table's verdicts. Raises VerdictError if a line is not one."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, restkey="rest")
        if tuple(rows.fieldnames or ()) != _COLUMNS:
            raise VerdictError(f"{path.name}: the columns are {rows.fieldnames}, not {_COLUMNS}")
        return Verdicts(_verdict(row, f"{path.name}:{number}") for number, row in enumerate(rows, start=2))


def _verdict(row: dict[str, str], where: str) -> Verdict:
    if "rest" in row or None in row.values():
        raise VerdictError(f"{where}: there must be {len(_COLUMNS)} fields")
    try:
        judgement = Judgement(row["verdict"])
    except ValueError:
        known = ", ".join(each.value for each in Judgement)
        raise VerdictError(f"{where}: the verdict is {row['verdict']!r}, not one of {known}") from None
    if not row["why"].strip():
        raise VerdictError(f"{where}: no reason is given")
    return Verdict(row["tree"], row["version"], row["code"], row["place"], row["message"], judgement, row["why"])


@dataclass(frozen=True)
class Count:
    """How many findings of one kind bite, are true by the letter, are false, and were not read."""

    bites: int = 0
    letter: int = 0
    false: int = 0
    unread: int = 0

    @property
    def read(self) -> int:
        return self.bites + self.letter + self.false

    def __add__(self, other: Count) -> Count:
        return Count(
            self.bites + other.bites, self.letter + other.letter, self.false + other.false, self.unread + other.unread
        )


def tally(results: Iterable[Result], verdicts: Verdicts) -> dict[tuple[str, str], Count]:
    """The counts by rule and confidence."""
    counted: Counter[tuple[str, str, Judgement | None]] = Counter()
    for result in results:
        for finding in result.findings:
            verdict = verdicts.on(result, finding)
            counted[finding.code, finding.confidence, verdict.judgement if verdict else None] += 1
    return {
        (code, confidence): Count(
            counted[code, confidence, Judgement.BITES],
            counted[code, confidence, Judgement.LETTER],
            counted[code, confidence, Judgement.FALSE],
            counted[code, confidence, None],
        )
        for code, confidence in sorted({(code, confidence) for code, confidence, _ in counted})
    }
