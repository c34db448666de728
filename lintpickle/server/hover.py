"""What a rule's code in a suppression comment means: its page."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from lintpickle.diagnostics import LintpickleError, Span
from lintpickle.rulebook.pages import Page, page_for
from lintpickle.rulebook.short import short_sections
from lintpickle.rulebook.summaries import rule_url
from lintpickle.server.buffers import Buffer, lsp_range
from lintpickle.server.positions import Units
from lintpickle.source.directives import directives_on_row

_TO_A_PAGE = re.compile(r"\]\((LP[0-9]{3})-([a-z0-9-]+)\.md\)")


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
    """The part of a rule's page that `lintpickle rule` shows at a glance, and the address of the page."""
    parts = [f"# {page.title}"]
    parts += [f"## {section.heading}\n\n{section.text}" for section in short_sections(page)]
    parts.append(f"[{page.code}]({rule_url(page.code, page.name)})")
    return _TO_A_PAGE.sub(lambda link: f"]({rule_url(link[1], link[2])})", "\n\n".join(parts)) + "\n"
