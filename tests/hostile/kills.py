"""Kill `--fix` at random moments: `python -m tests.hostile.kills 200 --seed 1`.

After each kill, every file must be the old one or the new one; after the next run, all files are fixed and nothing else
is left in the folder. Every second kill comes as soon as a temporary file is there, so while files are written.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .repositories import HAZARD

ROOT = Path(__file__).resolve().parents[2]
FIXED = HAZARD.replace("d.keys()", "list(d.keys())")
COMMAND = [sys.executable, "-m", "lintpickle", "check", "--fix", "--isolated", "--no-cache", "--quiet", "."]
SECONDS = 60
"""So long may a run take, on a machine that is busy."""
OUTLIVED = 10
"""Seconds after which no process of a run that was killed may be there."""


class Folder:
    """A folder of files that can be fixed."""

    def __init__(self, path: Path, files: int) -> None:
        self.path = path
        self.names = [f"m{number}.py" for number in range(files)]

    def reset(self) -> None:
        """Make all files as they were."""
        for name in self.names:
            (self.path / name).write_text(HAZARD, encoding="utf-8")

    def start(self) -> subprocess.Popen[bytes]:
        """Begin to fix the files, in a session of its own."""
        environ = {**os.environ, "PYTHONPATH": str(ROOT)}
        null = subprocess.DEVNULL
        return subprocess.Popen(COMMAND, cwd=self.path, env=environ, stdout=null, stderr=null, start_new_session=True)

    def texts(self) -> Counter[str]:
        """How many files are "old", "new", or something else."""
        kinds = {HAZARD: "old", FIXED: "new"}
        paths = [self.path / name for name in self.names]
        return Counter(kinds.get(path.read_text(encoding="utf-8") if path.exists() else "", "lost") for path in paths)

    def litter(self) -> list[str]:
        """What else is in the folder."""
        return sorted(set(os.listdir(self.path)) - set(self.names))


class Kill:
    """What came of one kill: when it came ("before", "between" or "after" the writes), whether it left a temporary
    file, and what is wrong."""

    def __init__(self, moment: str, left: bool, wrong: list[str]) -> None:
        self.moment = moment
        self.left = left
        self.wrong = wrong


def kills(folder: Folder, count: int, seed: int) -> Iterator[Kill]:
    """Kill so many runs, and look at the folder after each, and after one more run."""
    chance = random.Random(seed)
    folder.reset()
    started = time.monotonic()
    folder.start().wait(SECONDS)
    whole = time.monotonic() - started
    assert folder.texts() == {"new": len(folder.names)}
    for number in range(count):
        folder.reset()
        run = folder.start()
        if number % 2:
            time.sleep(chance.uniform(0.15, 1.1) * whole)
        else:
            _wait_for_writes(run, folder, chance)
        _kill(run, everyone=number % 4 >= 2)
        yield _looked_at(folder, _ends(run.pid))


def _wait_for_writes(run: subprocess.Popen[bytes], folder: Folder, chance: random.Random) -> None:
    """Return at one of the moments at which a temporary file is there."""
    while run.poll() is None and not (folder.litter() and chance.random() < 0.3):
        time.sleep(0.0005)


def _kill(run: subprocess.Popen[bytes], everyone: bool) -> None:
    try:
        if everyone:
            os.killpg(run.pid, signal.SIGKILL)
        else:
            run.kill()
    except ProcessLookupError:
        pass  # it had ended
    run.wait(SECONDS)


def _ends(session: int) -> bool:
    """Whether all processes of a session end by themselves; those that do not are killed."""
    ends = time.monotonic() + OUTLIVED
    while time.monotonic() < ends:
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    os.killpg(session, signal.SIGKILL)
    return False


def _looked_at(folder: Folder, ended: bool) -> Kill:
    texts, left = folder.texts(), bool(folder.litter())
    wrong = [] if ended else ["a process outlived it"]
    wrong += [f"{texts['lost']} files are neither old nor new"] if texts["lost"] else []
    folder.start().wait(SECONDS)
    wrong += [f"left after the next run: {folder.litter()}"] if folder.litter() else []
    wrong += [] if folder.texts() == {"new": len(folder.names)} else ["not fixed by the next run"]
    moment = "before" if not texts["new"] else "between" if texts["old"] else "after"
    return Kill(moment, left, wrong)


def main() -> int:
    """Run the command line. Returns 1 if anything was lost or left, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.kills")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    moments: Counter[str] = Counter()
    left, wrong = 0, 0
    with tempfile.TemporaryDirectory() as name:
        for kill in kills(Folder(Path(name), 12), given.count, given.seed):
            moments[kill.moment] += 1
            left += kill.left
            wrong += bool(kill.wrong)
            for each in kill.wrong:
                print(each, flush=True)
    print(f"{given.count} kills {dict(moments)}; {left} left a temporary file for the next run; {wrong} went wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
