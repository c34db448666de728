"""One plot of a file -> the facts of its room."""

from __future__ import annotations

from lintpickle.facts.records import RoomFacts
from lintpickle.facts.scopes import Scope
from lintpickle.facts.statements import StatementVisitor
from lintpickle.source.absurd import is_absurd
from lintpickle.source.outline import Plot, parse
from lintpickle.source.rooms import read_room


def read_facts(code: str, plot: Plot) -> RoomFacts | None:
    """Parse the statements of `plot` in the file's text by libcst and lower them.

    None when libcst does not take them, or must not be asked to.
    """
    source = code[plot.span.start : plot.span.end]
    if is_absurd(parse(source)):
        return None
    room = read_room(code, plot.span)
    if room is None:
        return None
    scope = Scope("module", "<module>", None, frozenset())
    visitor = StatementVisitor(room.spans, scope, has_walrus=":=" in source)
    try:
        visitor.read_block(room.tree.body)
    except RecursionError:
        return None
    body = visitor.finish(plot.span)
    return RoomFacts(
        body=body,
        functions={f.name: f for f in scope.functions if f.name != "<lambda>"},
        classes={c.name: c for c in scope.classes},
        values=body.variables,
        exact=room.exact,
    )
