"""A glance at the text of a part of a file: whether it can have marks (`lintpickle.source.marks`) at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby

from lintpickle.source.blocks import heads
from lintpickle.source.marks import CALLED, IMPORTED, LAMBDA, PRODUCT, Vocabulary
from lintpickle.source.words import alone

_SUSPICIOUS = tuple(map(re.compile, (alone("lambda"), alone("yield"), alone("import"), r"\)\s*\(")))
_VIEWS = ("keys", "values", "items")
_VIEW = re.compile(rf"\.[\s\\]*(?:{'|'.join(_VIEWS)})\b")
_FOR = re.compile(alone("for"))
_FARTHEST_BRACKET = 400
_LOOP = re.compile(r"[ \t]*(?:async[ \t]+)?for\b[^#]*:[ \t]*(?:#.*)?\r?$")
_NAME = re.compile(r"([.@]\s*)?\b([^\W\d]\w*)\b(?=[ \t]*([.(])?)")
_CALLED = re.compile(r"(?<![\w.@])([^\W\d]\w*(?:\.\w+)*)\s*\(")


def may_hold_marks(text: str, vocabulary: Vocabulary, leads: Callable[[str, str], bool]) -> bool:
    """Whether a part of a module can have marks that mean something, by the words in its text: False is sure.

    `leads(form, name)` tells whether a name that is bound outside of the text can mean what a mark of the form
    suspects: LAMBDA of what is read, IMPORTED of what is stored, CALLED of a function whose result is stored.
    """
    if "\r" in text or _is_suspicious(text) or holds_inner_scope(text) or _holds_generator(text):
        return True
    for owned, name, behind in set(_NAME.findall(text)):
        if name in vocabulary.values or (name in vocabulary.calls and behind == "("):
            return True
        if not owned and leads(LAMBDA, name):
            return True
        if not owned and not behind and leads(IMPORTED, name):
            return True
        if not owned and behind == "(" and leads(PRODUCT, name):
            return True
    return any(leads(CALLED, name) for name in set(_CALLED.findall(text)))


def _is_suspicious(text: str) -> bool:
    if any(form.search(text) for form in _SUSPICIOUS):
        return True
    return any(name in text for name in _VIEWS) and _VIEW.search(text) is not None


def holds_inner_scope(text: str) -> bool:
    """Whether a part of a module can have functions in functions, or classes in anything."""
    functions = {indent for _, indent, _ in heads(text, "def")}
    return len(functions) > 1 or any(indent for _, indent, _ in heads(text, "class"))


def _holds_generator(text: str) -> bool:
    """Whether a `for` stands anywhere but at the start of a statement that begins and ends on its row, or, as far as
    brackets tell, in a comprehension that makes a container."""
    for start, words in groupby(_FOR.finditer(text), lambda word: text.rfind("\n", 0, word.start()) + 1):
        places = [word.start() for word in words]
        end = text.find("\n", places[-1])
        row = text[start : end if end >= 0 else len(text)]
        balanced = row.count("(") == row.count(")") and row.count("[") == row.count("]")
        is_loop = len(places) == 1 and balanced and _LOOP.match(row)
        if not is_loop and any(_opening(text, place) not in ("[", "{") for place in places):
            return True
    return False


def _opening(text: str, at: int) -> str:
    """The bracket that is open at an offset; "" if that is not easily seen."""
    depth = 0
    for character in reversed(text[max(0, at - _FARTHEST_BRACKET) : at]):
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth == 0:
                return character
            depth -= 1
        elif character in "'\"#":
            break
    return ""
