"""LP114 to LP123: objects on a dataset or module, beyond what the pages show."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.support import marks

IMPORTS = """\
import collections, copy, functools, logging, os, re, threading, types, weakref
import cv2
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
"""
DATA = """
class Data(Dataset):
    def __init__(self, source=None):
{body}

    def _read(self, index):
        return index

    def __private(self, index):
        return index

    def __getitem__(self, index):
        return index
"""
NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(1, 1)
{body}
"""


def codes(text: str, *, silent: tuple[str, ...] = ("LP102", "LP103", "LP301")) -> list[str]:
    return [code for _, code in marks(IMPORTS + text) if code not in silent]


def held(statement: str, before: str = "") -> list[str]:
    """The codes for a statement in the constructor of a dataset."""
    return codes(before + DATA.format(body=indent(statement, " " * 8)))


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("self.generator = torch.Generator(device='cpu')", "LP114"),
        ("self.parts = {'rng': torch.Generator()}", "LP114"),
        ("self.generator = torch.default_generator", "LP114"),
        ("self.orb = cv2.ORB_create()", "LP115"),
        ("self.capture = cv2.VideoCapture(source)", "LP115"),
        ("self.owner = weakref.ref(source)", "LP116"),
        ("self.owners = weakref.WeakSet()", "LP116"),
        ("self.handler = logging.FileHandler('log')", "LP117"),
        ("self.net = torch.jit.load('net.pt')", "LP118"),
        ("self.match = re.compile('a').match('a')", "LP119"),
        ("self.kind = types.MappingProxyType({})", "LP119"),
        ("self.point = collections.namedtuple('Point', 'x')(1)", "LP121"),
        ("self.load = functools.lru_cache()(self._read)", "LP122"),
        ("self.load = torch.inference_mode()(outer)", "LP122"),
        ("self.load = self.__private", "LP123"),
        ("self.load = functools.partial(self.__private, 1)", "LP123"),
    ],
)
def test_what_cannot_be_sent(statement: str, code: str) -> None:
    assert held(statement, "\ndef outer(x):\n    return x\n") == [code]


@pytest.mark.parametrize(
    "statement",
    [
        "self.seed = torch.Generator().initial_seed()",
        "self.state = torch.Generator().get_state()",
        "generator = torch.Generator(); self.order = torch.randperm(3, generator=generator)",
        "self.image = cv2.imread('a.png')",
        "self.size = cv2.VideoCapture(source).get(3)",
        "self.owner = weakref.ref(source)()",
        "self.log = logging.getLogger('x')",
        "self.found = re.search('a', 'a').group(0)",
        "self.found = re.search('a', 'a') is not None",
        "self.home = os.environ['HOME']",
        "self.environment = os.environ.copy()",
        "self.load = self._read",
        "self.load = outer",
        "self.value = functools.lru_cache()(outer)(1)",
        "self.value = self.__private(1)",
        "self.limits = float(torch.finfo(torch.float32).max)",
    ],
)
def test_what_can_be_sent(statement: str) -> None:
    assert held(statement, "\ndef outer(x):\n    return x\n") == []


@pytest.mark.parametrize(
    ("imported", "statement"),
    [
        ("from functools import cache", "self.load = cache(outer)"),
        ("from functools import cache", "self.load = cache(self._read)"),
        ("from functools import lru_cache", "self.load = lru_cache(None)(outer)"),
        ("from torch import compile", "self.load = compile(outer)"),
        ("from torch import no_grad", "self.load = no_grad()(outer)"),
        ("from torch import vmap", "self.load = vmap(outer)"),
        ("from torch.func import grad", "self.load = grad(outer)"),
    ],
)
def test_wrappers_however_they_are_imported(imported: str, statement: str) -> None:
    data = DATA.format(body=" " * 8 + statement)
    text = f"{imported}\nfrom torch.utils.data import Dataset\ndef outer(x):\n    return x\n{data}"
    assert [code for _, code in marks(text)] == ["LP122"]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("self._read = logged(self._read)", ["LP122"]),
        ("self.load = logged(self._read)", ["LP122"]),
        ("self.load = logged(Data._read)", ["LP122"]),
        ("self._read = plain(self._read)", ["LP103"]),
        ("self.load = logged(lambda x: x)", ["LP103"]),
        ("self._read = self._read", []),
        ("self._read = functools.partial(self._read)", []),
    ],
)
def test_what_a_decorator_of_the_program_gives(statement: str, found: list[str]) -> None:
    before = (
        "\ndef logged(f):\n    @functools.wraps(f)\n    def inner(*a):\n        return f(*a)\n    return inner\n"
        "\ndef plain(f):\n    def inner(*a):\n        return f(*a)\n    return inner\n"
    )
    text = IMPORTS + before + DATA.format(body=" " * 8 + statement)
    assert [code for _, code in marks(text) if code != "LP301"] == found


@pytest.mark.parametrize(
    ("definition", "fires"),
    [
        ("Point = collections.namedtuple('Pt', 'x')", True),
        ("Point = collections.namedtuple(typename='Pt', field_names='x')", True),
        ("Point = collections.namedtuple('Point', 'x')", False),
        ("Point = Pt = collections.namedtuple('Pt', 'x')", False),
        ("Point = collections.namedtuple('Pt', 'x', module='elsewhere')", False),
        ("Point = collections.namedtuple(os.environ['NAME'], 'x')", False),
    ],
)
@pytest.mark.parametrize("statement", ["self.points = [Point(1)]", "self.kind = Point"])
def test_names_of_namedtuples(definition: str, fires: bool, statement: str) -> None:
    loader = "\ndef loader():\n    return DataLoader(Data(), num_workers=1)\n"
    text = f"{definition}\n{DATA.format(body=' ' * 8 + statement)}{loader}"
    assert (codes(text) == ["LP121"]) is fires


def test_a_namedtuple_carries_what_is_in_it() -> None:
    text = "Point = collections.namedtuple('Point', 'x')\n" + DATA.format(
        body=" " * 8 + "self.point = Point(threading.Lock())"
    )
    assert codes(text) == ["LP111"]


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("self.act = lambda x: self.linear(x)", True),
        ("self.acts = [lambda x: self.linear(x)]", True),
        ("self.act = lambda x: x * 2", False),
        ("self.act = lambda x, factor=2: x * factor", False),
        ("self.act = self.forward", False),
    ],
)
@pytest.mark.parametrize("copied", [True, False])
def test_a_function_that_keeps_the_original(statement: str, fires: bool, copied: bool) -> None:
    more = "\ndef averaged():\n    return copy.deepcopy(Net())\n" if copied else ""
    assert ("LP120" in codes(NET.format(body=" " * 8 + statement) + more)) is (fires and copied)


@pytest.mark.parametrize(
    ("assignment", "fires"),
    [
        ("model.features = types.MethodType(features, model)", True),
        ("model.head.features = types.MethodType(features, model.head)", False),  # shown to pedants
        ("model.features = types.MethodType(features, model); other.features(1)", True),
        ("old = model.features; model.features = types.MethodType(features, model)", False),  # the class has it
        ("model.forward = types.MethodType(forward, model)", False),
        ("model.features = types.MethodType(features, other)", False),
        ("model.features = functools.partial(features, model)", False),
    ],
)
def test_methods_of_single_objects(assignment: str, fires: bool) -> None:
    text = f"def features(self, x): ...\ndef forward(self, x): ...\ndef change(model, other):\n    {assignment}\n"
    assert (codes(text) == ["LP123"]) is fires


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("self.handle = self.linear.register_forward_hook(self.hook)", []),
        ("self.part = torch.jit.script(self.linear)", []),  # shown to pedants
        ("self.part = torch.jit.script(self.linear)\n\ntorch.save(Net(), 'net.pt')", ["LP118", "LP501"]),
        ("self.part = nn.utils.parametrizations.spectral_norm(self.linear)", []),  # shown to pedants
        ("self.part = nn.utils.weight_norm(self.linear)", []),  # shown to pedants
        ("self.part = nn.utils.remove_weight_norm(self.linear)", []),
    ],
)
def test_parts_of_modules(statement: str, expected: list[str]) -> None:
    assert codes(NET.format(body=" " * 8 + statement)) == expected


def test_what_a_method_of_a_held_object_returns_is_known() -> None:
    assert held("import lmdb\nself.transaction = lmdb.open('path').begin()") == ["LP110"]


def test_a_base_class_with_type_arguments_is_that_class() -> None:
    text = DATA.format(body=" " * 8 + "self.generator = torch.Generator()").replace("(Dataset)", "(Dataset[int])")
    assert codes(text) == ["LP114"]


def test_loggers_with_handlers_are_sent_by_name() -> None:
    text = """
class Log(logging.Logger):
    def __init__(self, name):
        super().__init__(name)
        self.handlers = [logging.StreamHandler()]
"""
    assert codes(text + DATA.format(body=" " * 8 + "self.log = Log('x')")) == []
