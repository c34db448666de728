"""The whole report for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from lintpickle.migration.model import Boundary, Migration, Pin, Spot, SwitchedOff, Verdict
from lintpickle.migration.wording import left_to_do
from lintpickle.report.common import diagnostic_json, to_json
from lintpickle.report.context import ReportContext


class MigrationJson:
    name = "json"
    human = False

    def render(self, migration: Migration, context: ReportContext) -> str:
        return to_json(
            {
                "to": migration.to.value,
                "python": migration.python,
                "ready": migration.is_ready,
                "hidden_by_comments": {"counted": migration.hidden_here, "elsewhere": migration.hidden},
                "switched_off": {"counted": _counts(migration.off_here), "elsewhere": _counts(migration.off_elsewhere)},
                "totals": {verdict.value: migration.count(verdict) for verdict in Verdict},
                "pins": [_pin(pin, migration) for pin in migration.pins],
                "boundaries": [_boundary(boundary, context) for boundary in migration.boundaries],
            }
        )


def _pin(pin: Pin, migration: Migration) -> dict[str, Any]:
    return {
        "text": pin.text,
        "kind": pin.kind,
        **_spot(pin.spot),
        "covers": None if pin.covers is None else [_spot(covered) for covered in pin.covers],
        "only_on_mac": pin.only_on_mac,
        "left": [_spot(boundary.spot) for boundary in migration.left(pin)],
        "message": left_to_do(migration, pin),
    }


def _boundary(boundary: Boundary, context: ReportContext) -> dict[str, Any]:
    return {
        "verdict": boundary.verdict.value,
        "what": boundary.what,
        "starts": boundary.starts,
        **_spot(boundary.spot),
        "seen": boundary.is_seen,
        "makes_pool_only": boundary.is_making,
        "works_while_pinned": boundary.works_pinned,
        "fork_asked_at": [_spot(place) for place in boundary.forked_at],
        "start_methods": [method.value for method in boundary.methods],
        "findings": [
            {
                **diagnostic_json(finding.diagnostic, context),
                "fails": finding.is_loud,
                "under_fork_too": finding.is_old,
                "hidden_at": None if finding.hidden_at is None else _spot(finding.hidden_at),
                "switched_off": None if finding.switched_off is None else _setting(finding.switched_off),
            }
            for finding in boundary.findings
        ],
        "not_known": [{"message": gap.message, **_spot(gap.spot)} for gap in boundary.gaps],
    }


def _counts(codes: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(codes).items()))


def _setting(switched_off: SwitchedOff) -> dict[str, Any]:
    path, row = switched_off.origin.path, switched_off.origin.row
    return {"option": switched_off.option, "filename": None if path is None else str(path), "row": row}


def _spot(spot: Spot) -> dict[str, Any]:
    return {"filename": spot.path, "row": spot.row, **({"cell": spot.cell} if spot.cell else {})}
