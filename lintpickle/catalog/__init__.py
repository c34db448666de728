"""Knowledge about the standard library and third-party code, read from the TOML files of this package.

`load_catalog()` reads them once per process. A file of the user's own has the same form::

    [[product]]                       # a call whose result cannot cross
    call = "mylib.connect"            # or a list; with module = "mylib", names are relative to it
    kind = "database"
    type = "mylib.Connection"         # error = "..." if it is not TypeError: cannot pickle '<type>' object
    reopen = true

    [[value]]                         # a name whose value cannot cross: name, kind, type, error
    [[method]]                        # a method whose result cannot: of = class or kind, name, kind, type
    [[class]]                         # classes that are payload by kind: name, kind
    [[boundary]]                      # calls that pickle: call, kind, parameters, payload, functions, workers
    [[function]]                      # name, result = "plain", "keep", "consume", "iterate", "copy", "first"

`name` and `call` take wildcards in their last component: `pkg.*` is every name directly in pkg, `pkg.**` every name
below it, `pkg.**Dataset` every name below it with that ending. The user's entries override those that ship with
lintpickle.
"""

from __future__ import annotations

import os.path
from functools import cache
from typing import TYPE_CHECKING

from lintpickle.catalog.catalog_words import BOUNDARY_PARTS
from lintpickle.catalog.entries import RESULT, USED_BY_NAMES, Callback, LengthAsked
from lintpickle.catalog.lookup import Catalog
from lintpickle.catalog.records import (
    INITIALIZER,
    NAMING,
    RECEIVER,
    SLICE,
    ArgumentUse,
    BoundarySpec,
    Error,
    ErrorKind,
    Fails,
    FreshSpec,
    KnownArguments,
    Product,
    RepeatedSpec,
    SettingSpec,
    StateSpec,
    VersionedError,
    WaitingSpec,
)

if TYPE_CHECKING:
    from lintpickle.cache.store import CacheStore

__all__ = [
    "BOUNDARY_PARTS",
    "INITIALIZER",
    "NAMING",
    "RECEIVER",
    "RESULT",
    "SLICE",
    "USED_BY_NAMES",
    "ArgumentUse",
    "BoundarySpec",
    "Callback",
    "Catalog",
    "Error",
    "ErrorKind",
    "Fails",
    "FreshSpec",
    "KnownArguments",
    "LengthAsked",
    "Product",
    "RepeatedSpec",
    "SettingSpec",
    "StateSpec",
    "VersionedError",
    "WaitingSpec",
    "load_catalog",
]


def load_catalog(extra: tuple[str, ...] = (), store: CacheStore | None = None) -> Catalog:
    """The catalog that ships with lintpickle, with the user's files (paths) before it. The shipped catalog is parsed
    once, if there is a store to cache it in.

    Raises LintpickleError, naming file, line and key, when a file of the user's is not well formed.
    """
    from lintpickle import disk
    from lintpickle.catalog.reading import builtin_files

    for path in (*extra, *map(str, builtin_files())):
        # An answer depends on them, though they may have been read for an earlier one.
        disk.status(os.path.abspath(path))
    return _loaded(extra, store)


@cache
def _loaded(extra: tuple[str, ...], store: CacheStore | None) -> Catalog:
    from pathlib import Path

    from lintpickle.catalog.kept import kept_rows
    from lintpickle.catalog.reading import builtin_rows, check_kinds, read_rows

    own = [row for name in extra for row in read_rows(Path(name))]
    shipped = list(builtin_rows()) if store is None else kept_rows(store)
    if own:
        check_kinds(own, shipped)
    return Catalog([*own, *shipped])
