"""How a program can get at what one of its modules defines without writing its name.

`globals()[name]` gives what stands in the module that says so, or is imported there; `getattr(module, name)` something
of a module that the program holds as an object, and `import_module(f"models.{name}")` such a module, below `models`."""

from __future__ import annotations

import re
from functools import partial

from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.remembering import Remembering

_OF_ITSELF = re.compile(
    r"\bglobals\(\)\s*(?:\[|\.(?!keys)|\))|(?<!\bself)\.__dict__\s*\[|(?<![\w.])(?:eval|exec)\(|(?<![\w.])vars\(\)"
    r"|\b(?:Fire|CLI|LightningCLI)\(|=\s*globals\(\)|\bsys\.modules\b"
)
"""How a module gets at its own names."""
_OF_OBJECTS = re.compile(r"\bgetattr\(\s*(?!self\b)[\w.]+\s*,\s*(?![\"'])|\b(?:vars|inspect\.getmembers|dir)\((?=[^)])")
"""How a module gets at attributes of an object, which may be another module."""
_BY_PATH = re.compile(r"\b(?:instantiate|locate|get_class|import_string|load_object|import_object|pydoc)\(")
"""What libraries have that take a dotted path to anything."""
_IMPORTING = re.compile(
    r"\b(?:import_module|__import__)\(\s*(?P<written>f?[\"'](?P<before>[\w.]*)(?P<rest>[^\n,)]*))?"
    r"|\b(?:spec_from_file_location|run_path|run_module|load_source|SourceFileLoader|iter_modules|walk_packages)\("
)
_WORDS = Words(
    {
        *("globals(", "__dict__", "eval(", "exec(", "vars(", "Fire(", "CLI(", "LightningCLI(", "getattr("),
        *("sys.modules", "inspect.getmembers(", "dir(", "instantiate(", "locate(", "get_class(", "import_string("),
        *("load_object(", "import_object(", "pydoc(", "import_module(", "__import__(", "spec_from_file_location("),
        *("run_path(", "run_module(", "load_source(", "SourceFileLoader(", "iter_modules(", "walk_packages("),
    }
)
_HELD = (
    r"^[ \t]*import[ \t][^\n]*\b{0}\b|^[ \t]*from[ \t]+[\w.]+[ \t]+import\b[^\n(]*\b{0}\b"
    r"|^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]*\([^()]*\b{0}\b"
)
_ALL_OF = r"^[ \t]*from[ \t]+[\w.]*\b{0}[ \t]+import[ \t]*\*"


class GotByName(Remembering):
    """Answers for one program."""

    def __init__(self, first_party: FirstPartyModules) -> None:
        super().__init__()
        self._first_party = first_party

    def may_be(self, module: Module) -> bool:
        """Whether the program may get at functions and classes of a module by names that it does not write."""
        return self.remembered(module.path, partial(self._may_be, module))

    def _may_be(self, module: Module) -> bool:
        texts = [*self._first_party.texts_naming(_WORDS, module.path)]
        if any(_BY_PATH.search(text) for _, text in texts) or any(self._imports(text, module) for _, text in texts):
            return True
        here = (text for path, text in texts if path == module.path)
        if any(_OF_ITSELF.search(text) for text in here):
            return True
        stem = re.escape(module.name.rpartition(".")[2])
        words = Words({stem})
        with_all = re.compile(_ALL_OF.format(stem), re.MULTILINE)
        takers = self._first_party.texts_naming(words, module.path, with_all)
        if any(_OF_ITSELF.search(text) for _, text in takers):
            return True
        asks = any(_OF_OBJECTS.search(text) or _OF_ITSELF.search(text) for _, text in texts)
        held = re.compile(_HELD.format(stem), re.MULTILINE)
        return asks and self._first_party.is_anywhere(words, module.path, held)

    def may_be_imported(self, module: Module) -> bool:
        """Whether the program may import a module whose name it does not write."""
        texts = self._first_party.texts_naming(_WORDS, module.path)
        return any(_BY_PATH.search(text) or self._imports(text, module) for _, text in texts)

    def _imports(self, text: str, module: Module) -> bool:
        """Whether a module with a text may import a module by a name that it puts together."""
        return any(_may_name(found, module) for found in _IMPORTING.finditer(text))


def _may_name(found: re.Match[str], module: Module) -> bool:
    if found["written"] is None:
        return True
    before, name = found["before"].lstrip("."), f".{module.name}"
    is_whole = found["rest"][:1] in ("'", '"') and not found["rest"][1:].strip()
    return name.endswith(f".{before}") if is_whole else f".{before}" in name
