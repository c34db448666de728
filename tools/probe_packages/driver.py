"""Runs in the environment of the packages: makes objects, asks the probe about them, and asks pickle if it is right.

Needs Python 3.9, its standard library, and the folder of lintpickle on the path. On standard input come JSON rows with
`imports` and `expression`; for each, a JSON row goes out. Two questions are put to the pickler of multiprocessing, as
if a process was being spawned:

* without all that the probe has named (None in its place), does the rest pickle? If not, something was missed;
* does anything that the probe has named pickle alone? Then it was named for nothing.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

from lintpickle.probing.injected.lintpickle_probe import ways
from lintpickle.probing.injected.lintpickle_probe.limits import Clock, Limits
from lintpickle.probing.injected.lintpickle_probe.names import error_line, type_name
from lintpickle.probing.injected.lintpickle_probe.questions import Question, answer
from lintpickle.probing.injected.lintpickle_probe.reductions import Reductions
from lintpickle.probing.injected.lintpickle_probe.walk import Walk

ALL = Limits(seconds=60.0, culprits=1000000, places=1000000)
"""Nothing is left out because there is much of it."""


def made(imports: str, expression: str) -> Any:
    """The object of a row."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for module in imports.split():
        importlib.import_module(module)
        names[module.partition(".")[0]] = sys.modules[module.partition(".")[0]]
    return eval(expression, names)  # the expressions are those of the table beside this file


def judged(obj: Any) -> dict[str, Any]:
    """What the probe says of an object, and what pickle says to that."""
    started = time.perf_counter()
    told = answer(Question(ways.process(), obj, (("obj", obj),), limits=ALL))
    seconds = time.perf_counter() - started
    with ways.process().entered():
        alone = _error(obj, {})
        reductions = Reductions(ways.process(), 4)
        found = Walk(reductions, Clock(ALL)).over((("obj", obj),)).culprits if alone is not None else []
        named = {id(node.obj): node.obj for culprit in found for node in culprit.nodes}
        rest = _error(obj, named, reductions)
        needless = [each for each in named.values() if _error(each, {}) is None]
    return {
        "error": None if alone is None else error_line(alone),
        "probe": None if told.error is None else error_line(told.error),
        "culprits": [f"{each['path']}: {each['type']}" for each in told.culprits],
        "left": None if rest is None else error_line(rest),
        "needless": sorted({type_name(type(each)) for each in needless}),
        "stopped": told.stopped,
        "objects": told.objects,
        "seconds": round(seconds, 4),
    }


def _error(obj: Any, named: dict[int, Any], reductions: Reductions | None = None) -> BaseException | None:
    """What pickling raises, with None instead of what is named. What an object hands to pickle in its place is asked
    for once: objects that make something new each time would not be met again."""
    from multiprocessing.reduction import ForkingPickler

    class Pickler(ForkingPickler):
        def reducer_override(self, other: Any) -> Any:
            if id(other) in named:
                return type(None), ()
            if reductions is None or not named:
                return NotImplemented
            said = reductions.of(other)
            return _again(said) if isinstance(said, (str, tuple)) else NotImplemented

    try:
        Pickler(io.BytesIO(), 4).dump(obj)
    except Exception as error:
        return error.with_traceback(None)
    return None


def _again(said: Any) -> Any:
    """A reduction whose items can be taken again."""
    if isinstance(said, str):
        return said
    return tuple(iter(part) if 2 < at < 5 and part is not None else part for at, part in enumerate(said))


def _answers() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        row = json.loads(line)
        try:
            obj = made(row["imports"], row["expression"])
        except Exception as error:  # a package that is not there, or is another version: told, and not counted
            yield {"absent": error_line(error)}
            continue
        yield judged(obj)


def main() -> None:
    """Answer all rows."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what packages print is none of the answers
    for each in _answers():
        out.write(json.dumps(each) + "\n")
        out.flush()
    out.flush()
    os._exit(0)  # objects of packages may have threads that never end


if __name__ == "__main__":
    main()
