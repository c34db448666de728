"""Judging shares of a program's modules, each in a separate process that sends back what it has found and read."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from lintpickle import disk
from lintpickle.disk import Evidence
from lintpickle.engine.processes import in_processes
from lintpickle.engine.results import Results
from lintpickle.interning import Same
from lintpickle.parsing.syntax import BrokenSyntax
from lintpickle.program.cross_module import CrossModuleFacts
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.program import Kept, Program
from lintpickle.program.reached import ReachedNames


class _Part(Struct, frozen=True):
    """What a process sends back after judging some modules."""

    judged: bytes
    """An encoded `Results`. It is decoded when all shares are judged, because processes that are forked before would
    hold it too."""
    evidence: Evidence
    broken: dict[str, tuple[str, int, int]]
    """Files with syntax errors: reason, row and column."""
    kept: dict[str, Kept]
    reached: ReachedNames
    files: int
    """How many modules were judged."""


_ENCODER = msgspec.msgpack.Encoder()
_PARTS = msgspec.msgpack.Decoder(_Part)
_JUDGED = msgspec.msgpack.Decoder(Results)


class SharedJudging(Struct, frozen=True, eq=False):
    """Judges modules of a program, of which `first_party` are first-party, given what others have `told`. `judge` gives
    the results of some; `give_up` receives the number of the signal that killed a process and the file that it was
    working on, and returns whether the share is worth another try without that; `checked` receives how many more have
    been judged."""

    program: Program
    first_party: FirstPartyModules
    told: CrossModuleFacts
    judge: Callable[[FirstPartyModules, Sequence[str], CrossModuleFacts], Results]
    give_up: Callable[[int, str], bool]
    checked: Callable[[int], None]

    def results(self, shares: Sequence[Sequence[str]], at_once: int) -> list[Results | None]:
        """The results of judging each share; None for those that failed."""
        parts: list[bytes | None] = [None] * len(shares)
        waiting = list(range(len(shares)))
        while waiting:
            killed: dict[int, bool] = {}

            def note(place: int, number: int, path: str, killed: dict[int, bool] = killed) -> None:
                killed[place] = self.give_up(number, path)

            done = in_processes([shares[each] for each in waiting], self._judged, at_once, self._take, note)
            for each, part in zip(waiting, done, strict=True):
                parts[each] = part
            waiting = [waiting[place] for place, is_new in killed.items() if is_new]
        same = Same()
        return [_JUDGED.decode(zlib.decompress(part)).with_same(same) if part else None for part in parts]

    def _judged(self, paths: Sequence[str]) -> bytes:
        with disk.remembered() as evidence:
            judged = self.judge(self.first_party, paths, self.told)
        broken = {path: (each.reason, each.row, each.column) for path, each in self.program.broken()}
        packed = zlib.compress(_ENCODER.encode(judged.without_derivations()), level=1)
        kept, reached = self.program.to_keep(frozenset(paths)), self.first_party.reached
        return _ENCODER.encode(_Part(packed, evidence, broken, kept, reached, len(paths)))

    def _take(self, data: bytes) -> bytes:
        """Add what a process has learnt about files. Returns its results, still encoded."""
        part = _PARTS.decode(data)
        self.checked(part.files)
        self.first_party.reached.learn(part.reached)
        disk.also(part.evidence)
        self.program.take_over(part.kept, {path: BrokenSyntax(*said) for path, said in part.broken.items()})
        return part.judged
