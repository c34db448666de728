"""Pickling something for real, into nothing, to see whether it can be done."""

from __future__ import annotations

import pickle
from typing import Any

from .limits import Clock, Enough
from .reductions import BY_NAME, KEPT, Reductions


class Attempt:
    """`error` is what pickling raised; None if it came to an end, or (`stopped`) to a limit."""

    def __init__(self, error: BaseException | None, stopped: str | None = None) -> None:
        self.error = error
        self.stopped = stopped


def attempt(obj: Any, reductions: Reductions, clock: Clock) -> Attempt:
    """Pickle an object with the C pickler. Each object in it is asked through `reductions`."""
    try:
        _Pickler(_Nothing(clock), reductions).dump(obj)
    except KeyboardInterrupt:
        raise
    except Enough as enough:
        return Attempt(None, str(enough))
    except BaseException as error:
        return Attempt(error.with_traceback(None))
    return Attempt(None)


def there_and_back(obj: Any, reductions: Reductions, clock: Clock) -> Any:
    """What comes out on the other side. What crosses as it is, is the same object. Raises what unpickling raises."""
    target = _Bytes(clock)
    pickler = _Pickler(target, reductions)
    pickler.dump(obj)
    return _Unpickler(target, pickler.kept).load()


class _Nothing:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        self._clock.wrote(size)
        return size


class _Bytes:
    """A file in memory that is read after it was written."""

    def __init__(self, clock: Clock) -> None:
        import io

        self._clock = clock
        self._file = io.BytesIO()

    def write(self, data: Any) -> int:
        self._clock.wrote(memoryview(data).nbytes)
        return self._file.write(data)

    def rewound(self) -> Any:
        self._file.seek(0)
        return self._file


class _Same:
    """Stands in a pickle for an object that crosses as it is."""


class _Pickler(pickle.Pickler):
    def __init__(self, file: Any, reductions: Reductions) -> None:
        super().__init__(file, reductions.protocol)
        self._reductions = reductions
        self.kept: list[Any] = []

    def reducer_override(self, obj: Any) -> Any:
        if obj is _Same:
            return NotImplemented
        said = self._reductions.of(obj)
        if said is KEPT:
            self.kept.append(obj)
            return _Same, (len(self.kept) - 1,)
        if said is BY_NAME:
            return NotImplemented
        if isinstance(said, tuple) and len(said) > 3:
            return tuple(iter(part) if 2 < at < 5 and part is not None else part for at, part in enumerate(said))
        return said


class _Unpickler(pickle.Unpickler):
    def __init__(self, written: _Bytes, kept: list[Any]) -> None:
        super().__init__(written.rewound())
        self._kept = kept

    def find_class(self, module: str, name: str) -> Any:
        if module == _Same.__module__ and name == _Same.__name__:
            return self._kept.__getitem__
        return super().find_class(module, name)
