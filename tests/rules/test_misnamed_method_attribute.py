"""LP123: misnamed-method-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import IMPORTS, codes
from tests.support import lint, marks


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


@pytest.mark.parametrize(
    ("hook", "target", "returned", "fires"),
    [
        ("__getstate__", "model", "state", False),
        ("__getstate__", "model", "{}", False),
        ("__getstate__", "model", "model.__dict__", True),
        ("__getstate__", "model.head", "state", True),
        ("__setstate__", "model", "state", True),
    ],
)
def test_an_object_with_a_hook_of_its_own(hook: str, target: str, returned: str, fires: bool) -> None:
    """pickle asks the object, not its class, for `__getstate__` (measured with CPython 3.10 to 3.13)."""
    clean = (
        "def clean(model):\n    state = model.__dict__.copy()\n    del state['features'], state['__getstate__']\n"
        f"    return {returned}\n"
    )
    change = (
        "def features(self, x): ...\ndef change(model):\n    model.features = types.MethodType(features, model)\n"
        f"    {target}.{hook} = types.MethodType(clean, {target})\n"
    )
    shipped = "def save():\n    model = nn.Linear(1, 1)\n    change(model)\n    torch.save(model, 'model.pt')\n"
    assert ("LP123" in codes(clean + change + shipped)) is fires


def test_methods_of_single_datasets() -> None:
    text = "def peek(self): ...\ndef change(data):\n    data.peek = types.MethodType(peek, data)\n"
    data = "class Items(Dataset): ...\ndef make():\n    items = Items()\n    change(items)\n"
    assert codes(f"{text}{data}    return DataLoader(items, num_workers=2)\n") == ["LP123"]
    assert codes(f"{text}{data}    return items\n") == []


@pytest.mark.parametrize(
    "start",
    [
        "Process(target=self.__run).start()",
        "[Process(target=self.__run) for _ in range(2)][0].start()",
        "Process(None, self.__run).start()",
        "Pool(2).map(func=self.__run, iterable=[1])",
    ],
)
@pytest.mark.parametrize(("name", "expected"), [("__run", ["LP123"]), ("_run", []), ("__run__", [])])
def test_methods_that_workers_run(start: str, name: str, expected: list[str]) -> None:
    imports = "from multiprocessing import Pool, Process\n"
    class_ = f"class Job:\n    def {name}(self, *given): ...\n    def start(self):\n        {start}\n"
    assert codes((imports + class_).replace("self.__run", f"self.{name}")) == expected


TABLE = """\
import functools
import multiprocessing as mp
import types


class Table:
    def __init__(self, columns):
        self.columns = columns

        def getter(self, index, column=columns[0]):
            return column, index

        {keep}

    def row(self, index):
        return self.columns, index


def work(table):
    return table.row(1)


def main():
    table = Table(["a", "b"])
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.map(work, [table, table]))


if __name__ == "__main__":
    main()
"""
LACKS = "AttributeError: '{}' object has no attribute '{}'"


@pytest.mark.parametrize(
    ("keep", "found"),
    [
        ("self.first = types.MethodType(getter, self)", [("LP123", LACKS.format("Table", "getter"))]),
        ("self.getters = [types.MethodType(getter, self)]", [("LP123", LACKS.format("Table", "getter"))]),
        ("self.first = types.MethodType(lambda self: 1, self)", [("LP123", LACKS.format("Table", "<lambda>"))]),
        ("self.first = types.MethodType(Table.row, self)", []),
        (
            "self.first = functools.partial(getter, self)",
            [("LP103", "AttributeError: Can't pickle local object 'Table.__init__.<locals>.getter'")],
        ),
    ],
)
def test_a_local_function_that_is_bound_to_its_object(keep: str, found: list[tuple[str, str]]) -> None:
    diagnostics = lint(TABLE.format(keep=keep)).diagnostics
    assert [(each.code, each.error) for each in diagnostics] == found


_PRIVATE = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.peek = self.__peek

    def __peek(self, x):
        return x


"""


@pytest.mark.parametrize(
    ("use", "fires"),
    [
        ("torch.save(Net(), 'net.pt')", True),
        ("torch.save(Net().state_dict(), 'net.pt')", False),
        ("print(Net()(1))", False),
    ],
)
def test_a_private_method_of_a_torch_module(use: str, fires: bool) -> None:
    """Most programs write nothing of a module but its state."""
    text = f"{_PRIVATE}def main():\n    {use}\n\n\nif __name__ == '__main__':\n    main()\n"
    assert codes(text) == ["LP123"] * fires
    assert "LP123" in [code for _, code in marks(IMPORTS + text, pedantic=True)]
