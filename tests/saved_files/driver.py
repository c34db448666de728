"""Inspects many broken files in one process, with bounds, and watches what the interpreter is made to do.

    python -m tests.saved_files.driver COUNT SEED

prints one object of JSON: how many files were inspected, the slowest one in seconds of CPU, the peak of memory in
bytes, and the audit events that must not happen while a file is read."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import pickle
import random
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lintpickle.saved_files import Surroundings, inspect_file
from lintpickle.saved_files.formats import InspectionPage, inspection_format, inspection_format_names
from lintpickle.settings import SettingsResolver

from .support import Made, Named, dumped, objects, tensor, torch_legacy, torch_zip

FORBIDDEN = (
    "pickle.find_class",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "subprocess.Popen",
    "socket",
    "ctypes",
    "marshal",
)
RUNNING = ("import", "exec", "compile")
TRAP = "import os\nopen(os.path.join(os.path.dirname(__file__), 'SPRUNG'), 'w').close()\nclass Thing: ...\n"
OPCODES = (b"R", b"\x93", b"b", b"(", b"0", b"cos\nsystem\n", b"\x8d" + b"\xff" * 8)
BYTES_OF_MEMORY = 3_000_000_000


def bases(folder: Path) -> list[bytes]:
    """Files of every kind, which all name a module that does something when it is imported, and `os.system`."""
    value = {"t": Made("trap.Thing"), "s": Made("os.system", f"touch {folder / 'SPRUNG'}"), "w": tensor()}
    plain = [dumped([{**value, "w": 1}, Named("trap.Thing")], protocol) for protocol in range(6)]
    plain += [pickle.dumps(objects(), protocol) for protocol in range(6)]
    zipped = [torch_zip(folder / "z", value, deflated=deflated).read_bytes() for deflated in (False, True)]
    legacy = torch_legacy(folder / "l", value).read_bytes()
    array = b"\x93NUMPY\x01\x00\x2f\x00{'descr': '|O', 'fortran_order': False, 'shape'" + b": ()}" + plain[4]
    compress: list[Callable[[bytes], bytes]] = [zlib.compress, gzip.compress, bz2.compress, lzma.compress]
    return [*plain, *zipped, legacy, array, *(each(plain[4]) for each in compress)]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, taken out, doubled, put in, or cut off."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 10))):
        at = chance.randrange(len(changed) + 1)
        length = chance.choice((1, 1, 1, 2, 30))
        match chance.randrange(5):
            case 0:
                changed[at : at + length] = chance.randbytes(length)
            case 1:
                del changed[at : at + length]
            case 2:
                changed[at:at] = changed[at : at + length] * chance.choice((1, 3))
            case 3:
                changed[at:at] = chance.choice(OPCODES)
            case _:
                del changed[max(at, 3) :]
    return bytes(changed)


class Watch:
    """The audit events of this process, while it is on. `folder` is the only place where files may be opened."""

    def __init__(self, folder: Path) -> None:
        self.is_on = False
        self.seen: list[str] = []
        self._folder = str(folder)
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        if event.startswith(FORBIDDEN) or (event in RUNNING and not _is_reading(event, arguments)):
            self.seen.append(f"{event} {arguments[:1]!r}")
        if event == "open" and isinstance(arguments[0], (str, bytes)) and _writes(arguments):
            self.seen.append(f"open {arguments!r}")


def _is_reading(event: str, arguments: tuple[Any, ...]) -> bool:
    """`ast.parse` compiles to a tree, and runs nothing."""
    return event == "compile" and arguments[1] in ("<unknown>", b"<unknown>")


def _writes(arguments: tuple[Any, ...]) -> bool:
    flags = arguments[2] if len(arguments) > 2 and isinstance(arguments[2], int) else 0
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def files(count: int, seed: int, folder: Path) -> Iterator[bytes]:
    """The bases as they are, then mutated ones."""
    chance = random.Random(seed)
    known = bases(folder)
    yield from known
    for _ in range(count):
        yield mutated(chance.choice(known), chance)


def run(count: int, seed: int, folder: Path) -> dict[str, object]:
    """Inspect the files, and write every report."""

    (folder / "trap.py").write_text(TRAP)
    surroundings = Surroundings(folder, SettingsResolver(isolated=True, cwd=folder))
    formats = [inspection_format(name) for name in inspection_format_names()]
    watch, path = Watch(folder), folder / "saved"
    slowest, done, named, broken = 0.0, 0, 0, 0
    for number, data in enumerate(files(count, seed, folder)):
        path.write_bytes(data)
        watch.is_on = number >= len(bases(folder))  # what inspecting needs is imported by then
        started = time.process_time()
        found = inspect_file(str(path), surroundings)
        for each in formats:
            each.render([found], InspectionPage(folder))
        slowest = max(slowest, time.process_time() - started)
        watch.is_on = False
        done += 1
        named += any(need.path == "os.system" for need in found.needs)
        broken += not found.is_whole
    return {
        "files": done,
        "naming_os_system": named,
        "broken": broken,
        "slowest": slowest,
        "peak": _peak(),
        "events": sorted(set(watch.seen)),
        "sprung": (folder / "SPRUNG").exists(),
    }


def _peak() -> int:
    """The most memory of this process in bytes. Linux counts in `ru_maxrss` what the process had from which this one
    was started (getrusage(2)); `VmHWM` begins anew with the program."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) * 1024 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (BYTES_OF_MEMORY, BYTES_OF_MEMORY))
    with tempfile.TemporaryDirectory() as name:
        print(json.dumps(run(int(sys.argv[1]), int(sys.argv[2]), Path(name))))
