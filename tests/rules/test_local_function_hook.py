"""LP106: hooks that stay on a module."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths, lint_source
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP106"


TEXT = """\
import functools


def at_top(module, inputs):
    return None


def prepare(model, handles=()):
    def local(module, inputs):
        return None

    {}
    return model


def evaluate(run, handles):
    import torch

    model = torch.nn.Linear(2, 2)
    prepare(model, handles)
    torch.multiprocessing.spawn(run, args=(model,))
"""


def found(text: str) -> list[tuple[int, Confidence]]:
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True})
    outcome = lint_source(text, "example.py", resolver=resolver)
    return [(each.location.start.row, each.confidence) for each in outcome.diagnostics if each.code == "LP106"]


@pytest.mark.parametrize(
    "call",
    [
        "model.register_forward_hook(local)",
        "model.register_forward_pre_hook(lambda module, inputs: None)",
        "model.layers[0].register_full_backward_hook(local)  # stays",
        "model.register_forward_hook(functools.partial(local, 1))",
        "model.register_forward_hook(hook=local)",
        "model._register_load_state_dict_pre_hook(local, with_module=True)",
        "model.get_embeddings().register_forward_hook(local, prepend=True)",
    ],
)
def test_a_hook_whose_handle_is_dropped_is_reported(call: str) -> None:
    assert marks(TEXT.format(call)) == [(12, "LP106")]


@pytest.mark.parametrize(
    "call",
    [
        "model.register_forward_hook(at_top)",
        "model.register_forward_hook(functools.partial(at_top, 1))",
        "model.register_forward_hook(model.hook)",
        "model.register_hook(local)",
        "model.register_buffer('x', local)",
        "register_forward_hook(local)",
        "model.register_forward_hook()",
        "model.register_forward_hook(local).remove()",
    ],
)
def test_other_hooks_are_silent(call: str) -> None:
    assert found(TEXT.format(call)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("args=(model,)", "args=(torch.nn.Linear(2, 2),)"),
        ("    prepare(model, handles)", "    prepare(torch.nn.Linear(2, 2))"),
        ("args=(model,)", "args=(model.state_dict(),)"),
    ],
    ids=["another one is shipped", "another one gets the hook", "its state is shipped"],
)
def test_a_hook_is_merely_possible_where_the_module_that_gets_it_is_not_shipped(before: str, after: str) -> None:
    text = TEXT.format("model.register_forward_hook(local)")
    assert marks(text) == [(12, "LP106")]
    assert marks(text.replace(before, after)) == []
    assert found(text.replace(before, after)) == [(12, Confidence.POSSIBLE)]


def test_a_hook_whose_handle_is_kept_may_be_removed_and_is_possible() -> None:
    text = TEXT.format("handles.append(model.register_forward_hook(local))")
    assert marks(text) == []
    assert found(text) == [(12, Confidence.POSSIBLE)]
    assert found(text.replace("return model", "handles[0].remove()")) == []


SAVED = """\
import torch
from torch import nn


def build(path, holder):
    model = nn.Sequential(nn.Linear(2, 2))
    for layer in model.modules():
        layer.register_forward_hook(lambda module, inputs, output: None)
    {}


def send(run):
    torch.multiprocessing.spawn(run, args=(build("path", []),))
"""


@pytest.mark.parametrize(
    "use",
    [
        "return model",
        "return model.eval()",
        "torch.save(model, path)",
        "torch.save({'model': model}, path)",
        "torch.save([model.cuda()], path)",
    ],
)
def test_a_hook_of_a_module_that_is_shipped_is_likely(use: str) -> None:
    assert found(SAVED.format(use)) == [(8, Confidence.LIKELY)]


@pytest.mark.parametrize(
    "use",
    [
        "print(model(torch.zeros(1, 2)))",
        "torch.save(holder, path)",
        "return holder",
        "holder.append(model)",
        "return len(list(holder.parameters()))",
        "torch.save(model.state_dict(), path)",
    ],
)
def test_a_hook_of_a_module_that_is_not_shipped_is_possible(use: str) -> None:
    assert found(SAVED.format(use)) == [(8, Confidence.POSSIBLE)]


@pytest.mark.parametrize(("sent", "expected"), [("Net()", Confidence.LIKELY), ("nn.ReLU()", Confidence.POSSIBLE)])
def test_a_hook_that_a_module_registers_on_itself(sent: str, expected: Confidence) -> None:
    text = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_forward_hook(lambda module, inputs, output: None)


def send(run):
    torch.multiprocessing.spawn(run, args=(%s,))
"""
    assert found(text % sent) == [(8, expected)]


def test_the_module_may_be_made_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "nets.py").write_text(SAVED.partition("def send")[0].format("return model"))
    send = "import torch\n\nfrom nets import build\n\n\ndef send(run):\n    torch.save({}, 'net.pt')\n"
    (tmp_path / "send.py").write_text(send.format("build('path', [])"))
    resolver = SettingsResolver(cwd=tmp_path)
    assert "LP106" in {each.code for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics}
    (tmp_path / "send.py").write_text(send.format("build('path', []).state_dict()"))
    assert lint_paths([str(tmp_path)], resolver=resolver).diagnostics == ()


PRUNER = """\
import torch
from torch import nn


class Pruner:
    def __init__(self):
        self.handles = []

    def attach(self, model):
        for module in model.modules():
            if isinstance(module, nn.Linear):
                self.handles.append(module.register_forward_pre_hook(self.hook(module)))
        return model

    def hook(self, module):
        mask = module.weight.abs() > 0.1

        def apply_mask(module, inputs):
            module.weight.data.mul_(mask)

        return apply_mask


def main(path):
    model = Pruner().attach(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
    torch.save(model, path)
"""


def test_a_hook_whose_handle_the_object_keeps_and_nothing_removes_is_likely() -> None:
    assert found(PRUNER) == [(12, Confidence.LIKELY)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def main", "def detach(pruner):\n    for each in pruner.handles:\n        each.remove()\n\n\ndef main"),
        ("torch.save(model, path)", "torch.save(model.state_dict(), path)"),
        ("self.handles.append", "yield"),
    ],
    ids=["removed by another function", "only its weights are saved", "handed out"],
)
def test_a_hook_whose_handle_is_removed_or_handed_out_is_possible(before: str, after: str) -> None:
    assert found(PRUNER.replace(before, after)) == [(12, Confidence.POSSIBLE)]


RECORDED = """\
import torch
import torch.multiprocessing as mp
from torch import nn


class Recorder:
    def __init__(self, model):
        self.model = model
        self.seen = {{}}

    def hook(self, name):
        def note(module, inputs, output):
            self.seen[name] = output.shape

        return note

    def add(self, name, layer):
        layer.register_forward_hook(self.hook(name))

    def watch(self):
        {watch}
        return self.model


def work(rank, model):
    model(torch.ones(1, 2))


def main():
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    Recorder(model).watch()
    idle = mp.Process(target=work, args=(0, nn.Linear(2, 2)))
    busy = mp.Process(target=work, args=(1, {shipped}))
    for process in (idle, busy):
        process.start()


if __name__ == "__main__":
    main()
"""
LOOPS = [
    "for name, layer in self.model.named_modules():\n            layer.register_forward_hook(self.hook(name))",
    "for layer in self.model.children():\n            layer.register_forward_hook(lambda *found: print(found))",
    "for name, layer in self.model.named_modules():\n            self.add(name, layer)",
    "self.add('first', self.model[0])",
]


@pytest.mark.parametrize("watch", LOOPS)
def test_the_boundary_that_ships_the_module_is_named(tmp_path: Path, watch: str) -> None:
    (tmp_path / "main.py").write_text(RECORDED.format(watch=watch, shipped="model"))
    resolver = SettingsResolver(isolated=True, cwd=tmp_path)
    found = migrate([str(tmp_path)], resolver, StartMethod.FORKSERVER, "3.14").boundaries
    assert [(each.what[:4], each.verdict, len(each.findings)) for each in found] == [
        ("mp.P", Verdict.BREAKS, 1),
        ("mp.P", Verdict.READY, 0),
    ]
    assert "(1, model)" in found[0].what


@pytest.mark.parametrize("watch", LOOPS)
def test_modules_of_which_only_the_state_is_shipped(tmp_path: Path, watch: str) -> None:
    (tmp_path / "main.py").write_text(RECORDED.format(watch=watch, shipped="model.state_dict()"))
    resolver = SettingsResolver(isolated=True, cwd=tmp_path)
    found = migrate([str(tmp_path)], resolver, StartMethod.FORKSERVER, "3.14").boundaries
    assert all(not each.findings for each in found)


SPAWNED = """\
from contextlib import ExitStack
from multiprocessing import Pool
import torch
import torch.multiprocessing as mp
from torch import nn


def evaluate(rank, model):
    print(model)


def watch(model, stack):
    def record(module, inputs, output):
        print(output)

    for name, layer in model.named_modules():
        {register}
    return model


def main():
    with ExitStack() as stack:
        model = watch(nn.Sequential(nn.Linear(2, 2)), stack)
    {start}


if __name__ == "__main__":
    main()
"""
SPAWN = "mp.spawn(evaluate, args=(model,), nprocs=2)"
REGISTER = "layer.register_forward_hook(record)"


def _hooks(register: str = REGISTER, start: str = SPAWN) -> list[tuple[tuple[StartMethod, ...], list[str]]]:
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True})
    outcome = lint_source(SPAWNED.format(register=register, start=start), "example.py", resolver=resolver)
    hooks = [each for each in outcome.diagnostics if each.code == "LP106"]
    return [(each.start_methods, [step.message for step in each.trail]) for each in hooks]


def test_what_is_spawned_whatever_the_default_is() -> None:
    assert _hooks() == [((StartMethod.SPAWN,), ["the module is pickled here", "it is registered"])]


def test_what_starts_by_the_default() -> None:
    pool = "with Pool(2) as pool:\n        pool.starmap(evaluate, [(0, model)])"
    both = (StartMethod.SPAWN, StartMethod.FORKSERVER)
    assert [methods for methods, _ in _hooks(start=pool)] == [both]
    assert [methods for methods, _ in _hooks(start=f"{SPAWN}\n    {pool}")] == [both]


SAVE = "torch.save(model, 'm.pt')"


@pytest.mark.parametrize("start", [SAVE, f"{SPAWN}\n    {SAVE}", "torch.save({'model': model, 'step': 3}, 'm.pt')"])
def test_what_is_written_fails_under_every_method(start: str) -> None:
    [(methods, steps)] = _hooks(start=start)
    assert methods == tuple(StartMethod)
    assert "the module is pickled here" in steps


@pytest.mark.parametrize(
    "start",
    [
        f"{SPAWN}\n    torch.save(model.state_dict(), 'm.pt')",
        f"{SPAWN}\n    torch.save(nn.Linear(2, 2), 'm.pt')",
        f"{SPAWN}\n    torch.save({{'step': 3}}, 'm.pt')",
    ],
)
def test_what_is_written_is_another_object(start: str) -> None:
    [(methods, steps)] = _hooks(start=start)
    assert StartMethod.FORK not in methods
    assert steps == ["the module is pickled here", "it is registered"]


@pytest.mark.parametrize(
    "register",
    [
        "stack.callback(layer.register_forward_hook(record).remove)",
        "handle = layer.register_forward_hook(record)\n        stack.callback(handle.remove)",
        "handle = layer.register_forward_hook(record)\n        removing = [handle.remove, print]",
    ],
)
def test_hooks_that_something_removes_later(register: str) -> None:
    assert _hooks(register) == []


@pytest.mark.parametrize("more", ["names = ['a']\n        names.remove('a')", "stack.callback(print, name)"])
def test_what_removes_no_hook(more: str) -> None:
    assert len(_hooks(f"{REGISTER}\n        {more}")) == 1
