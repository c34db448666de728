"""What runs when modules are imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import FunctionFacts
from lintpickle.parsing.main_guard import gives_main_guard, guard_asked_for, is_lone_guard
from lintpickle.parsing.outline import Block
from lintpickle.program.module import Module

NO_CODE = re.compile(r"(\"{3}|'{3})[\s\S]*?\1|#[^\n]*")
"""Docstrings and comments."""
DOES = re.compile(r"\n[^\n#]*(?:[^=!<>]=[^=]|\()")
"""What stands in a later statement that stores or calls something."""
_PLAIN_TEXT = re.compile(r"""(?<![\w\"'])[rRbBuU]{0,2}(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""")
"""Texts in quotes, but for those that may hold code (`f"…"`)."""


def outside_comments(form: re.Pattern[str], code: str, start: int, end: int) -> Span | None:
    """The first match of a form between two places; if that may stand in a comment, the first that does not, if there
    is one."""
    found = form.search(code, start, end)
    if found is None:
        return None
    row = code.rfind("\n", 0, found.start()) + 1
    if "#" in code[row : found.start()]:
        blanked = NO_CODE.sub(lambda comment: " " * len(comment[0]), code[row:end])
        other = form.search(blanked)
        if other is not None:
            return Span(row + other.start(), row + other.end())
    return Span(*found.span())


_DEFINITIONS = ("def ", "class ", "async def ", "@")


def is_guard(block: Block, module: Module) -> bool:
    """Whether a block is a main guard without another branch, also one that asks a function or a variable of the module
    for it: `if is_main():`."""
    question = ("is a main guard", block.span)
    return module.remembered(question, lambda: _is_guard(module.facts.text(block), module))


def _is_guard(text: str, module: Module) -> bool:
    return is_lone_guard(text) or _predicate(text, module) is not None


def _predicate(text: str, module: Module) -> str | None:
    """The text of the function or the variable of the module that a statement asks for a main guard."""
    asked = guard_asked_for(text)
    blocks = module.outline.binding(asked[0]) if asked is not None else ()
    given = module.facts.text(blocks[0]) if len(blocks) == 1 else ""
    return given if asked is not None and gives_main_guard(given, asked[1]) else None


def is_of_main_process(guard: Block, module: Module) -> bool:
    """Whether a main guard asks for the name of the process: it lets the main process in, whichever module imports its
    own."""
    text = module.facts.text(guard)
    asking = text.partition("\n")[0] if is_lone_guard(text) else _predicate(text, module) or ""
    return "MainProcess" in asking


def guard_of(offset: int, module: Module) -> Block | None:
    """The main guard in which an offset of the text lies."""
    block = module.outline.block_at(offset)
    return block if block is not None and is_guard(block, module) else None


def is_main_file(module: Module) -> bool:
    """Whether a module is what `python -m package` runs, which workers do not import again."""
    return module.path.endswith("__main__.py")


def runs_later(block: Block, module: Module) -> bool:
    """Whether what stands in a block does not run when workers import the module: a function, a class, a main guard."""
    return block.defines_function or block.is_class or is_guard(block, module)


def callable_name(function: FunctionFacts) -> str:
    """The name by which code calls a function; for `__init__` and other special methods, the name of the class."""
    owner = function.qualname.rpartition(".")[0].rpartition(".")[2]
    return owner if function.name.startswith("__") and owner else function.name


def outer_function(function: FunctionFacts, module: Module) -> FunctionFacts:
    """The function that is called by name, of one that may stand in another: the maker of a decorator."""
    if not function.is_local:
        return function
    name = function.qualname.partition(".<locals>")[0].rpartition(".")[2]
    holding = functions_of(
        module,
        re.compile(rf"\b{re.escape(name)}\b"),
        lambda each: each.name == name and each.span.start <= function.span.start < each.span.end,
    )
    return next(holding, function)


def callers_in(function: FunctionFacts, module: Module) -> tuple[FunctionFacts, ...]:
    """The functions of the module in which the name of a function stands. A special method is also called by those of
    the classes that derive from its own."""
    name = callable_name(function)
    naming = functions_naming(name, module)
    return naming if name == function.name else (*naming, *_special_methods_of_subclasses(name, module))


def _special_methods_of_subclasses(name: str, module: Module) -> Iterator[FunctionFacts]:
    for block in module.outline.blocks:
        for header in block.classes:
            facts = module.facts_of(block) if name in header.bases else None
            class_ = facts.classes.get(header.name) if facts is not None else None
            if class_ is not None:
                yield from (each for method, each in class_.methods.items() if method.startswith("__"))


def functions_naming(name: str, module: Module) -> tuple[FunctionFacts, ...]:
    """The functions of the module in which a name stands."""

    def find() -> tuple[FunctionFacts, ...]:
        calling = re.compile(rf"\b{re.escape(name)}\b")
        found = functions_of(module, calling, lambda each: _holds(each, calling, module))
        return tuple(each for each in found if not each.is_module_body)

    return module.remembered(("callers", name), find)


def _holds(function: FunctionFacts, form: re.Pattern[str], module: Module) -> bool:
    return stands_in(form, function.span, module)


def stands_in(form: re.Pattern[str], span: Span, module: Module) -> bool:
    """Whether a form stands in a part of the text, other than in its comments and in texts without code."""
    if form.search(module.code, span.start, span.end) is None:
        return False
    code = NO_CODE.sub("", module.code[span.start : span.end])
    return form.search(_PLAIN_TEXT.sub("''", code)) is not None


def is_called_by(function: FunctionFacts, module: Module, under_guard: bool) -> bool:
    """Whether a module calls a function by its name at its own level, under its main guard or outside of that."""
    form = re.compile(rf"\b{re.escape(callable_name(function))}\s*\(")
    return any(
        not module.code.startswith(_DEFINITIONS, block.span.start)
        and is_guard(block, module) is under_guard
        and stands_in(form, block.span, module)
        for block in module.outline.blocks
    )


def functions_of(
    module: Module, form: re.Pattern[str], wanted: Callable[[FunctionFacts], bool]
) -> Iterator[FunctionFacts]:
    """The functions, methods and module bodies of a module that contain the form, and the functions within these, that
    are wanted."""
    for block in module.outline.blocks:
        block_facts = module.facts_of(block) if form.search(module.code, block.span.start, block.span.end) else None
        stack = [block_facts.body] if block_facts is not None else []
        for class_ in block_facts.body.classes if block_facts is not None else ():
            stack += methods_holding(class_.methods, form, module.code)
        while stack:
            facts = stack.pop()
            if wanted(facts):
                yield facts
            stack.extend(facts.functions)


def is_given_back(setter: FunctionFacts, module: Module) -> bool:
    """Whether a function stands in one that returns it, as the maker of a decorator does."""
    if not setter.is_local:
        return False
    around = outer_function(setter, module).span
    giving = re.compile(rf"\breturn[ \t]+{re.escape(setter.name)}[ \t]*$", re.MULTILINE)
    return giving.search(module.code, setter.span.end, around.end) is not None
