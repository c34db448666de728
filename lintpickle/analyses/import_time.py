"""What runs when modules are imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.methods import method_spans, methods_holding
from lintpickle.facts.records import FunctionFacts
from lintpickle.parsing.main_guard import is_lone_guard
from lintpickle.parsing.outline import Block
from lintpickle.program.module import Module

_OF_CONTEXT = frozenset({"__enter__", "__exit__", "__aenter__", "__aexit__"})
NO_CODE = re.compile(r"(\"{3}|'{3})[\s\S]*?\1|#[^\n]*")
"""Docstrings and comments."""
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
_OF_EACH_CLASS = frozenset(
    {"__init_subclass__", "__pydantic_init_subclass__", "__set_name__", "__class_getitem__", "__prepare__"}
)
"""Methods that run when a class is created, or that its header calls."""


def is_guard(block: Block, module: Module) -> bool:
    """Whether a block is a main guard without another branch."""
    question = ("is a main guard", block.span)
    return module.remembered(question, lambda: is_lone_guard(module.facts.text(block)))


def guard_of(offset: int, module: Module) -> Block | None:
    """The main guard in which an offset of the text lies."""
    block = module.outline.block_at(offset)
    return block if block is not None and is_guard(block, module) else None


def runs_later(block: Block, module: Module) -> bool:
    """Whether what stands in a block does not run when workers import the module: a function, a class, a main guard."""
    return block.defines_function or block.is_class or is_guard(block, module)


def callable_name(function: FunctionFacts) -> str:
    """The name by which code calls a function; for `__init__` and other special methods, the name of the class."""
    owner = function.qualname.rpartition(".")[0].rpartition(".")[2]
    return owner if function.name.startswith("__") and owner else function.name


def runs_on_import(function: FunctionFacts, module: Module) -> bool:
    """Whether importing a module that contains or names the function may run it: when a class is created, as a
    decorator, in a class body, called by the module's own code, or by a function of the module that runs in this
    way."""
    question = ("runs on import", function.qualname)
    return module.remembered(question, lambda: _runs(function, module))


def _runs(function: FunctionFacts, module: Module) -> bool:
    waiting, seen = [function], {id(function)}
    while waiting:
        current = waiting.pop()
        if current.name in _OF_EACH_CLASS or _names_at_import(current, module):
            return True
        callers = [each for each in callers_in(current, module) if id(each) not in seen]
        seen.update(map(id, callers))
        waiting += callers
    return False


def _names_at_import(function: FunctionFacts, module: Module) -> bool:
    question = ("is named at import", function.name, callable_name(function))
    return module.remembered(question, lambda: _is_named(function, module))


def callers_in(function: FunctionFacts, module: Module) -> tuple[FunctionFacts, ...]:
    """The functions of the module in which the name of a function stands."""
    name = callable_name(function)
    calling = re.compile(rf"\b{re.escape(name)}\b")

    def find() -> tuple[FunctionFacts, ...]:
        found = functions_of(module, calling, lambda each: _holds(each, calling, module))
        return tuple(each for each in found if not each.is_module_body)

    return module.remembered(("callers", name), find)


def _holds(function: FunctionFacts, form: re.Pattern[str], module: Module) -> bool:
    return _stands_in(form, function.span, module)


def _stands_in(form: re.Pattern[str], span: Span, module: Module) -> bool:
    """Whether a form stands in a part of the text, other than in its comments and in texts without code."""
    if form.search(module.code, span.start, span.end) is None:
        return False
    code = NO_CODE.sub("", module.code[span.start : span.end])
    return form.search(_PLAIN_TEXT.sub("''", code)) is not None


def _is_named(function: FunctionFacts, module: Module) -> bool:
    """Whether what the module does at import names the function, outside of its main guard."""
    name = callable_name(function)
    word = re.escape(name)
    anywhere = re.compile(rf"\b{word}\b")
    alone = re.compile(rf"\b{word}\b(?!\s*\.\s*\w)")  # `@cli.command()` runs no `cli`.
    heads = rf"@\s*(?:\w+\s*\.\s*)*{word}\b|\bmetaclass\s*=\s*(?:\w+\.)*{word}\b"
    in_classes = re.compile(heads if name == function.name else rf"{heads}|(?<!class )\b{word}\s*\(")
    for block in module.outline.blocks:
        if not _stands_in(anywhere, block.span, module) or is_guard(block, module):
            continue
        if not module.code.startswith(_DEFINITIONS, block.span.start):
            return True
        used = alone if name == function.name else in_classes
        as_decorator = re.compile(rf"@\s*(?:\w+\s*\.\s*)*{word}\b" if _is_of_context(function) else r"(?!)")
        if any(used.search(as_decorator.sub("", text)) for text in _at_definition(block, module)):
            return True
    return False


def _is_of_context(function: FunctionFacts) -> bool:
    """Whether a function runs as a context is entered or left: where that is a decorator, whenever what it decorates
    runs (`contextlib.ContextDecorator`, which a function with `@contextmanager` is made, too)."""
    return function.name in _OF_CONTEXT or function.decorated_by("contextmanager", "asynccontextmanager")


def is_called_by(function: FunctionFacts, module: Module, under_guard: bool) -> bool:
    """Whether a module calls a function by its name at its own level, under its main guard or outside of that."""
    form = re.compile(rf"\b{re.escape(callable_name(function))}\s*\(")
    return any(
        not module.code.startswith(_DEFINITIONS, block.span.start)
        and is_guard(block, module) is under_guard
        and _stands_in(form, block.span, module)
        for block in module.outline.blocks
    )


def _at_definition(block: Block, module: Module) -> Iterator[str]:
    """The text of a definition without the functions: decorators, and what the body of a class does."""
    facts = module.facts_of(block)
    if facts is None:
        return
    functions = [each.span for each in facts.body.functions]
    functions += [span for class_ in facts.body.classes for span in method_spans(class_)]
    start = block.span.start
    for span in sorted(functions):
        yield NO_CODE.sub("", module.code[start : span.start])
        start = max(start, span.end)
    yield NO_CODE.sub("", module.code[start : block.span.end])


def functions_of(
    module: Module, form: re.Pattern[str], wanted: Callable[[FunctionFacts], bool]
) -> Iterator[FunctionFacts]:
    """The functions, methods and module bodies of a module that contain the form and are wanted."""
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
