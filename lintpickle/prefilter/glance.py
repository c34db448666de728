"""A glance at the text of a part of a file: whether it can have marks (`lintpickle.prefilter.marks`) at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from keyword import iskeyword

from lintpickle.parsing.outline import Outline
from lintpickle.prefilter.forms import LAMBDA, may_hold_form
from lintpickle.prefilter.marks import CALLED, IMPORTED, PART, PRODUCT, Vocabulary
from lintpickle.prefilter.words import alone
from lintpickle.source.layout import STRING_END

_SUSPICIOUS = re.compile(rf"{alone('import')}|\)\s*\(")
"""What binds names, or calls what has none."""
_STRINGS = "|".join(quotes + STRING_END[quotes].pattern for quotes in ("'''", '"""', "'", '"'))
_NO_CODE = re.compile(rf"{_STRINGS}|#[^\n]*", re.DOTALL)
_DECORATOR = re.compile(r"\n[ \t]*@[ \t]*")
_SPACED_BRACKET = re.compile(r"\((?<=\s\()")
_LAST_WORD = re.compile(r"\w+$")
_FARTHEST_WORD = 100
_IN_NAMES = bytes(code if code > 127 or chr(code).isalnum() or chr(code) in "_.($" else ord(" ") for code in range(256))
"""For `bytes.translate`: what is no part of a dotted name, nor marks one (see `_may_mark`), becomes a space."""


def may_hold_marks(text: str, vocabulary: Vocabulary, outline: Outline, leads: Callable[[str, str], bool]) -> bool:
    """Whether a part of the module that `outline` maps can have marks that mean something, by the words in its code:
    False is certain.

    `leads(form, name)` tells whether a name that is bound at module level can mean what a mark of the form suspects:
    LAMBDA of what is read, IMPORTED of what is stored, PART of what a part is taken from, CALLED of a function whose
    result is stored, PRODUCT of what is called, or read from an import.
    """
    text = _NO_CODE.sub(" ", text.replace("\r\n", "\n"))
    if "\r" in text or may_hold_form(text) or _SUSPICIOUS.search(text):
        return True
    marked = _DECORATOR.sub("\n$", f"\n{text}").replace("(", "( ")
    names = set(marked.encode(errors="replace").translate(_IN_NAMES).decode().split())
    return any(_may_mark(name, vocabulary, outline, leads) for name in names) or _calls_spaced(text)


def _may_mark(text: str, vocabulary: Vocabulary, outline: Outline, leads: Callable[[str, str], bool]) -> bool:
    """Whether a dotted name can make a mark. Its text begins with a dot if it is one of attributes of something else,
    with a `$` if it is a decorator, and ends with a bracket if it is called."""
    dotted = text.strip("$.(")
    if text[-1] == "." or not dotted:
        return dotted.isidentifier()
    is_called, is_owned = text[-1] == "(", text[0] in "$."
    head, *rest = dotted.split(".")
    for name in _suspects(is_owned, [head, *rest], is_called, vocabulary) if is_owned or is_called or rest else ():
        if is_owned or name == head or head not in outline.imports or leads(PRODUCT, name):
            return True
    if is_owned or not (outline.stars or head in outline.bound):
        return False
    if leads(LAMBDA, head) or (is_called and leads(CALLED, dotted)):
        return True
    if rest:
        return leads(PART, dotted.rpartition(".")[0] if is_called else dotted)
    return leads(PRODUCT if is_called else IMPORTED, head)


def _suspects(is_owned: bool, parts: list[str], is_called: bool, vocabulary: Vocabulary) -> Iterator[str]:
    """The beginnings of a dotted name, up to a last name that the vocabulary knows."""
    if is_called and (parts[-1] in vocabulary.calls or parts[-1] in vocabulary.namers):
        yield ".".join(parts)
    for index in range(not is_owned, len(parts) - is_called):
        if parts[index] in vocabulary.values:
            yield ".".join(parts[: index + 1])


def _calls_spaced(code: str) -> bool:
    """Whether there may be a call with space in front of its bracket."""
    for bracket in _SPACED_BRACKET.finditer(code):
        before = code[max(0, bracket.start() - _FARTHEST_WORD) : bracket.start()].rstrip(" \t\n\\")
        word = _LAST_WORD.search(before)
        if not before or (word is not None and not iskeyword(word.group())):
            return True
    return False
