"""Sockets with a timeout that are given to worker processes.

Measured with CPython 3.11.7: multiprocessing passes on the descriptor of a socket, which `settimeout` has made
non-blocking, but not the timeout. In a worker under spawn or forkserver `gettimeout()` is None, and `accept()` or
`recv()` raises BlockingIOError at once, unless something is there already. Forked workers have the timeout.
"""

from __future__ import annotations

import re

from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant
from lintpickle.interpreter.abstract_values import ProductValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker

NOT_READY = "BlockingIOError: [Errno 11] Resource temporarily unavailable"
_SOCKET = "socket.socket"
_CONNECTS = "socket.create_connection"
_SETS = frozenset({"settimeout", "setblocking"})
_SETTING = re.compile(r"\.\s*(?:settimeout|setblocking)\s*\(")
_WAITS = re.compile(r"\.\s*(?:accept|recv|recvfrom|recv_into|recvmsg|recvfrom_into)\s*\(")
_IS_READY = re.compile(r"\.\s*(?:settimeout|setblocking)\s*\(|\b(?:BlockingIOError|OSError|select\w*|asyncio|poll)\b")
"""What stands where code sets the timeout anew, awaits what it reads, or is ready for an error."""


def timeout_lost(crossing: Crossing, linker: Linker) -> Site | None:
    """Where the main process gives a socket its timeout that crosses to a worker which waits on it; None if it has
    none, or the worker sees to that."""
    product, start = crossing.value, crossing.root.site
    if not isinstance(product, ProductValue) or product.product.type != _SOCKET or product.call is None:
        return None
    codes = [code for code in linker.worker_codes() if code.boundary is not None and code.boundary.site == start]
    texts = [each.module.code[each.facts.span.start : each.facts.span.end] for code in codes for each in code.functions]
    if not any(map(_WAITS.search, texts)) or any(map(_IS_READY.search, texts)):
        return None
    found: list[Site] = []
    for root in linker.activations_with(_SETS, _SETTING, start.module.path):
        for event in root.function.events:
            if isinstance(event, Called) and _is_setting(event.call, product, root, linker):
                if not _is_timeout(event.call):
                    return None  # It is made blocking again, somewhere.
                found.append(Site(root.frame.module, event.span))
    return found[0] if found else _given_at_once(product)


def _is_setting(call: Call, product: ProductValue, root: RootFrame, linker: Linker) -> bool:
    function = call.function
    if not isinstance(function, Attribute) or function.name not in _SETS:
        return False
    values = (traced.value for traced in linker.evaluate(function.base, root.frame))
    return any(isinstance(each, ProductValue) and each.call is product.call for each in values)


def _is_timeout(call: Call) -> bool:
    """Whether a call sets a timeout: not None, nor that the socket blocks; what is not written out may be either."""
    given = call.positional() or ()
    is_number = len(given) == 1 and isinstance(given[0], Constant) and isinstance(given[0].value, (int, float))
    return is_number and isinstance(call.function, Attribute) and call.function.name == "settimeout"


def _given_at_once(product: ProductValue) -> Site | None:
    """Where `create_connection` is given a timeout."""
    if product.call is None or product.frame is None or product.path != _CONNECTS:
        return None
    timeout = product.call.argument("timeout", 1)
    is_number = isinstance(timeout, Constant) and isinstance(timeout.value, (int, float))
    return Site(product.frame.module, product.call.span) if is_number else None
