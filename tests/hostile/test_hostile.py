"""No repository does harm: a run ends in time and memory with 0, 1 or 2, prints nothing raw, changes nothing outside.

The tests take a sample; `python -m tests.hostile.test_hostile` takes all, and shows the processor time of each run.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

from .repositories import REPOSITORIES, SAMPLE, SECRET, VICTIM, Hostile, write

ROOT = Path(__file__).resolve().parents[2]
CPU_SECONDS = 25
MEMORY = 1_000_000_000
RAW = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")
COLOUR = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[!-~]*\x1b\\")
COMMAND = re.compile(r"^\s*::(?!(?:error|warning) title=lintpickle ).*::", re.MULTILINE)
COMMAND_ANYWHERE = re.compile(r"##\[|##vso\[(?!task\.logissue type=(?:error|warning);sourcepath=)")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and limits as on POSIX")


class Cost(NamedTuple):
    """What a run took: seconds of processor time, and megabytes."""

    seconds: float
    megabytes: float


def run(hostile: Hostile, place: Path) -> tuple[str, Cost]:
    """Run lintpickle on a repository below a folder. Returns what is wrong, or nothing, and what it took."""
    tree, outside, home = place / "tree", place / "outside", place / "home"
    for folder in (tree, outside, home):
        folder.mkdir()
    write(outside, "victim.py", VICTIM)
    write(outside, "secret.txt", f"{SECRET}: 'hush' (\n")
    write(outside, "secret.toml", f'{SECRET} = "hush"\n[tool.lintpickle]\n{SECRET} = "hush"\n')
    write(home, "secret.toml", f'{SECRET} = "hush"\n')
    (tree / ".git/info").mkdir(parents=True)
    hostile.build(tree)
    before = _state(outside), _state(home / "secret.toml")
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    environ |= {name: value.format(tree=tree) for name, value in hostile.environ}
    before_run = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "lintpickle", "check", *hostile.arguments],
            cwd=tree,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=8 * CPU_SECONDS,
            preexec_fn=_limited,
        )
    except subprocess.TimeoutExpired:
        return "it does not end", _cost(before_run)
    said = ran.stdout.decode("utf-8", "backslashreplace"), ran.stderr.decode("utf-8", "backslashreplace")
    problems = [_wrong(text, "always" in hostile.arguments) for text in said]
    if ran.returncode not in (0, 1, 2):
        problems.append(f"exit code {ran.returncode}: {said[1][-500:]}")
    if "Traceback" in said[1] or "No module named" in said[1] or "defect of lintpickle" in said[1]:
        problems.append(said[1][-800:])
    if "was killed" in said[0] + said[1]:
        problems.append("a process was killed")
    if (_state(outside), _state(home / "secret.toml")) != before:
        problems.append("something outside has changed")
    litter = [path.name for path in tree.glob(".lintpickle-*")]
    return "\n".join([*filter(None, problems), *litter]), _cost(before_run)


def _cost(before: resource.struct_rusage) -> Cost:
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, now.ru_maxrss / 1000)


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _wrong(text: str, coloured: bool) -> str:
    plain = COLOUR.sub("", text) if coloured else text
    raw = RAW.search(plain) or COMMAND.search(plain) or COMMAND_ANYWHERE.search(plain)
    if raw is not None:
        return f"printed raw: {plain[max(0, raw.start() - 60) : raw.end() + 60]!r}"
    return f"shown: {text}" if SECRET in text else ""


def _state(top: Path) -> list[tuple[str, int, bytes | str]]:
    found: list[tuple[str, int, bytes | str]] = []
    for path in sorted([top, *top.rglob("*")]):
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        found.append((str(path), path.lstat().st_mode, content))
    return found


@pytest.mark.parametrize("name", SAMPLE)
def test_no_harm(name: str, tmp_path: Path) -> None:
    try:
        assert run(REPOSITORIES[name], tmp_path)[0] == ""
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path)], check=True)  # deeper than Python's own way can go


def main() -> int:
    """Run all (or those whose names hold an argument), and show what each took."""
    failed = ran = 0
    most = Cost(0, 0)
    for name, hostile in REPOSITORIES.items():
        if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
            continue
        folder = tempfile.mkdtemp(prefix="hostile-")
        wrong, cost = run(hostile, Path(folder))
        subprocess.run(["rm", "-rf", folder], check=True)
        failed += bool(wrong)
        ran += 1
        most = Cost(max(most.seconds, cost.seconds), max(most.megabytes, cost.megabytes))
        shown = repr(wrong[-300:]) if wrong else "ok"
        print(f"{cost.seconds:6.2f} s  {name}: {shown}", flush=True)
    print(
        f"{ran} repositories, {failed} failed; at most {most.seconds:.1f} CPU s, {most.megabytes:.0f} MB in a process"
    )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
