"""LP501: whole-module-saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.rules.written_to_files import lint_files, written
from tests.support import lint


class TestPage(PageTests):
    code = "LP501"


NET = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    pass\n\n\n"


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


BEST = """\
from collections import namedtuple

import torch
from queues import HeapQueue


class Best:
    Entry = namedtuple({fields})

    def __init__(self):
        self.entries = HeapQueue(4)

    def add(self, score, network):
        self.entries.push({entry})

    def save(self, path):
        for entry in self.entries.flush():
            torch.save(entry.network, path)
"""
FIELDS = '"Entry", ["score", "network"]'


@pytest.mark.parametrize(
    ("fields", "entry", "is_found"),
    [
        (FIELDS, "self.Entry(score, network.state_dict())", False),
        (FIELDS, "self.Entry(network=network.state_dict(), score=score)", False),
        ('"Entry", "score network"', "Best.Entry(score, network.state_dict())", False),
        (FIELDS, "self.Entry(score, network)", True),
        (FIELDS, "self.Entry(network.state_dict(), network)", True),
        ('"Entry", ["score", "weights"]', "self.Entry(score, network.state_dict())", True),
    ],
)
def test_the_field_of_a_named_tuple_is_what_is_put_in(fields: str, entry: str, is_found: bool) -> None:
    found = written(BEST.format(fields=fields, entry=entry))
    assert found == ([(18, "LP501")] if is_found else [])


CLONE = """
import io

import torch
from torch import nn


class Net(nn.Module):
    pass


def clone(module: {}):
    with io.BytesIO() as buffer:
        torch.save({}, buffer)
        buffer.seek(0)
        return torch.load(buffer)
"""


@pytest.mark.parametrize("annotation", ["nn.Module", "'nn.Module'", "Net", "torch.nn.Sequential"])
def test_an_argument_that_is_a_module_by_its_annotation_is_likely(annotation: str) -> None:
    found = [each for each in lint(CLONE.format(annotation, "module")).diagnostics if each.code == "LP501"]
    assert [(each.location.start.row, each.confidence) for each in found] == [(14, Confidence.LIKELY)]
    assert written(CLONE.format(annotation, "{'net': module}")) == [(14, "LP501")]


@pytest.mark.parametrize(
    ("annotation", "saved"),
    [
        ("nn.Module", "module.state_dict()"),
        ("nn.Module", "list(module.parameters())"),
        ("dict", "module"),
        ("nn.Module | dict", "module"),
        ("list[nn.Module]", "module"),
        ("nn.Parameter", "module"),
    ],
)
def test_an_argument_that_need_not_be_a_module_is_not_reported(annotation: str, saved: str) -> None:
    assert written(CLONE.format(annotation, saved)) == []


def test_the_state_of_an_argument_under_its_name_is_not_reported() -> None:
    text = "import torch\nfrom torch import nn\n\n\ndef save(model: nn.Module, path):\n"
    assert written(f"{text}    model = model.state_dict()\n    torch.save(model, path)\n") == []


def test_a_module_is_followed_through_a_helper_of_another_file(tmp_path: Path) -> None:
    files = {
        "helpers.py": "import torch\n\n\ndef save(state, path):\n    torch.save(state, path)\n",
        "train.py": f"from helpers import save\n{NET}def main():\n    net = Net()\n    state = {{'net': net}}\n"
        "    save(state, 'x')\n",
    }
    (found,) = lint_files(tmp_path, files)
    assert (found.code, Path(found.location.path).name, found.location.start.row) == ("LP501", "train.py", 12)


@pytest.mark.parametrize(
    ("load", "codes"),
    [
        ("torch.load(path)", ["LP501"]),
        ("torch.load(path, weights_only=True)", ["LP501"]),
        ("torch.load(path, weights_only=False)", []),
        ("torch.serialization.add_safe_globals([Net]) or torch.load(path)", []),
        ("load(path, torch.serialization.safe_globals([Net]))", []),
        ("load(path, safe_globals)", ["LP501"]),
        ("torch_load(path)", ["LP501"]),
        ("__import__('x')\n    from ultralytics.utils.patches import torch_load", []),
        ("torch.load(path, map_location='cpu', weights_only = False)", []),
    ],
)
def test_whole_modules_that_the_program_loads_by_design(tmp_path: Path, load: str, codes: list[str]) -> None:
    files = {
        "train.py": f"{NET}def save(path):\n    torch.save(Net(), path)\n",
        "serve.py": f"import torch\n\n\ndef serve(path):\n    return {load}\n",
    }
    assert [each.code for each in lint_files(tmp_path, files)] == codes


@pytest.mark.parametrize(
    ("name", "imports", "codes"),
    [
        ("utils.py", "from torch._six import inf", []),
        ("utils.py", "import torch._six", []),
        ("utils.py", "try:\n    from torch._six import inf\nexcept ImportError:\n    from torch import inf", ["LP501"]),
        ("utils.py", "from torch import inf", ["LP501"]),
        ("test_utils.py", "from torch._six import inf", ["LP501"]),
    ],
)
def test_a_program_that_imports_what_a_torch_that_refuses_lacks(
    tmp_path: Path, name: str, imports: str, codes: list[str]
) -> None:
    files = {"train.py": f"{NET}def save(path):\n    torch.save(Net(), path)\n", name: f"{imports}\n"}
    assert [each.code for each in lint_files(tmp_path, files)] == codes


LOADED = NET + "def save(path):\n    torch.save(Net(), path)\n\n\ndef load(path):\n    return torch.load({})\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("path, map_location=place(path), pickle_module=dill", []),
        ("path", [(10, "LP501")]),
        ("path, pickle_module=None", [(10, "LP501")]),
    ],
)
def test_a_program_that_loads_with_a_pickle_module_means_whole_modules(
    arguments: str, expected: list[tuple[int, str]]
) -> None:
    assert [each for each in written(LOADED.format(arguments)) if each[1] == "LP501"] == expected


GIVEN = (
    NET
    + "def save(model, path):\n    if {test}:\n        state = model\n    else:\n        state = model.state_dict()\n"
    "    torch.save(state, path)\n\n\ndef main(several):\n    net = Net()\n    if several:\n"
    "        net = nn.DataParallel(net)\n    save(net, 'net.pt')\n"
)


@pytest.mark.parametrize(
    ("test", "expected"),
    [("isinstance(model, dict)", []), ("isinstance(model, nn.Module)", ["LP501"]), ("path.endswith('x')", ["LP501"])],
)
def test_a_module_is_not_written_where_a_test_leaves_only_states(test: str, expected: list[str]) -> None:
    assert [code for _, code in written(GIVEN.format(test=test))] == expected


CHOSEN = """\
import re


class Saver:
    def __init__(self, pattern="model", **parts):
        self.model = parts["model"]
        del parts["model"]
        for key in parts.copy():
            if re.match(pattern, key):
                parts[key] = self.clean(parts[key])
        self.parts = parts

    @staticmethod
    def clean(model):
        return model

    def save(self, **more):
        data = {"model": self.model.state_dict()}
        for key, part in self.parts.items():
            IF_KEY
                data[key] = part
        data.update(more)
        torch.save(data, "x.pt")


def make(*keys):
    parts = dict()
    parts["model"] = nn.Linear(2, 2)
    if "other" in keys:
        parts["other"] = nn.Linear(2, 2)
    return parts


def main():
    s = Saver(**make("a"))
    s.save()


main()
"""


@pytest.mark.parametrize("test", ["if part is not None:", 'if key != "step":', 'if not key.startswith("__"):'])
def test_what_code_may_leave_out_by_its_key_is_not_certain(test: str) -> None:
    (found,) = lint(NET + CHOSEN.replace("IF_KEY", test)).diagnostics
    assert (found.code, found.confidence) == ("LP501", Confidence.LIKELY)


@pytest.mark.parametrize("test", ['if key.endswith("__") and key.startswith("__"):', "if key in more:"])
def test_which_of_several_a_test_of_the_key_picks_is_not_known(test: str) -> None:
    text = NET + CHOSEN.replace("IF_KEY", test)
    assert lint(text).diagnostics == ()
    kept = "data[key] = nn.Linear(3, 3)"
    (found,) = lint(text.replace("data[key] = part", kept)).diagnostics
    assert found.code == "LP501"


_KEPT = """\
import torch
from torch import nn
from torch.nn.utils import parametrizations


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {kept}


def main():
    net = Net()
    torch.save({saved}, "net.pt")


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("kept", "saved", "codes"),
    [
        ("lambda x: x", "net", ["LP102"]),
        ("parametrizations.spectral_norm(nn.Linear(2, 2))", "{'net': net}", ["LP118"]),
        ("nn.Linear(2, 2)", "net", ["LP501"]),
        ("nn.Linear(2, 2)", "{'net': net, 'rate': lambda x: x}", ["LP102"]),
        ("lambda x: x", "net.state_dict()", []),
    ],
)
def test_a_module_that_cannot_be_written_is_not_said_to_be_refused(kept: str, saved: str, codes: list[str]) -> None:
    found = [each.code for each in lint(_KEPT.format(kept=kept, saved=saved)).diagnostics]
    assert [code for code in found if code != "LP502"] == codes


_HOOKED = """\
import torch
from torch import nn


class Recorder:
    def __init__(self):
        self.stats = []

    def attach(self, model):
        for module in model.modules():
            {register}
        return model


def build():
    return nn.Sequential(nn.Linear(2, 2), nn.ReLU())


def main():
    model, other = Recorder().attach(build()), nn.Linear(2, 2)
    torch.save({saved}, "model.pt")


main()
"""


@pytest.mark.parametrize(
    ("register", "saved", "codes"),
    [
        ("module.register_forward_hook(lambda *given: self.stats.append(given))", "model", ["LP106"]),
        ("module.register_forward_hook(print)", "model", ["LP501"]),
        ("module.register_forward_hook(lambda *given: self.stats.append(given))", "other", ["LP501"]),
    ],
)
def test_a_module_with_a_hook_that_cannot_be_written(register: str, saved: str, codes: list[str]) -> None:
    assert [each.code for each in lint(_HOOKED.format(register=register, saved=saved)).diagnostics] == codes


_UNKNOWN = """\
import torch


def on_end_epoch(state, path, whole=True):
{lines}


def restore(path):
    return {load}
"""
_MOVED = """\
    state["model"].cpu()
    torch.save(state["model"], path)
"""
_CHOSEN = """\
    to_save = state.module if isinstance(state, torch.nn.DataParallel) else state
    if whole:
        torch.save(to_save, path)
    else:
        torch.save(to_save.state_dict(), path)
"""


@pytest.mark.parametrize(
    ("lines", "load", "found"),
    [
        (_MOVED, "torch.load(path)", [Confidence.LIKELY]),
        (_CHOSEN, "torch.load(path)", [Confidence.LIKELY]),
        (_MOVED, "path", []),
        ('    torch.save(state["model"], path)\n', "torch.load(path)", []),
        ('    moved = state["model"].cpu()\n    torch.save(state["model"], path)\n', "torch.load(path)", []),
        ("    if whole:\n        state = state.state_dict()\n    torch.save(state, path)\n", "torch.load(path)", []),
    ],
    ids=["moved in place", "or its state", "nothing loads", "may be a state", "may be a tensor", "its state is taken"],
)
def test_objects_that_the_function_uses_as_modules(lines: str, load: str, found: list[Confidence]) -> None:
    told = [each for each in lint(_UNKNOWN.format(lines=lines, load=load)).diagnostics if each.code == "LP501"]
    assert [each.confidence for each in told] == found


@pytest.mark.parametrize(
    ("files", "codes"),
    [
        (("serve.py", "tests/test_serve.py"), []),
        (("serve.py", "train.py"), ["LP501"]),
        (("tests/serve.py", "tests/test_serve.py"), ["LP501"]),
    ],
    ids=["a test", "no test", "nothing but tests"],
)
def test_a_file_that_a_test_writes_for_itself(tmp_path: Path, files: tuple[str, str], codes: list[str]) -> None:
    serving = "import torch\n\n\ndef serve(path):\n    return torch.load(path)\n"
    saving = f"{NET}def test_serve(path):\n    torch.save(Net(), path)\n"
    assert [each.code for each in lint_files(tmp_path, dict(zip(files, (serving, saving), strict=True)))] == codes


@pytest.mark.parametrize(
    ("then", "found"),
    [
        ("breakpoint()", "possible"),
        ("ipdb.set_trace()", "possible"),
        ("print('saved')\n        torch.save(batch, 'batch.pth')\n        pdb.set_trace()", "possible"),
        ("IPython.embed()", "possible"),
        ("print('saved')", "likely"),
        ("model.embed()", "likely"),
        ("batch = batch.cpu()\n        breakpoint()", "likely"),
        ("if batch.stop:\n            breakpoint()", "likely"),
    ],
)
def test_a_file_that_is_written_for_a_debugger(then: str, found: str) -> None:
    saving = f"def check(batch):\n    if batch.bad:\n        torch.save(Net(), 'model.pth')\n        {then}\n"
    told = [each for each in lint(NET + saving, pedantic=True).diagnostics if each.code == "LP501"]
    assert {each.confidence.value for each in told} == {found}
