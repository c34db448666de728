"""The command line of the sweep; the package says what there is."""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatch
from pathlib import Path

from tools import sweep as package
from tools.sweep.comparing import compare
from tools.sweep.figures import record
from tools.sweep.report import changes, overview, precision
from tools.sweep.results import append_result, read_results, slow
from tools.sweep.running import Tool, sweep
from tools.sweep.trees import PINS, empty_environment, read_pins, trees
from tools.sweep.verdicts import VERDICTS, read_verdicts


def main() -> int:
    """Do what the command line says. Returns the exit code: of `run`, 1 if a run failed or was stopped."""
    options = _parser().parse_args()
    return int(options.do(options))


def _run(options: argparse.Namespace) -> int:
    output: Path = options.output
    done = read_results(output) if options.resume and output.is_file() else {}
    if not options.resume:
        output.unlink(missing_ok=True)
    tool = Tool.from_command(
        options.lintpickle, empty_environment(options.cache.absolute()), options.option, options.limit
    )
    wanted = [
        pin
        for pin in read_pins(options.pins)
        if pin.name not in done and any(fnmatch(pin.name, pattern) for pattern in options.only.split(","))
    ]
    checkouts = options.checkouts.absolute() if options.checkouts else None
    for result in sweep(trees(wanted, options.cache.absolute(), checkouts), tool, options.at_a_time):
        append_result(output, result)
        end = "stopped" if result.status is None else f"status {result.status}"
        print(
            f"{result.tree}: {end}, {result.cpu:.1f} CPU s, {result.peak:.0f} MB, {len(result.findings)} findings",
            file=sys.stderr,
        )
    results = read_results(output)
    print(*overview(list(results.values())), sep="\n")
    if options.against:
        found = compare(read_results(options.against), results)
        print("", *changes(found, read_verdicts(options.verdicts)), sep="\n")
    return int(any(not result.ended for result in slow(list(results.values()))))


def _compare(options: argparse.Namespace) -> int:
    found = compare(read_results(options.old), read_results(options.new))
    print(*changes(found, read_verdicts(options.verdicts)), sep="\n")
    return 0


def _precision(options: argparse.Namespace) -> int:
    print(*precision(list(read_results(options.results).values()), read_verdicts(options.verdicts)), sep="\n")
    return 0


def _record(options: argparse.Namespace) -> int:
    record(list(read_results(options.results).values()), read_verdicts(options.verdicts), options.release)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.sweep", description=package.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--verdicts", type=Path, default=VERDICTS, help="the table of verdicts")
    commands = parser.add_subparsers(required=True)

    run = commands.add_parser("run", help="lint the trees")
    run.add_argument("--cache", type=Path, required=True, help="where packages are downloaded to and unpacked")
    run.add_argument("--output", type=Path, required=True, help="the results file to write")
    run.add_argument("--checkouts", type=Path, help="a folder with checkouts of the repositories, named owner+name")
    run.add_argument("--pins", type=Path, default=PINS, help="the table of trees")
    run.add_argument("--only", default="*", help="only trees whose names match one of these patterns (a,b*)")
    run.add_argument("--lintpickle", help="the command of another lintpickle than this one")
    run.add_argument("--option", action="append", default=[], help="a further option for it (--option=--pedantic)")
    run.add_argument("--against", type=Path, help="the results to compare with")
    run.add_argument("--limit", type=float, default=300, help="stop a run after so many seconds")
    run.add_argument("--at-a-time", type=int, default=2, help="so many trees together")
    run.add_argument("--resume", action="store_true", help="keep what is in the results file, and do the rest")
    run.set_defaults(do=_run)

    comparing = commands.add_parser("compare", help="what came, what went, what got slower")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.set_defaults(do=_compare)

    counting = commands.add_parser("precision", help="how many findings bite, by the verdicts")
    counting.add_argument("results", type=Path)
    counting.set_defaults(do=_precision)

    keeping = commands.add_parser("record", help="keep the figures of a release for the documentation")
    keeping.add_argument("results", type=Path)
    keeping.add_argument("--release", required=True)
    keeping.set_defaults(do=_record)
    return parser


if __name__ == "__main__":
    sys.exit(main())
