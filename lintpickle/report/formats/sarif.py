"""SARIF 2.1.0, with trails as code flows, for GitHub code scanning and other viewers."""

from __future__ import annotations

from pathlib import Path

import lintpickle
from lintpickle.addresses import SITE
from lintpickle.diagnostics import Applicability, Diagnostic, Location, Outcome, Position, Severity
from lintpickle.report.common import JsonValue, to_json, whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.plain_file import file_location, file_message, fingerprints, relative_uri
from lintpickle.rulebook.summaries import RuleInfo, rule_url

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


class Sarif:
    name = "sarif"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        by_code = {item.code: item for item in reversed(outcome.diagnostics)}
        codes = sorted(by_code)
        described = context.rules() if codes else {}
        rules = [_rule(by_code[code], described.get(code)) for code in codes]
        marks = fingerprints(outcome.diagnostics, context)
        run = {
            "tool": {
                "driver": {
                    "name": "lintpickle",
                    "version": lintpickle.__version__,
                    "informationUri": SITE,
                    "rules": rules,
                }
            },
            "invocations": [
                {
                    "executionSuccessful": True,
                    "toolExecutionNotifications": [
                        {"level": "note", "message": {"text": notice}} for notice in outcome.notices
                    ],
                }
            ],
            "originalUriBaseIds": {_ROOT: {"uri": context.cwd.as_uri().rstrip("/") + "/"}},
            "columnKind": "unicodeCodePoints",
            "results": [
                _result(item, mark, codes.index(item.code), context)
                for item, mark in zip(outcome.diagnostics, marks, strict=True)
            ],
        }
        return to_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(diagnostic: Diagnostic, info: RuleInfo | None) -> JsonValue:
    summary = info.summary if info else diagnostic.name.replace("-", " ")
    url = rule_url(diagnostic.code, diagnostic.name)
    severity = info.severity if info else diagnostic.severity
    return {
        "id": diagnostic.code,
        "name": "".join(word.capitalize() for word in diagnostic.name.split("-")),
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary},
        "help": {
            "text": f"{summary} See {url}",
            "markdown": (info.explanation if info else None) or f"{summary} See [{diagnostic.code}]({url}).",
        },
        "helpUri": url,
        "defaultConfiguration": {"level": severity.value},
        "properties": {
            "tags": ["correctness", "multiprocessing", "pickle"],
            "precision": "high",
            "problem.severity": severity.value,
        },
    }


def _result(diagnostic: Diagnostic, fingerprint: str, rule_index: int, context: ReportContext) -> JsonValue:
    result: JsonValue = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": "error" if diagnostic.severity is Severity.ERROR else "warning",
        "message": {"text": file_message(whole_message(diagnostic), diagnostic.location)},
        "locations": [_location(diagnostic.location, context)],
        "partialFingerprints": {"lintpickleContext/v1": fingerprint},
        "properties": {
            "confidence": diagnostic.confidence.value,
            "startMethods": [method.value for method in diagnostic.start_methods],
        },
    }
    steps = [_location(step.location, context, step.message) for step in diagnostic.trail]
    places = [_location(related.location, context, related.message) for related in diagnostic.related]
    if steps or places:
        result["relatedLocations"] = [{"id": number, **each} for number, each in enumerate((*steps, *places), start=1)]
    if steps:
        result["codeFlows"] = [{"threadFlows": [{"locations": [{"location": step} for step in steps]}]}]
    fix = _fix(diagnostic, context)
    if fix is not None:
        result["fixes"] = [fix]
    return result


def _artifact(path: str, context: ReportContext) -> JsonValue:
    uri = relative_uri(path, context)
    return {"uri": Path(path).as_uri()} if uri is None else {"uri": uri, "uriBaseId": _ROOT}


def _region(start: Position, end: Position) -> JsonValue:
    return {
        "startLine": start.row,
        "startColumn": start.column,
        "endLine": end.row,
        "endColumn": end.column,
    }


def _location(location: Location, context: ReportContext, message: str | None = None) -> JsonValue:
    plain = file_location(location)
    value: JsonValue = {
        "physicalLocation": {
            "artifactLocation": _artifact(plain.path, context),
            "region": _region(plain.start, plain.end),
        }
    }
    if message is not None:
        value["message"] = {"text": file_message(message, location)}
    return value


def _fix(diagnostic: Diagnostic, context: ReportContext) -> JsonValue:
    fix, document = diagnostic.fix, context.fix_document(diagnostic)
    if fix is None or document is None or document.cells is not None:
        return None
    if fix.applicability is Applicability.DISPLAY:
        return None
    replacements = []
    for edit in fix.edits:
        start, end = document.position(edit.span.start), document.position(edit.span.end)
        replacement: JsonValue = {"deletedRegion": _region(start, end)}
        if edit.content:
            replacement["insertedContent"] = {"text": edit.content}
        replacements.append(replacement)
    artifact = _artifact(diagnostic.location.path, context)
    return {
        "description": {"text": fix.message},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
    }
