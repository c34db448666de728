"""LP106: hooks on parts of a module, by whatever way code gets at them."""

from __future__ import annotations

import pytest

from tests.support import marks

_TEXT = """\
import copy
import functools
import operator
from collections import OrderedDict

import torch
from torch import nn


class Taps:
    def __init__(self, net, names):
        self.seen = {{}}
        self.net = net
        other = nn.Sequential(nn.Linear(2, 2))
        {gets}
        for name in names:
            {part}.register_forward_hook(self.make(name))

    def pick(self, net):
        return [each for each in net.modules() if isinstance(each, nn.ReLU)]

    def make(self, name):
        def hook(module, inputs, output):
            self.seen[name] = output

        return hook


def main(run):
    net = nn.Sequential(OrderedDict(first=nn.Linear(2, 2), last=nn.ReLU()))
    Taps(net, ["last"])
    torch.multiprocessing.spawn(run, args=(net,))
"""
_ACTIVE = "if isinstance(each, nn.ReLU)"


@pytest.mark.parametrize(
    ("gets", "part"),
    [
        ("pass", "net.get_submodule(name)"),
        ("pass", "net._modules[name]"),
        ("pass", "getattr(net, name)"),
        ("pass", "dict(net.named_modules())[name]"),
        ("pass", "functools.reduce(getattr, name.split('.'), net)"),
        ("pass", "operator.attrgetter(name)(net)"),
        ("pass", "list(net.children())[-1]"),
        ("pass", "next(iter(net.children()))"),
        ("pass", f"next(each for each in net.modules() {_ACTIVE})"),
        ("pass", "(net.first if name == 'first' else net.last)"),
        ("layers = dict(net.named_modules())", "layers[name]"),
        ("layers = dict(net.named_children())", "layers.get(name)"),
        ("layers = dict(sorted(net.named_modules()))", "layers[name]"),
        ("layers = {key: each for key, each in net.named_modules()}", "layers[name]"),
        (f"layers = [each for each in net.modules() {_ACTIVE}]", "layers[0]"),
        ("layers = list(filter(lambda each: each, net.modules()))", "layers[0]"),
        ("layers = []; layers.append(net.last)", "layers[0]"),
        ("layers = self.pick(net)", "layers[0]"),
        ("self.layers = dict(net.named_modules())", "self.layers[name]"),
        (f"self.layers = [each for each in net.modules() {_ACTIVE}]", "self.layers[0]"),
        ("layers = dict(self.net.named_modules())", "layers[name]"),
    ],
)
def test_the_hook_of_a_part_goes_with_the_whole(gets: str, part: str) -> None:
    assert [code for _, code in marks(_TEXT.format(gets=gets, part=part))] == ["LP106"]


@pytest.mark.parametrize(
    "loop",
    [
        "for each in layers",
        "for number, each in enumerate(layers)",
        "for each in reversed(list(layers))",
        "for key, each in zip(names, layers)",
        f"for each in (each for each in layers {_ACTIVE})",
        "for key, each in dict(net.named_modules()).items()",
        "for key, each in net._modules.items()",
    ],
)
def test_a_loop_over_parts(loop: str) -> None:
    gets = f"layers = net.children()\n        {loop}:\n            each.register_forward_hook(self.make('all'))"
    assert [code for _, code in marks(_TEXT.format(gets=gets, part="other"))] == ["LP106"]


@pytest.mark.parametrize(
    ("gets", "part"),
    [
        ("layers = dict(other.named_modules())", "layers[name]"),
        ("layers = [each for each in other.modules()]", "layers[0]"),
        ("layers = dict(copy.deepcopy(net).named_modules())", "layers[name]"),
        ("layers = list(zip(net.children(), other.children()))", "other[0]"),
        ("layers = [part for each, part in zip(net.children(), other.children())]", "layers[0]"),
        ("layers = [layer for number, layer in enumerate(other, len(names))]", "layers[0]"),
    ],
)
def test_hooks_of_parts_of_other_modules(gets: str, part: str) -> None:
    assert marks(_TEXT.format(gets=gets, part=part)) == []


def test_a_part_that_apply_gives() -> None:
    # gap: what `apply` passes is not seen
    gets = "net.apply(lambda each: each.register_forward_hook(self.make('all')))"
    assert marks(_TEXT.format(gets=gets, part="other")) == []
