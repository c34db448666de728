"""What is measured: each scenario is a function that runs lintpickle, in turns with other tools, and gives the runs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.bench import Bench, Repeated
from benchmarks.corpora import RECIPES, make_environment
from benchmarks.measure import Run
from benchmarks.projects import make_project, module_text
from benchmarks.results import Measurement
from benchmarks.tools import PEERS, PROGRAM_PEERS, RUFF, Installed
from lintpickle.diagnostics import LintpickleError

COLD = "lintpickle without a cache"
COMPILED = "lintpickle with compiled modules"
GROWTH = ("medium", "large", "large-x4")
PROJECT_FILES = 3000
PROJECT_LINES = 100
STEP = 211
"""So many files further is the next one that is edited: a prime number."""

_CONCISE = ("--output-format", "concise")
_QUIET_RUFF = ("--select", "F7,F63")
"""Rules that find nothing in the corpora, nor in the made-up project."""

_CODE_AT = re.compile(r"^(?:copy\d+/)?(.+: LP\d{3}\b)", re.MULTILINE)
_CODE = re.compile(r"\bLP\d{3}\b")
_CURE, _HAZARD = "self.names = sorted(names)", "self.names = {}.keys()"

Measure = Callable[[Bench, str], Iterator[Measurement]]


@dataclass(frozen=True)
class Scenario:
    """A named way of running the tools, which `measure` measures on a corpus. A scenario that brings its own code is
    not told one, and is measured once."""

    name: str
    description: str
    on_corpora: bool
    measure: Measure


def _scenario(name: str, *, on_corpora: bool) -> Callable[[Measure], Scenario]:
    """Make a function a scenario; its docstring is the description."""
    return lambda measure: Scenario(name, " ".join((measure.__doc__ or "").split()), on_corpora, measure)


@_scenario("cold", on_corpora=True)
def cold(bench: Bench, name: str) -> Iterator[Measurement]:
    """Nothing comes from a cache, nothing is put there; default rules, whole program."""
    folder = bench.corpus(name).folder
    ours = partial(_cold_run, bench, bench.lintpickle, folder)
    ours(0)
    for tool in PEERS:
        if bench.slow or not tool.slow:
            yield bench.compare("cold", name, ours, tool.name, partial(_cold_run, bench, bench.tool(tool), folder))


@_scenario("whole-program", on_corpora=True)
def whole_program(bench: Bench, name: str) -> Iterator[Measurement]:
    """As cold, beside tools that read the whole program, too: type checkers. They do more with annotations, and
    nothing with processes; none of them runs on Python, but for mypy, which is compiled."""
    folder = bench.corpus(name).folder
    ours = partial(_cold_run, bench, bench.lintpickle, folder)
    ours(0)
    for tool in PROGRAM_PEERS:
        if bench.slow or not tool.slow:
            theirs = partial(_cold_run, bench, bench.tool(tool), folder)
            yield bench.compare("whole-program", name, ours, tool.name, theirs)


@_scenario("no-bytecode", on_corpora=True)
def no_bytecode(bench: Bench, name: str) -> Iterator[Measurement]:
    """As warm-findings, installed with `PYTHONDONTWRITEBYTECODE=1`: each run compiles the modules that it imports."""
    folder = bench.corpus(name).folder
    copy = bench.new_folder() / "environment"
    shutil.copytree(bench.lintpickle.programs.parent, copy, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    uncompiled = [str(copy / "bin" / "python"), "-B", "-m"]
    arguments = _check(bench.new_folder())
    ours, _answer = bench.warmed(bench.lintpickle, folder, *arguments)

    def bare(_: int) -> Run:
        return bench.runner.run([*uncompiled, "lintpickle", *arguments], folder).run

    yield bench.compare("no-bytecode", name, bare, COMPILED, ours)


@_scenario("first", on_corpora=True)
def first(bench: Bench, name: str) -> Iterator[Measurement]:
    """The first run ever: as cold, and an empty cache is filled."""
    folder = bench.corpus(name).folder
    ruff = bench.tool(RUFF)

    def ours(_: int) -> Run:
        return bench.lint(bench.lintpickle, folder, *_check(bench.new_folder())).run

    def theirs(_: int) -> Run:
        return bench.lint(ruff, folder, *_ruff_check(bench.new_folder())).run

    yield bench.compare("first", name, ours, RUFF.name, theirs)


@_scenario("warm-clean", on_corpora=True)
def warm_clean(bench: Bench, name: str) -> Iterator[Measurement]:
    """Nothing changed since the last run, and nothing is found: lintpickle ignores the rules that would report
    something, ruff runs with F7 and F63 only."""
    folder = bench.corpus(name).folder
    codes = sorted(set(_CODE.findall(bench.lint(bench.lintpickle, folder).output.decode())))
    ignored = ("--ignore", ",".join(codes)) if codes else ()
    ours, our_answer = bench.warmed(bench.lintpickle, folder, *_check(bench.new_folder(), *ignored))
    theirs, their_answer = bench.warmed(bench.tool(RUFF), folder, *_ruff_check(bench.new_folder(), *_QUIET_RUFF))
    if our_answer.exit or their_answer.exit:
        raise LintpickleError(f"something is found in the corpus {name}, which should count as clean")
    yield bench.compare("warm-clean", name, ours, RUFF.name, theirs)


@_scenario("warm-findings", on_corpora=True)
def warm_findings(bench: Bench, name: str) -> Iterator[Measurement]:
    """Nothing changed since the last run, and the default rules find something."""
    folder = bench.corpus(name).folder
    ours, our_answer = bench.warmed(bench.lintpickle, folder, *_check(bench.new_folder()))
    theirs, their_answer = bench.warmed(bench.tool(RUFF), folder, *_ruff_check(bench.new_folder()))
    if not our_answer.exit or not their_answer.exit:
        raise LintpickleError(f"nothing is found in the corpus {name}, which should count as one with findings")
    yield bench.compare("warm-findings", name, ours, RUFF.name, theirs)


@_scenario("edit", on_corpora=False)
def edit(bench: Bench, _: str) -> Iterator[Measurement]:
    """One of the 3,000 files of a made-up project changed since the last run: a dataset that another module imports
    gains a hazard or loses it."""
    root, path = _made_up_project(bench)
    text = path.read_text(encoding="utf-8")
    ruff = bench.tool(RUFF)
    ours, theirs = _check(bench.new_folder()), _ruff_check(bench.new_folder(), *_QUIET_RUFF)

    def change(number: int, comment: str) -> None:
        changed = text.replace(_CURE, _HAZARD) if number % 2 else text
        path.write_text(f"{changed}\n# {comment} {number}\n", encoding="utf-8")

    def our_run(number: int) -> Run:
        change(number, "ours")
        outcome = bench.lint(bench.lintpickle, root, *ours)
        if (path.name.encode() in outcome.output) != bool(number % 2):
            raise LintpickleError(f"lintpickle overlooked a change of {path.name}:\n{outcome.output.decode()}")
        return outcome.run

    def their_run(number: int) -> Run:
        change(number, "theirs")
        return bench.lint(ruff, root, *theirs).run

    bench.lint(bench.lintpickle, root, *ours)
    bench.lint(ruff, root, *theirs)
    yield bench.compare("edit", "", our_run, RUFF.name, their_run)


@_scenario("comment", on_corpora=True)
def comment(bench: Bench, name: str) -> Iterator[Measurement]:
    """A comment line was added to one file of a corpus since the last run, to another one each time; beside runs that
    know nothing of earlier ones."""
    root = bench.new_folder() / "tree"
    shutil.copytree(bench.corpus(name).folder, root)
    files = sorted(root.rglob("*.py"))
    arguments = _check(bench.new_folder())
    answer = bench.lint(bench.lintpickle, root, *arguments)

    def ours(number: int) -> Run:
        path = files[number * STEP % len(files)]
        path.write_bytes(path.read_bytes() + f"\n# comment {number}\n".encode())
        outcome = bench.lint(bench.lintpickle, root, *arguments)
        if outcome.output != answer.output:
            raise LintpickleError(f"a comment at the end of {path.name} changes what is found")
        return outcome.run

    yield bench.compare("comment", name, ours, COLD, partial(_cold_run, bench, bench.lintpickle, root))


@_scenario("one-file", on_corpora=False)
def one_file(bench: Bench, _: str) -> Iterator[Measurement]:
    """One unchanged file of 100 lines is named, after a run on the whole of its project of 3,000 files."""
    root, path = _made_up_project(bench)
    named = str(path.relative_to(root))
    runs = []
    for tool, arguments in (
        (bench.lintpickle, _check(bench.new_folder())),
        (bench.tool(RUFF), _ruff_check(bench.new_folder(), *_QUIET_RUFF)),
    ):
        bench.lint(tool, root, *arguments)
        runs.append(bench.warmed(tool, root, *arguments[:-1], named)[0])
    yield bench.compare("one-file", "", runs[0], RUFF.name, runs[1])


@_scenario("version", on_corpora=False)
def version(bench: Bench, _: str) -> Iterator[Measurement]:
    """`--version`."""
    ours, _answer = bench.warmed(bench.lintpickle, bench.scratch, "--version")
    theirs, _answer = bench.warmed(bench.tool(RUFF), bench.scratch, "--version")
    yield bench.compare("version", "", ours, RUFF.name, theirs)


@_scenario("growth", on_corpora=False)
def growth(bench: Bench, _: str) -> Iterator[Measurement]:
    """As cold, lintpickle alone, in turns on corpora of growing size; counts only if it finds the same in each copy of
    the large one."""
    folders = [bench.corpus(name).folder for name in GROWTH]
    once, often = (_CODE_AT.findall(bench.lint(bench.lintpickle, folder).output.decode()) for folder in folders[-2:])
    if sorted(once * RECIPES[GROWTH[-1]].copies) != sorted(often):
        raise LintpickleError(f"the copies in {GROWTH[-1]} are not judged like the code that they are copies of")
    runs: list[Repeated] = [partial(_cold_run, bench, bench.lintpickle, folder) for folder in folders]
    yield from bench.alone("growth", GROWTH, runs)


def scenarios() -> dict[str, Scenario]:
    """All scenarios of this module by name."""
    return {each.name: each for each in globals().values() if isinstance(each, Scenario)}


def _cold_run(bench: Bench, tool: Installed, folder: Path, _: int) -> Run:
    return bench.lint(tool, folder).run


def _check(cache: Path, *options: str) -> tuple[str, ...]:
    return "check", *_CONCISE, "--cache-dir", str(cache), *options, "."


def _ruff_check(cache: Path, *options: str) -> tuple[str, ...]:
    return "check", "--isolated", *_CONCISE, "--cache-dir", str(cache), *options, "."


def _made_up_project(bench: Bench) -> tuple[Path, Path]:
    """The folder of a new project, and one of its files: a dataset."""
    root = bench.new_folder()
    path = make_project(root, PROJECT_FILES, PROJECT_LINES)[0]
    if _CURE not in module_text(0, PROJECT_LINES):
        raise LintpickleError(
            f"the made-up dataset has no line {_CURE!r} to change any more: see benchmarks/projects.py"
        )
    make_environment(root)
    return root, path
