"""What a complete program never uses: classes and functions whose names stand nowhere but where they are defined and
imported."""

from __future__ import annotations

import re

from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.public_api import PublicClasses
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module

_USED = r"^(?![ \t]*(?:from|import)\b)[^\n]*(?<!class )(?<!def )(?<!super\()\b{0}\b"
"""A line in which a name may be used."""
_GUARD = re.compile(r"^if\b[^\n]*\b__name__\b", re.MULTILINE)
_GUARD_WORDS = Words({"__main__"})
_BY_NAME = re.compile(
    r"\bglobals\(\)|\.__dict__\s*\[|(?<![\w.])(?:eval|exec|vars)\(|\b(?:Fire|LightningCLI)\("
    r"|\b(?:__subclasses__|import_module|__import__|instantiate|locate)\("
    r"|\bgetattr\(\s*(?!self\b|args\b|opts?\b|cfg\b|config\b)[\w.]+\s*,\s*(?![\"'])"
)
"""How a program gets at classes and functions of which it does not write the names."""
_BY_NAME_WORDS = Words(
    {
        *("globals(", "__dict__", "eval(", "exec(", "vars(", "Fire(", "LightningCLI(", "getattr("),
        *("__subclasses__(", "import_module(", "__import__(", "instantiate(", "locate("),
    }
)


class Unused:
    """Answers for one program."""

    def __init__(self, first_party: FirstPartyModules, public: PublicClasses) -> None:
        self._first_party = first_party
        self._public = public

    def is_class(self, class_: ClassValue) -> bool:
        """Whether nothing in a complete program can make an object of a class, or derive another one from it."""
        facts = class_.facts
        is_plain = not (facts.decorators or facts.keywords or facts.is_local)
        return is_plain and self._is_unused(facts.name, class_.module)

    def is_function(self, name: str, module: Module) -> bool:
        """Whether nothing in a complete program can call a function of that name at the top of a module."""
        return self._is_unused(name, module)

    def _is_unused(self, name: str, module: Module) -> bool:
        if not name.isidentifier() or not self.is_complete(module):
            return False
        used = re.compile(_USED.format(re.escape(name)), re.MULTILINE)
        return not self._first_party.is_anywhere(Words({name}), module.path, used)

    def is_complete(self, module: Module) -> bool:
        """Whether the program around a module is one of scripts: nobody installs it as a distribution, and it gets at
        its own definitions by their names alone."""
        if self._public.is_distributed(module):
            return False
        has_script = self._first_party.is_anywhere(_GUARD_WORDS, module.path, _GUARD)
        return has_script and not self._first_party.is_anywhere(_BY_NAME_WORDS, module.path, _BY_NAME)
