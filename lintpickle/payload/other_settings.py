"""Objects and functions that are made for one text of a setting alone (`if config.training.sde.lower() == "snrsde":
sde = SNRSDE()`), which nothing in the program writes, while it sets the same attribute to other constants."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from lintpickle.control_flow.claims import tests_in
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, InstanceValue
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.prefilter.words import Words

_SPELLINGS = frozenset({"lower", "upper", "casefold", "strip"})
_STORE = r"(?m)(?P<owner>\b\w+)\s*\.\s*{0}\s*(?::\s*[\w.\[\]| ]+)?=(?!=)\s*(?P<value>[^\n#]*)"
_NAMED = (
    r"(?m)(?:[(,]\s*|^[ \t]+){0}=(?!=)\s*(?P<value>[^\n#]*)|^[ \t]+{0}\s*:\s*[\w.\[\]| ]+=(?!=)\s*(?P<field>[^\n#]*)"
)
"""An argument or a field of that name."""
_CONSTANT = re.compile(r"""(?:["'](?P<text>[^"']*)["']|None|[\d.]+)\s*(?:[,)\]}].*)?$""")
_FROM_DOCUMENTS = re.compile(
    r"\b(?:merge_from_\w+|fromfile|unsafe_load|safe_load|full_load|yaml\.load|load_yaml)\(|\bsetattr\((?!self\b)|\b(?:OmegaConf|hydra)\b"
)
"""How settings get other values than Python stores in them."""
_DOCUMENT_WORDS = Words(
    {
        *("merge_from_file(", "merge_from_list(", "merge_from_dict(", "merge_from_other_cfg(", "fromfile("),
        *("unsafe_load(", "safe_load(", "full_load(", "yaml.load(", "load_yaml(", "setattr(", "OmegaConf", "hydra"),
    }
)
_COMPARED = re.compile(r"[!=]=\s*\(?\s*$|\b(?:not\s+)?in\s*[\[({][^\])}\n]*$")
"""What stands before a text that is compared with something."""


def is_for_another_setting(crossing: Crossing, linker: LinkedProgram) -> bool:
    """Whether what crosses, or what it crosses in, is made only if an attribute of some object is a certain text, and
    the program sets this attribute to other constants alone."""
    asker = crossing.root.site.module.path
    for place, frame in _made_at(crossing):
        for owner, option, wanted in _asked(place, frame):
            question = ("set to others", owner, option, wanted, asker)
            if linker.remembered(question, partial(_is_set_to_others, owner, option, wanted, asker, linker)):
                return True
    return False


def _made_at(crossing: Crossing) -> Iterator[tuple[Span, Frame]]:
    """Where functions make what crosses and what it crosses in."""
    inner: Crossing | None = crossing
    while inner is not None:
        match inner.value:
            case FunctionValue(facts=facts, frame=Frame() as frame):
                yield facts.span, frame
            case InstanceValue(call=call, frame=Frame() as frame) if call is not None:
                yield call.span, frame
            case _:
                pass
        inner = inner.inside


def _asked(place: Span, frame: Frame) -> Iterator[tuple[str, str, str]]:
    """The attributes that have to be a text for a place to be got to, each with the last name of what has it, and the
    text in small letters."""
    for around in frame.paths.conditions_around(place.start):
        for test, outcome in tests_in(*around):
            match test:
                case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=str(text))]) if outcome:
                    match _without_spelling(left):
                        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=option):
                            if owner not in ("self", "cls"):
                                yield owner, option, text.lower()
                        case _:
                            pass
                case _:
                    pass


def _without_spelling(value: ast.expr) -> ast.expr:
    match value:
        case ast.Call(func=ast.Attribute(value=inner, attr=method), args=[]) if method in _SPELLINGS:
            return _without_spelling(inner)
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return _without_spelling(inner)
        case _:
            return value


def _is_set_to_others(owner: str, option: str, wanted: str, asker: str, linker: LinkedProgram) -> bool:
    """Whether the program stores constants in an attribute of what is called like that, never stores anything unknown
    under its name in anything but `self`, and writes a text only to compare something with it."""
    first_party, name = linker.first_party, re.escape(option)
    if first_party.is_anywhere(_DOCUMENT_WORDS, asker, _FROM_DOCUMENTS):
        return False
    by_key = re.compile(rf"['\"](?:--)?{name.replace('_', '[-_]')}['\"]")
    if first_party.is_anywhere(Words({option}), asker, by_key):
        return False
    written = re.compile(rf"(?i)['\"]{re.escape(wanted)}['\"]")
    store, named, itself = re.compile(_STORE.format(name)), re.compile(_NAMED.format(name)), re.compile(rf"\b{name}\b")
    is_set = False
    for module in first_party.naming_in_text(Words({option}), asker):
        for found in store.finditer(module.code):
            constant = _CONSTANT.match(found["value"])
            if constant is None and found["owner"] == "self":
                continue
            if not _is_another(constant, wanted, itself.search(found["value"]) is not None):
                return False
            is_set = is_set or (constant is not None and found["owner"] == owner)
        for found in named.finditer(module.code):
            value = found["value"] or found["field"]
            if not _is_another(_CONSTANT.match(value), wanted, itself.search(value) is not None):
                return False
    if not is_set:
        return False
    texts = first_party.texts_naming(Words(_spellings(wanted)), asker, written)
    return not any(_is_set_somewhere(text, written) for _, text in texts)


def _is_another(constant: re.Match[str] | None, wanted: str, is_itself: bool) -> bool:
    """Whether what is stored is another constant than the one wanted, or what has the name itself."""
    return is_itself if constant is None else (constant["text"] or "").lower() != wanted


def _spellings(text: str) -> frozenset[str]:
    return frozenset({text, text.upper(), text.title(), text.capitalize()})


def _is_set_somewhere(code: str, written: re.Pattern[str]) -> bool:
    """Whether a text is written for anything but a comparison."""
    for found in written.finditer(code):
        start = code.rfind("\n", 0, found.start()) + 1
        if _COMPARED.search(code[start : found.start()]) is None:
            return True
    return False
