"""LP106: hooks that stay on a module."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.support import marks

TEXT = """\
import functools


def at_top(module, inputs):
    return None


def prepare(model, handles):
    def local(module, inputs):
        return None

    {}
    return model


def evaluate(run):
    import torch

    torch.multiprocessing.spawn(run, args=(torch.nn.Linear(2, 2),))
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


def test_a_hook_is_merely_possible_where_no_module_is_shipped_as_a_whole() -> None:
    text = TEXT.format("model.register_forward_hook(local)").partition("def evaluate")[0]
    assert marks(text) == []
    assert found(text) == [(12, Confidence.POSSIBLE)]


def test_a_hook_whose_handle_is_kept_may_be_removed_and_is_possible() -> None:
    text = TEXT.format("handles.append(model.register_forward_hook(local))")
    assert marks(text) == []
    assert found(text) == [(12, Confidence.POSSIBLE)]
    assert found(text.replace("return model", "handles[0].remove()")) == []


KEPT = """\
import torch
from torch import nn

NET = nn.Linear(2, 2)


def build(path, holder):
    model = nn.Sequential(nn.Linear(2, 2))
    for layer in model.modules():
        layer.register_forward_hook(lambda module, inputs, output: None)
    {}


def send(run):
    torch.multiprocessing.spawn(run, args=(NET,))
"""


@pytest.mark.parametrize(
    "use",
    [
        "return model",
        "return model, path",
        "holder.model = model",
        "holder['model'] = model",
        "torch.save(model, path)",
        "torch.save({'model': model}, path)",
        "yield model",
        "return model.eval()",
    ],
)
def test_a_hook_of_a_module_that_is_kept_or_saved_is_likely(use: str) -> None:
    assert found(KEPT.format(use)) == [(10, Confidence.LIKELY)]


@pytest.mark.parametrize(
    "use",
    [
        "print(model(torch.zeros(1, 2)))",
        "assert model(torch.zeros(1, 2)).sum() == 0",
        "torch.save(holder, path)",
        "return holder",
        "return len(list(holder.parameters()))",
    ],
)
def test_a_hook_of_a_module_that_is_gone_with_the_function_is_possible(use: str) -> None:
    assert found(KEPT.format(use)) == [(10, Confidence.POSSIBLE)]


def test_weights_alone_are_no_module() -> None:
    assert found(KEPT.format("torch.save(model.state_dict(), path)")) == [(10, Confidence.POSSIBLE)]


def test_a_module_that_one_of_several_functions_makes_is_kept_with_its_hooks() -> None:
    text = """\
from torchvision import models


class Pyramid:
    def __init__(self, backbone):
        if backbone is None:
            net = models.resnet50()
            net.layer1.register_forward_hook(lambda module, inputs, output: None)
        else:
            net = backbone
        self.net = net


def evaluate(run):
    import torch

    torch.multiprocessing.spawn(run, args=(torch.nn.Linear(2, 2),))
"""
    assert found(text) == [(8, Confidence.LIKELY)]
    other = "            net.train()\n        else:\n            net = models.resnet18()\n        net.layer1"
    later = text.replace("            net.layer1", other)
    later = later.replace("        else:\n            net = backbone\n", "")
    assert found(later) == [(11, Confidence.LIKELY)]
    assert found(text.replace("self.net = net", "self.net = backbone")) == [(8, Confidence.POSSIBLE)]
