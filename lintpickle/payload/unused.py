"""What a complete program never uses: classes and functions whose names stand nowhere but where they are defined and
imported."""

from __future__ import annotations

import os
import re
from functools import cached_property

from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.parsing.outline import Block, ClassHeader
from lintpickle.payload.got_by_name import GotByName
from lintpickle.payload.public_api import PublicClasses
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module

_USED = r"^(?![ \t]*(?:from|import)\b)[^\n]*(?<!class )(?<!def )(?<!super\()\b{0}\b|\b{0}[ \t]+as\b"
"""A line in which a name may be used, or another one is given to what it stands for."""
_NOT_CALLED = r"(?<!class )(?<!super\()\b{0}\b(?!\s*\()"
"""A name that stands for a class which is not called there."""
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t][^\n]*?\bimport\b[ \t]*(?:\([^()]*\)|(?:[^\n]*\\\n)*[^\n]*)|import[ \t][^\n]*)", re.MULTILINE
)
MAIN_GUARD = re.compile(r"^if\b[^\n]*\b__name__\b", re.MULTILINE)
"""The head of what only a script runs."""
_GUARD_WORDS = Words({"__main__"})
_BY_NAME = re.compile(
    r"\bglobals\(\)|(?<!\bself)\.__dict__\s*\[|(?<![\w.])(?:eval|exec)\(|\b(?:Fire|LightningCLI)\("
    r"|\b(?:__subclasses__|import_module|__import__|instantiate|locate)\("
    r"|(?<![\w.])vars\((?!\s*(?:self|\w*args|opts?|cfg|config)\s*\)|\s*[^\W\d]\w*\s*\)(?!\s*[\[.]))"
    r"|\bgetattr\(\s*(?!self\b|args\b|opts?\b|cfg\b|config\b)(?P<module>[^\W\d]\w*)?[\w.]*\s*,\s*(?![\"'])"
)
"""How a program gets at classes and functions of which it does not write the names."""
_IMPORTED = (
    r"(?m)^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b[^\n]*\b{0}\b"
    r"|import[ \t]+(?:[^\n]*,[ \t]*)?([\w.]+[ \t]+as[ \t]+{0}\b|{0}\b))"
)
"""An import of a name, with the module that it is from."""
_IMPORTED_MODULE = r"^[ \t]*(?:from|import)\b[^\n]*\b{0}\b|[\"'](?:[\w.]+\.)?{0}[\"']"
"""Where a module of that name may be imported."""
_BY_TEXT = re.compile(r"(?<![\w.])(?:exec|eval)\(|\brun_path\(")
"""How code of other files gets the names of a module."""
_OF_OBJECTS = re.compile(
    r"^(?:\w+_)?(?:batch|dataset|event|item|layer|logger|model|net|network|node|optimizer|parser|record|request|response"
    r"|row|state_dict|tensor|tokenizer|trainer)$"
)
"""Names of objects that are no modules, unless an import says so."""
_PLAIN_BASES = frozenset(
    {
        *("object", "ABC", "Generic", "Exception", "Enum", "NamedTuple", "TypedDict", "Process", "Thread"),
        *("Module", "Dataset", "IterableDataset", "Sampler", "Env", "Wrapper"),
    }
)
"""Bases whose libraries look for no classes that derive from them."""
_LOOKED_FOR = frozenset(
    {
        *("conftest", "hubconf", "settings", "setup", "noxfile", "fabfile", "wsgi", "asgi", "urls", "admin", "models"),
        *("views", "tasks", "apps", "main", "app", "agent", "submission", "handler", "lambda_function", "predict"),
        "inference",
    }
)
"""Modules that frameworks, test runners, servers and judges of contests import by these names."""
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
        self._by_name: dict[str, bool] = {}
        self._got_by_name = GotByName(first_party)

    def is_class(self, class_: ClassValue) -> bool:
        """Whether nothing in a complete program can make an object of a class, or derive another one from it."""
        facts = class_.facts
        is_plain = not (facts.decorators or facts.keywords or facts.is_local)
        return is_plain and self._is_unused(facts.name, class_.module)

    def is_only_called(self, class_: ClassValue) -> bool:
        """Whether a complete program, or a distribution, names a class of its own only to call it: nothing else in it
        can make objects of it, or derive another class from it."""
        module = class_.module
        if not (self.is_complete(module) or self._is_called_by_name_alone(module) or self.is_lone_script(module)):
            return False
        return self.is_only_called_by_name(class_)

    def is_only_called_by_name(self, class_: ClassValue) -> bool:
        """Whether a program that writes the name of a class of its own does so only to call it, as far as it gets at
        its definitions by their names."""
        facts, module = class_.facts, class_.module
        if facts.decorators or facts.keywords or facts.is_local:
            return False
        otherwise = re.compile(_NOT_CALLED.format(re.escape(facts.name)))
        return not any(
            otherwise.search(_IMPORT.sub("", text))
            for _, text in self._first_party.texts_naming(Words({facts.name}), module.path)
        )

    def is_function(self, name: str, module: Module) -> bool:
        """Whether nothing in a program of scripts can call a function of that name at the top of a module."""
        is_named = self.is_complete(module) or (self.is_of_scripts(module) and not self._got_by_name.may_be(module))
        return is_named and self._is_nowhere(name, module)

    def is_plain_class(self, header: ClassHeader, module: Module) -> bool:
        """The same for the class of a header, of which nobody gets objects but by its name."""
        return _is_plain(header, module) and self.is_function(header.name, module)

    def is_module(self, module: Module) -> bool:
        """Whether nothing in a program of scripts can import a module, which does nothing itself, and defines nothing
        that others look for by what it is."""
        name = module.name.rpartition(".")[2]
        if module.file.is_package or name in _LOOKED_FOR or not module.path.endswith(".py"):
            return False
        if MAIN_GUARD.search(module.code) is not None or not all(
            _only_defines(each, module) for each in module.outline.blocks
        ):
            return False
        if not all(_is_plain(header, module) for block in module.outline.blocks for header in block.classes):
            return False
        if not self.is_of_scripts(module) or self._got_by_name.may_be_imported(module):
            return False
        paths = self._first_party.search_texts(Words({name}), module.path)
        return all(path == module.path for path in paths)

    def _is_unused(self, name: str, module: Module) -> bool:
        return self.is_complete(module) and self._is_nowhere(name, module)

    def _is_nowhere(self, name: str, module: Module) -> bool:
        """Whether a name stands nowhere but where it is defined and imported."""
        if not name.isidentifier():
            return False
        used, words = re.compile(_USED.format(re.escape(name)), re.MULTILINE), Words({name})
        if not self._first_party.is_anywhere(words, module.path, used):
            return True
        texts = self._first_party.texts_naming(words, module.path, used)
        return all(path != module.path and _has_its_own(name, path, text) for path, text in texts)

    def is_complete(self, module: Module) -> bool:
        """Whether the program around a module is one of scripts: nobody installs it as a distribution, and it gets at
        its own definitions by their names alone."""
        if not self.is_of_scripts(module):
            return False
        if not self._first_party.is_anywhere(_BY_NAME_WORDS, module.path, _BY_NAME):
            return True
        texts = self._first_party.texts_naming(_BY_NAME_WORDS, module.path, _BY_NAME)
        return not any(self._gets_own_by_name(path, text) for path, text in texts)

    def is_of_scripts(self, module: Module) -> bool:
        """Whether the program around a module is one of scripts: nobody installs it as a distribution."""
        is_distributed = self._public.is_distributed(module)
        return not is_distributed and self._first_party.is_anywhere(_GUARD_WORDS, module.path, MAIN_GUARD)

    def _is_called_by_name_alone(self, module: Module) -> bool:
        """Whether the distribution around a module gets at its own definitions by their names alone."""
        folder = self._public.distribution(module)
        texts = self._first_party.texts_naming(_BY_NAME_WORDS, module.path, _BY_NAME)
        inner = ((path, text) for path, text in texts if folder is not None and path.startswith(folder + os.sep))
        return folder is not None and not any(self._gets_own_by_name(path, text) for path, text in inner)

    def is_lone_script(self, module: Module) -> bool:
        """Whether a module has a main guard, and no import names it."""
        if MAIN_GUARD.search(module.code) is None:
            return False
        name = os.path.basename(module.path).removesuffix(".py")
        imported = re.compile(_IMPORTED_MODULE.format(re.escape(name)), re.MULTILINE)
        return not self._first_party.is_anywhere(Words({name}), module.path, imported)

    def _gets_own_by_name(self, path: str, text: str) -> bool:
        """Whether a module gets at definitions by name that may be the program's, not those of a library's module
        (`getattr(torch.nn, name)`)."""
        if path not in self._by_name:
            asked = {match["module"] for match in _BY_NAME.finditer(text)}
            self._by_name[path] = not all(
                name is not None and (self._is_library(name, text) or self._is_object(name, text)) for name in asked
            )
        return self._by_name[path]

    def _is_library(self, name: str, text: str) -> bool:
        """Whether a name is imported from somewhere that is not in the program."""
        imported = re.compile(_IMPORTED.format(re.escape(name))).findall(text)
        tops = {(of or module.split()[0]).partition(".")[0] for of, module in imported}
        return bool(tops) and "" not in tops and tops.isdisjoint(self.own_names)

    def _is_object(self, name: str, text: str) -> bool:
        """Whether a name stands for an object that is no module: it is called so, nothing imports it there, and no
        module of the program has that name."""
        if _OF_OBJECTS.match(name) is None or name in self.own_names:
            return False
        return re.compile(_IMPORTED.format(re.escape(name))).search(text) is None

    @cached_property
    def own_names(self) -> frozenset[str]:
        """What modules and packages of the program may be called."""
        return frozenset(
            part.removesuffix(".py") for path in self._first_party.paths for part in path.replace("\\", "/").split("/")
        )


def _is_plain(header: ClassHeader, module: Module) -> bool:
    """Whether the bases of a class do nothing with classes that derive from them, as far as their names tell."""
    own = {each.name: each for block in module.outline.blocks for each in block.classes}
    waiting, seen = [header], set[str]()
    while waiting:
        class_ = waiting.pop()
        if class_.decorators:
            return False
        for base in class_.bases:
            if base in own and base not in seen:
                seen.add(base)
                waiting.append(own[base])
            elif base not in own and base.rpartition(".")[2] not in _PLAIN_BASES:
                return False
    return True


def _only_defines(block: Block, module: Module) -> bool:
    """Whether a block of a module runs nothing: it defines one function or class, or binds names without
    a call."""
    is_definition = block.is_class or (block.defines_function and len(block.names) == 1)
    if is_definition:
        return not module.code.startswith("@", block.span.start)
    return block.bare or (block.always_binds and "(" not in module.code[block.span.start : block.span.end])


def _has_its_own(name: str, path: str, text: str) -> bool:
    """Whether a name stands for something of a module's own: it defines a function or class of that name or, if no
    cell of a notebook may run another file in it, imports nothing that may be called so; and it asks no other module
    for it (`convert.main()`)."""
    defined = re.search(rf"^(?:async[ \t]+def|def|class)[ \t]+{re.escape(name)}\b", text, re.MULTILINE)
    if defined is None and (path.endswith(".ipynb") or _BY_TEXT.search(text) is not None):
        return False
    asked = rf"\.\s*{re.escape(name)}\b" if defined else rf"[.'\"]\s*{re.escape(name)}\b"
    if re.search(asked, _IMPORT.sub("", text)) is not None:
        return False
    return not any(re.search(rf"\b{re.escape(name)}\b|\*", found) for found in _IMPORT.findall(text))
