from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import PICKLED_ON_START, Crossing, Hazard, Linker, ProductValue, chain

_STANDARD = frozenset({"stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__"})


class DescriptorNumber(ProductRule):
    """The number of an open file, pipe or terminal: a worker that is not forked has nothing open under it."""

    code = "LP128"
    name = "descriptor-number"
    start_methods = PICKLED_ON_START
    kinds = frozenset({"descriptor"})
    noun = "file descriptor"
    message = "{noun} `{excerpt}` is {held}, a number that means nothing in a worker: {error}"
    help = "pass the path, and open it in the worker; pass a socket, or an end of `multiprocessing.Pipe()`, itself"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        """As for other products, but for the numbers of the standard streams, which every process has."""
        if not _is_of_standard_stream(crossing):
            yield from super().crossing(crossing, linker)


def _is_of_standard_stream(crossing: Crossing) -> bool:
    match crossing.value:
        case ProductValue(call=call) if call is not None:
            return not _STANDARD.isdisjoint(chain(call.function) or ())
        case _:
            return False
