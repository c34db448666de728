"""Runs the command line as its own process, and writes down which paths and variables it asks for:
`python tracer.py REPORT ARGUMENT...`. REPORT becomes a JSON file.

Files are seen by Python's audit events; what only asks for a path's state raises none, so those functions are wrapped
before anything else is imported.
"""

import builtins
import json
import os
import sys

touched: dict[str, set[str]] = {"open": set(), "list": set(), "ask": set()}
variables: set[str] = set()


def _note(what: str, path: object) -> None:
    if isinstance(path, (str, bytes, os.PathLike)):
        touched[what].add(os.path.abspath(os.fsdecode(path)))


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if event not in ("open", "os.listdir", "os.scandir") or _is_importing():
        return
    if event == "open":
        _note("open", arguments[0])
    else:
        _note("list", arguments[0] if arguments[0] is not None else ".")


def _is_importing() -> bool:
    """Whether it is the import system that asks, directly."""
    frame = sys._getframe(2)
    return "importlib._bootstrap" in frame.f_code.co_filename


class _Asking:
    """One of the wrapped functions. No function itself, since pathlib of Python 3.10 would bind that as a method."""

    def __init__(self, name: str) -> None:
        self.original = getattr(os, name)

    def __call__(self, path, *arguments, **options):  # type: ignore[no-untyped-def]
        _note("ask", path)
        return self.original(path, *arguments, **options)


_IN_BETWEEN = ("_collections_abc.py", "<frozen _collections_abc>", "posixpath.py", "<frozen posixpath>")


class _Environ(os._Environ):  # type: ignore[type-arg]
    def __getitem__(self, name):  # type: ignore[no-untyped-def]
        caller = sys._getframe(1)
        while caller.f_code.co_filename.endswith(_IN_BETWEEN):
            assert caller.f_back is not None
            caller = caller.f_back
        if f"{os.sep}lintpickle{os.sep}" in caller.f_code.co_filename or caller.f_code.co_name == "get_terminal_size":
            variables.add(name)
        return super().__getitem__(name)


if __name__ == "__main__":
    report = sys.argv.pop(1)
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in ("stat", "lstat", "readlink", "access"):
        setattr(os, name, _Asking(name))
    sys.addaudithook(_audit)
    os.environ.__class__ = _Environ

    import time

    now = time.time_ns
    time.time_ns = lambda: now() + 60_000_000_000
    os._exit = sys.exit  # type: ignore[assignment]

    from lintpickle.cli import main

    try:
        sys.exit(main())
    finally:
        found = {kind: sorted(paths) for kind, paths in touched.items()}
        with builtins.open(report, "w", encoding="utf-8") as file:
            json.dump({**found, "variables": sorted(variables)}, file)
