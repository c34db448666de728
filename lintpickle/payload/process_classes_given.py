"""Where classes of processes are called that were handed on: to a function (`Supervisor(Worker)`), kept in an attribute
(`self.worker_class`), or taken out of a display of classes (`KINDS[kind]("name")`).

This follows forms alone, so there may be too many such calls: what they call is for the evaluator to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Choice, Expr, Item, Parameter, without_narrowing
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.components import Components
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_PROCESS = "Process"
_MENTION = r"(?:[(,=:\[{{]|\b(?:return|else|or))\s*(?:\w+\.)*(?:{0})\s*(?:[),\]}}\n]|\b(?:if|else|or|for)\b)"
"""What stands where a class is given, kept, or held with others: not where it is called, defined or imported."""
_HEAD = re.compile(r"\bclass\s+\w+\s*\([^()]*\)|\b(?:from|import)\b[^\n(]*(?:\([^()]*\))?|->[^\n:]*:")
_ANY_CALL = re.compile(r"\(")
_STARTS = re.compile(r"\.\s*start\s*\(")
_KEPT = r"(?<![\w.])(?:self\s*\.\s*)?{0}\s*(?::[^=\n]*)?=(?!=)"
"""What stands where an attribute is given its value."""


class ProcessClassesGiven:
    """Such calls in the modules of one scope."""

    def __init__(self, parts: Components) -> None:
        self._parts = parts
        self._giving: dict[str, bool] = {}
        """Whether the text of a path hands such a class on."""

    def calls(self) -> Iterator[tuple[RootFrame, Called]]:
        """The calls in the scope that may be calls of such a class, each with the enclosing function."""
        for module in self._parts.scope:
            if not module.first_party or not _STARTS.search(module.code) or not self._is_given_anywhere(module):
                continue
            for block in module.outline.blocks:
                facts = module.facts_of(block) if not block.bare else None
                for root in self._parts.activations.in_block(module, facts, _ANY_CALL) if facts is not None else ():
                    for event in root.function.events:
                        if isinstance(event, Called) and _may_be_one(event.call.function, root):
                            yield root, event

    def _is_given_anywhere(self, module: Module) -> bool:
        """Whether the program has classes of processes, and hands one on without calling it."""
        names = self._parts.aliases.derived(_PROCESS, module.path) - {_PROCESS}
        if not names:
            return False
        form = re.compile(_MENTION.format("|".join(sorted(map(re.escape, names)))))
        first_party, words = self._parts.first_party, Words(names)
        paths = first_party.search_texts(words, module.path, form)
        if not all(path in self._giving for path in paths):
            texts = first_party.texts_naming(words, module.path, form)
            self._giving = {path: form.search(_HEAD.sub("", text)) is not None for path, text in texts}
        return any(self._giving[path] for path in paths)


def _may_be_one(called: Expr, root: RootFrame) -> bool:
    match without_narrowing(called):
        case Parameter(name=name):
            return name != root.instance_name and name != "cls"
        case Attribute(base=Parameter(name=me), name=name) if me == root.instance_name:
            return re.search(_KEPT.format(re.escape(name)), root.frame.module.code) is not None
        case Item() | Choice():
            return True
        case _:
            return False
