"""JUnit XML: a test suite for each file, a failed test for each finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from lintpickle.diagnostics import Diagnostic, Outcome
from lintpickle.report.common import place, whole_message
from lintpickle.report.context import ReportContext
from lintpickle.report.ordering import by_file
from lintpickle.report.plain_file import slashed
from lintpickle.terminal import visible

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NO_COMMAND = "#&#35;"  # CI systems obey "##[command]" anywhere in what a step writes
# Consumers take a report without tests for a failed run.
_PASSED = (
    '  <testsuite name="lintpickle" tests="1" failures="0" errors="0" package="org.lintpickle">',
    '    <testcase name="No problems found" classname="lintpickle"/>',
    "  </testsuite>",
)


class Junit:
    name = "junit"
    human = False

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        failures = len(outcome.diagnostics)
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="lintpickle" tests="{failures or 1}" failures="{failures}" errors="0">',
        ]
        for path, group in by_file(outcome.diagnostics).items():
            lines.extend(_suite(path, group, context))
        if not outcome.diagnostics:
            lines.extend(_PASSED)
        lines.append("</testsuites>")
        return "".join(f"{line}\n" for line in lines)


def _suite(path: str, diagnostics: list[Diagnostic], context: ReportContext) -> Iterator[str]:
    shown = slashed(context.relative(path))
    counts = f'tests="{len(diagnostics)}" failures="{len(diagnostics)}" errors="0"'
    yield f'  <testsuite name={_attribute(shown)} {counts} package="org.lintpickle">'
    classname = slashed(str(Path(shown).with_suffix("")))
    for item in diagnostics:
        where = f'line="{item.location.start.row}" column="{item.location.start.column}"'
        test = _attribute(f"org.lintpickle.{item.code}")
        yield (f"    <testcase name={test} classname={_attribute(classname)} file={_attribute(shown)} {where}>")
        opening = f"<failure type={_attribute(item.severity.value)} message={_attribute(item.message)}>"
        yield f"      {opening}{_text(item, context)}</failure>"
        yield "    </testcase>"
    yield "  </testsuite>"


def _text(diagnostic: Diagnostic, context: ReportContext) -> str:
    lines = [visible(f"{place(diagnostic.location, context)}: {diagnostic.code} {whole_message(diagnostic)}")]
    for number, step in enumerate(diagnostic.trail, start=1):
        lines.append(visible(f"  {number}. {step.message} ({place(step.location, context, column=False)})"))
    return escape(_clean("\n".join(lines))).replace("##", _NO_COMMAND)


def _attribute(text: str) -> str:
    return quoteattr(_clean(text)).replace("##", _NO_COMMAND)


def _clean(text: str) -> str:
    """The text without what XML 1.0 forbids."""
    return _NOT_XML.sub("\ufffd", text)
