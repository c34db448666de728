"""Fuzz lintpickle for as long as wanted: `python -m tools.fuzz --programs 10000 --seed 0`.

A session with the language server, of the kind `sessions`, has some 50 messages: 100 of them are 5,000.

Each batch runs in a process of its own, so that a crash of it is one more thing that is found. What fails is told with
its kind and seed; `--only KIND:SEED` runs that one again, here.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection

from tests.fuzz.running import KINDS, run

BATCH = 50
SECONDS = 60
"""So long may one text take before it counts as a hang."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns 0 if nothing was found, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz")
    parser.add_argument("--programs", type=int, default=1000, help="how many of each kind")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only these")
    parser.add_argument("--only", metavar="KIND:SEED", help="run one, and show what happens")
    given = parser.parse_args(arguments)
    if given.only:
        kind, _, seed = given.only.partition(":")
        run(kind, int(seed))
        return 0
    found: Counter[str] = Counter()
    for kind in given.kind or KINDS:
        started = time.monotonic()
        failures = list(_fuzz(kind, given.seed, given.seed + given.programs))
        for seed, what in failures:
            found[what] += 1
            print(f"{kind}:{seed}: {what}", flush=True)
        print(f"{kind}: {given.programs} run, {len(failures)} failed, {time.monotonic() - started:.0f} s", flush=True)
    for what, count in found.most_common():
        print(f"{count:6} {what}")
    return int(bool(found))


def _fuzz(kind: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """The seeds that fail, each with what happens."""
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    seed = start
    while seed < end:
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=_batch, args=(kind, range(seed, min(seed + BATCH, end)), sending))
        process.start()
        sending.close()
        while True:
            try:
                answer = receiving.recv() if receiving.poll(SECONDS) else None
            except EOFError:
                break
            if answer is None:
                process.kill()
                break
            if answer:
                yield seed, answer
            seed += 1
        process.join()
        if process.exitcode:
            yield seed, "hang" if process.exitcode == -9 else f"the process ended with {process.exitcode}"
            seed += 1


def _batch(kind: str, seeds: range, sending: Connection) -> None:
    for seed in seeds:
        sending.send(_outcome(kind, seed))


def _outcome(kind: str, seed: int) -> str:
    """What went wrong with one text; "" if nothing did."""
    try:
        run(kind, seed)
    except Exception as error:  # whatever it is, it was not foreseen
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {last.filename}:{last.lineno}: {error}"[:300]
    return ""


if __name__ == "__main__":
    sys.exit(main())
