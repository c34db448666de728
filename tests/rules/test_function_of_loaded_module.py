"""LP129: function-of-loaded-module."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP129"


_SCRIPT = """\
import importlib.machinery
import importlib.util
import multiprocessing
import pickle
import sys
import types


def load(path):
    {loading}
    return module


def score(number):
    return number


def main():
    {before}
    module = load("plugins/own.py")
    with multiprocessing.Pool(2{pool}) as pool:
        print(pool.map({function}, [1, 2]))


if __name__ == "__main__":
    main()
"""
_SPEC = "spec = importlib.util.spec_from_file_location('own', path)"
_LOADING = f"{_SPEC}\n    module = importlib.util.module_from_spec(spec)\n    spec.loader.exec_module(module)"
_REGISTERED = f"{_LOADING}\n    sys.modules['own'] = module"


def _methods(
    loading: str = _LOADING, function: str = "module.score", before: str = "pass", pool: str = ""
) -> list[tuple[str, ...]]:
    text = _SCRIPT.format(loading=loading, function=function, before=before, pool=pool)
    found = [each for each in lint(text).diagnostics if each.code == "LP129"]
    return [tuple(method.value for method in each.start_methods) for each in found]


@pytest.mark.parametrize(
    "loading",
    [
        _LOADING,
        "module = types.ModuleType('own')\n    exec(open(path).read(), module.__dict__)",
    ],
)
def test_a_module_that_nobody_can_import(loading: str) -> None:
    assert _methods(loading) == [("fork", "spawn", "forkserver")]


@pytest.mark.parametrize(
    "loading",
    [
        _REGISTERED,
        "module = importlib.machinery.SourceFileLoader('own', path).load_module()",
        f"if 'own' in sys.modules:\n        return sys.modules['own']\n    {_REGISTERED}",
    ],
)
def test_a_module_that_only_forked_workers_have(loading: str) -> None:
    assert _methods(loading) == [("spawn", "forkserver")]


@pytest.mark.parametrize(
    ("loading", "function", "before", "pool"),
    [
        (_LOADING, "score", "pass", ""),
        (_REGISTERED, "module.score", "sys.path.insert(0, 'plugins')", ""),
        (_REGISTERED, "module.score", "pass", ", initializer=load, initargs=('plugins/own.py',)"),
        ("module = importlib.import_module('own')", "module.score", "pass", ""),
        (
            "spec = importlib.util.find_spec('json')\n    module = importlib.util.module_from_spec(spec)",
            "module.dumps",
            "pass",
            "",
        ),
    ],
)
def test_what_workers_find(loading: str, function: str, before: str, pool: str) -> None:
    assert not _methods(loading, function, before, pool)


_DATA = """\
import importlib.util

from torch.utils.data import DataLoader, Dataset


class Data(Dataset):
    def __init__(self, path):
        spec = importlib.util.spec_from_file_location("own", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.change = module.change

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return {item}


def loader():
    return DataLoader(Data("own.py"), num_workers=2)
"""


@pytest.mark.parametrize(
    ("item", "fires"),
    [("self.change(index)", True), ("self.change + index", False)],  # It may be a number.
)
def test_an_attribute(item: str, fires: bool) -> None:
    assert ("LP129" in [each.code for each in lint(_DATA.format(item=item)).diagnostics]) is fires


@pytest.mark.parametrize(
    "loading",
    [
        f"return sys.modules['other']\n    {_REGISTERED}",
        "import own\n    module = sys.modules['own']",
    ],
)
def test_another_module_of_those_that_are_imported(loading: str) -> None:
    assert _methods(loading) == []


_COLLECTED = """\
import importlib.util
import sys
from concurrent.futures import ProcessPoolExecutor


class Collector:
    def __init__(self):
        self.cases = []

    def load(self, path):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        return module

    def collect(self, paths):
        for path in paths:
            module = self.load(path)
            for name in sorted(vars(module)):
                {collecting}
        return self.cases


def run_case(case):
    {running}


def main(paths):
    cases = Collector().collect(paths)
    with ProcessPoolExecutor() as executor:
        print(list(executor.map(run_case, cases)))


if __name__ == "__main__":
    main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("collecting", "running", "fires"),
    [
        ("self.cases.append(getattr(module, name))", "return case()", True),
        ("self.cases.append(getattr(module, name))", "return case + 1", False),  # It may be a number.
        ("self.cases.append(name)", "return case()", False),
        ("self.cases.append(getattr(self, name))", "return case()", False),
    ],
)
def test_functions_that_are_collected_and_sent(collecting: str, running: str, fires: bool) -> None:
    text = _COLLECTED.format(collecting=collecting, running=running)
    assert ("LP129" in [each.code for each in lint(text).diagnostics]) is fires


def test_the_trail_of_a_function_that_is_sent() -> None:
    text = _COLLECTED.format(collecting="self.cases.append(getattr(module, name))", running="return case()")
    found = next(each for each in lint(text).diagnostics if each.code == "LP129")
    assert [step.message for step in found.trail][1:3] == [
        "map(…) pickles it",
        "Collector.collect() returns self.cases",
    ]


_GIVEN = """\
import importlib.util
import multiprocessing


def load(path):
    spec = importlib.util.spec_from_file_location("own", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def work(function):
    return function is not None


def main():
    module = load("plugins/own.py")
    {start}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("start", "methods"),
    [
        ("multiprocessing.Process(target=module.score, args=(1,)).start()", ("spawn", "forkserver")),
        ("multiprocessing.Pool(2).map(module.score, [1, 2])", ("fork", "spawn", "forkserver")),
        ("multiprocessing.Pool(2).map(work, [1, 2])", None),
        ("multiprocessing.get_context('fork').Process(target=module.score, args=(1,)).start()", None),
    ],
)
def test_what_forked_workers_get_without_pickling(start: str, methods: tuple[str, ...] | None) -> None:
    found = [each for each in lint(_GIVEN.format(start=start)).diagnostics if each.code == "LP129"]
    assert [tuple(method.value for method in each.start_methods) for each in found] == [methods] * (methods is not None)


def test_a_dataset_that_forked_loader_workers_get_without_pickling() -> None:
    found = [each for each in lint(_DATA.format(item="self.change(index)")).diagnostics if each.code == "LP129"]
    assert [tuple(method.value for method in each.start_methods) for each in found] == [("spawn", "forkserver")]


_COLLECTING = """\
import importlib.util

from torch.utils.data import DataLoader, Dataset


class Config:
    def __init__(self, path, function=None):
        self.path = path
        self.function = function


class Samples(Dataset):
    def __init__(self, configs):
        self.functions = {{}}
        for config in configs:
            if config.function is not None:
                self.functions[config.path] = config.function

    def __len__(self):
        return 3

    def __getitem__(self, index):
        {item}


def create(folders):
    configs = []
    for folder in folders:
        function = None
        if folder.get("module"):
            spec = importlib.util.spec_from_file_location("metadata", folder["module"])
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            function = module.get_metadata
        configs.append(Config(folder["path"], function=function))
    return DataLoader(Samples(configs), num_workers=2)
"""


@pytest.mark.parametrize(
    ("item", "fires"),
    [
        ("return self.functions[index](index)", True),
        ("function = self.functions[index]\n        return function(index)", True),
        ("function = self.functions.get(index)\n        return function(index) if function else index", True),
        ("for function in self.functions.values():\n            index = function(index)\n        return index", True),
        ("for path, change in self.functions.items():\n            change(index)\n        return index", True),
        ("return self.functions[index]", False),  # They may be numbers.
        ("number = self.functions[index]\n        return number + 1", False),
        ("return len(self.functions)", False),
        ("for path in self.functions:\n            print(path)\n        return index", False),
    ],
)
def test_functions_that_an_object_collects(item: str, fires: bool) -> None:
    found = [each for each in lint(_COLLECTING.format(item=item)).diagnostics if each.code == "LP129"]
    assert [tuple(method.value for method in each.start_methods) for each in found] == [("spawn", "forkserver")] * fires
