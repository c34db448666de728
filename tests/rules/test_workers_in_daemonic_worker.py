"""LP218: workers-in-daemonic-worker."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.worker_functions import IMPORTS, codes
from tests.support import lint

GUARD = "if __name__ == '__main__':\n    main()\n"
INNER = "from multiprocessing.pool import ThreadPool\ndef inner(x):\n    return x\n"
ITEMS = (
    "class Rows(Dataset):\n    def __len__(self):\n        return 1\n"
    "    def __getitem__(self, i):\n        return work(i)\n"
)


class TestPage(PageTests):
    code = "LP218"


def _codes(starts: str, runs: str) -> list[str]:
    return codes(f"{INNER}def work(x):\n    {starts}\n    return x\n{ITEMS}def main():\n    {runs}\n{GUARD}")


POOL = "mp.Pool(2).map(inner, [x])"


@pytest.mark.parametrize(
    ("starts", "runs"),
    [
        (POOL, "mp.Pool(2).map(work, [1])"),
        (POOL, "mp.get_context('fork').Pool(2).apply_async(work, (1,))"),
        (POOL, "list(DataLoader(Rows(), num_workers=2))"),
        (POOL, "mp.Process(target=work, args=(1,), daemon=True).start()"),
        ("p = mp.Process(target=inner, args=(1,)); p.start()", "mp.Pool(2).map(work, [1])"),
        ("list(ProcessPoolExecutor(2).map(inner, [1]))", "mp.Pool(2).map(work, [1])"),
        ("list(DataLoader([1], num_workers=2))", "mp.Pool(2).map(work, [1])"),
    ],
)
def test_what_starts_processes_in_daemonic_workers(starts: str, runs: str) -> None:
    assert _codes(starts, runs) == ["LP218"]


@pytest.mark.parametrize(
    ("starts", "runs"),
    [
        (POOL, "list(ProcessPoolExecutor(2).map(work, [1]))"),
        (POOL, "mp.Process(target=work, args=(1,)).start()"),
        (POOL, "mp.Process(target=work, args=(1,), daemon=False).start()"),
        (POOL, "list(DataLoader(Rows(), num_workers=0))"),
        (POOL, "ThreadPoolExecutor(2).map(work, [1])"),
        (POOL, "work(1)"),
        ("ThreadPool(2).map(inner, [x])", "mp.Pool(2).map(work, [1])"),
        ("list(DataLoader([1], num_workers=0))", "mp.Pool(2).map(work, [1])"),
        ("ThreadPoolExecutor(2).map(inner, [x])", "mp.Pool(2).map(work, [1])"),
        (f"mp.current_process().daemon or {POOL}", "mp.Pool(2).map(work, [1])"),
        (f"if x > 5: {POOL}", "mp.Pool(2).map(work, [1])"),
        ("p = mp.Process(target=inner, args=(1,)); print(p)", "mp.Pool(2).map(work, [1])"),
    ],
)
def test_what_may_have_processes_or_starts_none(starts: str, runs: str) -> None:
    assert _codes(starts, runs) == []


def test_pools_of_the_program_may_have_other_processes() -> None:
    own = "import multiprocessing.pool\nclass Nestable(multiprocessing.pool.Pool):\n    pass\n"
    assert codes(f"{own}{INNER}def work(x):\n    {POOL}\ndef main():\n    Nestable(2).map(work, [1])\n{GUARD}") == []


_SAVING = """
def save(rows, kind={kind}):
    if kind == "table":
        print(rows)
    elif kind == "parts":
        save_parts(rows)


def save_part(part):
    rows, kind = part
    save(rows, {given})


def save_parts(rows):
    with mp.Pool(2) as pool:
        pool.map(save_part, [(rows, "table")])


if __name__ == "__main__":
    save([1], "parts")
"""


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [("'table'", "kind", []), ("'parts'", "'parts'", ["LP218"]), ("'parts'", "'table'", []), ("'x'", "'x'", [])],
)
def test_workers_that_may_lead_back_to_what_started_them(kind: str, given: str, expected: list[str]) -> None:
    assert codes(_SAVING.format(kind=kind, given=given)) == expected


@pytest.mark.parametrize(("test", "confidence"), [("True", Confidence.CERTAIN), ("len(rows) > 3", Confidence.LIKELY)])
def test_a_condition_on_the_way_to_the_processes(test: str, confidence: Confidence) -> None:
    inner = f"def spread(rows):\n    {POOL.replace('x', '1')}\n"
    work = f"def work(rows):\n    if {test}:\n        spread(rows)\n"
    (found,) = lint(f"{IMPORTS}{INNER}{inner}{work}def main():\n    mp.Pool(2).map(work, [1])\n{GUARD}").diagnostics
    assert (found.code, found.confidence) == ("LP218", confidence)


_HELPER = """
class Backend:
    def __init__(self, workers=1):
        self.workers = workers

    def map(self, function, items):
        items = list(items)
        if {serial}:
            return [function(item) for item in items]
        with mp.Pool(min(self.workers, len(items))) as pool:
            return pool.map(function, items)


def score(row):
    return row * 2


def evaluate(candidate):
    return sum(Backend({workers}).map(score, {rows}))


def main():
    print(Backend(workers=2).map(evaluate, [1, 2, 3, 4]))


if __name__ == "__main__":
    main()
"""
_SERIAL = "self.workers <= 1 or len(items) < 2"


@pytest.mark.parametrize(
    ("serial", "workers", "rows"),
    [
        (_SERIAL, "2", "[candidate, candidate + 1]"),
        (_SERIAL, "workers=3", "[candidate + step for step in range(3)]"),
        (_SERIAL, "4", "range(candidate)"),
        ("len(items) == 1 or not self.workers > 1", "2", "(candidate, 0, 1)"),
        ("not (len(items) > 1 and self.workers > 1)", "2", "range(candidate)"),
    ],
)
def test_a_helper_that_needs_no_processes_for_one_item(serial: str, workers: str, rows: str) -> None:
    program = _HELPER.replace("{serial}", serial).replace("{workers}", workers).replace("{rows}", rows)
    assert codes(f"{IMPORTS}{program}") == ["LP218"]


@pytest.mark.parametrize(
    ("workers", "rows"),
    [("", "[candidate, 1]"), ("1", "range(candidate)"), ("2", "[candidate]"), ("2", "(candidate,)")],
)
def test_a_helper_that_runs_here_what_is_small(workers: str, rows: str) -> None:
    program = _HELPER.replace("{serial}", _SERIAL).replace("{workers}", workers).replace("{rows}", rows)
    assert codes(f"{IMPORTS}{program}") == []


_HALVES = """
def solve(tasks):
    if len(tasks) < 2:
        return tasks[0]
    with mp.Pool(2) as pool:
        return sum(pool.map({function}, {parts}))


def solve_part(part):
    return solve(part)


if __name__ == "__main__":
    solve([1, 2])
"""


@pytest.mark.parametrize("function", ["solve", "solve_part"])
@pytest.mark.parametrize("parts", ["[[task] for task in tasks]", "split(tasks)", "[tasks[:1], tasks[1:]]"])
def test_workers_may_get_too_little_for_processes_of_their_own(function: str, parts: str) -> None:
    assert codes(f"{IMPORTS}{_HALVES.replace('{function}', function).replace('{parts}', parts)}") == []


BY_DEFAULT = """
import argparse
import multiprocessing as mp

from torch.utils.data import DataLoader, Dataset

def decode_plane(runs):
    return [value for value, length in runs for _ in range(length)]

class Decoder:
    def __init__(self, jobs):
        self.jobs = jobs

    def limit(self, jobs):
        {limit}

    def decode(self, planes):
        {guard}
            return [decode_plane(plane) for plane in planes]
        with mp.Pool(self.jobs) as pool:
            return pool.map(decode_plane, planes)

class Pictures(Dataset):
    def __init__(self, decoder):
        self.decoder = decoder

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.decoder.decode([[(index + plane, 3)] for plane in range(3)])

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--decode-jobs", type=int{default})
    args = parser.parse_args()
    print(len(list(DataLoader(Pictures(Decoder({jobs})), num_workers=2))))

if __name__ == "__main__":
    main()
"""


def _by_default(
    guard: str, default: str = ", default=2", jobs: str = "args.decode_jobs", limit: str = "pass"
) -> list[Confidence]:
    source = BY_DEFAULT.format(guard=guard, default=default, jobs=jobs, limit=limit)
    return [each.confidence for each in lint(source).diagnostics if each.code == "LP218"]


@pytest.mark.parametrize(
    "guard",
    [
        "if self.jobs <= 1 or len(planes) < 2:",
        "if self.jobs <= 1:",
        "if not self.jobs:",
        "if not self.jobs > 1:",
        "if self.jobs is None or self.jobs < 2:",
        "if self.jobs == 1:",
    ],
)
def test_the_default_of_an_option_leads_there(guard: str) -> None:
    assert _by_default(guard) == [Confidence.LIKELY]


@pytest.mark.parametrize(
    ("guard", "default", "jobs", "limit"),
    [
        ("if self.jobs <= 1 or len(planes) < 2:", ", default=1", "args.decode_jobs", "pass"),
        ("if self.jobs <= 2:", ", default=2", "args.decode_jobs", "pass"),
        ("if self.jobs <= 1:", "", "args.decode_jobs", "pass"),
        ("if self.jobs <= 1:", ", default=JOBS", "args.decode_jobs", "pass"),
        ("if self.jobs <= 1 or not parallel(planes):", ", default=2", "args.decode_jobs", "pass"),
        ("if self.jobs <= 1:", ", default=2", "args.decode_jobs // 2", "pass"),
        ("if self.jobs <= 1:", ", default=2", "args.decode_jobs", "self.jobs = jobs"),
        ("if self.jobs != 1 and len(planes) < 8:", ", default=2", "args.decode_jobs", "pass"),
    ],
)
def test_the_default_of_an_option_does_not_surely_lead_there(guard: str, default: str, jobs: str, limit: str) -> None:
    assert _by_default(guard, default, jobs, limit) == []


FIT = """\
import argparse
{imports}


class Fit:
    def __init__(self, width, rate=0.1, loader_workers={default}):
        self.width = width
        self.rate = rate
        self.loader_workers = loader_workers

    def _loader(self):
        return DataLoader([self.width], batch_size=16, num_workers={workers})

    def run(self):
        {stored}
        return sum(batch.sum().item() for batch in self._loader())


def score(params):
    return {made}.run()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--widths", type=int, nargs="+", default=[4, 16])
    args = parser.parse_args()
    {before}
    jobs = [{{"width": width}} for width in args.widths]
    with mp.Pool(2) as pool:
        print(pool.map(score, jobs))


"""


def _fits(
    default: str = "1",
    made: str = "Fit(**params)",
    workers: str = "self.loader_workers",
    stored: str = "pass",
    before: str = "pass",
    imports: str = "",
) -> list[Confidence]:
    parts = {"default": default, "made": made, "workers": workers, "stored": stored, "before": before}
    found = lint(IMPORTS + FIT.format(**parts, imports=imports) + GUARD).diagnostics
    return [each.confidence for each in found if each.code == "LP218"]


@pytest.mark.parametrize(
    "made", ["Fit(**params)", "Fit(**dict(params))", "Fit(rate=0.2, **params)", "Fit(params['width'])"]
)
def test_the_number_of_workers_is_the_default_of_a_parameter(made: str) -> None:
    assert _fits(made=made) == [Confidence.LIKELY]
    assert _fits(made=made, default="0") == []


@pytest.mark.parametrize(
    "change",
    [
        {"made": "Fit(*params)"},
        {"made": "Fit(*params, **params)"},
        {"default": "None"},
        {"default": "count()"},
        {"workers": "0"},
        {"workers": "self.loader_workers - 1"},
        {"stored": "self.loader_workers = 0"},
        {"before": "print({'loader_workers': 0})"},
        {"before": "options = dict(loader_workers=0)"},
        {"before": "parser.add_argument('--loader-workers', type=int, default=0)"},
        {"imports": "import yaml"},
        {"imports": "from omegaconf import OmegaConf"},
    ],
)
def test_the_number_of_workers_may_be_given(change: dict[str, str]) -> None:
    assert _fits(**change) == []


_PATCHED = """
import multiprocessing.pool
def fill(ctx, Process, processes, pool, *rest):
    for _ in range(processes - len(pool)):
        w = Process(ctx, target=multiprocessing.pool.worker, args=rest)
        w.daemon = {daemon}
        w.start()
        pool.append(w)
"""


@pytest.mark.parametrize(("daemon", "found"), [("False", []), ("True", ["LP218"])])
def test_pools_whose_workers_are_made_otherwise(daemon: str, found: list[str]) -> None:
    patched = _PATCHED.format(daemon=daemon)
    runs = f"def work(x):\n    {POOL}\ndef main():\n    mp.Pool(2).map(work, [1])\n{GUARD}"
    assert codes(f"{patched}{INNER}{runs}") == found


OWN = """
class Service(mp.Process):
    {made}

    def run(self):
        self.setup()
        self.serve()

    def setup(self):
        pass

    def serve(self):
        pass


class Resizing(Service):
    {how}

    def serve(self):
        {serving}


class Started(mp.Process):
    def run(self):
        inner(1)


def main():
    service = Resizing({given})
    {before}
    service.start()
    service.join()


"""
_INIT = "def __init__(self, **more):\n        super().__init__(**more)"
_DAEMON = "def __init__(self):\n        super().__init__(daemon=True)"
_OPTIONS = (
    "options = {'daemon': True}\n    def __init__(self, **more):\n"
    "        super().__init__(name='service', **{**self.options, **more})"
)
_STORED = "def __init__(self):\n        super().__init__()\n        self.daemon = True"


def _own(
    made: str = "pass",
    how: str = "pass",
    serving: str = "mp.Pool(2).map(inner, [1])",
    given: str = "",
    before: str = "pass",
) -> list[str]:
    return codes(INNER + OWN.format(made=made, how=how, serving=serving, given=given, before=before) + GUARD)


@pytest.mark.parametrize(
    "change",
    [
        {"made": _DAEMON},
        {"how": _DAEMON},
        {"made": _OPTIONS},
        {"made": _STORED},
        {"given": "daemon=True"},
        {"before": "service.daemon = True"},
        {"made": _INIT, "how": _DAEMON},
        {"made": _INIT, "given": "daemon=True"},
        {"made": _INIT, "given": "**{'daemon': True}"},
        {"made": "def __init__(self, daemon=True):\n        mp.Process.__init__(self, daemon=daemon)"},
        {"made": _DAEMON, "serving": "list(ProcessPoolExecutor(2).map(inner, [1]))"},
        {"made": _DAEMON, "serving": "p = mp.Process(target=inner, args=(1,)); p.start(); p.join()"},
        {"made": _DAEMON, "serving": "p = Started(); p.start(); p.join()"},
    ],
)
def test_processes_of_classes_that_are_daemonic(change: dict[str, str]) -> None:
    assert _own(**change) == ["LP218"]


_FREED = "def setup(self):\n        mp.current_process()._config['daemon'] = False"
_PERHAPS = (
    "def __init__(self, mode=None):\n        super().__init__()\n        if mode:\n            self.daemon = True"
)
_NEVER = (
    "@property\n    def daemon(self):\n        return False\n"
    "    @daemon.setter\n    def daemon(self, value):\n        pass"
)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"made": "daemon = True"},
        {"made": _INIT},
        {"made": _OPTIONS, "given": "daemon=False"},
        {"made": _OPTIONS, "how": "options = {'daemon': False}"},
        {"made": _DAEMON, "before": "service.daemon = False"},
        {"made": _STORED, "how": _NEVER},
        {"made": _DAEMON, "how": _FREED},
        {"made": _DAEMON, "serving": "ThreadPoolExecutor(2).map(inner, [1])"},
        {"made": _DAEMON, "serving": "inner(1)"},
        {"made": _INIT, "given": "daemon=len(GUARDS) > 3"},
        {"how": _PERHAPS},
    ],
)
def test_processes_of_classes_that_may_have_processes(change: dict[str, str]) -> None:
    assert _own(**change) == []


@pytest.mark.parametrize(("daemon", "found"), [("True", ["LP218"]), ("False", [])])
def test_processes_that_are_made_daemonic_later(daemon: str, found: list[str]) -> None:
    made = f"p = mp.Process(target=work, args=(1,)); p.daemon = {daemon}; p.start()"
    assert _codes(POOL, made) == found


SCORING = """\
import multiprocessing as mp
from dataclasses import dataclass, field
from operator import methodcaller
def inner(x):
    return x
class Scorer:
    def __init__(self, jobs=1, threshold=16):
        self.jobs, self.threshold = jobs, threshold
    def score(self, pairs):
        pairs = list(pairs)
        if {guard}:
            with mp.get_context("spawn").Pool(self.jobs) as pool:
                return pool.map(inner, pairs)
        return [inner(each) for each in pairs]
@dataclass
class Sample:
    name: str
    reads: list = field(default_factory=list)
    scorer: Scorer = field(default_factory=lambda: Scorer(jobs={jobs}))
    def similarity(self, scale=1):
        return max(self.scorer.score(zip(self.reads, self.reads[1:])))
    def title(self):
        return self.name
def main(texts):
    cohort = [Sample(text, list(text)) for text in texts]
    with mp.get_context("spawn").Pool(2) as pool:
        print(list({task}))
if __name__ == "__main__":
    main(["ab", "cd"])
"""
MANY = "self.jobs > 1 and len(pairs) >= self.threshold"


def _scored(task: str, guard: str = MANY, jobs: str = "2") -> list[Confidence]:
    found = lint(SCORING.format(task=task, guard=guard, jobs=jobs)).diagnostics
    return [each.confidence for each in found if each.code == "LP218"]


@pytest.mark.parametrize(
    "task",
    [
        "pool.imap(methodcaller('similarity'), cohort)",
        "pool.map(methodcaller('similarity', 2), cohort)",
        "pool.map(methodcaller('similarity', scale=2), [Sample('ab')])",
        "[pool.apply_async(methodcaller('similarity'), (Sample('ab'),)).get()]",
        "pool.map(Sample.similarity, cohort)",
    ],
)
def test_the_method_that_a_caller_of_methods_calls(task: str) -> None:
    assert _scored(task, "self.jobs > 1") == [Confidence.CERTAIN]


@pytest.mark.parametrize(
    "task",
    [
        "pool.imap(methodcaller('title'), cohort)",
        "pool.map(methodcaller('upper'), texts)",
        "pool.starmap(methodcaller('title'), [(Sample('ab'),)])",
        "pool.map(inner, [methodcaller('similarity')])",
        "map(methodcaller('similarity'), cohort)",
    ],
)
def test_a_caller_of_other_methods(task: str) -> None:
    assert _scored(task, "self.jobs > 1") == []


@pytest.mark.parametrize(
    ("guard", "jobs", "expected"),
    [
        (MANY, "2", [Confidence.LIKELY]),
        ("self.jobs > 1 and self.threshold <= len(pairs)", "2", [Confidence.LIKELY]),
        ("not len(pairs) < self.threshold", "2", [Confidence.LIKELY]),
        (MANY, "1", []),
        ("len(pairs) < self.threshold", "2", []),
        ("self.jobs > 1 and pairs[0] > self.threshold", "2", []),
    ],
)
def test_processes_that_are_for_many_elements(guard: str, jobs: str, expected: list[Confidence]) -> None:
    assert _scored("pool.map(Sample.similarity, cohort)", guard, jobs) == expected


_TRIALS = """
from functools import partial
def make(n, options):
    return DataLoader(list(range(n)), batch_size=2, **options)
def by_options(n, lr=0.1, options=None):
    return list(DataLoader(list(range(n)), **options))
def by_options_or_none(n, options=None):
    return list(DataLoader(list(range(n)), batch_size=2, **(options or {})))
def by_default(n, options=None):
    options = options or {}
    return list(DataLoader(list(range(n)), **options))
def by_merged(n, options=None):
    return list(DataLoader(list(range(n)), **{"batch_size": 2, **options}))
def by_overridden(n, options=None):
    return list(DataLoader(list(range(n)), **{**options, "num_workers": 0}))
def by_helper(n, options=None):
    return list(make(n, options))
def by_number(n, workers=0):
    return list(DataLoader(list(range(n)), num_workers=workers))
def by_item(n, options):
    return list(DataLoader(list(range(n)), num_workers=options["num_workers"]))
class Search:
    def __init__(self, objective):
        self.objective = objective
    def run(self):
        with mp.Pool(2) as pool:
            return pool.map(self.objective, [1, 2])
class Trial:
    def __init__(self, options):
        self.options = options
    def __call__(self, n):
        return list(DataLoader(list(range(n)), **self.options))
"""


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param("mp.Pool(2).map(partial(by_options, options={'num_workers': 2}), [1])", id="of a partial"),
        pytest.param(
            "mp.Pool(2).map(partial(partial(by_options, lr=1), options={'num_workers': 2}), [1])", id="of two"
        ),
        pytest.param("mp.Pool(2).map(partial(by_options, options=dict(num_workers=2)), [1])", id="a call of dict"),
        pytest.param("mp.Pool(2).map(partial(by_options_or_none, options={'num_workers': 2}), [1])", id="or none"),
        pytest.param("mp.Pool(2).map(partial(by_default, options={'num_workers': 2}), [1])", id="or none, before"),
        pytest.param("mp.Pool(2).map(partial(by_merged, options={'num_workers': 2}), [1])", id="merged"),
        pytest.param("mp.Pool(2).map(partial(by_helper, options={'num_workers': 2}), [1])", id="in a function called"),
        pytest.param("mp.Pool(2).map(partial(by_number, workers=2), [1])", id="the number alone"),
        pytest.param("mp.Pool(2).starmap(by_number, [(1, 2)])", id="the number in each task"),
        pytest.param("mp.Pool(2).apply_async(by_options, (1,), {'options': {'num_workers': 2}})", id="by keyword"),
        pytest.param("mp.Pool(2).apply(partial(by_options, 1, 0.1), ({'num_workers': 2},))", id="behind a partial's"),
        pytest.param("mp.Pool(2).apply(by_item, (1, {'num_workers': 2}))", id="an item"),
        pytest.param("Search(partial(by_options, options={'num_workers': 2})).run()", id="kept by an object"),
        pytest.param("mp.Pool(2).map(Trial({'num_workers': 2}), [1])", id="of an object"),
        pytest.param(
            "mp.Process(target=by_options, args=(1,), kwargs={'options': {'num_workers': 2}}, daemon=True).start()",
            id="of a process",
        ),
        pytest.param(
            "how = {'target': by_number, 'args': (1, 2), 'daemon': True}; mp.Process(**how).start()", id="all of it"
        ),
    ],
)
def test_loaders_with_the_workers_that_the_boundary_gives(runs: str) -> None:
    assert codes(f"{_TRIALS}def main():\n    {runs}\n{GUARD}") == ["LP218"]


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param("mp.Pool(2).map(partial(by_options, options={'num_workers': 0}), [1])", id="none"),
        pytest.param("mp.Pool(2).map(partial(by_options, options={'shuffle': True}), [1])", id="not said"),
        pytest.param("mp.Pool(2).map(partial(by_options_or_none, options={}), [1])", id="empty"),
        pytest.param("mp.Pool(2).map(by_options_or_none, [1])", id="not given"),
        pytest.param("mp.Pool(2).map(partial(by_overridden, options={'num_workers': 2}), [1])", id="overridden"),
        pytest.param("mp.Pool(2).map(partial(by_number, workers=0), [1])", id="the number, none"),
        pytest.param("mp.Pool(2).map(partial(by_number, workers=mp.cpu_count() - 4), [1])", id="not known"),
        pytest.param("mp.Pool(2).map(by_number, [1])", id="the default"),
        pytest.param("mp.Pool(2).starmap(by_number, [(1, 0)])", id="none in each task"),
        pytest.param(
            "list(ProcessPoolExecutor(2).map(partial(by_options, options={'num_workers': 2}), [1]))",
            id="not daemonic",
        ),
        pytest.param(
            "by_options(1, options={'num_workers': 2}); mp.Pool(2).map(by_options_or_none, [1])", id="in main"
        ),
    ],
)
def test_loaders_without_the_workers_that_the_boundary_gives(runs: str) -> None:
    assert codes(f"{_TRIALS}def main():\n    {runs}\n{GUARD}") == []


_PASSED = """\
import multiprocessing as mp


def inner(row):
    return row


def spread(rows):
    with mp.Pool(2) as pool:
        return pool.map(inner, rows)


def step(rows, deep=False):
    if deep:
        return spread(rows)
    return rows


def work(rows):
    BODY


if __name__ == "__main__":
    with mp.Pool(2) as pool:
        print(pool.map(work, [[1], [2]]))
"""


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("return step(rows)", False),
        ("return step(rows, deep=False)", False),
        ("return step(rows, deep=True)", True),
        ("return step(step(rows), deep=True)", True),
        ("first = step(rows)\n    return step(first, True)", True),
        ("first = step(rows)\n    return step(first)", False),
        ("return rows\n\n\ndef work(rows, deep=False):\n    return step(rows, deep=deep)", False),
        ("return rows\n\n\ndef work(rows, deep=True):\n    return step(rows, deep=deep)", True),
    ],
)
def test_what_a_worker_calls_in_a_branch_that_it_does_not_take(body: str, is_found: bool) -> None:
    found = lint(_PASSED.replace("BODY", body.replace("\\\\n", "\\n"))).diagnostics
    assert ("LP218" in [each.code for each in found]) is is_found


_ASKED = """
from torch.utils.data import get_worker_info
import torch


def inner(row):
    return row


def is_nested():
    info = torch.utils.data.get_worker_info()
    if info is not None:
        return True
    return False


def is_large(rows):
    return len(rows) > 100


def is_apart():
    return is_nested() or mp.parent_process() is not None


class Spread:
    def __init__(self):
        self.nested = NESTED

    def in_processes(self, rows):
        with mp.Pool(2) as pool:
            return pool.map(inner, rows)

    def here(self, rows):
        return rows

    def run(self, rows):
        BODY


class Rows(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return Spread().run([index])


def work(rows):
    return Spread().run([rows])


if __name__ == "__main__":
    RUNS
"""
_LOADS = "list(DataLoader(Rows(), num_workers=2))"
_MAPS = "mp.Pool(2).map(work, [1])"
_PICKS = "ways = [self.here]\n        {}:\n            ways = [self.in_processes]\n        return ways[0](rows)"


def _asked(body: str, runs: str, nested: str = "is_nested()") -> list[str]:
    return codes(_ASKED.replace("BODY", body).replace("RUNS", runs).replace("NESTED", nested))


@pytest.mark.parametrize(
    ("body", "runs"),
    [
        ("return rows if is_nested() else self.in_processes(rows)", _LOADS),
        ("if get_worker_info() is None:\n            self.in_processes(rows)", _LOADS),
        ("info = get_worker_info()\n        if info is None:\n            self.in_processes(rows)", _LOADS),
        ("nested = is_nested()\n        if not nested:\n            self.in_processes(rows)", _LOADS),
        ("if is_apart():\n            return rows\n        self.in_processes(rows)", _MAPS),
        ("if self.nested:\n            return rows\n        self.in_processes(rows)", _LOADS),
        (_PICKS.format("if not is_nested()"), _LOADS),
    ],
)
def test_processes_that_code_keeps_out_of_workers(body: str, runs: str) -> None:
    assert _asked(body, runs) == []


@pytest.mark.parametrize(
    ("body", "runs", "nested"),
    [
        ("if get_worker_info() is not None:\n            self.in_processes(rows)", _LOADS, "0"),
        ("info = get_worker_info()\n        if info:\n            self.in_processes(rows)", _LOADS, "0"),
        ("print(is_nested())\n        self.in_processes(rows)", _LOADS, "0"),
        ("if is_nested():\n            rows = rows[::2]\n        self.in_processes(rows)", _LOADS, "0"),
        ("if not is_nested():\n            self.in_processes(rows)", _MAPS, "0"),
        ("if not self.nested:\n            self.in_processes(rows)", _LOADS, "0"),
        (_PICKS.format("if is_large(rows)"), _LOADS, "0"),
    ],
)
def test_processes_that_workers_start_whatever_they_ask(body: str, runs: str, nested: str) -> None:
    assert _asked(body, runs, nested) == ["LP218"]


_SPREAD = """
def inner(row):
    return row


def weigh(row, count, in_processes=DEFAULT, options=None):
    if in_processes:
        with mp.Pool(2) as pool:
            return pool.map(inner, [row])
    return row


def main(rows, count, others):
    tasks = [(row, count) for row in rows]
    CHANGE
    with mp.Pool(2) as pool:
        print(pool.starmap(weigh, GIVEN))


if __name__ == "__main__":
    main(["a"], 2, [])
"""


@pytest.mark.parametrize(
    ("given", "change", "default", "found"),
    [
        ("[(row, count) for row in rows]", "pass", "False", []),
        ("tasks", "pass", "False", []),
        ("zip(rows, range(count))", "pass", "False", []),
        ("[('a', 1), ('b', 2)]", "pass", "False", []),
        ("tasks", "tasks.append(('b', 1))", "False", []),
        ("tasks + [('b', 1)]", "pass", "False", []),
        ("[(row, count) for row in rows]", "pass", "True", ["LP218"]),
        ("[(row, count, True) for row in rows]", "pass", "False", ["LP218"]),
        ("[(row, count, count > 1) for row in rows]", "pass", "False", ["LP218"]),
        ("tasks", "tasks.append(('b', 1, True))", "False", ["LP218"]),
        ("tasks", "tasks += load(others)", "False", ["LP218"]),
        ("tasks", "tasks.extend(load(others))", "False", ["LP218"]),
        ("tasks + load(others)", "pass", "False", ["LP218"]),
        ("[(row, *others) for row in rows]", "pass", "False", ["LP218"]),
        ("others", "pass", "False", ["LP218"]),
    ],
)
def test_defaults_that_tasks_of_tuples_leave_as_they_are(
    given: str, change: str, default: str, found: list[str]
) -> None:
    text = _SPREAD.replace("GIVEN", given).replace("CHANGE", change).replace("DEFAULT", default)
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True, "select": ["LP218"]})
    assert [each.code for each in lint_source(f"{IMPORTS}{text}", "weights.py", resolver=resolver).diagnostics] == found
