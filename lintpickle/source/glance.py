"""A glance at the text of a part of a file: whether it can have marks (`lintpickle.source.marks`) at all."""

from __future__ import annotations

import re
from collections.abc import Callable

from lintpickle.source.marks import CALLED, IMPORTED, LAMBDA, PRODUCT, Vocabulary

_SUSPICIOUS = re.compile(r"\b(?:lambda|yield|import)\b|\.[\s\\]*(?:keys|values|items)\b|\)\s*\(")
_HEAD = re.compile(r"^([ \t]*)(?:async[ \t]+)?(def|class)\b", re.MULTILINE)
_FOR = re.compile(r"^.*\bfor\b.*$", re.MULTILINE)
_FOR_WORD = re.compile(r"\bfor\b")
_FARTHEST_BRACKET = 400
_LOOP = re.compile(r"[ \t]*(?:async[ \t]+)?for\b[^#]*:[ \t]*(?:#.*)?\r?$")
_NAME = re.compile(r"([.@]\s*)?\b([^\W\d]\w*)\b(?=[ \t]*([.(])?)")
_CALLED = re.compile(r"(?<![\w.@])([^\W\d]\w*(?:\.\w+)*)\s*\(")


def may_hold_marks(text: str, vocabulary: Vocabulary, leads: Callable[[str, str], bool]) -> bool:
    """Whether a part of a module can have marks that mean something, by the words in its text: False is sure.

    `leads(form, name)` tells whether a name that is bound outside of the text can mean what a mark of the form
    suspects: LAMBDA of what is read, IMPORTED of what is stored, CALLED of a function whose result is stored.
    """
    if "\r" in text or _SUSPICIOUS.search(text) or _holds_inner_scope(text) or _holds_generator(text):
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


def _holds_inner_scope(text: str) -> bool:
    heads = _HEAD.findall(text)
    return len({indent for indent, word in heads if word == "def"}) > 1 or ("class" in {w for i, w in heads if i})


def _holds_generator(text: str) -> bool:
    """Whether a `for` stands anywhere but at the start of a statement that begins and ends on its row, or, as far as
    brackets tell, in a comprehension that makes a container."""
    for match in _FOR.finditer(text):
        row = match.group()
        balanced = row.count("(") == row.count(")") and row.count("[") == row.count("]")
        words = list(_FOR_WORD.finditer(text, match.start(), match.end()))
        is_loop = len(words) == 1 and balanced and _LOOP.match(row)
        if not is_loop and any(_opening(text, word.start()) not in ("[", "{") for word in words):
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
