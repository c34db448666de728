"""Measures how fast lintpickle is, and how fast other linters are on the same files.

python -m benchmarks [--corpus small] [--only cold] [--pairs 5] [--quick] [--slow]

Keeps what it measures in benchmarks/results.json, beside what is there of the same versions on the same machine, and
writes it into benchmarks/README.md. What it downloads and installs stays in the cache folder.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.corpora import RECIPES
from benchmarks.measure import Runner
from benchmarks.report import README, write
from benchmarks.results import FILE, Measurement, Results, Size, load, save, this_machine
from benchmarks.scenarios import scenarios
from benchmarks.tools import LINTPICKLE, PEERS, PROGRAM_PEERS, as_given, install
from lintpickle.diagnostics import LintpickleError

PATIENT = frozenset({"small"})
"""The corpora on which slow tools are run unasked."""


def main() -> None:
    given = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that what was started is ended, too
    try:
        with tempfile.TemporaryDirectory(prefix="lintpickle-benchmarks-") as scratch:
            _measure(given, Path(scratch).resolve())
    except LintpickleError as error:
        sys.exit(f"error: {error}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", choices=RECIPES, help="may be repeated (default: small)")
    parser.add_argument(
        "--only", action="append", choices=scenarios(), help="may be repeated (default: all but growth)"
    )
    parser.add_argument(
        "--pairs",
        type=int,
        default=5,
        help="of runs that take a few seconds; short ones are run more often, long ones less",
    )
    parser.add_argument("--quick", action="store_true", help="one pair of each, and no slow tools")
    parser.add_argument("--slow", action="store_true", help="run slow tools on other corpora than small, too")
    parser.add_argument("--cache", type=Path, default=_user_cache(), help="default: %(default)s")
    parser.add_argument("--lintpickle", type=Path, help="the program to measure (default: this checkout, installed)")
    parser.add_argument("--results", type=Path, default=FILE, help="default: %(default)s")
    parser.add_argument("--readme", type=Path, default=README, help="default: %(default)s")
    given = parser.parse_args()
    if given.pairs < 1:
        parser.error("--pairs must be at least 1")
    return given


def _measure(given: argparse.Namespace, scratch: Path) -> None:
    cache = given.cache.resolve()
    lintpickle = as_given(given.lintpickle.absolute()) if given.lintpickle else install(LINTPICKLE, cache)
    results = Results(this_machine(), {lintpickle.tool.name: lintpickle.version})
    earlier = load(given.results)
    results = results if earlier is None else earlier.merged(results)
    chosen = [each for name, each in scenarios().items() if name in (given.only or set(scenarios()) - {"growth"})]
    for scenario in chosen:
        for corpus in (given.corpus or ["small"]) if scenario.on_corpora else [""]:
            slow = (given.slow or corpus in PATIENT) and not given.quick
            pairs = 1 if given.quick else given.pairs
            bench = Bench(cache, scratch, lintpickle, Runner(scratch / "home"), pairs, slow, _say)
            started = time.monotonic()
            for measurement in scenario.measure(bench, corpus):
                results = results.merged(_with_context(measurement, bench, results))
                save(results, given.results)
            _say(f"{scenario.name} {corpus}: took {time.monotonic() - started:.0f} s")
    write(results, given.readme)


def _with_context(measurement: Measurement, bench: Bench, results: Results) -> Results:
    """A measurement with the sizes and versions that it was made with."""
    used = [bench.lintpickle, *(bench.tool(tool) for tool in (*PEERS, *PROGRAM_PEERS) if tool.name == measurement.peer)]
    sizes = []
    if measurement.corpus:
        corpus = bench.corpus(measurement.corpus)
        sizes.append(Size(corpus.name, corpus.files, corpus.lines, corpus.bytes, corpus.packages))
    return Results(
        results.machine,
        {each.tool.name: each.version for each in used},
        {each.tool.name: each.packages for each in used},
        tuple(sizes),
        (measurement,),
    )


def _user_cache() -> Path:
    folder = os.environ.get("XDG_CACHE_HOME")
    return (Path(folder) if folder else Path.home() / ".cache") / "lintpickle-benchmarks"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
