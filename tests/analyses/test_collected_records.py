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


_CONFIGURED = _MAIN.replace("log.add", "logging.basicConfig(level=logging.INFO)\nlog.add")
_ITS_OWN = """\
def configure():
    logging.basicConfig(level=logging.INFO)


"""
_BY_HANDLERS = """\
def configure(queue):
    logging.basicConfig(handlers=[logging.handlers.QueueHandler(queue)])


"""


@pytest.mark.parametrize(
    ("main", "forward"),
    [
        (_CONFIGURED, ""),
        (_CONFIGURED.replace("basicConfig(level=logging.INFO)", "basicConfig(filename='ingest.log')"), ""),
        (_CONFIGURED.replace("Pool(2)", "multiprocessing.get_context('fork').Pool(2)"), ""),
        (_MAIN.replace("Pool(2)", "Pool(2, configure)"), _ITS_OWN),
        (f"configure()\n{_MAIN.replace('Pool(2)', 'Pool(2, configure)')}", _ITS_OWN),
    ],
)
def test_what_else_configures_logging_does_not_mend_it(main: str, forward: str) -> None:
    text = _PROGRAM.replace("FORWARD", forward).replace("MADE", _MADE).replace("EMITS", _EMITS)
    found = [
        each for each in lint(text.replace("MAIN", main.replace("\n", "\n    "))).diagnostics if each.code == "LP211"
    ]
    assert ["`issues` of the main process gets no record" in each.message for each in found] == [True]
    assert found[0].help is not None and "QueueListener" in found[0].help and "set it also" not in found[0].help


@pytest.mark.parametrize(
    ("main", "forward"),
    [
        (_CONFIGURED.replace("print(collector.issues)", "print('done')"), ""),
        (_CONFIGURED.replace("Collector()", "logging.FileHandler('ingest.log')").replace("collector.issues", "1"), ""),
        (_CONFIGURED.replace("pool.map(parse", "list(map(parse").replace("3])", "3]))"), ""),
        (_CONFIGURED.replace("log.add", "logging.getLogger('web').add"), ""),
        ("queue = multiprocessing.Queue()\n" + _MAIN.replace("Pool(2)", "Pool(2, configure, (queue,))"), _BY_HANDLERS),
        ("queue = multiprocessing.Queue()\n" + _MAIN.replace("Pool(2)", "Pool(2, forward, (queue,))"), _FORWARD),
    ],
)
def test_nothing_is_missed_whatever_else_configures_logging(main: str, forward: str) -> None:
    text = _PROGRAM.replace("FORWARD", forward).replace("MADE", _MADE).replace("EMITS", _EMITS)
    found = lint(text.replace("MAIN", main.replace("\n", "\n    "))).diagnostics
    assert not [each for each in found if "of the main process gets no record" in each.message]
