"""Watching the places where a program pickles. The program goes on as it would: what pickle raises is raised."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from typing import Any, Callable, Iterator

from .imports import after_import
from .recording import Recorder
from .sites import Remembered

FORKING = "forking"
"""The pickler of multiprocessing, for whatever it is used."""
PICKLE = "pickle"
TORCH_SAVE = "torch.save"
CLOUDPICKLE = "cloudpickle"


class Hooks:
    """What one process watches, and what it tells a recorder: whatever it pickles, or (`only_processes`) what it sends
    to other processes."""

    def __init__(self, recorder: Recorder, only_processes: bool = False) -> None:
        self._recorder = recorder
        self._remembered = Remembered()
        self._busy = threading.local()
        self._asker: Any = None
        self._only_processes = only_processes

    def install(self) -> None:
        """Watch what is imported already, and the rest as soon as it is."""
        after_import("multiprocessing.reduction", self._reduction)
        after_import("multiprocessing.process", self._process)
        after_import("multiprocessing.queues", self._queues)
        after_import("multiprocessing.pool", self._pool)
        after_import("concurrent.futures.process", self._executor)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
        if self._only_processes:
            return
        after_import("pickle", self._pickle)
        after_import("torch.serialization", self._torch)
        after_import("loky.process_executor", self._loky)
        after_import("joblib.externals.loky.process_executor", self._loky)
        for package in ("cloudpickle", "joblib.externals.cloudpickle"):
            for module in ("cloudpickle", "cloudpickle_fast"):
                after_import(f"{package}.{module}", self._cloudpickle)

    def _forked(self) -> None:
        self._recorder.forked()
        self._busy = threading.local()

    # Where programs pickle.

    def _reduction(self, module: Any) -> None:
        pickler = module.ForkingPickler
        dump = pickler.dump

        def watched(this: Any, obj: Any) -> Any:
            try:
                return dump(this, obj)
            except Exception as error:
                self._failed(FORKING, obj, error)
                raise

        pickler.dump = functools.wraps(dump, updated=())(watched)

    def _pickle(self, module: Any) -> None:
        for name in ("dump", "dumps"):
            setattr(module, name, self._watching(getattr(module, name), PICKLE))

    def _torch(self, module: Any) -> None:
        module.save = self._watching(module.save, TORCH_SAVE)

    def _watching(self, function: Callable[..., Any], kind: str) -> Callable[..., Any]:
        @functools.wraps(function)
        def watched(obj: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return function(obj, *args, **kwargs)
            except Exception as error:
                self._failed(kind, obj, error)
                raise

        return watched

    def _cloudpickle(self, module: Any) -> None:
        pickler = getattr(module, "Pickler", None) or getattr(module, "CloudPickler", None)
        if pickler is None or "dump" not in vars(pickler):
            return
        dump = pickler.dump

        def watched(this: Any, obj: Any) -> Any:
            try:
                return dump(this, obj)
            except Exception as error:
                self._failed(CLOUDPICKLE, obj, error, this)
                raise

        pickler.dump = functools.wraps(dump)(watched)

    # Where something is handed on that is pickled later, in another thread.

    def _queues(self, module: Any) -> None:
        self._noting(module.Queue, "put", "Queue.put")

    def _pool(self, module: Any) -> None:
        for name in ("apply_async", "_map_async", "imap", "imap_unordered"):
            self._noting(module.Pool, name, "Pool")

    def _executor(self, module: Any) -> None:
        self._noting(module.ProcessPoolExecutor, "submit", "ProcessPoolExecutor")

    def _loky(self, module: Any) -> None:
        self._noting(module.ProcessPoolExecutor, "submit", module.__name__.partition(".")[0])

    def _noting(self, thing: Any, name: str, boundary: str) -> None:
        method = getattr(thing, name)

        @functools.wraps(method)
        def noting(this: Any, *args: Any, **kwargs: Any) -> Any:
            if args:
                self._remembered.note(args[0], boundary)
            return method(this, *args, **kwargs)

        setattr(thing, name, noting)

    # Where processes start by fork.

    def _process(self, module: Any) -> None:
        start = module.BaseProcess.start

        @functools.wraps(start)
        def watched(this: Any) -> Any:
            self._starting(this)
            return start(this)

        module.BaseProcess.start = watched

    def _starting(self, process: Any) -> None:
        with self._asking() as asker:
            if asker is not None:
                asker.starting(process)

    def _failed(self, kind: str, obj: Any, error: BaseException, pickler: Any = None) -> None:
        with self._asking() as asker:
            if asker is not None:
                asker.failed(kind, obj, error, pickler)

    @contextlib.contextmanager
    def _asking(self) -> Iterator[Any]:
        """The one that asks; None if it is asking in this thread already. Nothing that fails in it is the program's."""
        if getattr(self._busy, "now", False):
            yield None
            return
        self._busy.now = True
        try:
            if self._asker is None:
                from .asking import Asker

                self._asker = Asker(self._recorder, self._remembered)
            yield self._asker
        except Exception as error:
            self._recorder.count(f"failed: {type(error).__name__}: {error}")
        finally:
            self._busy.now = False
