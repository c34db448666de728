"""LP501, LP502, LP503 and LP505: what is written to files, and what must stay silent."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence, Diagnostic
from lintpickle.settings import SettingsResolver
from tests.support import lint, marks

NET = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    pass\n\n\n"
GUARD = "\n\nif __name__ == '__main__':\n    main()\n"


def written(text: str) -> list[tuple[int, str]]:
    return [mark for mark in marks(dedent(text)) if mark[1].startswith("LP5")]


def lint_files(folder: Path, files: dict[str, str]) -> list[Diagnostic]:
    for name, text in {"pyproject.toml": "[project]\n", **files}.items():
        (folder / name).write_text(dedent(text))
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True)).diagnostics
    return [each for each in found if each.code.startswith("LP5")]


@pytest.mark.parametrize(
    "saved",
    [
        "Net()",
        "Net().to('cpu')",
        "Net().cuda().eval()",
        "nn.DataParallel(Net())",
        "nn.Linear(2, 2)",
        "nn.Sequential(nn.ReLU())",
        "[Net()]",
        "{'net': Net(), 'epoch': 1}",
        "dict(net=Net())",
    ],
)
def test_a_whole_module_is_reported_where_it_is_saved(saved: str) -> None:
    assert written(f"{NET}def save(path):\n    torch.save({saved}, path)\n") == [(10, "LP501")]


@pytest.mark.parametrize(
    "saved",
    [
        "Net().state_dict()",
        "{'net': Net().state_dict(), 'epoch': 1}",
        "Net().head.weight",
        "torch.ones(2)",
        "list(Net().parameters())",
        "path",
    ],
)
def test_tensors_of_a_module_are_not_reported(saved: str) -> None:
    assert written(f"{NET}def save(path):\n    torch.save({saved}, path)\n") == []


def test_a_method_of_the_projects_own_returns_what_it_returns() -> None:
    text = NET.replace("    pass", "    def to(self, device):\n        return self.state_dict()")
    assert written(f"{text}def save(path):\n    torch.save(Net().to('cpu'), path)\n") == []


def test_a_model_of_which_only_the_name_is_known_is_likely() -> None:
    text = (
        NET + "from zoo import build\n\ndef save(name, path):\n    model = build(name)[0]\n    torch.save({}, path)\n"
    )
    (found,) = lint(text.format("model")).diagnostics
    assert (found.code, found.confidence) == ("LP501", Confidence.LIKELY)
    assert written(text.format("model.state_dict()")) == []
    assert written(text.format("path")) == []


@pytest.mark.parametrize("loaded", ["torch.load(old)", "torch.load(old)['state']", "published(torch.load(old))"])
def test_what_was_read_from_a_file_is_data_whatever_it_is_called(loaded: str) -> None:
    text = "import torch\n\n\ndef published(model):\n    model['license'] = 'MIT'\n    return model\n\n\n"
    assert written(f"{text}def publish(old, new):\n    model = {loaded}\n    torch.save(model, new)\n") == []


def test_a_model_that_some_caller_out_of_sight_hands_over_is_not_reported() -> None:
    assert written("import torch\n\n\ndef save(model, path):\n    torch.save(model, path)\n") == []


def test_a_module_is_followed_through_a_helper_of_another_file(tmp_path: Path) -> None:
    files = {
        "helpers.py": "import torch\n\n\ndef save(state, path):\n    torch.save(state, path)\n",
        "train.py": f"from helpers import save\n{NET}def main():\n    net = Net()\n    state = {{'net': net}}\n"
        "    save(state, 'x')\n",
    }
    (found,) = lint_files(tmp_path, files)
    assert (found.code, Path(found.location.path).name, found.location.start.row) == ("LP501", "train.py", 12)


SCRIPT = """\
import pickle

import torch


class Person:
    pass


def main():
    with open('x', 'wb') as f:
        {}
"""


@pytest.mark.parametrize(
    "call",
    [
        "pickle.dump(Person(), f)",
        "pickle.dump([Person() for _ in range(3)], f)",
        "pickle.dump({'who': Person()}, f)",
        "pickle.dump(Person, f)",
        "torch.save({'who': Person()}, f)",
    ],
)
def test_what_a_script_defines_is_written_as_main(call: str) -> None:
    assert written(SCRIPT.format(call) + GUARD) == [(12, "LP502")]


def test_what_a_script_puts_into_a_list_is_written_as_main() -> None:
    text = SCRIPT.format("people = []\n        people.append(Person())\n        pickle.dump(people, f)")
    assert [code for _, code in written(text + GUARD)] == ["LP502"]


@pytest.mark.parametrize(
    "text",
    [
        SCRIPT.format("pickle.dump(Person(), f)"),
        SCRIPT.format("pickle.dump(vars(Person()), f)") + GUARD,
        SCRIPT.format("pickle.dumps(Person())") + GUARD,
        SCRIPT.format("pickle.dump(Person(), f)\n    print(pickle.load(open('x', 'rb')))") + GUARD,
        SCRIPT.replace("class Person:", "class Other:").format("pickle.dump(int('3'), f)") + GUARD,
    ],
    ids=["no-guard", "plain", "dumps", "read-back", "plain-data"],
)
def test_what_is_not_written_as_main_is_not_reported(text: str) -> None:
    assert written(text) == []


def test_a_script_that_others_import_is_not_reported(tmp_path: Path) -> None:
    files = {"build.py": SCRIPT.format("pickle.dump(Person(), f)") + GUARD}
    assert [each.code for each in lint_files(tmp_path, files)] == ["LP502"]
    assert lint_files(tmp_path, {**files, "use.py": "from build import Person\n\nprint(Person())\n"}) == []


def test_a_class_of_another_file_is_not_main(tmp_path: Path) -> None:
    files = {
        "people.py": "class Person:\n    pass\n",
        "build.py": "import pickle\nfrom people import Person\n\n\ndef main():\n    with open('x', 'wb') as f:\n"
        "        pickle.dump(Person(), f)\n" + GUARD,
    }
    assert lint_files(tmp_path, files) == []


CHECKPOINT = """\
import argparse
import collections
import datetime
import enum
import pathlib

import numpy as np
import torch
from torch import nn, optim


class Color(enum.Enum):
    RED = 1


class Meter:
    pass


def save(path, acc, tensor):
    parser = argparse.ArgumentParser()
    net = nn.Linear(1, 1)
    torch.save({"epoch": 1, "x": %s}, path)


def restore(path):
    return torch.load(path%s)
"""


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("parser.parse_args()", "argparse.Namespace"),
        ("parser.parse_known_args()[0]", "argparse.Namespace"),
        ("argparse.Namespace(a=1)", "argparse.Namespace"),
        ("np.array([1])", "numpy._core.multiarray._reconstruct"),
        ("tensor.cpu().numpy()", "numpy._core.multiarray._reconstruct"),
        ("torch.ones(2).numpy()", "numpy._core.multiarray._reconstruct"),
        ("np.random.get_state()", "numpy._core.multiarray._reconstruct"),
        ("np.mean([1, 2])", "numpy._core.multiarray.scalar"),
        ("collections.defaultdict(list)", "collections.defaultdict"),
        ("collections.deque()", "collections.deque"),
        ("pathlib.Path('a')", "pathlib.PosixPath"),
        ("datetime.datetime.now()", "datetime.datetime"),
        ("range(3)", "range"),
        ("frozenset({1})", "frozenset"),
        ("optim.Adam(net.parameters())", "torch.optim.adam.Adam"),
        ("optim.lr_scheduler.StepLR(optim.Adam(net.parameters()), 1)", "torch.optim.lr_scheduler.StepLR"),
        ("Meter()", "example.Meter"),
        ("[Meter()]", "example.Meter"),
        ("Meter", "example.Meter"),
        ("save", "example.save"),
    ],
)
def test_what_torch_load_refuses_is_reported_with_its_name(value: str, name: str) -> None:
    (found,) = lint(CHECKPOINT % (value, "")).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.CERTAIN)
    assert f"GLOBAL {name}" in (found.error or "")
    assert "GLOBAL" in found.message


@pytest.mark.parametrize(
    "value",
    [
        "vars(parser.parse_args())",
        "np.array([1]).tolist()",
        "np.mean([1, 2]).item()",
        "float(np.mean([1, 2]))",
        "torch.from_numpy(np.array([1]))",
        "collections.OrderedDict()",
        "collections.Counter()",
        "{1, 2}",
        "str(pathlib.Path('a'))",
        "optim.Adam(net.parameters()).state_dict()",
        "net.state_dict()",
        "max(acc, 0.5)",
        "acc",
        "tensor",
        "torch.get_rng_state()",
        "Meter().value",
        "b'a'",
        "np.inf",
    ],
)
def test_what_torch_load_allows_is_not_reported(value: str) -> None:
    assert written(CHECKPOINT % (value, "")) == []


@pytest.mark.parametrize("decision", [", weights_only=False", ", weights_only=trusted", ", pickle_module=pickle"])
def test_a_project_that_decides_how_it_loads_is_left_alone(decision: str) -> None:
    assert written(CHECKPOINT % ("Meter()", decision)) == []
    assert written(CHECKPOINT % ("Meter()", ", weights_only=True")) != []


def test_without_a_load_in_sight_it_is_likely() -> None:
    text = (CHECKPOINT % ("Meter()", "")).replace("torch.load(path)", "path")
    (found,) = lint(text).diagnostics
    assert found.confidence is Confidence.LIKELY


def test_arguments_parsed_at_module_level_are_known() -> None:
    text = """\
    import argparse
    import torch

    parser = argparse.ArgumentParser()
    args = parser.parse_args()


    def save(path):
        torch.save({"args": args}, path)
    """
    assert written(text) == [(9, "LP503")]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("path, pickle_module=pickle, weights_only=True", ["LP505"]),
        ("path, None, pickle, weights_only=True", ["LP505"]),
        ("path, pickle_module=pickle", []),
        ("path, pickle_module=pickle, weights_only=False", []),
        ("path, pickle_module=None, weights_only=True", []),
        ("path, weights_only=True", []),
    ],
)
def test_pickle_module_and_weights_only_exclude_each_other(arguments: str, found: list[str]) -> None:
    text = f"import pickle\nimport torch\n\n\ndef restore(path):\n    return torch.load({arguments})\n"
    assert [code for _, code in written(text)] == found


def test_another_function_with_such_arguments_is_not_reported() -> None:
    text = "import pickle\nfrom mine import load\n\nload('x', pickle_module=pickle, weights_only=True)\n"
    assert written(text) == []


@pytest.mark.parametrize(
    ("load", "codes"),
    [
        ("torch.load(path)", ["LP501"]),
        ("torch.load(path, weights_only=True)", ["LP501"]),
        ("torch.load(path, weights_only=False)", []),
        ("torch.load(path, map_location='cpu', weights_only = False)", []),
    ],
)
def test_whole_modules_that_the_program_loads_by_design(tmp_path: Path, load: str, codes: list[str]) -> None:
    files = {
        "train.py": f"{NET}def save(path):\n    torch.save(Net(), path)\n",
        "serve.py": f"import torch\n\n\ndef serve(path):\n    return {load}\n",
    }
    assert [each.code for each in lint_files(tmp_path, files)] == codes


SAVING = """
    import torch


    class Config:
        rate = 1


    def main(path):
        torch.save({"config": Config()}, path)
        print(%s)


    if __name__ == "__main__":
        main("a.pt")
    """


def test_a_script_that_alone_loads_what_it_has_saved(tmp_path: Path) -> None:
    script = SAVING % "torch.load(path, weights_only=False)"
    assert [each.code for each in lint_files(tmp_path, {"train.py": script})] == []
    other = "import torch\n\n\ndef serve(path):\n    return torch.load(path, weights_only=False)\n"
    assert [each.code for each in lint_files(tmp_path, {"train.py": script, "serve.py": other})] == ["LP502"]


def test_a_script_that_only_saves(tmp_path: Path) -> None:
    assert [each.code for each in lint_files(tmp_path, {"train.py": SAVING % "path"})] == ["LP502"]


@pytest.mark.parametrize(
    ("imported", "is_main"),
    [("    from jobs.train import main\n", False), ("    from jobs.engine import train\n", True), ("", True)],
)
def test_a_script_that_imports_itself_to_run(tmp_path: Path, imported: str, is_main: bool) -> None:
    script = dedent(SAVING % "path").replace('"__main__":\n', f'"__main__":\n{imported}')
    found = {each.code for each in lint_files(tmp_path, {"train.py": script})}
    assert ("LP502" in found) == is_main


def test_a_script_that_cannot_load_what_it_has_saved(tmp_path: Path) -> None:
    assert "LP502" in {each.code for each in lint_files(tmp_path, {"train.py": SAVING % "torch.load(path)"})}


BOUND_AGAIN = """\
import pickle
import torch
from torch import nn


class Net(nn.Module):
    pass


def keep(state):
    return state


{block}
"""


@pytest.mark.parametrize(
    "block",
    [
        "net = Net()\nnet = net.state_dict()\ntorch.save(net, 'a.pt')",
        "if __name__ == '__main__':\n    net = Net()\n    net = net.state_dict()\n    torch.save(net, 'a.pt')",
        "if __name__ == '__main__':\n    net = Net()\n    net = net.state_dict()\n"
        "    torch.save(dict(g=keep(net)), 'a.pt')",
        "for name in 'ab':\n    net = Net()\n    net = net.state_dict()\n    torch.save(net, name)",
        "if __name__ == '__main__':\n    net = Net()\n    with torch.no_grad():\n        net = net.state_dict()\n"
        "        torch.save(net, 'a.pt')",
        "if __name__ == '__main__':\n    f = lambda: 1\n    f = len\n    pickle.dumps(f)",
    ],
)
def test_what_a_module_binds_anew_is_no_longer_what_it_was(block: str) -> None:
    assert marks(BOUND_AGAIN.format(block=block)) == []


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("if __name__ == '__main__':\n    net = {}\n    net = Net()\n    torch.save(net, 'a.pt')", [(17, "LP501")]),
        (
            "if __name__ == '__main__':\n    net = Net()\n    if torch.cuda.is_available():\n"
            "        net = net.state_dict()\n    torch.save(net, 'a.pt')",
            [(18, "LP501")],
        ),
        (
            "if __name__ == '__main__':\n    net = Net()\n    torch.save(net, 'a.pt')\n    net = net.state_dict()",
            [(16, "LP501")],
        ),
        (
            "for name in 'ab':\n    if name == 'b':\n        torch.save(net, name)\n    net = Net()",
            [(16, "LP501")],
        ),
        ("if __name__ == '__main__':\n    f = len\n    f = lambda: 1\n    pickle.dumps(f)", [(17, "LP102")]),
    ],
)
def test_what_a_module_may_still_be_bound_to_is_what_is_written(block: str, expected: list[tuple[int, str]]) -> None:
    assert marks(BOUND_AGAIN.format(block=block)) == expected


SAVED = """\
import argparse

import torch
from torch import nn


def save(args: argparse.Namespace):
    model = nn.Linear(1, 1)
    torch.save(model, "model.pt")
    torch.save({"args": argparse.Namespace(lr=1)}, "all.pt")
"""


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [("torch>=1.7", ["LP501", "LP503"]), ("torch<2.3", []), ("torch==2.6.0", ["LP501", "LP503"])],
)
def test_torch_that_does_not_refuse_anything_yet(tmp_path: Path, requirement: str, expected: list[str]) -> None:
    (tmp_path / "requirements.txt").write_text(requirement + "\n")
    (tmp_path / "setup.py").write_text("from setuptools import setup\n\nsetup(name='x')\n")
    (tmp_path / "train.py").write_text(SAVED)
    resolver = SettingsResolver(cwd=tmp_path)
    assert [each.code for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics] == expected


@pytest.mark.parametrize(
    ("saved", "name"),
    [
        ("np.mean(rows)", "scalar"),
        ("np.mean(rows, None)", "scalar"),
        ("np.mean(rows, 0)", "_reconstruct"),
        ("np.max(rows, axis=(0, 1))", "_reconstruct"),
        ("np.sum(rows, keepdims=True)", "_reconstruct"),
        ("np.percentile(rows, 95)", "scalar"),
        ("np.percentile(rows, 95, 0)", "_reconstruct"),
        ("np.quantile(rows, [0.1, 0.9])", "_reconstruct"),
        ("np.cov(rows, rowvar=False)", "_reconstruct"),
        ("np.float64(rows)", "scalar"),
        ("np.mean(rows, axis)", None),
        ("np.mean(rows, **options)", None),
    ],
)
def test_a_reduction_along_an_axis_is_an_array(tmp_path: Path, saved: str, name: str | None) -> None:
    text = (
        f"import numpy as np\nimport torch\n\n\ndef save(path, rows, axis, options):\n    torch.save({saved}, path)\n"
    )
    found = [each.message for each in lint_files(tmp_path, {"save.py": text})]
    assert len(found) == (name is not None)
    assert all(f"`numpy._core.multiarray.{name}`" in message for message in found)


@pytest.mark.parametrize(
    ("test", "is_found"),
    [
        ("self.__module__ == '__main__'", False),
        ("type(self).__module__ == '__main__'", False),
        ("self.__module__ != '__main__'", True),
        ("self.__module__ == 'tasks'", True),
        ("self.name == '__main__'", True),
    ],
)
def test_who_asks_for_the_module_of_a_class_writes_no_main(test: str, is_found: bool) -> None:
    text = f"""
        import pickle


        class Task:
            name = "task"

            def dump(self, file):
                if {test}:
                    raise ValueError("run it from a module")
                else:
                    pickle.dump(self, file)


        if __name__ == "__main__":
            Task().dump(open("task.pkl", "wb"))
    """
    assert written(text) == ([(12, "LP502")] if is_found else [])
