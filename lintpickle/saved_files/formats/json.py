"""The report as JSON: one object, with a list of files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lintpickle.report.common import position_json, to_json
from lintpickle.saved_files.formats import InspectionPage
from lintpickle.saved_files.formats._words import remarks, trouble
from lintpickle.saved_files.records import Inspection, Need, PickledPart, Place, TorchVerdict


class Json:
    """Everything that is known."""

    human = False

    def render(self, inspections: Sequence[Inspection], page: InspectionPage) -> str:
        return to_json({"files": [_file(each) for each in inspections]})


def _file(found: Inspection) -> dict[str, Any]:
    contents = found.contents
    return {
        "filename": found.path,
        "kind": contents.kind,
        "size": found.size,
        "loads_with": contents.loads_with or None,
        "complete": found.is_whole,
        "problems": trouble(found),
        "notes": remarks(found),
        "pickles": [_pickle(part) for part in contents.parts],
        "globals": [_need(need) for need in found.needs],
        "missing": [need.path for need in found.missing],
        "runs_code": [need.path for need in found.dangers],
        "aliases": list(found.cures),
        "weights_only": [_verdict(verdict) for verdict in found.verdicts],
    }


def _pickle(part: PickledPart) -> dict[str, Any]:
    facts = part.facts
    return {
        "member": part.member or None,
        "role": part.role,
        "offset": facts.offset,
        "size": facts.size,
        "protocol": facts.protocol,
        "frames": facts.frames,
        "opcodes": facts.count,
        "globals": {asked.path: use.asked for asked, use in facts.globals.items()},
        "persistent_ids": facts.persistent,
        "extensions": sorted(facts.extensions),
        "unnamed_globals": facts.unnamed,
        "problem": facts.problem or facts.cut,
    }


def _need(need: Need) -> dict[str, Any]:
    return {
        "name": need.path,
        "written": need.written,
        "count": need.asked,
        "called": need.called,
        "by_getattr": need.by_getattr,
        "standing": need.standing.value,
        "missing": need.standing.is_missing,
        "why": need.why or None,
        "place": _place(need.place) if need.place is not None else None,
        "elsewhere": [_place(place) for place in need.elsewhere],
        "runs_code": need.danger.does if need.danger is not None else None,
    }


def _place(place: Place) -> dict[str, Any]:
    return {"name": place.path, "filename": place.location.path, "location": position_json(place.location.start)}


def _verdict(verdict: TorchVerdict) -> dict[str, Any]:
    return {
        "torch": verdict.torch,
        "loads": verdict.loads,
        "refused": list(verdict.refused),
        "imports": list(verdict.imports),
        "allow": verdict.allow,
        "cannot_be_allowed": [never.what for never in verdict.never],
        "may_be_refused": list(verdict.unsure),
    }
