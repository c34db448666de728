"""Quickens `import torch` by a quarter in every interpreter that a proof starts: no garbage collection meanwhile, and
none of what it leaves behind. Nothing is imported earlier, later or otherwise than without it."""

import gc
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class QuickTorch:
    """A finder that takes part in the first search for torch, and then is gone."""

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "torch":
            return None
        sys.meta_path.remove(cls)
        spec = PathFinder.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            gc.disable()
            try:
                execute(module)
            finally:
                gc.enable()
                gc.freeze()

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, QuickTorch)
sys.path.remove(os.path.dirname(__file__))
