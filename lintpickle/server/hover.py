"""What a rule's code in a suppression comment means: its page."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from lintpickle.diagnostics import LintpickleError, Span
from lintpickle.rulebook.pages import Page, page_for
from lintpickle.rulebook.summaries import rule_url
from lintpickle.server.buffers import Buffer, lsp_range
from lintpickle.server.positions import Units
from lintpickle.source.directives import directives_on_row

_SHOWN = ("What it finds", "Why it breaks", "Use instead", "Fix safety")


def hover_at(buffer: Buffer, offset: int, units: Units, markdown: bool) -> lsp.Hover | None:
    """The page of the rule that a comment names at an offset; None where there is no such thing."""
    document = buffer.document
    if document is None:
        return None
    for directive in directives_on_row(document, document.lines.row(offset)):
        for name in directive.names:
            if name.span.start <= offset <= name.span.end:
                return _hover(buffer, name.text, name.span, units, markdown)
    return None


def _hover(buffer: Buffer, name: str, span: Span, units: Units, markdown: bool) -> lsp.Hover | None:
    try:
        page = page_for(name)
    except LintpickleError:
        return None
    assert buffer.document is not None
    text = page_markdown(page)
    kind = lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText
    where = lsp_range(buffer, buffer.document, buffer.document.location(span), units)
    return lsp.Hover(lsp.MarkupContent(kind, text), where)


def page_markdown(page: Page) -> str:
    """What of a rule's page helps in an editor: all but the examples that are only there to be run."""
    parts = [f"# {page.title}"]
    for heading in _SHOWN:
        section = page.sections.get(heading, "").strip()
        if section:
            parts.append(f"## {heading}\n\n{section}")
    bad, fixed = page.of_kind("bad"), page.of_kind("fixed")
    for label, blocks in (("Example", bad), ("Fixed", fixed)):
        if blocks:
            parts.append(f"## {label}\n\n```python\n{blocks[0].code}```")
    parts.append(f"[{page.code}]({rule_url(page.code, page.name)})")
    text = "\n\n".join(parts) + "\n"
    return re.sub(r"^```python \S+$", "```python", text, flags=re.MULTILINE)
