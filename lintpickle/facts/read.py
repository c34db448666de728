"""From one block of a file to its facts; the methods of a class are read later, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable

import libcst as cst

from lintpickle.diagnostics import Span
from lintpickle.facts.methods import ReadMethod
from lintpickle.facts.records import MODULE_BODY, BlockFacts, FunctionFacts
from lintpickle.facts.scopes import Scope
from lintpickle.facts.statements import StatementVisitor
from lintpickle.parsing.members import Member
from lintpickle.parsing.nesting import is_absurd
from lintpickle.parsing.outline import Block
from lintpickle.parsing.parsed_blocks import TEMPLATE_PREFIX, ParsedBlock, read_block
from lintpickle.profiling import Part, running

_INDENT = re.compile(r"[ \t\f]*")
_CLASS = "class _:\n"


def read_facts(
    code: str, block: Block, members: tuple[Member, ...], read: Callable[[Member], ReadMethod]
) -> BlockFacts | None:
    """The facts of `block` in the file's text. `read` reads a member of its class when the method is needed. None if
    libcst cannot or must not parse the block."""
    source = _without_members(code, block, members)
    facts = _parsed(source, block.span.start)
    if facts is None:
        return None
    scope = Scope("module", MODULE_BODY, None, frozenset())
    visitor = StatementVisitor(facts.spans, scope, ":=" in source, members, read)
    try:
        visitor.read_block(facts.tree.body)
    except RecursionError:
        return None
    body = visitor.finish(block.span)
    return BlockFacts(
        body=body,
        functions={f.name: f for f in scope.functions if f.name != "<lambda>"},
        classes={c.name: c for c in scope.classes},
        values=body.variables,
        exact=facts.exact,
    )


def read_member(code: str, class_name: str, member: Member) -> ReadMethod:
    """Read one method, as the body of a class of its own whose header is put in front of its lines. If libcst cannot
    parse it, only its name is known."""
    source = _CLASS + code[member.span.start : member.span.end]
    block = _parsed(source, member.span.start - len(_CLASS))
    class_ = block.tree.body[0] if block is not None else None
    if block is not None and isinstance(class_, cst.ClassDef):
        module = Scope("module", MODULE_BODY, None, frozenset())
        scope = Scope("class", class_name, module, frozenset())
        try:
            StatementVisitor(block.spans, scope, ":=" in source).read_block(class_.body.body)
        except RecursionError:
            return _unknown(class_name, member)
        for facts in reversed(scope.functions):
            if facts.name == member.name:
                return ReadMethod(facts, block.exact)
    return _unknown(class_name, member)


def _parsed(source: str, start: int) -> ParsedBlock | None:
    """The parsed block of the text at the offset `start` of a file."""
    with running(Part.GUARD):
        if is_absurd(source):
            return None
    block = read_block(source, start)
    if block is None and TEMPLATE_PREFIX.search(source):
        # Two in a row, and some prefixes, libcst only takes of f-strings.
        block = read_block(TEMPLATE_PREFIX.sub(r"\1f\2", source), start)
    return block


def _unknown(class_name: str, member: Member) -> ReadMethod:
    header = Span(member.span.start, member.span.start)
    qualname = f"{class_name}.{member.name}"
    facts = FunctionFacts(member.name, qualname, member.span, header, (), (), (), (), (), (), {}, (), (), ())
    return ReadMethod(facts, False)


def _without_members(code: str, block: Block, members: tuple[Member, ...]) -> str:
    """The text of a block in which each member is replaced by a string of the same length."""
    pieces: list[str] = []
    at = block.span.start
    for member in members:
        text = code[member.span.start : member.span.end]
        found = _INDENT.match(text)
        indent = found.group() if found else ""
        newline = text[len(text.rstrip("\r\n")) :]
        filler = "-" * (len(text) - len(indent) - len(newline) - 2)
        pieces += [code[at : member.span.start], indent, f'"{filler}"', newline]
        at = member.span.end
    return "".join([*pieces, code[at : block.span.end]])
