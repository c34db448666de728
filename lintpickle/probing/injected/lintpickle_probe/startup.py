"""Beginning to watch, when an interpreter starts that is asked to by its environment."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys


def begin(folder: str) -> None:
    """Watch this process, if the environment asks for it; then run the `sitecustomize` that would have been run without
    us. `folder` is the one that led here: the program does not see it on its path."""
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != folder]
    from .recording import VARIABLE, Recorder, from_variable

    asked = from_variable(os.environ.get(VARIABLE, ""))
    if asked is not None:
        from .hooks import Hooks

        Hooks(Recorder(asked)).install()
    _run_hidden("sitecustomize")


def _run_hidden(name: str) -> None:
    """Run a module of the path that ours of the same name has hidden."""
    spec = importlib.machinery.PathFinder.find_spec(name, sys.path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
