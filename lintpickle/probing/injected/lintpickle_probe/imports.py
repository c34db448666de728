"""Doing something to a module as soon as it has been imported."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any, Callable

Change = Callable[[Any], None]


def after_import(name: str, change: Change) -> None:
    """Change a module: now if it is imported already, else when it is."""
    module = sys.modules.get(name)
    if module is not None:
        change(module)
        return
    _finder().changes[name] = change


def _finder() -> _Finder:
    for finder in sys.meta_path:
        if isinstance(finder, _Finder):
            return finder
    found = _Finder()
    sys.meta_path.insert(0, found)
    return found


class _Finder:
    """Comes first when modules are looked for, and lets the others find them."""

    def __init__(self) -> None:
        self.changes: dict[str, Change] = {}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any | None:
        change = self.changes.pop(name, None)
        if change is None:
            return None
        spec = importlib.util.find_spec(name)
        loader = spec.loader if spec is not None else None
        if loader is None or isinstance(loader, type):
            return spec
        run = loader.exec_module

        def run_and_change(module: Any) -> None:
            run(module)
            if module.__name__ == name:  # one loader may serve several modules
                change(module)

        loader.exec_module = run_and_change  # type: ignore[method-assign]
        return spec
