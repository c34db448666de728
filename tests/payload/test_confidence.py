"""What makes a finding certain, likely or possible: `lintpickle.payload.confidence`, step by step."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.api import lint_paths, lint_source
from lintpickle.settings import SettingsResolver
from tests.trees import write

LOADED = """
    from torch.utils.data import DataLoader, Dataset

    class Images(Dataset):
        def __init__(self, scale=None, lazy=True):
            {init}

        def __getitem__(self, index):
            return index

        def reset(self):
            self.scale = None

    {use}
"""
PLAIN = "self.scale = lambda image: image / 2"
LOAD = "DataLoader(Images(), num_workers=2)"


def confidences(text: str) -> list[str]:
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True, "target-version": "3.11"})
    return [d.confidence.value for d in lint_source(dedent(text), "example.py", resolver=resolver).diagnostics]


def loaded(init: str, use: str) -> list[str]:
    return confidences(LOADED.format(init=init.replace("\n", "\n" + 12 * " "), use=use.replace("\n", "\n" + 4 * " ")))


@pytest.mark.parametrize(
    ("init", "use"),
    [
        (PLAIN, f"def main():\n    for batch in {LOAD}:\n        print(batch)"),
        (PLAIN, f"def main(epochs):\n    for epoch in range(epochs):\n        {LOAD}"),
        ("if lazy:\n    " + PLAIN, f"def main():\n    {LOAD}"),
        (f"{PLAIN}\nif scale is not None:\n    self.scale = scale", f"def main():\n    {LOAD}"),
        ("self.scale = scale", "def main():\n    DataLoader(Images(lambda image: image), num_workers=2)"),
    ],
    ids=["plain", "in a loop", "a condition that the constructor decides", "a condition that it denies", "passed"],
)
def test_a_way_on_which_every_step_is_understood_is_certain(init: str, use: str) -> None:
    assert loaded(init, use) == ["certain"]


def test_a_lambda_that_only_another_lambda_may_replace_is_certain() -> None:
    found = loaded(f"{PLAIN}\nif self.check():\n    {PLAIN}", f"def main():\n    {LOAD}")
    assert found == ["certain", "likely"]


REGISTRY = """
    class Plain(Dataset):
        def __getitem__(self, index):
            return index

    DATASETS = {{"images": Images, "plain": Plain{more}}}

    def main(name):
        DataLoader(DATASETS[{key}](), num_workers=2)
"""


@pytest.mark.parametrize(
    ("key", "more", "expected"),
    [
        ("'images'", "", "certain"),
        ("name", "", "likely"),
        ("name", "".join(f", 'plain{number}': Plain" for number in range(20)), "likely"),
    ],
    ids=["known", "one of two", "one of many"],
)
def test_what_an_unknown_key_picks_from_several_is_likely(key: str, more: str, expected: str) -> None:
    assert loaded(PLAIN, dedent(REGISTRY.format(key=key, more=more))) == [expected]


def test_which_of_several_lambdas_a_key_picks_does_not_matter() -> None:
    init = 'self.scale = {"half": lambda image: image / 2, "same": lambda image: image}[scale]'
    assert loaded(init, "def main(scale):\n    DataLoader(Images(scale), num_workers=2)") == ["certain", "certain"]


@pytest.mark.parametrize(
    ("init", "use"),
    [
        (PLAIN, f"def main(fast):\n    if fast:\n        {LOAD}"),
        (PLAIN, f"def main(fast):\n    if fast:\n        return\n    {LOAD}"),
        (PLAIN, "def main(workers):\n    DataLoader(Images(), num_workers=workers)"),
        ("self.scale = scale or (lambda image: image)", f"def main():\n    {LOAD}"),
        ("self.scale = scale", "def main(f=lambda x: x):\n    DataLoader(Images(f), num_workers=2)"),
        (f"if self.check():\n    {PLAIN}", f"def main():\n    {LOAD}"),
        (
            f"{PLAIN}\nif scale is not None:\n    self.scale = scale",
            "def main(f):\n    DataLoader(Images(f), num_workers=2)",
        ),
        (f"{PLAIN}\nif self.check():\n    self.scale = None", f"def main():\n    {LOAD}"),
        (f"{PLAIN}\nif self.check():\n    del self.scale", f"def main():\n    {LOAD}"),
        (f"{PLAIN}\nif self.check():\n    self.reset()", f"def main():\n    {LOAD}"),
    ],
    ids=[
        *("a condition", "a way out before", "workers", "one of two values", "a default", "a condition of a store"),
        *("another store, perhaps", "None, perhaps", "deleted, perhaps", "another store by a method, perhaps"),
    ],
)
def test_a_step_that_leaves_a_doubt_makes_it_likely(init: str, use: str) -> None:
    assert loaded(init, use) == ["likely"]


@pytest.mark.parametrize(
    ("init", "use"),
    [
        ("if not lazy:\n    " + PLAIN, f"def main():\n    {LOAD}"),
        ("self.scale = scale", "def main(f=lambda x: x):\n    DataLoader(Images(), num_workers=2)"),
    ],
)
def test_what_the_call_excludes_is_not_there(init: str, use: str) -> None:
    assert loaded(init, use) in ([], ["possible"]), "a dataset may be made elsewhere, by its kind"


def test_a_dataset_is_likely_by_its_kind_unless_the_loaders_have_no_workers() -> None:
    assert loaded(PLAIN, "") == ["likely"]
    assert loaded(PLAIN, "def main():\n    DataLoader(Images(), num_workers=0)") == ["possible"]
    assert loaded(PLAIN, "def main(data):\n    DataLoader(data, num_workers=4)") == ["likely"]


OTHER = "\n\nclass Rows(Dataset):\n    pass\n\ndef other():\n    DataLoader(Rows(), num_workers=2)"
HELD = "class Batches(Dataset):\n    def __init__(self, data):\n        self.data = data\n\n"


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("def main():\n    DataLoader(Images(), num_workers=0)", "possible"),
        (HELD + "def main():\n    DataLoader(Batches(Images()), num_workers=0)", "possible"),
        ("def main():\n    DataLoader(Images(), num_workers=0)\n    DataLoader(Images(), num_workers=1)", "certain"),
        ("def main(data):\n    DataLoader(data, num_workers=0)", "likely"),
    ],
    ids=[
        "its loader has none",
        "the loader of what holds it has none",
        "one of its loaders has",
        "not seen in a loader",
    ],
)
def test_a_dataset_whose_every_loader_has_no_workers_is_possible_whatever_others_have(use: str, expected: str) -> None:
    assert loaded(PLAIN, use + OTHER) == [expected]


MODULE = """
    import copy
    import threading

    import torch
    from torch import nn

    class Head(nn.Module):
        def __init__(self, kind):
            super().__init__()
            {}

    {}
"""


@pytest.mark.parametrize(
    ("store", "use", "expected"),
    [
        ("self.act = lambda x: x", "", "possible"),
        ("self.act = (lambda x: x) if kind else torch.relu", "", "possible"),
        ("self.act = {}.keys()", "", "likely"),
        ("self.act = threading.Lock()", "", "possible"),
        ("self.act = threading.Lock()", "def average(model):\n        return copy.deepcopy(model)", "likely"),
        ("self.act = threading.Lock()", "def parts(options):\n        return copy.deepcopy(options)", "possible"),
        ("self.act = threading.Lock()", "def write(dict_encoder):\n        torch.save(dict_encoder, 'm')", "possible"),
        ("self.act = threading.Lock()", "def write(self):\n        torch.save(self.net, 'm.pt')", "likely"),
        ("self.act = lambda x: x", "def average(model):\n        return copy.deepcopy(model)", "possible"),
        ("self.act = torch.jit.script(nn.Linear(1, 1))", "", "possible"),
        ("self.act = {}.keys() if kind else torch.relu", "", "possible"),
        ("self.act = {}.keys()", "def write(self):\n        torch.save(self.net.state_dict(), 'm.pt')", "possible"),
        (
            "self.act = {}.keys()",
            "def write(net):\n        torch.save(copy.deepcopy(net).state_dict(), 'm.pt')",
            "likely",
        ),
        ("self.act = self.parameters()", "def write(self):\n        torch.save(self.state_dict(), 'm.pt')", "possible"),
        ("self.act = self.parameters()", "", "likely"),
        ("self.act = (lambda x: x) if kind else torch.relu", "torch.save(Head(1), 'm.pt')", "likely"),
        (
            "self.act = (lambda x: x) if kind else torch.relu",
            "torch.save(nn.Linear(1, 1).state_dict(), 'm')",
            "possible",
        ),
    ],
    ids=[
        "every instance",
        "some",
        "every instance, and it cannot be copied",
        "a lock",
        "a lock, and models are copied",
        "a lock, and something else is copied",
        "a lock, and a state is written",
        "a lock, and models are written",
        "what can be copied, where models are",
        "what can be copied",
        "some, and it cannot be copied",
        "every instance, and their state is written",
        "every instance, and they are copied, and their state is written",
        "every instance holds a generator, and their state is written",
        "every instance holds a generator",
        "some, and one is shipped",
        "their state is",
    ],
)
def test_a_torch_module_is_likely_where_it_is_shipped_or_no_instance_can_be_copied(
    store: str, use: str, expected: str
) -> None:
    assert set(confidences(MODULE.format(store, use))) - {"certain"} == {expected}


HEAD = MODULE.format("{}", "")
FROM_MODELS = "from .models import Head\n"
IN_SETUP = "from setuptools import setup\n\nsetup(name='x')\n"
EVERY = "self.act = lambda x: x"
INNER = "\n            ".join(("def act(x):", "    return x", "self.act = act"))
ONE_WAY_OR_THE_OTHER = "self.act = (lambda x: x) if kind else (lambda x: -x)"
SOME = "self.act = (lambda x: x) if kind else torch.relu"
PYPROJECT = "[project]\nname = 'x'\n"
REQUIREMENTS = "[tool.ruff]\nline-length = 100\n"


def in_package(folder: Path, files: dict[str, str], head: str = HEAD.format(EVERY)) -> str:
    """How sure a finding in the class of `package/models.py` is."""
    (folder / "package").mkdir(parents=True)
    for name, text in {"package/models.py": dedent(head), "package/__init__.py": "", **files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return of_project(folder, ".")["package/models.py"]


@pytest.mark.parametrize(
    ("declared", "exported", "expected"),
    [
        ({"pyproject.toml": PYPROJECT}, FROM_MODELS, "likely"),
        ({"setup.py": IN_SETUP}, FROM_MODELS, "likely"),
        ({"setup.cfg": "[metadata]\nname = x\n"}, FROM_MODELS, "likely"),
        ({"pyproject.toml": PYPROJECT}, "from .models import *\n", "likely"),
        ({"pyproject.toml": PYPROJECT}, "from package.models import Head as Best\n", "likely"),
        ({"pyproject.toml": PYPROJECT}, FROM_MODELS + "__all__ = ['Head']\n", "likely"),
        ({"pyproject.toml": PYPROJECT}, FROM_MODELS + "__all__ = ['build']\n", "possible"),
        ({"pyproject.toml": PYPROJECT}, "from .models import Head as _Head\n", "possible"),
        ({"pyproject.toml": PYPROJECT}, "from .other import Head\n", "possible"),
        ({"pyproject.toml": PYPROJECT}, "", "possible"),
        ({"pyproject.toml": REQUIREMENTS}, FROM_MODELS, "possible"),
        ({}, FROM_MODELS, "possible"),
    ],
)
def test_a_torch_module_is_likely_where_a_library_offers_its_class(
    tmp_path: Path, declared: dict[str, str], exported: str, expected: str
) -> None:
    assert in_package(tmp_path, {**declared, "package/__init__.py": exported}) == expected


@pytest.mark.parametrize(("folder", "expected"), [("projects", "possible"), ("networks", "likely")])
def test_a_torch_module_of_a_program_beside_the_library(tmp_path: Path, folder: str, expected: str) -> None:
    name = f"{folder}/detr/models.py"
    files = {"pyproject.toml": PYPROJECT, "package/__init__.py": "", f"{folder}/__init__.py": ""}
    files |= {f"{folder}/detr/__init__.py": FROM_MODELS, name: dedent(HEAD.format(EVERY))}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert of_project(tmp_path, ".")[name] == expected


STATE_SAVED = "import torch\n\n\ndef save(model, path):\n    torch.save({'model': model.state_dict()}, path)\n"
STATE_MADE = "def state(model):\n    return model.state_dict()\n"
MADE_SAVED = (
    "import torch\n\n\ndef save(parts, path):\n    model = new_checkpoint(parts)\n    torch.save(model, path)\n"
)
ITEMS_SAVED = "import torch\n\n\ndef save(model, path):\n    model['args'] = None\n    torch.save(model, path)\n"
BUILT_SAVED = "import torch\n\n\ndef save(parts, path):\n    model = new_model(parts)\n    torch.save(model, path)\n"
CHECKPOINTED = (
    "from fvcore.common.checkpoint import PeriodicCheckpointer\n\n\n"
    "def train(checkpointer):\n    return PeriodicCheckpointer(checkpointer, 10)\n"
)
RUN_BY_LIBRARY = (
    "from mmcv.runner import EpochBasedRunner\n\n\ndef train(model, loader):\n    runner = EpochBasedRunner(model)\n"
    "    runner.run([loader], [('train', 1)])\n"
)
PICKLED_BY_VALUE = "import cloudpickle\n\n\ndef write(encoder, file):\n    cloudpickle.dump(encoder, file)\n"
WHOLE_SAVED = "import torch\n\n\ndef save_all(model, path):\n    torch.save(model, path)\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"package/saving.py": STATE_SAVED}, "possible"),
        ({"package/saving.py": STATE_SAVED, "package/whole.py": WHOLE_SAVED}, "likely"),
        ({"package/saving.py": STATE_SAVED, "tools/convert.py": MADE_SAVED}, "possible"),
        ({"package/saving.py": STATE_SAVED, "tools/convert.py": ITEMS_SAVED}, "possible"),
        ({"package/saving.py": STATE_SAVED, "tools/convert.py": BUILT_SAVED}, "likely"),
        ({"package/saving.py": STATE_SAVED, "package/whole.py": PICKLED_BY_VALUE}, "possible"),
        ({"package/saving.py": CHECKPOINTED}, "possible"),
        ({"package/saving.py": CHECKPOINTED, "package/whole.py": WHOLE_SAVED}, "likely"),
        ({"package/saving.py": RUN_BY_LIBRARY}, "possible"),
        ({"package/saving.py": RUN_BY_LIBRARY, "package/whole.py": WHOLE_SAVED}, "likely"),
        ({"package/saving.py": STATE_MADE}, "likely"),
        ({"tests/test_saving.py": STATE_SAVED}, "likely"),
    ],
    ids=[
        "saves their state",
        "saves whole ones too",
        "a tool saves what a function makes for a checkpoint",
        "a tool saves a dict",
        "a tool saves whole ones",
        "cloudpickle writes a whole one",
        "a library saves their state",
        "a library saves their state, the program whole ones",
        "the runner of a library saves their state",
        "the runner of a library saves their state, the program whole ones",
        "makes their state, and saves nothing",
        "a test saves their state",
    ],
)
def test_what_a_library_offers_is_possible_where_it_saves_nothing_but_the_state(
    tmp_path: Path, files: dict[str, str], expected: str
) -> None:
    declared = {"pyproject.toml": PYPROJECT, "package/__init__.py": FROM_MODELS}
    assert in_package(tmp_path / "lambdas", {**declared, **files}) == expected
    assert in_package(tmp_path / "functions", {**declared, **files}, HEAD.format(INNER)) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (HEAD.format(ONE_WAY_OR_THE_OTHER), "likely"),
        (HEAD.format(SOME), "possible"),
        (HEAD.format(EVERY) + "\n    __all__ = ['Head']", "likely"),
        (HEAD.format(EVERY) + "\n    __all__ = ['Tail']", "possible"),
        (HEAD.format(EVERY).replace("Head", "ScriptableHead"), "possible"),
    ],
    ids=["one way or the other", "some instances", "named for stars", "kept from stars", "for TorchScript"],
)
def test_what_a_library_offers_is_likely_as_it_is_on_every_instance(tmp_path: Path, head: str, expected: str) -> None:
    files = {"pyproject.toml": PYPROJECT, "package/__init__.py": "from .models import *\n"}
    assert in_package(tmp_path, files, head) == expected


FILES = {
    "library": "package/data.py",
    "tests": "tests/test_data.py",
    "examples": "examples/train.py",
}
DUMP = "import pickle\n\n\ndef send():\n    pickle.dumps(lambda: 0)\n"


def of_project(folder: Path, *asked: str) -> dict[str, str]:
    resolver = SettingsResolver(cwd=folder, overrides={"pedantic": True})
    found = lint_paths([str(folder / path) for path in asked], resolver=resolver).diagnostics
    return {Path(each.location.path).relative_to(folder).as_posix(): each.confidence.value for each in found}


def test_tests_and_examples_count_one_step_less_unless_they_are_all_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    for file in FILES.values():
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(DUMP)
    whole = {FILES["library"]: "certain", FILES["tests"]: "likely", FILES["examples"]: "likely"}
    assert of_project(tmp_path, ".") == whole
    assert of_project(tmp_path, "tests", "examples") == {FILES["tests"]: "certain", FILES["examples"]: "certain"}
    assert of_project(tmp_path, "package", "tests") == {FILES["library"]: "certain", FILES["tests"]: "likely"}


WRITES = "import pickle\n\n\ndef write(thing, path):\n    pickle.dump(thing, open(path, 'wb'))\n"
HANDS_OVER = "from package.data import write\n\n\nclass Box:\n    pass\n\n\n{}write(Box(), 'box')\n"
GUARD = "if __name__ == '__main__':\n    "
TEST = "def test_box():\n    "


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("write_boxes.py", HANDS_OVER.format(GUARD), "certain"),
        ("tests/test_box.py", HANDS_OVER.format(TEST) + "\n\n" + GUARD + "test_box()\n", "possible"),
        ("tests/write_boxes.py", HANDS_OVER.format(GUARD), "possible"),
    ],
    ids=["a script", "a test", "a script among the tests"],
)
def test_what_a_test_hands_over_says_nothing_about_the_library(
    tmp_path: Path, path: str, text: str, expected: str
) -> None:
    files = {"pyproject.toml": PYPROJECT, "package/__init__.py": "", FILES["library"]: WRITES, path: text}
    for name, each in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(each)
    assert of_project(tmp_path, ".") == {FILES["library"]: expected}


def test_a_test_file_is_no_script(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "tests").mkdir()
    starts = "import multiprocessing\n\nmultiprocessing.Pool(2)\n"
    (tmp_path / "script.py").write_text(starts)
    (tmp_path / "tests" / "data.py").write_text(starts)
    (tmp_path / "tests" / "script.py").write_text(starts + "\n\nif __name__ == '__main__':\n    print(1)\n")
    expected = {"script.py": "certain", "tests/data.py": "possible", "tests/script.py": "likely"}
    assert of_project(tmp_path, ".") == expected


def test_what_a_test_ships_says_nothing_about_the_library(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "box.py").write_text("class Box:\n    def __init__(self):\n        self.key = lambda x: x\n")
    sent = "import pickle\n\nfrom box import Box\n\n\ndef send():\n    pickle.dumps(Box())\n"
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_box.py").write_text(sent)
    assert of_project(tmp_path, ".") == {"box.py": "possible"}
    (tmp_path / "use.py").write_text(sent)
    assert of_project(tmp_path, ".") == {"box.py": "certain"}


ENCODING = """
import multiprocessing as mp


def {name}(sentences, device=None):
    if isinstance(device, list):
        with mp.Pool(len(device)) as pool:
            return pool.map(lambda number: sentences[number].upper(), range(9))
    return [sentence.upper() for sentence in sentences]
"""
USING = "from {module} import {name}\n\n\ndef main({parameters}):\n    {name}(['a'], {device})\n"


@pytest.mark.parametrize(
    ("file", "name", "parameters", "device", "expected"),
    [
        ("encoding.py", "encode", "", "'cpu'", "possible"),
        ("encoding.py", "encode", "", "", "possible"),
        ("encoding.py", "encode", "", "['cpu']", "likely"),
        ("encoding.py", "encode", "device", "device", "likely"),
        ("package/encoding.py", "encode", "", "'cpu'", "likely"),
        ("package/encoding.py", "_encode", "", "'cpu'", "possible"),
        ("package/_encoding.py", "encode", "", "'cpu'", "possible"),
    ],
)
def test_a_branch_that_all_calls_avoid_is_possible_unless_a_library_offers_it(
    tmp_path: Path, file: str, name: str, parameters: str, device: str, expected: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / file).write_text(ENCODING.format(name=name))
    assert of_project(tmp_path, ".") == {file: "likely"}, "no call is seen"
    module = file.removesuffix(".py").replace("/", ".")
    use = USING.format(module=module, name=name, parameters=parameters, device=device)
    (tmp_path / "use.py").write_text(use)
    assert of_project(tmp_path, ".") == {file: expected}


IMAGES = """
from torch.utils.data import Dataset


class Images(Dataset):
    def __init__(self, folder, load=lambda path: path, shared=False, cache=None):
        self.folder = folder
        self.load = load
        if shared:
            self.opened = open(folder)
        if cache is not None:
            self.cache = open(cache)

    def __getitem__(self, index):
        return self.load(self.folder[index])
"""
MAKING = "from images import Images\n\n\ndef load(path):\n    return path\n\n\n{}\n"
PHOTOS = "class Photos(Images):\n    pass\n\n\n"


@pytest.mark.parametrize(
    ("file", "made", "expected"),
    [
        ("use.py", "Images('a', load)", []),
        ("use.py", "def main(folder, read):\n    Images(folder, load=read)", []),
        ("use.py", PHOTOS + "Photos('a', load)", []),
        ("use.py", "Images('a', load, shared=True)", ["opened"]),
        ("use.py", "def main(shared):\n    Images('a', load, shared)", ["opened"]),
        ("use.py", "def main(path):\n    Images('a', load, cache=path)", ["cache"]),
        ("use.py", PHOTOS + "Images('a', load)\nPhotos('b')", ["load"]),
        ("use.py", "Images('a')", ["load"]),
        ("use.py", "def main(options):\n    Images('a', **options)", ["load", "opened", "cache"]),
        ("use.py", "", ["load"]),
        ("tests/test_use.py", "Images('a', load, True)", ["load"]),
    ],
)
def test_what_no_construction_leads_to_and_options_that_nobody_turns_on_are_possible(
    tmp_path: Path, file: str, made: str, expected: list[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "images.py").write_text(IMAGES)
    (tmp_path / "tests").mkdir()
    (tmp_path / file).write_text(MAKING.format(made))
    resolver = SettingsResolver(cwd=tmp_path, overrides={"pedantic": True})
    found = lint_paths([str(tmp_path)], resolver=resolver).diagnostics
    told = {
        name: each.confidence.value
        for each in found
        for name in ("load", "opened", "cache")
        if f".{name}`" in each.message
    }
    assert told == {name: "likely" if name in expected else "possible" for name in ("load", "opened", "cache")}


@pytest.mark.parametrize(
    ("body", "test", "expected"),
    [
        ("shared: bool = False", "self.shared", "possible"),
        ("shared: bool = True", "self.shared", "likely"),
        ("shared: bool = False", "not self.shared", "likely"),
        ("shared: bool = False", "self.shared or self.check()", "likely"),
    ],
)
def test_an_option_in_the_body_of_a_class_is_off(body: str, test: str, expected: str) -> None:
    text = f"""
    from torch.utils.data import Dataset

    class Images(Dataset):
        {body}

        def __init__(self, folder):
            if {test}:
                self.opened = open(folder)

        def check(self):
            return self.shared
    """
    assert confidences(text) == [expected]


SUSPENDED = """
    import contextlib
    import pickle

    class Task:
        def __init__(self):
            self.report = lambda message: message
            self.name = "task"

        @contextlib.contextmanager
        def detached(self):
            {body}
            yield

    def send(task=None):
        task, other = Task(), Task()
        with {context}:
            pickle.dumps(task)
"""


@pytest.mark.parametrize(
    ("body", "context", "expected"),
    [
        ("for name in ('report',): setattr(self, name, None)", "task.detached()", "likely"),
        ("self.report = None", "task.detached()", None),  # followed: it is taken away
        ("kept = self.__dict__.pop('report')", "task.detached()", None),  # the same
        ("self.suspend()", "open('log') as log, task.detached()", "likely"),
        ("self.name = 'sent'", "task.detached()", "certain"),
        ("print(self)", "task.detached()", "certain"),
        ("self.report = None", "open('log')", "certain"),
        ("self.report = None", "other.detached()", "certain"),
    ],
)
def test_what_a_context_manager_of_the_object_may_have_changed_is_likely(
    body: str, context: str, expected: str | None
) -> None:
    assert confidences(SUSPENDED.format(body=body, context=context)) == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("import cPickle as pickle\n", "possible"),
        ("from Queue import Queue\n", "possible"),
        ("try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\n", "certain"),
        ("import queue\n", "certain"),
        ("import Queueing\n", "certain"),
    ],
)
def test_what_only_python_2_can_run_is_possible(head: str, expected: str) -> None:
    assert confidences(head + dedent(LOADED.format(init=PLAIN, use=LOAD))) == [expected]


@pytest.mark.parametrize(("own", "expected"), [("commands", "likely"), ("others", "possible")])
def test_a_program_may_have_a_module_with_a_name_of_python_2(tmp_path: Path, own: str, expected: str) -> None:
    text = "from commands import RUN\nimport exceptions\n" + dedent(LOADED.format(init=PLAIN, use=LOAD))
    write(tmp_path, {f"{own}.py": "RUN = 1\n", "exceptions.py": "", "example.py": text})
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True, "target-version": "3.11"})
    found = lint_paths([str(tmp_path)], resolver=resolver).diagnostics
    assert [each.confidence.value for each in found] == [expected]


NAMED_METHOD = """
    import multiprocessing
    import registry

    class Steps:
        def one(self, name, steps):
            {step}
            return step.run(name)

        def run(self, names):
            with multiprocessing.Pool(4) as pool:
                return pool.starmap(self.one, [(name, self) for name in names])
"""


@pytest.mark.parametrize(
    ("step", "found"),
    [
        ("step = self", ["certain"]),
        ("step = steps.step", ["likely"]),
        ("step = registry.find(name)", []),
        ("step = registry.find(name)(name)", []),
        ("step = registry.find(name) if name else registry.first", []),
    ],
)
def test_a_method_of_an_unknown_object_is_a_guess_from_its_name_unless_it_is_made_here(
    step: str, found: list[str]
) -> None:
    assert confidences(NAMED_METHOD.format(step=step)) == found
