"""The part of a rule's page that is shown at a glance, in a terminal or an editor: no proofs, no gaps, one example of
each kind."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.rulebook.pages import Page

LONGEST_EXAMPLE = 45
"""So many lines of an example are shown."""

_WHOLE = ("What it finds", "Why it breaks", "Fix safety", "References")
_TO_THE_FIRST_EXAMPLE = ("Example", "Use instead")


class Section(Struct, frozen=True):
    """A heading of a page, and the Markdown below it."""

    heading: str
    text: str


def short_sections(page: Page) -> tuple[Section, ...]:
    """The sections of a page at a glance, in its order: of the examples, the first bad and the first mended one."""
    found = []
    for heading, text in page.sections.items():
        if heading in _WHOLE:
            found.append(Section(heading, text))
        elif heading in _TO_THE_FIRST_EXAMPLE:
            found.append(Section(heading, "\n".join(_to_the_first_example(text))))
    return tuple(found)


def _to_the_first_example(text: str) -> Iterator[str]:
    fence = ""
    shown = 0
    for line in text.split("\n"):
        if fence and line == fence:
            if shown > LONGEST_EXAMPLE:
                yield f"# … {shown - LONGEST_EXAMPLE} more lines"
            yield line
            return
        if not fence:
            fence = line[: len(line) - len(line.lstrip("`~"))] if line.startswith(("```", "~~~")) else ""
            yield f"{fence}python" if fence else line
            continue
        shown += 1
        if shown <= LONGEST_EXAMPLE:
            yield line
