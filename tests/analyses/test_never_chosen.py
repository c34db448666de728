"""Functions that are made for a value of an option which the program never gives it."""

from __future__ import annotations

import pytest

from tests.support import lint

PROGRAM = """\
import torch
import torch.multiprocessing as mp


def activation_of(name):
    if name == "relu":
        return torch.relu
    elif name == "linear":
        return lambda x: x
    raise ValueError(name)


class Head(torch.nn.Module):
    def __init__(self, activation):
        super().__init__()
        self.activate = activation_of(activation)


class Model(torch.nn.Module):
    def __init__(self, args):
        super().__init__()
        self.head = Head(args.activation)


def base(args):
    {stores}
    return args


def work(rank, model):
    print(rank, model)


def main(args):
    mp.spawn(work, args=(Model(base(args)),), nprocs=2)


if __name__ == "__main__":
    main(load())
"""


@pytest.mark.parametrize(
    ("stores", "fires"),
    [
        pytest.param("args.activation = 'gelu'", False, id="another constant"),
        pytest.param("args.activation = getattr(args, 'activation', 'relu')", True, id="perhaps what it has been"),
        pytest.param("args.activation = 'gelu'\n    args.activation = 'linear'", True, id="that one as well"),
        pytest.param("args.activation = 'gelu'\n    args.activation = choose()", True, id="whatever"),
        pytest.param("args.activation = 'gelu'\n    setattr(args, 'activation', choose())", True, id="by its name"),
        pytest.param(
            "args.activation = 'gelu'\n    parser.add_argument('--activation')", True, id="an option of users"
        ),
        pytest.param("args.size = 'gelu'", True, id="nothing"),
    ],
)
def test_a_lambda_for_a_value_that_an_option_never_has(stores: str, fires: bool) -> None:
    told = [each.code for each in lint(PROGRAM.format(stores=stores)).diagnostics if each.code == "LP102"]
    assert (told != []) is fires


FOREIGN = """\
class Other:
    activation: str = make()

    def __init__(self):
        self.activation = make()
"""


@pytest.mark.parametrize(
    ("stores", "fires"),
    [
        pytest.param("args.activation = 'gelu'", False, id="other objects have what they have"),
        pytest.param("args.activation = make()", True, id="it may be anything"),
        pytest.param("args.activation = 'gelu'\n    work(activation=make())", False, id="an argument of something"),
        pytest.param("args.activation = 'gelu'\n    vars(args).update(activation=make())", True, id="filled"),
    ],
)
def test_an_object_of_a_library(stores: str, fires: bool) -> None:
    made = f"base(args):\n    {stores}\n"
    text = PROGRAM.format(stores=stores).replace("Head(args.activation)", "Head(base(argparse.Namespace()).activation)")
    text = f"import argparse\n{FOREIGN}{text}"
    assert made in text
    assert ([each.code for each in lint(text).diagnostics if each.code == "LP102"] != []) is fires
