"""Every row of every proof table, on the real libraries. Needs the dependency group `proof`.

Without torch these tests are skipped, unless LINTPICKLE_REQUIRE_PROOFS=1 says that they must run. Scripts and their
workers are forked from processes that have torch loaded, which gives the same verdicts in a tenth of the time. Some
workers start new interpreters all the same, and whatever the page tells otherwise is run again from scratch.
LINTPICKLE_PROOFS_FROM_SCRATCH=1 starts interpreters for everything.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.rulebook.pages import Page, ProofRow, load_pages

from .harness import HANG_LIMIT, LIMIT, Observed, Start, Zygote, agrees, new_interpreter, run, script_for

pytestmark = pytest.mark.proof

CASES = sorted(
    ((page, row, method) for page in load_pages() for row in page.proof for method in StartMethod),
    key=lambda case: case[1].outcomes[case[2]] != "hang",  # those first, so that the others fill their waiting
)


def name(case: tuple[Page, ProofRow, StartMethod]) -> str:
    page, row, method = case
    return f"{page.code}-{row.label}-{method.value}"


@pytest.fixture(scope="session")
def from_zygote(torch_is_there: None) -> Iterator[Start]:
    with Zygote() as start:
        yield start


@pytest.fixture(scope="session")
def start(request: pytest.FixtureRequest, torch_is_there: None) -> Start:
    if os.environ.get("LINTPICKLE_PROOFS_FROM_SCRATCH") == "1":
        return new_interpreter
    zygote: Start = request.getfixturevalue("from_zygote")
    return zygote


@pytest.mark.parametrize("case", CASES, ids=name)
def test_page_tells_what_really_happens(case: tuple[Page, ProofRow, StartMethod], start: Start, tmp_path: Path) -> None:
    page, row, method = case
    cell = row.outcomes[method]
    script, limit = script_for(page, row), HANG_LIMIT if cell == "hang" else LIMIT
    observed = run(script, method, tmp_path, limit, start, ready_interpreters=not _starts_interpreters(*case))
    if start is not new_interpreter and not agrees(cell, observed):
        folder = tmp_path / "again"
        folder.mkdir()
        observed = run(script, method, folder, limit, new_interpreter)
    assert agrees(cell, observed), (
        f"{page.path}:{row.row}: the page says {cell!r}, the run was {observed.kind!r}:\n{observed.output}"
    )


def _starts_interpreters(page: Page, row: ProofRow, method: StartMethod) -> bool:
    """Whether workers are new interpreters, which import torch themselves: those by spawn of the first example of each
    page, where spawn and forkserver differ, and where texts must have other hashes in a worker."""
    is_first = row.label == "bad" and method is StartMethod.SPAWN
    outcomes = row.outcomes
    return is_first or outcomes[StartMethod.SPAWN] != outcomes[StartMethod.FORKSERVER] or "PYTHONHASHSEED" in page.text


SPEAKING = """
import atexit, multiprocessing, os, sys, tempfile, threading
from multiprocessing import spawn

class Told:
    pass

def tell(queue):
    import __main__
    forked = sys.argv[1] == "fork"
    print("torch is", "known" if "torch" in sys.modules and not forked else "new")
    knows_nothing = not hasattr(sys, "left_by_the_script") or forked
    is_child = os.getppid() == multiprocessing.parent_process().pid
    started = (knows_nothing, is_child == (sys.argv[1] != "forkserver"))
    queue.put((*started, __name__, __main__.__file__, sys.argv, sys.path, os.getcwd()))
    queue.put(Told())

def tell_later(reader):
    reader.recv()
    print("process")

if __name__ == "__main__":
    sys.left_by_the_script = True
    context = multiprocessing.get_context(sys.argv[1])
    queue = context.SimpleQueue()
    process = context.Process(target=tell, args=(queue,))
    process.start()
    print(queue.get())
    assert isinstance(queue.get(), Told)
    process.join()
    assert sys.modules["__main__"].tell is tell
    print(__name__, __file__, __spec__, __package__, __doc__, __builtins__)
    print({**spawn.get_preparation_data("x"), "authkey": None})
    print(sys.argv, sys.path, sys.flags, os.getcwd(), tempfile.gettempdir(), threading.active_count())
    print(sorted(os.environ.keys() - {"PYTHONPATH"}), os.getpid() == os.getsid(0))
    print(sorted(os.listdir("/dev/fd")), sys.stdin.read())
    print([(stream.encoding, stream.errors, stream.write_through) for stream in (sys.stdout, sys.stderr)])

    class Last:
        def __del__(self):
            print("end")

    last = Last()
    reader, writer = context.Pipe(duplex=False)
    atexit.register(writer.send, "now")
    atexit.register(print, "exit")
    threading.Thread(target=lambda: (threading.main_thread().join(), print("thread"))).start()
    context.Process(target=tell_later, args=(reader,)).start()
    raise SystemExit("failed")
"""


@pytest.mark.parametrize("method", StartMethod)
def test_the_zygote_is_not_seen(method: StartMethod, from_zygote: Start, tmp_path: Path) -> None:
    fresh, forked = (run(SPEAKING, method, tmp_path, LIMIT, start) for start in (new_interpreter, from_zygote))
    assert fresh.output.endswith("\nfailed\nthread\nexit\nprocess\nend\n"), fresh.output
    assert forked == fresh
    ready = run(SPEAKING, method, tmp_path, LIMIT, from_zygote, ready_interpreters=True)
    assert method is StartMethod.FORK or ready.output.startswith("torch is known\n")
    assert replace(ready, output=ready.output.replace("torch is known", "torch is new")) == fresh


@pytest.mark.parametrize("kind_of_start", ["new_interpreter", "from_zygote"])
@pytest.mark.parametrize(
    ("source", "kind", "cell"),
    [
        ("print('fine')", "ok", "ok"),
        ("print('wrong: 2 equal streams')", "wrong", "wrong: 2 equal streams"),
        ("raise TypeError('no')", "error", "TypeError: no"),
        ("raise RuntimeError('worker (pid(s) 12, 13) exited unexpectedly')", "died", "died: (pid(s) N)"),
        ("import os; os.kill(os.getpid(), 9)", "error", None),
        ("raise SystemExit(7)", "error", None),
        ("import sys; sys.exit()", "ok", "ok"),
        ("1 +", "error", "SyntaxError: invalid syntax"),
        ("import time; time.sleep(60)", "hang", "hang"),
    ],
)
def test_the_harness_tells_outcomes_apart(
    source: str, kind: str, cell: str | None, kind_of_start: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    start: Start = new_interpreter if kind_of_start == "new_interpreter" else request.getfixturevalue(kind_of_start)
    observed = run(source, StartMethod.SPAWN, tmp_path, 2.0 if kind == "hang" else LIMIT, start)
    assert observed.kind == kind
    assert cell is None or agrees(cell, observed)


@pytest.mark.parametrize(
    ("cell", "observed"),
    [
        ("ok", Observed("error", "TypeError: no")),
        ("hang", Observed("ok", "")),
        ("TypeError: no", Observed("ok", "TypeError: no")),
        ("TypeError: no", Observed("died", "TypeError: no")),
        (
            "TypeError: cannot pickle 'dict_keys' object",
            Observed("error", "TypeError: cannot pickle 'module'"),
        ),
        ("wrong: 3", Observed("wrong", "wrong: 2")),
    ],
)
def test_the_harness_disagrees_with_other_outcomes(cell: str, observed: Observed) -> None:
    assert not agrees(cell, observed)
