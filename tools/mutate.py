"""Mutation testing: changes one thing at a time in rules or fixes, and reports the changes that no test notices.

python -m tools.mutate                                   a sample of all of `fixes/` and `rules/`
python -m tools.mutate lintpickle/fixes/operators.py --all
python -m tools.mutate --sample 100 --seed 7

Each mutant is tested in a copy of the tree by the tests of its module: tests/fixes, or the test file of its rule and
those of several rules. A survivor means a missing test, unnecessary code, or a change without an effect. Exits with 1
if any survived.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
PLACES = (Path("lintpickle", "fixes"), Path("lintpickle", "rules"))
_COPIED = ("lintpickle", "rules", "tests", "tools", "pyproject.toml")
_SECONDS = 300
_DROPPED = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
"""Statements without which a function can go on."""


class Mutant(Struct, frozen=True):
    """A change of one file: `text` in place of the bytes from `start` to `end`. `row` is 1-based."""

    path: Path
    what: str
    row: int
    start: int
    end: int
    text: str

    def applied(self, source: bytes) -> bytes:
        """The source with the change."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def __str__(self) -> str:
        return f"{self.path.as_posix()}:{self.row}: {self.what}"


def mutants(path: Path, source: str) -> Iterator[Mutant]:
    """The mutants of a file, all of which can be parsed. Docstrings, class data and imports are not changed."""
    rows = [0]
    for line in source.splitlines(keepends=True):
        rows.append(rows[-1] + len(line.encode()))
    data = source.encode()
    tree = ast.parse(source)
    for function in (each for each in ast.walk(tree) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))):
        docstring = function.body[0] if ast.get_docstring(function, clean=False) is not None else None
        for node in _within(function):
            for what, part, text in _changes(node, source) if node is not docstring else ():
                start = rows[part.lineno - 1] + part.col_offset
                end = rows[(part.end_lineno or part.lineno) - 1] + (part.end_col_offset or 0)
                mutant = Mutant(path, what, part.lineno, start, end, text)
                if _is_python(mutant.applied(data)):
                    yield mutant


def _within(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """The nodes in the body of a function, without inner functions, annotations and patterns."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop(0)
        yield node
        if isinstance(node, ast.AnnAssign):
            todo += [node.value] if node.value is not None else []
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.JoinedStr, ast.pattern)):
            todo += ast.iter_child_nodes(node)


def _changes(node: ast.AST, source: str) -> Iterator[tuple[str, ast.stmt | ast.expr, str]]:
    """The possible changes of a node: a description, the part that is replaced, and its replacement."""

    def text(part: ast.expr) -> str:
        return f"({ast.get_source_segment(source, part)})"

    match node:
        case ast.BoolOp(op=operator, values=values):
            word = " and " if isinstance(operator, ast.And) else " or "
            for dropped in values:
                kept = word.join(text(each) for each in values if each is not dropped)
                yield f"without `{ast.unparse(dropped)}`", node, f"({kept})"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield f"not `{ast.unparse(test)}`", test, f"(not {text(test)})"
        case ast.comprehension(ifs=[_, *_] as conditions):
            for test in conditions:
                yield f"whether or not `{ast.unparse(test)}`", test, "True"
        case ast.Constant(value=bool() as value):
            yield f"`{not value}` for `{value}`", node, str(not value)
        case ast.Constant(value=int() as number):
            yield f"`{number + 1}` for `{number}`", node, str(number + 1)
        case ast.Return(value=ast.Constant(value=None)):
            pass
        case ast.Return(value=ast.expr() as value):
            yield f"without `{ast.unparse(value)}`", value, "None"
        case ast.stmt() if isinstance(node, _DROPPED):
            yield f"without `{ast.unparse(node)}`", node, "pass"
        case _:
            pass


def _is_python(source: bytes) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def tests_of(path: Path) -> tuple[str, ...]:
    """The tests of a module of `fixes` or `rules`."""
    own = Path("tests", "rules", f"test_{path.stem}.py")
    if path.parent == PLACES[1] and (ROOT / own).exists():
        return (own.as_posix(), "tests/rules/several")
    return ("tests/fixes",) if path.parent == PLACES[0] else ("tests/rules",)


class Tree:
    """A copy of the tree, in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in _COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "proofs"))
            else:
                shutil.copy(source, folder / name)

    def passes(self, tests: Sequence[str]) -> bool:
        """Whether the tests pass; what never ends fails."""
        environment = {**os.environ, "PYTHONPATH": str(self._folder), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(command, cwd=self._folder, env=environment, capture_output=True, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def kills(self, mutant: Mutant) -> bool:
        """Whether a test fails with the mutant."""
        target = self._folder / mutant.path
        source = target.read_bytes()
        target.write_bytes(mutant.applied(source))
        try:
            return not self.passes(tests_of(mutant.path))
        finally:
            target.write_bytes(source)


def chosen(paths: Sequence[Path], sample: int | None, seed: int) -> list[Mutant]:
    """All mutants of some files, or a sample of so many of them."""
    found = [mutant for path in paths for mutant in mutants(path, (ROOT / path).read_text(encoding="utf-8"))]
    if sample is None or sample >= len(found):
        return found
    return sorted(random.Random(seed).sample(found, sample), key=lambda mutant: (mutant.path, mutant.row))


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--sample", default=40, show_default=True, help="How many mutants to test.")
@click.option("--all", "everything", is_flag=True, help="Test all mutants.")
@click.option("--seed", default=1, show_default=True, help="Which sample.")
def main(paths: tuple[Path, ...], sample: int, everything: bool, seed: int) -> None:
    """Change PATHS (files of lintpickle/fixes and lintpickle/rules; by default all) one place at a time."""
    every = [path.relative_to(ROOT) for place in PLACES for path in sorted((ROOT / place).glob("[!_]*.py"))]
    files = [path.resolve().relative_to(ROOT) for path in paths] or every
    todo = chosen(files, None if everything else sample, seed)
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder))
        tests = sorted({test for mutant in todo for test in tests_of(mutant.path)})
        if not tree.passes(tests):
            raise click.ClickException("the tests fail without any mutant")
        for number, mutant in enumerate(todo, 1):
            killed = tree.kills(mutant)
            print(f"{number}/{len(todo)} {'killed  ' if killed else 'SURVIVED'} {mutant}", flush=True)
            survivors += [] if killed else [mutant]
    print(f"{len(todo) - len(survivors)} of {len(todo)} mutants were killed")
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()
