from __future__ import annotations

from lintpickle.diagnostics import Applicability
from lintpickle.rules.products import ProductRule


class OpenHandleAttribute(ProductRule):
    """A handle that is opened at construction and kept: a file, archive, database, socket, client, reader."""

    code = "LP110"
    name = "open-handle-attribute"
    applicability = Applicability.UNSAFE
    kinds = frozenset(
        {"file", "archive", "database", "h5", "lmdb", "socket", "client", "reader", "shared-memory", "memory"}
    )
    noun = "open handle"
    help = "open it on first use in the worker, and drop it in `__getstate__`"
    words = frozenset({"open", "connect", "File(", "Dataset(", "socket", "Client", "Reader", "mmap", "Session"})
