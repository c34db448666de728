"""Conditions on the way to a boundary: what they exclude, and whether a finding behind them is certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.loading import HEAD
from tests.support import lint

SILENT = {
    "decided arm of the payload": """\
FAST = True

def main():
    collate = work if FAST else (lambda b: b)
    DataLoader(Data(), num_workers=2, collate_fn=collate)
""",
    "default flag": """\
def run(function, items, parallel=False):
    if parallel:
        with Pool(2) as pool:
            return pool.map(function, items)
    return [function(i) for i in items]

run(lambda x: x, [1, 2])
""",
    "early return": """\
def run(function, items, workers=0):
    if workers <= 0:
        return [function(i) for i in items]
    with Pool(workers) as pool:
        return pool.map(function, items)

run(lambda x: x, [1, 2])
""",
    "else of decided": """\
def run(function, items, mode="thread"):
    if mode == "thread":
        return [function(i) for i in items]
    elif mode == "process":
        with Pool(2) as pool:
            return pool.map(function, items)

run(lambda x: x, [1, 2], mode="thread")
""",
    "dict of modes": """\
def run(function, items, n_jobs=1):
    if n_jobs is None or n_jobs == 1:
        return [function(i) for i in items]
    with ProcessPoolExecutor(n_jobs) as pool:
        return list(pool.map(function, items))

run(lambda x: x, [1, 2])
""",
    "rebound parameter": """\
def run(function, items, workers=None):
    workers = workers or 0
    if workers > 0:
        with Pool(workers) as pool:
            return pool.map(function, items)
    return [function(i) for i in items]

run(lambda x: x, [1, 2])
""",
    "flag in variable": """\
def run(function, items, workers=0):
    parallel = workers > 1
    if parallel:
        with Pool(workers) as pool:
            return pool.map(function, items)
    return [function(i) for i in items]

run(lambda x: x, [1, 2])
""",
    "only where fork copies": """\
def main():
    method = mp.get_start_method()
    if method == "fork":
        mp.Process(target=lambda: work(1)).start()
    else:
        mp.Process(target=work, args=(1,)).start()
""",
    "no process where objects would be pickled": """\
def run(function, items):
    if mp.get_start_method() in ("spawn", "forkserver"):
        return [function(i) for i in items]
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(function, items))

run(lambda x: x, [1, 2])
""",
    "global flag": """\
PARALLEL = False

def run(function, items):
    if PARALLEL:
        with Pool(2) as pool:
            return pool.map(function, items)
    return [function(i) for i in items]

run(lambda x: x, [1, 2])
""",
    "module level flag": """\
PARALLEL = False
if PARALLEL:
    pool = Pool(2)
    pool.map(lambda x: x, [1])
""",
    "isinstance dispatch": """\
def save(thing, path):
    if isinstance(thing, dict):
        with open(path, "wb") as file:
            pickle.dump(thing, file)
    else:
        thing.write(path)

save((x for x in [1]), "a")
""",
    "self flag": """\
class Runner:
    def __init__(self, function, parallel=False):
        self.function = function
        self.parallel = parallel

    def run(self, items):
        if self.parallel:
            with Pool(2) as pool:
                return pool.map(self.function, items)
        return [self.function(i) for i in items]

def main():
    Runner(lambda x: x).run([1])
""",
    "expression arm": """\
def run(function, items, workers=0):
    pool = Pool(workers) if workers else None
    return pool.map(function, items) if workers else list(map(function, items))

run(lambda x: x, [1, 2])
""",
    "state dict": """\
import torch
from torch import nn

class Gen(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Linear(1, 1)

net = Gen()
net = net.state_dict()
torch.save(net, "a.pt")
""",
    "loaders iter": """\
import torch
names = (n for n in ["a"])
names = list(names)
torch.save(names, "a.pt")
""",
    "one element": """\
def run(function, items):
    if len(items) < 2:
        return [function(i) for i in items]
    with Pool(2) as pool:
        return pool.map(function, items)

run(lambda x: x, [1])
""",
    "one element, in a list of its own": """\
def run(function, items):
    items = list(items)
    if len(items) > 1:
        with Pool(2) as pool:
            return pool.map(function, items)

run(lambda x: x, (1,))
""",
    "variable that is set behind": """\
def run(function, items):
    many = False
    if many:
        with Pool(2) as pool:
            return pool.map(function, items)
    many = True

run(lambda x: x, [1, 2])
""",
    "choice of words": """\
def run(function, items, backend="thread"):
    if backend not in ("process", "spawn"):
        return [function(i) for i in items]
    with Pool(2) as pool:
        return pool.map(function, items)

run(lambda x: x, [1, 2])
""",
}
REPORTED = {
    "where objects are pickled": """\
def main():
    if mp.get_start_method() != "fork":
        mp.Process(target=lambda: work(1)).start()  # expected
""",
    "one of two methods that pickle": """\
def main():
    if mp.get_start_method() == "spawn":
        mp.Process(target=lambda: work(1)).start()  # expected
""",
    "decided arm of the payload, the other way": """\
FAST = False

def main():
    collate = work if FAST else (lambda b: b)
    DataLoader(Data(), num_workers=2, collate_fn=collate)
""",
    "encode list": """\
class Encoder:
    def __init__(self):
        self.lock = threading.Lock()

    def encode(self, texts, device=None):
        if isinstance(device, list):
            with Pool(2) as pool:
                return pool.map(self.one, texts)
        return [self.one(t) for t in texts]

    def one(self, text):
        return text

def main():
    Encoder().encode(["a"], device=["cuda:0", "cuda:1"])
""",
    "default flag given": """\
def run(function, items, parallel=False):
    if parallel:
        with Pool(2) as pool:
            return pool.map(function, items)
    return [function(i) for i in items]

run(lambda x: x, [1, 2], parallel=True)
""",
    "rebound parameter positive": """\
def run(function, items, workers=None):
    workers = workers or 4
    if workers > 0:
        with Pool(workers) as pool:
            return pool.map(function, items)
    return [function(i) for i in items]

run(lambda x: x, [1, 2])
""",
    "isinstance dispatch dict": """\
def save(thing, path):
    if isinstance(thing, dict):
        with open(path, "wb") as file:
            pickle.dump(thing, file)
    else:
        thing.write(path)

save({"a": lambda: 1}, "a")
""",
    "self flag given": """\
class Runner:
    def __init__(self, function, parallel=False):
        self.function = function
        self.parallel = parallel

    def run(self, items):
        if self.parallel:
            with Pool(2) as pool:
                return pool.map(self.function, items)
        return [self.function(i) for i in items]

def main():
    Runner(lambda x: x, True).run([1])
""",
    "rebound to generator": """\
import torch
names = ["a"]
names = (n for n in names)
torch.save(names, "a.pt")
""",
    "whole net": """\
import torch
from torch import nn

class Gen(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Linear(1, 1)

net = Gen()
torch.save(net, "a.pt")
net = net.state_dict()
""",
    "two elements": """\
def run(function, items):
    if len(items) < 2:
        return [function(i) for i in items]
    with Pool(2) as pool:
        return pool.map(function, items)

run(lambda x: x, [1, 2])
""",
    "one element, and more": """\
def run(function, items):
    if len(items) < 2:
        return [function(i) for i in items]
    with Pool(2) as pool:
        return pool.map(function, items)

def main(others):
    items = [1]
    items.extend(others)
    run(lambda x: x, items)
""",
    "one element, and others behind it": """\
def run(function, items):
    if len(items) > 1:
        with Pool(2) as pool:
            return pool.map(function, items)

def main(others):
    run(lambda x: x, [1, *others])
""",
    "flag that a function sets": """\
PARALLEL = False

def switch():
    global PARALLEL
    PARALLEL = True

def run(function, items):
    if PARALLEL:
        with Pool(2) as pool:
            return pool.map(function, items)
    return [function(i) for i in items]

run(lambda x: x, [1, 2])
""",
    "flag of the machine": """\
import os
PARALLEL = os.cpu_count() > 1

def run(function, items):
    if PARALLEL:
        with Pool(2) as pool:
            return pool.map(function, items)
    return [function(i) for i in items]

run(lambda x: x, [1, 2])
""",
    "variable from a loop": """\
def run(function, items, many=0):
    for many in items:
        print(many)
    if many:
        with Pool(2) as pool:
            return pool.map(function, items)

run(lambda x: x, [1, 2])
""",
    "variable that is set in a loop": """\
def run(function, items):
    many = False
    for item in items:
        if many:
            with Pool(2) as pool:
                return pool.map(function, items)
        many = True

run(lambda x: x, [1, 2])
""",
    "choice of words given": """\
def run(function, items, backend="thread"):
    if backend not in ("process", "spawn"):
        return [function(i) for i in items]
    with Pool(2) as pool:
        return pool.map(function, items)

run(lambda x: x, [1, 2], backend="spawn")
""",
}


def _found(text: str) -> list[str]:
    return [each.code for each in lint(HEAD + text).diagnostics if each.code != "LP203"]


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_what_a_condition_excludes_is_silent(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize("text", REPORTED.values(), ids=REPORTED)
def test_what_a_condition_lets_through_is_reported(text: str) -> None:
    assert _found(text) != []


CERTAIN = {
    "straight": """\
def main():
    pickle.dumps(lambda x: x)
""",
    "main guard": """\
if __name__ == "__main__":
    pickle.dumps(lambda x: x)
""",
    "args": """\
def main(args):
    if args.save:
        pickle.dumps(lambda x: x)
""",
    "check": """\
def main(path):
    if not path:
        raise ValueError(path)
    pickle.dumps(lambda x: x)
""",
    "loop": """\
def main(paths):
    for path in paths:
        pickle.dumps(lambda x: x)
""",
    "several": """\
def main(paths):
    if len(paths) > 1:
        pickle.dumps(lambda x: x)
""",
    "not one alone": """\
def main(paths):
    if len(paths) == 1:
        return
    pickle.dumps(lambda x: x)
""",
    "cuda": """\
import torch
def main(paths):
    if torch.cuda.is_available():
        pickle.dumps(lambda x: x)
""",
    "rank": """\
def main(rank):
    if rank == 0:
        pickle.dumps(lambda x: x)
""",
    "decided": """\
FAST = True
def main():
    if FAST:
        pickle.dumps(lambda x: x)
""",
    "global": """\
FAST = 1
if FAST > 0:
    pickle.dumps(lambda x: x)
""",
    "if in front": """\
def main(fast):
    if fast:
        print("fast")
    pickle.dumps(lambda x: x)
""",
}


UNDECIDED = {
    "parameter": """\
def main(fast):
    if fast:
        pickle.dumps(lambda x: x)
""",
    "early return": """\
def main(fast):
    if fast:
        return 1
    pickle.dumps(lambda x: x)
""",
    "handler": """\
def main(fast):
    try:
        fast()
    except ValueError:
        pickle.dumps(lambda x: x)
""",
    "arm": """\
def main(fast):
    return pickle.dumps(lambda x: x) if fast else 1
""",
    "operand": """\
def main(fast):
    return fast and pickle.dumps(lambda x: x)
""",
    "case": """\
def main(fast):
    match fast:
        case [1, 2]:
            pickle.dumps(lambda x: x)
""",
    "attribute": """\
class A:
    def main(self):
        if self.fast:
            pickle.dumps(lambda x: x)
""",
    "module level": """\
import settings
if settings.FAST:
    pickle.dumps(lambda x: x)
""",
}


def _confidences(text: str) -> list[Confidence]:
    return [each.confidence for each in lint(HEAD + text).diagnostics]


@pytest.mark.parametrize("text", CERTAIN.values(), ids=CERTAIN)
def test_a_place_to_which_a_run_surely_gets(text: str) -> None:
    assert _confidences(text) == [Confidence.CERTAIN]


@pytest.mark.parametrize("text", UNDECIDED.values(), ids=UNDECIDED)
def test_a_place_behind_what_is_not_decided(text: str) -> None:
    assert _confidences(text) == [Confidence.LIKELY]


ENCODER = """
class Encoder:
    def encode(self, texts, device=None):
        if isinstance(device, list):
            with Pool(2) as pool:
                return pool.map(work, texts)
        return [work(text) for text in texts]

Encoder().encode(["a"]{given})
"""


@pytest.mark.parametrize(("given", "found"), [("", []), (", 'cuda'", []), (", ['cuda:0', 'cuda:1']", ["LP203"])])
def test_a_call_whose_arguments_rule_out_the_pool_starts_none(given: str, found: list[str]) -> None:
    assert [each.code for each in lint(HEAD + ENCODER.format(given=given)).diagnostics] == found


GUARDED = """\
class Crop:
    def __init__(self, shape=None):
        if shape is not None:
            self.run = work
        else:
            self.run = lambda item: item

    def __call__(self, item):
        return self.run(item)

def main(cfg, size):
    crops = []
    {guard}
        crops.append(Crop({given}))
    DataLoader(crops, num_workers=2)
"""


_LEAST = """\
def search(function, items, jobs):
    {first}
    {then}
    if jobs == 1:
        return [function(each) for each in items]
    with Pool(jobs) as pool:
        return pool.map(function, items)

def main(items):
    jobs = {given}
    return search(lambda x: x, items, jobs)
"""
_ALL_CORES = "if jobs == 0: jobs = os.cpu_count()"
_AT_MOST = "if len(items) < jobs: jobs = len(items)"


@pytest.mark.parametrize(
    ("first", "then", "given", "fires"),
    [
        pytest.param(_ALL_CORES, "pass", 1, False, id="bound anew where the call does not get"),
        pytest.param(_ALL_CORES, "pass", 0, True, id="bound anew there"),
        pytest.param(_ALL_CORES, "pass", "len(items)", True, id="perhaps bound anew"),
        pytest.param(_ALL_CORES, _AT_MOST, 1, False, id="one for each item, of which there are several"),
        pytest.param("if jobs > len(items): jobs = len(items)", "pass", 1, False, id="exchanged"),
        pytest.param("least = min(len(items), len(list(items)))", _AT_MOST.replace("len(items)", "least"), 1, False),
        pytest.param(_ALL_CORES, _AT_MOST, 2, True, id="several"),
        pytest.param("if len(items) > jobs: jobs = len(items)", "pass", 1, True, id="as many as items"),
        pytest.param("if items.total < jobs: jobs = items.total", "pass", 1, True, id="less than what is no count"),
    ],
)
def test_a_variable_that_is_bound_anew_under_a_condition(first: str, then: str, given: object, fires: bool) -> None:
    code = f"import os\n{HEAD}\n{_LEAST.format(first=first, then=then, given=given)}"
    assert [each.code for each in lint(code).diagnostics] == (["LP201"] if fires else [])


@pytest.mark.parametrize(
    ("guard", "given"),
    [
        ("if size is not None:", "size"),
        ("if size:", "shape=size"),
        ("if cfg.size not in [None, 'None']:", "cfg.size"),
        ("if not (cfg.size is None or cfg.size == 'None'):", "cfg.size"),
    ],
)
def test_an_argument_of_which_the_call_is_sure(guard: str, given: str) -> None:
    assert _found(GUARDED.format(guard=guard, given=given)) == []


@pytest.mark.parametrize(
    ("guard", "given"),
    [
        ("if cfg:", "size"),
        ("if size is None:", "size"),
        ("if size not in ['None', 'none']:", "size"),
        ("if cfg.size in [None, 'None']:", "cfg.size"),
        ("if cfg.size is not None:", "size"),
        ("if size is not None:\n        size = cfg.size", "size"),
        ("if size is not None:\n        cfg.size = None\n    if cfg:", "cfg.size"),
    ],
)
def test_an_argument_of_which_the_call_is_not_sure(guard: str, given: str) -> None:
    assert _found(GUARDED.format(guard=guard, given=given)) == ["LP102"]


FLAGGED = """\
import multiprocessing
import sys

from fissix.refactor import RefactoringTool


class Tool(RefactoringTool):
    ALONE = False

    def __init__(self, alone=None):
        super().__init__([])
        if alone is None:
            alone = self.ALONE
        {raised}
        self.{flag} = alone
        self.is_wanted = lambda path: True

    def refactor(self):
        if self.{flag}:
            self.work()
        else:
            multiprocessing.Process(target=self.work).start()

    {later}

    def work(self):
        print(self.is_wanted("a.py"))


if __name__ == "__main__":
    Tool({given}).refactor()
"""
RAISED = "if sys.platform == 'win32' or sys.version_info > (3, 7):\n            alone = True"


@pytest.mark.parametrize(
    ("flag", "raised", "given", "later"),
    [
        pytest.param("alone", RAISED, "", "", id="always-raised"),
        pytest.param("alone", "", "True", "", id="given"),
    ],
)
def test_a_flag_of_its_own_decides_though_a_base_is_a_librarys(flag: str, raised: str, given: str, later: str) -> None:
    assert _found(FLAGGED.format(flag=flag, raised=raised, given=given, later=later)) == []


@pytest.mark.parametrize(
    ("flag", "raised", "given", "later"),
    [
        pytest.param("alone", "", "", "", id="not-raised"),
        pytest.param("training", RAISED, "", "", id="what-libraries-store"),
        pytest.param("alone", RAISED, "", "def free(self):\n        self.alone = False", id="stored-later"),
    ],
)
def test_a_flag_that_does_not_decide(flag: str, raised: str, given: str, later: str) -> None:
    assert _found(FLAGGED.format(flag=flag, raised=raised, given=given, later=later)) == ["LP102"]


OFFERED = """\
import subprocess
from multiprocessing import Process


def make_folder(path, wait=True, apart=False):
    def make(path):
        subprocess.run(["mkdir", "-p", path])

    if {test}:
        make(path)
    else:
        Process(target=make, args=(path,)).start()
"""


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        pytest.param(["make_folder('a')", "make_folder('b')", "make_folder('c', True)"], [], id="none-gets-there"),
        pytest.param(["make_folder('a')"], ["LP202"], id="one-says-little"),
        pytest.param([], ["LP202"], id="only-for-others"),
        pytest.param(["make_folder('a')", "make_folder('b')", "make_folder('c', False)"], ["LP202"], id="one-does"),
        pytest.param(["make_folder('a')", "make_folder('b')", "make_folder('c', WAIT)"], ["LP202"], id="one-may"),
    ],
)
def test_a_function_that_a_library_offers(calls: list[str], found: list[str], tmp_path: Path) -> None:
    assert _found_in_library("wait", calls, tmp_path) == found


def test_what_users_of_a_library_may_turn_on(tmp_path: Path) -> None:
    calls = ["make_folder('a')", "make_folder('b')", "make_folder('c', True)"]
    assert _found_in_library("not apart", calls, tmp_path) == ["LP202"]


def _found_in_library(test: str, calls: list[str], tmp_path: Path) -> list[str]:
    package = tmp_path / "tools"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "folders.py").write_text(OFFERED.format(test=test))
    uses = "\n".join(f"def use_{number}():\n    {call}\n" for number, call in enumerate(calls))
    (package / "uses.py").write_text(
        f"import os\n\nfrom tools.folders import make_folder\n\nWAIT = os.cpu_count()\n\n{uses}"
    )
    outcome = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True))
    return [each.code for each in outcome.diagnostics]


READERS = """\
from abc import ABC
from multiprocessing import Pool
from typing import Generic, TypeVar

from settings import Configured

T = TypeVar("T")


class Images:
    def __init__(self, show):
        self.show = lambda number: show(number)

    def __call__(self, number):
        return number


class Numbers:
    def __init__(self, show):
        self.show = show

    def __call__(self, number):
        return number


class Job({base}):
    def __init__(self, show, mode="numbers"):
        self.show = show
        self.mode = mode

    def run(self):
        if self.mode == "images":
            reader = Images(self.show)
        else:
            reader = Numbers(self.show)
        with Pool(2) as pool:
            print(pool.map(reader, [1, 2]))


if __name__ == "__main__":
    Job(str{mode}).run()
"""


@pytest.mark.parametrize("base", ["object", "ABC", "Generic[T]", ""])
@pytest.mark.parametrize("mode", ["", ', mode="numbers"'])
def test_a_mode_that_chooses_what_crosses(base: str, mode: str) -> None:
    assert not lint(READERS.format(base=base, mode=mode)).diagnostics


@pytest.mark.parametrize(("base", "mode"), [("object", ', "images"'), ("ABC", ', "images"'), ("Configured", "")])
def test_a_mode_that_chooses_otherwise_or_that_a_base_class_may_store(base: str, mode: str) -> None:
    assert [each.code for each in lint(READERS.format(base=base, mode=mode)).diagnostics] == ["LP102"]
