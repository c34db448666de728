"""Fix whole trees of other people's code, and see what became of them:
`python -m tools.fix_sweep TREE... --tests PYTHON`, or, for packages whose tests need no network,
`python -m tools.fix_sweep --tested CACHE [NAME...]`.

Each tree (a folder, or a wheel) is copied, and `check --fix --unsafe-fixes` is run on the copy, as for a library whose
author wants to hear of everything that is possible. Then

* what parsed before still parses, and a second run fixes nothing more;
* what was fixed is gone, and nothing came that was not there before;
* files that were not fixed are the same, byte for byte; of those that were, mode, encoding and ends of lines;
* every changed line is one that a fix is about (or `later`: what a fix of a later round is about);
* with `--tests`, the tests of the tree give the same as before, each of them, under that interpreter. Of those that do
  not, it is enough if they do when they are run once more: some tests depend on the time that they are given.

`--tested` does so with the packages of `tested_packages.tsv`: it downloads them and what their tests need. Without
`--tests` and `--tested`, no code of the trees is run. A row is printed for each tree, and a line for each thing that
went wrong. The exit code is 1 if anything did.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lintpickle.api import FixMode, lint_paths
from lintpickle.diagnostics import Outcome
from lintpickle.settings import SettingsResolver
from tools.tested_packages import Row, tested_rows

SECONDS = 600
"""So long may one tree take, and one run of its tests."""
_NEWLINES = re.compile(rb"\r\n|\r|\n")
_RESULT = re.compile(r"^(PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED) (\S+)", re.MULTILINE)

State = dict[str, tuple[int, bytes]]
"""The files of a tree: mode and content."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns 0 if nothing went wrong, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.fix_sweep")
    parser.add_argument("trees", nargs="*", type=Path, help="folders and wheels; with --tested names of packages")
    parser.add_argument("--tests", metavar="PYTHON", help="run the tests of each tree with this interpreter")
    parser.add_argument("--arguments", default=".", help="what to tell pytest")
    parser.add_argument("--path", default="", help="the folder of a tree that its packages are in")
    parser.add_argument("--unfixed", default="", help="files and folders of a tree that are not fixed")
    parser.add_argument("--tested", metavar="CACHE", type=Path, help="fix the packages that have tests, kept here")
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has torch, for the tests that need it")
    parser.add_argument("--one", action="store_true", help="do it here, and not in a process for each tree")
    given = parser.parse_args(arguments)
    if given.one:
        tests = Tests(given.tests, given.arguments.split(), given.path) if given.tests else None
        return max(_sweep(tree, tests, given.unfixed.split()) for tree in given.trees)
    rows = [Row(tree, given.tests, given.arguments, given.path, given.unfixed) for tree in given.trees]
    if given.tested:
        rows = list(tested_rows(given.tested, [str(name) for name in given.trees], given.torch))
    print(
        "| tree | files | findings | with a fix | fixed | files changed | later "
        "| tests passed before, after | seconds | wrong |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    worst = 0
    for tree, python, arguments, path, unfixed in rows:
        command = [sys.executable, "-m", "tools.fix_sweep", "--one", str(tree), f"--unfixed={unfixed}"]
        command += [f"--tests={python}", f"--arguments={arguments}", f"--path={path}"] if python else []
        try:
            code = subprocess.run(command, timeout=5 * SECONDS, check=False).returncode
        except subprocess.TimeoutExpired:
            code = 1
            print(f"{tree}: no end after {5 * SECONDS} s", flush=True)
        if code not in (0, 1):
            print(f"{tree}: the process ended with {code}", flush=True)
        worst = max(worst, int(bool(code)))
    return worst


class Tests(NamedTuple):
    """How to run the tests of a tree: the interpreter, the arguments of pytest, and where packages are in the tree."""

    python: str
    arguments: Sequence[str]
    path: str

    def outcomes(self, tree: Path, only: Sequence[str] = ()) -> Mapping[str, str]:
        """The outcome of each test, by its name; of none if they take too long."""
        command = [self.python, "-m", "pytest", "-q", "--tb=no", "-rA", "-p", "no:cacheprovider", "--no-header"]
        folders = [str(tree / self.path), *filter(None, [os.environ.get("PYTHONPATH")])]
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(folders), "PYTHONDONTWRITEBYTECODE": "1"}
        environ |= {"COLUMNS": "1000", "PYTHONHASHSEED": "0"}
        command += ["-o", "addopts=", *(only or self.arguments)]
        try:
            done = subprocess.run(
                command, cwd=tree, env=environ, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return {}
        return {name: result for result, name in _RESULT.findall(done.stdout)}

    def compared(self, tree: Path, before: Mapping[str, str]) -> tuple[Mapping[str, str], list[str]]:
        """The outcomes in a tree that was fixed, and how they differ from those before."""
        after = dict(self.outcomes(tree))
        other = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
        if other:
            after |= self.outcomes(tree, sorted(other))
        named = ((name, before.get(name), after.get(name)) for name in sorted(other))
        return after, [f"{name}: {was}, now {now}" for name, was, now in named if was != now]


def _passed(outcomes: Mapping[str, str]) -> int:
    return sum(each == "PASSED" for each in outcomes.values())


def _sweep(tree: Path, tests: Tests | None, unfixed: Sequence[str]) -> int:
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copy, original = Path(folder).resolve() / tree.stem, Path(folder).resolve() / "original" / tree.stem
        _copy(tree, copy)
        before, state = _lint(copy, FixMode.NONE, unfixed), _state(copy)
        fixed = _lint(copy, FixMode.WRITE, unfixed)
        changed = _state(copy)
        wrong = [*_wrong_files(state, changed, fixed)]
        later, far = _unexplained(before, state, changed)
        wrong += [*far, *_wrong_findings(before, fixed, _lint(copy, FixMode.NONE, unfixed))]
        again = _lint(copy, FixMode.WRITE, unfixed)
        wrong += [f"fixed again: {change.path}" for change in again.changes]
        told = "-"
        if tests is not None and fixed.changes:
            _copy(tree, original)
            outcomes = tests.outcomes(original)
            after, differences = tests.compared(copy, outcomes)
            told = f"{_passed(outcomes)}, {_passed(after)}"
            wrong += differences if _passed(outcomes) else ["no test passed before"]
        count = sum(len(change.fixed) for change in fixed.changes)
    fixable = sum(each.fix is not None for each in before.diagnostics)
    cells = (tree.name, before.files, len(before.diagnostics), fixable, count, len(fixed.changes), later, told)
    print("|", " | ".join(map(str, cells)), f"| {time.monotonic() - started:.0f} | {len(wrong)} |", flush=True)
    for each in wrong:
        print(f"  {tree.name}: {each}", flush=True)
    return int(bool(wrong))


def _copy(tree: Path, copy: Path) -> None:
    if tree.suffix == ".whl":
        with zipfile.ZipFile(tree) as wheel:
            wheel.extractall(copy)
        return
    shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))


def _lint(tree: Path, fix: FixMode, unfixed: Sequence[str]) -> Outcome:
    overrides = {"unsafe_fixes": True, "pedantic": True, "library": True, "extend_exclude": tuple(unfixed)}
    resolver = SettingsResolver(cwd=tree, isolated=True, overrides=overrides)
    return lint_paths([str(tree)], resolver=resolver, fix=fix)


def _state(tree: Path) -> State:
    files = (path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    kept = (path for path in files if "__pycache__" not in path.parts)
    return {str(path): (path.stat().st_mode, path.read_bytes()) for path in kept}


def _wrong_files(before: State, after: State, fixed: Outcome) -> Iterator[str]:
    changed = {change.path for change in fixed.changes}
    for path in sorted(before.keys() | after.keys()):
        if path not in before or path not in after:
            yield f"{path}: {'made' if path in after else 'lost'}"
        elif path not in changed and before[path] != after[path]:
            yield f"{path}: changed, and not said"
        elif path in changed:
            yield from (f"{path}: {what}" for what in _wrong_file(before[path], after[path], path))


def _wrong_file(before: tuple[int, bytes], after: tuple[int, bytes], path: str) -> Iterator[str]:
    if before[0] != after[0]:
        yield "another mode"
    if path.endswith(".ipynb"):
        return
    if _parses(before[1]) and not _parses(after[1]):
        yield "does not parse any more"
    if _encoding(before[1]) != _encoding(after[1]):
        yield "another encoding"
    ends = set(_NEWLINES.findall(before[1]))
    if not set(_NEWLINES.findall(after[1])) <= ends:
        yield "other ends of lines"


def _parses(data: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _encoding(data: bytes) -> str:
    try:
        return tokenize.detect_encoding(iter(data.splitlines(keepends=True)).__next__)[0]
    except SyntaxError:
        return "none"


def _unexplained(found: Outcome, before: State, after: State) -> tuple[int, list[str]]:
    """How many changed places no fix of the first round is about; and those that are far from any finding's file."""
    rows: dict[str, set[int]] = {}
    for each in found.diagnostics:
        if each.fix is not None:
            text = before[each.location.path][1].decode(_encoding(before[each.location.path][1]), "replace")
            text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
            for edit in each.fix.edits:
                first, last = text.count("\n", 0, edit.span.start), text.count("\n", 0, edit.span.end)
                rows.setdefault(each.location.path, set()).update(range(first - 1, last + 2))
    later, far = 0, []
    for path, (_, data) in before.items():
        if path in after and after[path][1] != data and not path.endswith(".ipynb"):
            old, new = data.splitlines(), after[path][1].splitlines()
            for kind, start, end, _, _ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
                if kind != "equal" and rows.get(path, set()).isdisjoint(range(start, max(end, start + 1))):
                    later += 1
            if path not in rows:
                far.append(f"{path}: changed without a fix")
    return later, far


def _wrong_findings(before: Outcome, fixed: Outcome, after: Outcome) -> Iterator[str]:
    old, new = _kinds(before), _kinds(after)
    for kind, count in (new - old).items():
        yield f"new: {kind} ({count})"
    gone = Counter((change.path, each.code) for change in fixed.changes for each in change.fixed)
    were, are = (Counter((path, code) for path, code, _ in kinds.elements()) for kinds in (old, new))
    for place, count in gone.items():
        if are[place] > were[place] - count:
            yield f"said to be fixed, and still there: {place}"
    yield from (f"a defect: {each}" for outcome in (before, fixed, after) for each in outcome.defects)


def _kinds(outcome: Outcome) -> Counter[tuple[str, str, str]]:
    # Messages tell rows of other places, which move.
    found = outcome.diagnostics
    return Counter((each.location.path, each.code, re.sub(r"line \d+", "line", each.message)) for each in found)


if __name__ == "__main__":
    sys.exit(main())
