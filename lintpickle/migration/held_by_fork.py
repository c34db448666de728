"""Where the code of a project asks for fork, and which boundaries that holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet

from msgspec.structs import replace

from lintpickle.engine.project import Analysis
from lintpickle.interpreter.abstract_values import Site
from lintpickle.migration.growing import Growing
from lintpickle.migration.model import Boundary, Pin, Spot
from lintpickle.migration.origins import spot_of
from lintpickle.migration.pins import START_METHOD, pin_of, pins_in
from lintpickle.migration.programs_around import ProgramsAround
from lintpickle.payload.linker import Linker


class HeldByFork:
    """The pins in the files `reported` of a project, of which `at` are the boundaries that were judged."""

    def __init__(
        self, analysis: Analysis, linker: Linker, reported: AbstractSet[str], at: Mapping[Site, Growing]
    ) -> None:
        self._analysis = analysis
        self._reported = reported
        self._at = at
        self._programs = ProgramsAround(linker)

    def pins(self, boundaries: Sequence[Boundary]) -> Iterator[Pin]:
        """Where code asks for fork: as it is written, and where a name comes by way of other code."""
        contexts: dict[Spot, set[Spot]] = {}
        told = {each.spot for each in boundaries}
        for site, growing in self._at.items():
            for context in growing.contexts | growing.forks if spot_of(site) in told else ():
                contexts.setdefault(spot_of(context), set()).add(spot_of(site))
        written: set[Spot] = set()
        for path in sorted(self._reported):
            document = self._analysis.files.document(path)
            for pin in pins_in(document) if document is not None else ():
                written.add(pin.spot)
                if pin.kind == START_METHOD:
                    yield replace(pin, covers=tuple(sorted(self._may_concern(pin, boundaries))))
                    continue
                covers = tuple(sorted(contexts.get(pin.spot, ()))) or self._around(pin.spot)
                yield replace(pin, covers=covers) if pin.covers is not None else pin
        for fork in dict.fromkeys(each for growing in self._at.values() for each in growing.forks):
            spot = spot_of(fork)
            if spot not in written and spot.path in self._reported:
                written.add(spot)
                text = fork.module.code[fork.span.start : fork.span.end]
                yield pin_of(text, spot, tuple(sorted(contexts.get(spot, ()))))

    def held(self, boundaries: Sequence[Boundary], pins: Sequence[Pin]) -> Iterator[Boundary]:
        """The boundaries, each with the places that ask for fork for it."""
        for boundary in boundaries:
            places = {pin.spot for pin in pins if not pin.only_on_mac and self._concerns(pin, boundary)}
            yield replace(boundary, forked_at=tuple(sorted(places)))

    def _concerns(self, pin: Pin, boundary: Boundary) -> bool:
        """Whether a pin is seen to be one of the program that starts a boundary's processes."""
        if pin.covers is None or boundary.spot not in pin.covers:
            return False
        if pin.kind != START_METHOD:
            return True
        return boundary.is_seen and boundary.spot.path in self._programs.around(pin.spot.path)

    def _may_concern(self, pin: Pin, boundaries: Sequence[Boundary]) -> set[Spot]:
        """The boundaries whose processes a pin may be for: those in its programs that get no start method by name."""
        own = {spot_of(site): self._is_on_its_own(growing) for site, growing in self._at.items()}
        around, is_open = self._programs.around(pin.spot.path), self._programs.is_open(pin.spot.path)
        spots = (each.spot for each in boundaries if is_open or each.spot.path in around)
        return {spot for spot in spots if not own.get(spot, False)}

    def _is_on_its_own(self, growing: Growing) -> bool:
        return growing.is_never_forked or growing.names_its_method

    def _around(self, spot: Spot) -> tuple[Spot, ...]:
        """The boundaries on the same row."""
        return tuple(dict.fromkeys(found for site in self._at if (found := spot_of(site)) == spot))
