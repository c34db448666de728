"""LP123: misnamed-method-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import codes


class TestPage(PageTests):
    code = "LP123"


@pytest.mark.parametrize(
    ("assignment", "fires"),
    [
        ("model.features = types.MethodType(features, model)", True),
        ("model.head.features = types.MethodType(features, model.head)", True),
        ("model.features = types.MethodType(features, model); other.features(1)", True),
        ("old = model.features; model.features = types.MethodType(features, model)", False),  # the class has it
        ("model.forward = types.MethodType(forward, model)", False),
        ("model.features = types.MethodType(features, other)", False),
        ("model.features = functools.partial(features, model)", False),
    ],
)
def test_methods_of_single_objects(assignment: str, fires: bool) -> None:
    shipped = "def save():\n    model = nn.Linear(1, 1)\n    change(model, None)\n    torch.save(model, 'model.pt')\n"
    text = f"def features(self, x): ...\ndef forward(self, x): ...\ndef change(model, other):\n    {assignment}\n"
    assert ("LP123" in codes(text + shipped)) is fires
    assert codes(text) == []  # nothing is seen to pickle what is changed


def test_methods_of_single_datasets() -> None:
    text = "def peek(self): ...\ndef change(data):\n    data.peek = types.MethodType(peek, data)\n"
    data = "class Items(Dataset): ...\ndef make():\n    items = Items()\n    change(items)\n"
    assert codes(f"{text}{data}    return DataLoader(items, num_workers=2)\n") == ["LP123"]
    assert codes(f"{text}{data}    return items\n") == []


@pytest.mark.parametrize(
    "arguments", ["target=self.__run", "target = self.__run", "None,self.__run", "None, self.__run"]
)
def test_private_methods_as_targets(arguments: str) -> None:
    text = (
        "import multiprocessing\nclass Coverage:\n    def __run(self):\n        print(1)\n"
        f"    def start(self):\n        multiprocessing.Process({arguments}).start()\n"
    )
    assert codes(text) == ["LP123"]
    assert codes(text.replace("__run", "_run")) == []
