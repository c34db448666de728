"""LP127: non-leaf-tensor."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import DATA, codes
from tests.support import marks

_LOADER = "\ndef loader():\n    return DataLoader(Data(), num_workers=1)\n"
_NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return {returned}
"""


class TestPage(PageTests):
    code = "LP127"


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("self.x = nn.Linear(2, 2)(torch.ones(1, 2))", True),
        ("self.x = nn.Embedding(4, 2)(torch.arange(4)).mean(0)", True),
        ("encoder = nn.Conv2d(1, 1, 3)\n        self.rows = [encoder(x) for x in source]", True),
        ("self.rows = {'train': nn.Linear(2, 2)(source)[0]}", True),
        ("self.x = Net()(torch.ones(1, 2))", True),
        ("self.x = nn.Linear(2, 2)(source).pow(2).sqrt().max()", True),
        ("self.x = torch.relu(nn.Linear(2, 2)(source))", True),
        ("self.x = F.softmax(torch.relu(nn.Linear(2, 2)(source)), 1)", True),
        ("q, k = nn.Linear(2, 4)(source).chunk(2)\n        self.x = (q @ k.transpose(0, 1)).softmax(1)", True),
        ("self.rows = nn.Linear(2, 2)(source).unbind(0)", True),
        ("self.loss = F.mse_loss(nn.Linear(2, 2)(source), source)", True),
        ("self.loss = nn.functional.cross_entropy(nn.Linear(2, 2)(source), inputs)", True),
        ("self.loss = nn.CrossEntropyLoss()(nn.Linear(2, 2)(source), inputs)", True),
        ("self.loss = nn.MSELoss()(source, source)", False),
        ("self.loss = nn.MSELoss()(nn.Linear(2, 2)(source), source).item()", False),
        ("self.loss = nn.functional.mse_loss(nn.Linear(2, 2)(source).detach(), source)", False),
        ("q, k = nn.Linear(2, 4)(source).detach().chunk(2)\n        self.x = q @ k", False),
        ("q, k = source.chunk(2)\n        self.x = q @ k", False),
        ("self.x = torch.argmax(nn.Linear(2, 2)(source))", False),
        ("self.x = torch.relu(source)", False),
        ("self.x = torch.relu(nn.Linear(2, 2)(source).detach())", False),
        ("with torch.no_grad():\n            self.x = torch.relu(nn.Linear(2, 2)(source))", False),
        ("self.x = nn.Linear(2, 2)(torch.ones(1, 2)).argmax(1)", False),
        ("self.x = nn.Linear(2, 2)(torch.ones(1, 2)).detach().cpu()", False),
        ("self.x = float(nn.Linear(2, 1)(torch.ones(1, 2)))", False),
        ("with torch.inference_mode():\n            self.x = nn.Linear(2, 2)(torch.ones(1, 2))", False),
        ("self.x = nn.Softmax(0)(torch.ones(2))", False),
        ("layer = nn.Linear(2, 2)\n        layer.requires_grad_(False)\n        self.x = layer(source)", False),
        ("self.encoder = nn.Linear(2, 2)", False),
        ("self.x = __import__(source)()", False),
    ],
)
def test_what_modules_give(statement: str, fires: bool) -> None:
    text = f"{_NET.format(returned='self.fc(x).relu()')}{DATA.format(body=' ' * 8 + statement)}{_LOADER}"
    assert (codes(text) == ["LP127"]) is fires


@pytest.mark.parametrize("returned", ["x", "self.fc(x).detach()", "(self.fc(x), x)", "torch.zeros(2)"])
def test_what_a_forward_gives_is_not_known(returned: str) -> None:
    text = f"{_NET.format(returned=returned)}{DATA.format(body='        self.x = Net()(torch.ones(1, 2))')}{_LOADER}"
    assert codes(text) == []


_MAIN = """
def main(inputs):
    {before}
        data = Data(nn.Linear(2, 2), inputs)
    return DataLoader(data, num_workers=2)
"""


@pytest.mark.parametrize(("before", "fires"), [("if inputs is not None:", True), ("with torch.no_grad():", False)])
def test_where_gradients_are_switched_off_by_the_caller(before: str, fires: bool) -> None:
    data = """
class Data(Dataset):
    def __init__(self, encoder, inputs):
        self.features = encoder(inputs)

    def __getitem__(self, index):
        return self.features[index].detach()
"""
    assert (codes(data + _MAIN.format(before=before)) == ["LP127"]) is fires


@pytest.mark.parametrize(
    ("returned", "fires"), [("self.embed(self.ids[index])", True), ("self.embed(self.ids[index]).detach()", False)]
)
def test_results_of_workers(returned: str, fires: bool) -> None:
    text = f"""
class Data(Dataset):
    def __init__(self):
        self.embed = nn.Embedding(10, 4)
        self.ids = torch.arange(10)

    def __getitem__(self, index):
        return {returned}


def main():
    for batch in DataLoader(Data(), num_workers=2, batch_size=None):
        print(batch)
"""
    assert ("LP206" in codes(text)) is fires


_COMPUTED = """\
import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self):
        weights = torch.nn.Parameter(torch.ones(2))
        leaf = torch.ones(2, requires_grad=True)
        plain = torch.ones(2)
        self.kept = {value}

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return index


if __name__ == "__main__":
    print(list(DataLoader(Rows(), num_workers=2)))
"""


@pytest.mark.parametrize(
    "value",
    [
        *("leaf * 2", "2 * leaf", "leaf + 1", "plain + leaf", "plain @ leaf", "leaf.sum()", "torch.sigmoid(leaf)"),
        *("weights / 2", "weights ** 2", "leaf - plain", "leaf.clone()"),
    ],
)
def test_what_is_computed_from_a_leaf(value: str) -> None:
    assert marks(_COMPUTED.format(value=value)) == [(10, "LP127")]


@pytest.mark.parametrize(
    "value",
    [
        *("leaf", "weights", "plain * 2", "leaf.detach() * 2", "(leaf * 2).detach()", "leaf.to('cpu')", "leaf.float()"),
        *("len(leaf) * 2", "leaf.argmax()", "(leaf * 2).tolist()", "torch.nn.Parameter(leaf * 2)"),
    ],
)
def test_leaves_and_what_is_cut_off(value: str) -> None:
    assert marks(_COMPUTED.format(value=value)) == []


def test_without_gradients() -> None:
    text = _COMPUTED.replace(
        "        self.kept = {value}", "        with torch.no_grad():\n            self.kept = leaf * 2"
    )
    assert marks(text) == []


CALLED = """\
import copy

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.trace = {{}}

    def forward(self, x):
        hidden = torch.tanh(self.proj(x))
        self.trace["hidden"] = {kept}
        return hidden


def main():
    net = Encoder(4)
    {called}
    return copy.deepcopy(net)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("kept", "called", "found"),
    [
        ("hidden", "net(torch.randn(2, 4))", [(14, "LP127")]),
        ("hidden.detach()", "net(torch.randn(2, 4))", []),
        ("hidden", "with torch.no_grad():\n        net(torch.randn(2, 4))", []),
        ("hidden", "print(net)", []),
        # gap: what is stored on the object after the call takes what the call has put there
        ("hidden", "net(torch.randn(2, 4))\n    net.trace = {}", [(14, "LP127")]),
    ],
)
def test_what_forward_keeps_when_the_module_is_called(kept: str, called: str, found: list[tuple[int, str]]) -> None:
    assert marks(CALLED.format(kept=kept, called=called)) == found


NESTED = """\
import copy

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, keeps=True):
        super().__init__()
        self.keeps = keeps
        self.proj = nn.Linear(width, 3 * width)
        self.weights = None

    def forward(self, x):
        q, k, v = self.proj(x).chunk(3, -1)
        weights = (q @ k.transpose(-2, -1)).softmax(-1)
        if self.keeps:
            self.weights = weights
        return weights @ v


class Encoder(nn.Module):
    def __init__(self, width, **options):
        super().__init__()
        {held}

    def forward(self, x):
        {called}
        return x


def build(width):
    return Encoder(width)


{used}
"""
LAYERS = "self.layers = nn.ModuleList(Attention(width, **options) for _ in range(2))"
EACH = "for layer in self.layers:\n            x = x + layer(x)"
DIRECT = "def main():\n    net = Encoder(4)\n    net(torch.randn(1, 3, 4))\n    return copy.deepcopy(net)"
KEEPER = """\
class Best:
    def __init__(self):
        self.net = None

    def update(self, net):
        self.net = copy.deepcopy(net)


def fit(net, best):
    for _ in range(3):
        net(torch.randn(1, 3, 4)).sum().backward()
        best.update(net)


def main():
    fit(build(4), Best())
"""
WITHOUT_GRADIENTS = """\
@torch.no_grad()
def evaluate(net):
    net(torch.randn(1, 3, 4))
    return copy.deepcopy(net)


def main():
    evaluate(build(4))
"""


@pytest.mark.parametrize(
    ("held", "called", "used", "fires"),
    [
        ("self.layer = Attention(width)", "x = self.layer(x)", DIRECT, True),
        (LAYERS, EACH, DIRECT, True),
        (LAYERS, EACH, DIRECT.replace("Encoder(4)", "build(4)"), True),
        (LAYERS, EACH, DIRECT.replace("Encoder(4)", "Encoder(4, keeps=False)"), False),
        (LAYERS, EACH, KEEPER, True),
        (LAYERS, EACH, WITHOUT_GRADIENTS, False),
        (LAYERS, EACH, DIRECT.replace("    net(torch.randn(1, 3, 4))\n", ""), False),
        (LAYERS, EACH, "def main():\n    net = build(4)\n    copy.deepcopy(net)\n    net(torch.randn(1, 3, 4))", False),
        (LAYERS, "x = self.layers[0](x)", DIRECT, True),
        ("self.layers = nn.ModuleDict({'a': Attention(width)})", "x = self.layers['a'](x)", DIRECT, True),
        ("self.layers = nn.Sequential(nn.Linear(4, 4), Attention(width))", "x = self.layers(x)", DIRECT, True),
        ("self.layers = [Attention(width)]", EACH, DIRECT, True),
        (LAYERS, "x = x + len(self.layers)", DIRECT, False),
    ],
)
def test_what_parts_keep_when_the_whole_is_called(held: str, called: str, used: str, fires: bool) -> None:
    text = NESTED.format(held=held, called=called, used=used)
    assert marks(text) == ([(16, "LP127")] if fires else [])
