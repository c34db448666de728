"""LP211: log records that a handler keeps for the main process."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Diagnostic, StartMethod
from tests.support import lint

_PROGRAM = """\
import logging
import logging.handlers
import multiprocessing
from multiprocessing import Pool

log = logging.getLogger("ingest")


class Collector(logging.Handler):
    def __init__(self):
        super().__init__()
        MADE

    def emit(self, record):
        EMITS

    def report(self):
        return sorted(self.issues)


FORWARDdef parse(number):
    if number < 0:
        log.warning("negative %d", number)
    return number


def main():
    MAIN


if __name__ == "__main__":
    main()
"""
_FORWARD = """\
def forward(queue):
    logging.getLogger().addHandler(logging.handlers.QueueHandler(queue))


"""
_MADE, _EMITS = "self.issues = []", "self.issues.append(record.getMessage())"
_MAIN = """\
collector = Collector()
log.addHandler(collector)
with Pool(2) as pool:
    pool.map(parse, [1, -2, 3])
print(collector.issues)"""


def _found(main: str = _MAIN, made: str = _MADE, emits: str = _EMITS) -> list[Diagnostic]:
    text = _PROGRAM.replace("MAIN", main.replace("\n", "\n    ")).replace("MADE", made).replace("EMITS", emits)
    found = lint(text.replace("FORWARD", _FORWARD if "forward" in main else "")).diagnostics
    return [each for each in found if each.code == "LP211" and "`Collector`" in each.message]


@pytest.mark.parametrize(
    ("main", "made", "emits"),
    [
        (_MAIN, _MADE, _EMITS),
        (_MAIN.replace("log.add", "logging.getLogger().add"), _MADE, _EMITS),
        (_MAIN.replace("log.add", "logging.getLogger('ingest').add"), _MADE, _EMITS),
        (_MAIN.replace("collector.issues", "collector.report()"), _MADE, _EMITS),
        (_MAIN, "self.issues = collections.Counter()", "self.issues[record.levelname] += 1"),
        (_MAIN, "self.issues = 0", "self.issues += 1"),
        (_MAIN, "self.issues: list[str] = []", _EMITS),
        (_MAIN.replace("Pool(2)", "multiprocessing.get_context('fork').Pool(2)"), _MADE, _EMITS),
    ],
)
def test_records_that_the_main_process_keeps(main: str, made: str, emits: str) -> None:
    (found,) = _found(main, made, emits)
    assert "`issues` of the main process gets no record of a worker" in found.message
    assert found.help is not None and "QueueListener" in found.help
    assert StartMethod.FORK in found.start_methods


@pytest.mark.parametrize(
    ("main", "made", "emits"),
    [
        (_MAIN.replace("print(collector.issues)", "print('done')"), _MADE, "print(record)"),
        (_MAIN.replace("print(collector.issues)", "print('done')"), _MADE, _EMITS),
        (_MAIN, "self.issues = multiprocessing.Manager().list()", _EMITS),
        (_MAIN, "self.issues = multiprocessing.Queue()", "self.issues.put(record.getMessage())"),
        (_MAIN.replace("log.add", "logging.getLogger('web').add"), _MADE, _EMITS),
        (_MAIN.replace("pool.map(parse", "list(map(parse").replace("3])", "3]))"), _MADE, _EMITS),
        (
            _MAIN.replace("Collector()", "logging.StreamHandler()").replace("collector.issues", "collector"),
            _MADE,
            _EMITS,
        ),
        (
            "queue = multiprocessing.Queue()\ncollector = Collector()\n"
            "listener = logging.handlers.QueueListener(queue, collector)\nlistener.start()\n"
            "with Pool(2, forward, (queue,)) as pool:\n    pool.map(parse, [1, -2, 3])\n"
            "listener.stop()\nprint(collector.issues)",
            _MADE,
            _EMITS,
        ),
        (
            "queue = multiprocessing.Queue()\ncollector = Collector()\nlog.addHandler(collector)\n"
            "with Pool(2, forward, (queue,)) as pool:\n    pool.map(parse, [1, -2, 3])\n"
            "log.handle(queue.get())\nprint(collector.issues)",
            _MADE,
            _EMITS,
        ),
    ],
)
def test_records_that_arrive_or_are_not_kept(main: str, made: str, emits: str) -> None:
    assert not _found(main, made, emits)


def test_a_logger_that_is_not_known_is_possible_only() -> None:
    assert not _found(_MAIN.replace("log.add", "logging.getLogger(input()).add"))
