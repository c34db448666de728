"""What libcst must not be asked to parse. Each refused shape crashes libcst 1.9 at some multiple of its size, or
takes time that grows with the square of it (or doubles with each level, in patterns)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lintpickle.parsing.nesting import is_absurd

NESTING: dict[str, tuple[int, Callable[[int], str]]] = {
    "and": (1100, lambda n: "x = " + " and ".join(["a"] * n)),
    "or": (1100, lambda n: "x = " + " or ".join(["a"] * n)),
    "sums": (1100, lambda n: "x = " + " + ".join(["a"] * n)),
    "powers": (1100, lambda n: "x = " + " ** ".join(["a"] * n)),
    "not": (1100, lambda n: "x = " + "not " * n + "a"),
    "signs": (1100, lambda n: "x = " + "-" * n + "a"),
    "attributes": (1100, lambda n: "x = a" + ".b" * n),
    "calls": (1100, lambda n: "x = a" + "()" * n),
    "subscripts": (1100, lambda n: "x = a" + "[0]" * n),
    "elif": (1100, lambda n: "if a:\n    b\n" + "elif a:\n    b\n" * n),
    "conditions": (600, lambda n: "x = " + "a if b else " * n + "c"),
    "strings": (1100, lambda n: "x = (" + "\n    'a'" * n + ")"),
    "f-strings side by side": (1100, lambda n: "x = " + "f'{a}' " * n),
    "for in a comprehension": (600, lambda n: "x = [a " + "for a in b " * n + "]"),
    "parentheses": (110, lambda n: "x = " + "(" * n + "a" + ")" * n),
    "lists": (110, lambda n: "x = " + "[" * n + "]" * n),
    "dicts": (110, lambda n: "x = " + "{0: " * n + "1" + "}" * n),
    "arguments": (110, lambda n: "x = " + "f(a, " * n + "b" + ")" * n),
    "lambdas": (110, lambda n: "x = " + "lambda: " * n + "0"),
    "lambdas as defaults": (110, lambda n: "x = " + "lambda a, b=" * n + "0" + ": 0" * n),
    "f-strings in one another": (110, lambda n: "x = " + 'f"{' * n + "a" + '}"' * n),
    "formats in formats": (110, lambda n: 'x = f"' + "{a:" * n + "}" * n + '"'),
    "blocks": (80, lambda n: "".join(" " * i + "if a:\n" for i in range(n)) + " " * n + "b"),
    "patterns": (12, lambda n: "match a:\n    case " + "[" * n + "b" + "]" * n + ":\n        c"),
    "patterns of classes": (12, lambda n: "match a:\n    case " + "C(" * n + "b" + ")" * n + ":\n        c"),
    "unclosed": (110, lambda n: "x = " + "(" * n),
    "after a string that does not end": (1100, lambda n: "x = 'a\ny = " + "-" * n + "a"),
}


@pytest.mark.parametrize("shape", NESTING)
def test_what_nests_too_deeply_is_refused(shape: str) -> None:
    size, source = NESTING[shape]
    assert is_absurd(source(size) + "\n")
    assert is_absurd("import os\n\n\ndef f(a):\n    return os\n\n\n" + source(size) + "\n")
    assert not is_absurd(source(size // 10 if size > 12 else 8) + "\n")


FLAT = {
    "statements": "a = b.c(d)\n" * 5000,
    "a table": "TABLE = [\n" + "    [1.5, -2, (3, 4), {'a': lambda x: x + 1}],\n" * 3000 + "]\n",
    "arguments": "f(" + "a=1, " * 5000 + ")\n",
    "parameters": "def f(" + ", ".join(f"a{i}: int = {i}" for i in range(3000)) + "): ...\n",
    "comparisons side by side": "x = [" + "a < b, " * 3000 + "]\n",
    "decorators": "@a.b(c)\n" * 3000 + "def f(): ...\n",
    "cases": "match a:\n" + "    case [b, C(d=1)]:\n        e\n" * 1000,
    "branches": "if a:\n    b\nelif c:\n    d\n" * 2000,
    "long strings": "x = '" + "([{" * 5000 + "'\ny = '''" + "\n([{" * 5000 + "'''\n# " + "([{" * 5000 + "\n",
    "escaped quotes": "x = '\\'(((((((((((((((((((('\n" * 500,
    "f-strings": "x = f'{a:>{b}} {{ {c!r} {d[\"e\"]}'\n" * 3000,
    "dict literals": "x = {" + "'a': {'b': [1, 2]}, " * 3000 + "}\n",
    "lambdas": "x = [" + "lambda a, b=1: a + b, " * 3000 + "]\n",
    "methods": "class A:\n" + "    def b(self):\n        if self.c:\n            return d\n" * 1000,
    "semicolons": "a = b; " * 3000 + "c\n",
    "case as a name": "case = (((((((((((a)))))))))))\n",
}


@pytest.mark.parametrize("shape", FLAT)
def test_what_is_only_long_is_read(shape: str) -> None:
    assert not is_absurd(FLAT[shape])


def test_moderate_nesting_without_end_takes_too_long() -> None:
    line = "x = " + "f(" * 60 + ")" * 60 + "\n"
    assert not is_absurd(line * 20)
    assert is_absurd(line * 2000)


def test_a_run_outlives_files_that_crash_libcst(tmp_path: Path) -> None:
    head = "import torch\n\n\ndef g(a):\n    torch.save(lambda: 0, a)\n"
    for number, (_, source) in enumerate(NESTING.values()):
        body = source(12_000 if number < 4 else 1500).replace("\n", "\n    ")
        (tmp_path / f"m{number}.py").write_text(f"{head}    {body}\n")
    (tmp_path / "good.py").write_text("import pickle\n\npickle.dumps(lambda: 0)\n")
    command = [sys.executable, "-m", "lintpickle", "check", "--no-cache", "--output-format", "concise", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 1, run.stderr
    assert "good.py:3:14: LP102" in run.stdout
    assert "defect" not in run.stderr
