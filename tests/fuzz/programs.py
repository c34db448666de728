"""Programs, notebooks and settings that nobody would write, made from a seed: the same seed gives the same."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
_TOKENS = re.compile(r"\w+|[^\w\s]|\n[ \t]*|[ \t]+")
_STRANGE = (
    "\0",
    "\ufeff",
    "\x0c",
    "\r",
    "\u2028",
    "é",
    "\U0001f600",
    "\\\n",
    "\t",
    "'''",
    '"""',
    "#",
    "# noqa: ",
    "\x1b[31m",
)
_WORDS = (
    *(
        "lambda: 0",
        "yield",
        "await x",
        "*",
        "**",
        ":=",
        "->",
        "@",
        "match x:",
        "case [*_]:",
        "type X = int",
        "except* A:",
    ),
    *(
        "async def f():",
        "class A[T: int]:",
        "nonlocal x",
        "global x",
        "del x",
        "f'{x!r:>{y}}'",
        't"{x}"',
        "...",
        "0x",
        "1e999",
    ),
    *(
        "if __name__ == '__main__':",
        "import torch",
        "pickle.dumps(",
        "DataLoader(x, num_workers=2)",
        "self.x = ",
        "return",
    ),
)
_BODIES = (
    "match {e}:\n    case [A(b={c}), *_] if {e}:\n        {s}\n    case {{'a': {c}, **rest}} | {c}:\n"
    "        {s}\n    case _:\n        {s}\n",
    "class A[T: int, *U, **V](Dataset):\n    def __init__[W](self, a: T = {e}) -> None:\n"
    "        self.a = {e}\n        {s}\n",
    "type X[T] = list[T] | {e}\n",
    "try:\n    {s}\nexcept* (A, {e}) as e:\n    {s}\nelse:\n    {s}\nfinally:\n    {s}\n",
    "async def f(a, /, b={e}, *, c: {e} = {e}, **d):\n    async with {e} as x, {e}:\n        {s}\n"
    "    async for y in {e}:\n        {s}\n",
    "if (x := {e}) and {e}:\n    {s}\nelif {e}:\n    {s}\nelse:\n    {s}\n",
    "while {e}:\n    {s}\n    break\nelse:\n    {s}\n",
    "with {e} as a, ({e}) as (b, *c):\n    {s}\n",
    "@{e}\ndef f(self=None):\n    x = {e}\n    def g():\n        nonlocal x\n        x = {e}\n"
    "        {s}\n    return g\n",
    "x = f'{{{e}!r:>{{{e}}}}} {{{e}=}}' f\"{{{e}}}\"\n",
    "for a, *b in {e}:\n    {s}\n    continue\n",
    "class D(Dataset):\n    def __init__(self):\n        self.f = {e}\n        self.g = [{e}, {e}]\n"
    "    def __getitem__(self, i):\n        {s}\n",
    "DataLoader(D({e}), num_workers={e}, collate_fn={e})\n",
    "Process(target={e}, args=({e},)).start()\n",
    "torch.save({e}, {e})\n",
)
_EXPRESSIONS = (
    *(
        "x",
        "self.x",
        "0",
        "1.5",
        "'a'",
        "b''",
        "None",
        "lambda a, b={e}: {e}",
        "{e} if {e} else {e}",
        "[{e} for a in {e} if {e}]",
    ),
    *(
        "{{a: {e} for a, b in {e}}}",
        "f({e}, *{e}, k={e}, **{e})",
        "{e}.a[{e}:{e}]",
        "({e}, {e})",
        "{{{e}: {e}, **{e}}}",
        "d.keys()",
    ),
    *(
        "{e} + {e}",
        "not {e}",
        "(y := {e})",
        "open({e})",
        "threading.Lock()",
        "partial({e}, {e})",
        "D({e})",
        "[*{e}, {e}]",
    ),
    *("{e} < {e} <= {e}", "-{e}", "torch.Generator()", "iter({e})", "[*x]", "(yield {e})", "x.__dict__"),
)
_CONSTANTS = ("0", "-1", "1.5j", "'a'", "None", "a.b", "x", "_", "[1, *y]", "A()")
_HEAD = "import pickle, threading\nimport torch\nfrom functools import partial\nfrom multiprocessing import Process\n"
_HEAD += "from torch.utils.data import DataLoader, Dataset\n\n"


def real_files() -> list[Path]:
    """Python files that are there wherever the tests are: lintpickle's own and the fixtures'."""
    return sorted([*ROOT.glob("lintpickle/**/*.py"), *ROOT.glob("tests/fixtures/**/*.py")])


def mutant(seed: int) -> str:
    """A real file in which some tokens or lines were removed, doubled, exchanged, or replaced."""
    chance = random.Random(seed)
    files = real_files()
    text = chance.choice(files).read_text(encoding="utf-8")[:20_000]
    by_token = chance.random() < 0.5
    pieces = _TOKENS.findall(text) if by_token else text.splitlines(keepends=True)
    for _ in range(chance.randint(1, 6)):
        if not pieces:
            break
        at = chance.randrange(len(pieces))
        other = chance.randrange(len(pieces))
        match chance.randrange(7):
            case 0:
                del pieces[at : at + chance.randint(1, 5)]
            case 1:
                pieces[at:at] = pieces[other : other + chance.randint(1, 8)]
            case 2:
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 3:
                pieces[at] = chance.choice(_STRANGE)
            case 4:
                pieces.insert(at, chance.choice(_WORDS))
            case 5:
                del pieces[at:]
            case _:
                pieces[at:at] = [pieces[at]] * chance.choice((2, 10, 300))
    return "".join(pieces)


def body(seed: int) -> str:
    """A program of statements and expressions that fit into each other, as the grammar would have it, mostly."""
    chance = random.Random(seed)

    def expression(depth: int) -> str:
        form = chance.choice(_EXPRESSIONS if depth < 4 else _EXPRESSIONS[:7])
        return re.sub(r"\{e\}", lambda _: expression(depth + 1), form).replace("{{", "{").replace("}}", "}")

    def statement(depth: int) -> str:
        if depth > 3 or chance.random() < 0.4:
            return f"x = {expression(1)}"
        text = re.sub(r"\{([esc])\}", lambda found: made[found[1]](depth + 1), chance.choice(_BODIES))
        return text.replace("{{", "{").replace("}}", "}").rstrip("\n")

    def indented(depth: int) -> str:
        return statement(depth).replace("\n", "\n    ")

    made: dict[str, Callable[[int], str]] = {
        "e": expression,
        "s": indented,
        "c": lambda _: chance.choice(_CONSTANTS),
    }
    return _HEAD + "".join(statement(0) + "\n" for _ in range(chance.randint(1, 8)))


def notebook(seed: int) -> str:
    """The JSON of a notebook whose cells are such programs, with magics and keys that do not belong there."""
    chance = random.Random(seed)
    cells: list[object] = []
    for number in range(chance.randint(0, 5)):
        text = chance.choice((body, mutant))(seed * 10 + number)[:3000]
        text = chance.choice(("", "%%time\n", "%%bash\n", "!ls\n", "?x\n", "  %matplotlib inline\n")) + text
        source: object = text.splitlines(keepends=True) if chance.random() < 0.7 else text
        cell: dict[str, object] = {"cell_type": chance.choice(("code", "code", "markdown", "raw", 3)), "source": source}
        if chance.random() < 0.1:
            cell["source"] = chance.choice((None, 3, [None], {}, [["a"]]))
        cells.append(cell if chance.random() < 0.95 else chance.choice((None, [], "x")))
    written = json.dumps({"cells": cells, "metadata": {}, "nbformat": chance.choice((4, 3, None, "4"))})
    if chance.random() < 0.2:
        at = chance.randrange(len(written))
        written = written[:at] + chance.choice(("", "}", '"', "\\ud800", "\0", "9" * 5000)) + written[at + 1 :]
    return written


_KEYS = (
    *("select", "ignore", "extend-select", "per-file-ignores", "exclude", "src", "python", "target-version", "catalog"),
    *(
        "extend",
        "start-methods",
        "pedantic",
        "unsafe-fixes",
        "output-format",
        "nonsense",
        "fixable",
        "respect-gitignore",
    ),
)
_VALUES = (
    *(
        "true",
        "1",
        "-1.5",
        "nan",
        '"LP101"',
        '["LP101", "lambda-attribute"]',
        '["ALL"]',
        '["*.py"]',
        '"."',
        '"~x/y"',
        "[]",
    ),
    *(
        "{}",
        '{"*.py" = ["ALL"]}',
        '{"[" = [1]}',
        '["spawn"]',
        '"3.12"',
        '">=3.9,<4"',
        '"\\u0000"',
        '"../../.."',
        "1979-05-27",
    ),
    *(
        "9" * 5000,
        "[" * 500 + "]" * 500,
        '["**/a", "!b", "[z-a]"]',
        '"json"',
        '"' + "a" * 3000 + '"',
        '["\\u001b[31m"]',
    ),
)


def settings(seed: int) -> str:
    """A `lintpickle.toml` of settings, right ones and wrong ones."""
    chance = random.Random(seed)
    keys = chance.sample(_KEYS, chance.randint(1, 3))
    text = "".join(f"{key} = {chance.choice(_VALUES)}\n" for key in keys)
    if chance.random() < 0.15:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(("", "=", "[[", '"', "\0", "\n\n")) + text[at + 1 :]
    return text
