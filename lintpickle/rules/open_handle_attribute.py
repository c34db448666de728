from __future__ import annotations

import re
from collections.abc import Iterable
from types import MappingProxyType

from msgspec.structs import replace

from lintpickle.analyses.pickle_hooks.opened_before import opened_before
from lintpickle.analyses.process_state.socket_timeouts import NOT_READY, timeout_lost
from lintpickle.catalog import Product
from lintpickle.diagnostics import Confidence, Fix
from lintpickle.rules._shared.handles import HandleRule
from lintpickle.rules._shared.products import KeptProduct
from lintpickle.rules.authoring import (
    PICKLED_ON_START,
    Argument,
    Constant,
    ConstantValue,
    Crossing,
    Evaluator,
    Hazard,
    Hop,
    Linker,
    ProductValue,
    Site,
    excerpt_of,
    how_held,
)

_WRITING = re.compile(r"(?=[^:|]*[wxacn+])[rwxabtUcn+]{1,4}([:|].*)?")
_MODES = ("mode", "flag", "flags")
_OPENED_BY_MODE = frozenset({"file", "archive", "h5"})
_WITH_OFFSET = frozenset({"file", "archive"})
_INHERITED_BY = frozenset({"dataloader", "process"})
"""Kinds of boundary whose workers inherit the object, if they are forked."""
_SHARED = "forked workers would share its position in the file, and read each other's data"
"""Measured with CPython 3.11: see `analyses.process_state.files_at_fork`."""
_TIMED, _UNTIMED = "socket with a timeout", "which the worker gets non-blocking, and without the timeout"
_TIMEOUT = "set the timeout in the worker (`settimeout`), or pass a socket without one"
_OPEN_BY_THEN = "the main process has opened it by then: drop it in `__getstate__`, so that each worker opens its own"


class OpenHandleAttribute(HandleRule):
    """A handle opened at construction and kept: a file, archive, database, socket, client, reader."""

    code = "LP110"
    name = "open-handle-attribute"
    kinds = frozenset(
        {
            "file",
            "archive",
            "npz",
            "database",
            "h5",
            "lmdb",
            "netcdf",
            "socket",
            "client",
            "reader",
            "shared-memory",
            "memory",
        }
    )
    noun = "open handle"
    nouns = MappingProxyType({"shared-memory": "shared object"})
    help = "open it on first use in the worker, and drop it in `__getstate__`"
    unheld_help = "pass what it is opened from (the path), and open it in the worker"
    helps = MappingProxyType(
        {"memory": "map or make it in the worker; memory that processes share is `multiprocessing.shared_memory`"}
    )

    def help_of_kept(self, product: Product, crossing: Crossing, linker: Linker) -> str | None:
        """Where workers may as well be forked, which pickles nothing, what becomes of a file there."""
        text = super().help_of_kept(product, crossing, linker)
        is_of_workers = crossing.root.kind in _INHERITED_BY and crossing.root.start_methods == PICKLED_ON_START
        if not is_of_workers or product.kind not in _WITH_OFFSET or not isinstance(crossing.value, ProductValue):
            return text
        return f"{text}; {_SHARED}" if self.can_repeat(crossing.value, linker.evaluator) else text

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        """As for other products, with the call by which the main process has opened what is opened on first use; and a
        socket that crosses without its timeout."""
        for hazard in super().crossing(crossing, linker):
            opened = opened_before(crossing, linker)
            hazard = _open_by_then(hazard, opened) if opened is not None else hazard
            yield replace(hazard, confidence=Confidence.LIKELY) if _fails_in_use(crossing) else hazard
        timed = timeout_lost(crossing, linker)
        if timed is not None:
            yield Hazard(
                site=crossing.site,
                noun="the socket",
                error=NOT_READY,
                help=_TIMEOUT,
                data={"noun": _TIMED, "excerpt": excerpt_of(crossing), "held": f"{how_held(crossing)}, {_UNTIMED}"},
                subject=KeptProduct(crossing, linker),
                confidence=Confidence.LIKELY,
                hops=(Hop("its timeout, which does not cross", timed),),
            )

    def fix(self, hazard: Hazard[KeptProduct]) -> Fix | None:
        """As for other handles; a socket with a timeout is wanted in the worker."""
        return super().fix(hazard) if hazard.help != _TIMEOUT else None

    def can_repeat(self, value: ProductValue, evaluator: Evaluator) -> bool:
        """Only for handles that are opened for reading: opening a file for writing again would empty it, and a database
        or memory of no file is another one each time."""
        if not value.product.reopen or value.call is None or _is_anonymous(value, evaluator):
            return False
        return not any(
            _may_write(index, argument, value, evaluator) or _is_in_memory(argument, value, evaluator)
            for index, argument in enumerate(value.call.arguments)
        )


def _fails_in_use(crossing: Crossing) -> bool:
    """Whether it pickles, and fails only where a worker uses it."""
    return isinstance(crossing.value, ProductValue) and crossing.value.product.fails == "worker"


def _is_anonymous(value: ProductValue, evaluator: Evaluator) -> bool:
    """Whether it is memory of no file: mapped again, it is other memory."""
    given = value.call.arguments if value.call is not None and value.product.kind == "memory" else ()
    return bool(given) and _literal(given[0], value, evaluator) == -1


def _may_write(index: int, argument: Argument, abstract: ProductValue, evaluator: Evaluator) -> bool:
    by_mode = abstract.product.kind in _OPENED_BY_MODE
    if argument.star:
        return by_mode
    is_mode = argument.keyword in _MODES or (by_mode and argument.keyword is None and index == 1)
    value = _literal(argument, abstract, evaluator)
    if isinstance(value, str):
        return (is_mode or argument.keyword is None) and _WRITING.fullmatch(value) is not None
    return is_mode and value is ...


def _is_in_memory(argument: Argument, value: ProductValue, evaluator: Evaluator) -> bool:
    """Whether an argument names a database that only its connection has: in memory, or a temporary file."""
    if value.product.kind != "database" or argument.star:
        return False
    name = _literal(argument, value, evaluator)
    return isinstance(name, str) and (not name or ":memory:" in name or "mode=memory" in name)


def _literal(argument: Argument, value: ProductValue, evaluator: Evaluator) -> object:
    """The literal value of an argument; `...` if it is not a literal, or one of several."""
    if isinstance(argument.value, Constant) or value.frame is None:
        return argument.value.value if isinstance(argument.value, Constant) else ...
    found = [traced.value for traced in evaluator.evaluate(argument.value, value.frame)]
    return found[0].value if len(found) == 1 and isinstance(found[0], ConstantValue) else ...


def _open_by_then(hazard: Hazard[KeptProduct], opened: Site) -> Hazard[KeptProduct]:
    """The hazard of a handle that the main process has opened at a place."""
    hops = (*hazard.hops, Hop("the main process has it opened here", opened))
    return replace(hazard, hops=hops, help=_OPEN_BY_THEN)
