"""The oracle's command.

python -m tests.oracle run [--jobs N] [--all]    run the programs of the sample that were not run before, or all
python -m tests.oracle mark [WORD ...]           what lintpickle misses and flags, of the programs named by all words
python -m tests.oracle show NAME                 print a program
python -m tests.oracle matrix [N]                judge one program in N, and write the figures and `docs/coverage.md`
python -m tests.oracle fixes N [--unsafe] [--from M]  fix one program in N of those that fail, from the M-th on, and run
                                                 it before and after
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from . import truth
from .composing import Choice, compose
from .covering import sample


def run(jobs: int, again: bool) -> None:
    """Find out what real Python does with the programs whose outcome is not known."""
    from .running import outcomes

    known = {} if again else truth.known()
    programs = {program.digest: program for program in map(compose, sample())}
    missing = [program for digest, program in programs.items() if digest not in known]
    print(f"{len(programs)} programs, {len(missing)} to run")
    found = {digest: known[digest] for digest in programs if digest in known}
    broken = 0
    started = time.monotonic()
    for number, (program, outcome, output) in enumerate(outcomes(missing, jobs), 1):
        if outcome == "broken":
            broken += 1
            print(f"broken: {program.choice.name}\n{output[-900:]}")
        else:
            found[program.digest] = outcome == "fails"
        if number % 500 == 0:
            print(f"{number} run in {time.monotonic() - started:.0f} s", flush=True)
            truth.keep(found)
    truth.keep(found)
    print(f"{broken} broken; {sum(found.values())} of {len(found)} fail at pickling")


def fixes(every: int, first: int, unsafe: bool) -> None:
    """Fix one in so many programs that fail, and tell what became of them."""
    from .fixing import fixed

    known = truth.known()
    failing = [program for program in map(compose, sample()[first::every]) if known.get(program.digest)]
    counts: Counter[str] = Counter()
    for each in fixed((program for program in failing if program.choice.layout != "dependency"), unsafe):
        counts[each.verdict] += 1
        if each.verdict in ("WRONG", "still fails"):
            print(f"{each.verdict}: {each.choice.name}", flush=True)
        if each.verdict == "WRONG":
            print(f"{each.text}\n{each.before!r}\n{each.after!r}\n{each.spawned!r}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))


def named(name: str) -> Choice:
    """The choice of a name as it is printed."""
    *parts, seed = name.split("/")
    hazard, carrier, boundary, place, layout, twin = parts
    return Choice(hazard, carrier, boundary, place, layout, twin, int(seed))


def main(arguments: list[str]) -> None:
    """Run the command with its arguments."""
    match arguments:
        case ["run", *options]:
            jobs = int(options[options.index("--jobs") + 1]) if "--jobs" in options else 4
            run(jobs, "--all" in options)
        case ["show", name]:
            for path, text in compose(named(name)).files.items():
                print(f"# --- {path}\n{text}")
        case ["mark", *words]:
            from .marking import report

            report(words)
        case ["matrix", *every]:
            from .matrix import write

            write(int(every[0]) if every else 1)
        case ["fixes", every, *options]:
            first = int(options[options.index("--from") + 1]) if "--from" in options else 0
            fixes(int(every), first, "--unsafe" in options)
        case _:
            sys.exit(str(__doc__))


if __name__ == "__main__":
    main(sys.argv[1:])
