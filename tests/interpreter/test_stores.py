"""What statements put into an object after it was made: which of them count, and what is said of it."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from lintpickle.parsing.outline import outline
from tests.support import lint, marks

ROWS = dedent(
    """\
    from torch.utils.data import DataLoader, Dataset


    class Rows(Dataset):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return index


    """
)
LOAD = "loader = DataLoader(rows, num_workers=2)\n"


def script(text: str) -> str:
    """A script that runs the statements under its main guard, from row 12 on."""
    return f'{ROWS}if __name__ == "__main__":\n' + indent(dedent(text) + LOAD, "    ")


@pytest.mark.parametrize(
    "statement",
    [
        "rows.rule = lambda row: row",
        "setattr(rows, 'rule', lambda row: row)",
        "rows.__dict__['rule'] = lambda row: row",
        "rows.rule, rows.other = (lambda row: row), 2",
        "if len(rows):\n    rows.rule = lambda row: row",
        "for name in ('a', 'b'):\n    rows.rule = lambda row: row",
    ],
)
def test_a_store_at_module_level_is_found_wherever_it_stands(statement: str) -> None:
    text = script(f"rows = Rows()\n{statement}\n")
    assert [code for _, code in marks(text)] == ["LP102"]


@pytest.mark.parametrize(
    "statements",
    [
        "rows = Rows()\nrows.rule = lambda row: row\nrows.rule = len\n",
        "rows = Rows()\nother = Rows()\nother.rule = lambda row: row\n",
        "rows = Rows()\nprint(lambda row: row)\n",
    ],
)
def test_what_is_not_on_the_object_that_crosses_is_fine(statements: str) -> None:
    assert marks(script(statements)) == []


def test_at_module_level_a_name_is_what_was_assigned_last() -> None:
    text = f"{ROWS}rows = Rows()\nrows.rule = lambda row: row\n%s\n{LOAD}"
    assert marks(text % "print(rows)") == [(13, "LP102")]
    assert marks(text % "rows = Rows()") == []
    assert marks(text % "if len(rows):\n    rows = Rows()") == [(13, "LP102")]
    assert marks(text.replace(LOAD, f"{LOAD}rows = Rows()\n") % "print(rows)") == [(13, "LP102")]


@pytest.mark.parametrize(("bound", "rows"), [("import json as model", [5]), ("import xml.dom as model", [5])])
def test_an_import_is_replaced_as_well(bound: str, rows: list[int]) -> None:
    text = f"import pickle\n{bound}\n\n{{}}\npickle.dumps(model)\n"
    assert [row for row, code in marks(text.format("")) if code == "LP113"] == rows
    assert marks(text.format("model = model.loads('1')")) == []
    assert [code for _, code in marks(text.format("try:\n    model = model.loads('1')\nfinally:\n    pass"))] == [
        "LP113"
    ]


def test_a_lambda_under_the_main_guard_is_looked_for_in_main() -> None:
    (found,) = lint(script("rows = Rows()\nrows.rule = lambda row: row\n")).diagnostics
    assert "attribute lookup <lambda> on __main__ failed" in found.message


def test_a_function_is_no_container() -> None:
    assert marks(f"{ROWS}def rows():\n    pass\n\n\nrows.rule = lambda row: row\n{LOAD}") == []


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("a.b = c", ("a",)),
        ("a['b'] = c", ("a",)),
        ("a.__dict__['b'] = c", ("a",)),
        ("a.b, c[0] = 1, 2", ("a", "c")),
        ("a.b: int = c", ("a",)),
        ("a.b += [1]", ("a",)),
        ("a.append(1)", ("a",)),
        ("setattr(a, 'b', 1)", ("a",)),
        ("if x:\n    a.b = 1", ("a",)),
        ("a.b.c = 1", ()),
        ("a = 1 + 2", ()),
        ("a.b = 1", ("a",)),
        ("a = b = 1", ()),
        ("a.run(1)", ()),
        ("print(a)", ()),
        ("def f():\n    a.b = 1", ()),
    ],
)
def test_the_map_says_into_what_names_something_is_put(statement: str, names: tuple[str, ...]) -> None:
    assert tuple(name for block in outline(statement).blocks for name in block.fills) == names


CONFIGURED = """\
class Config:
    pass


def default():
    config = Config()
    config.num_workers = 4
    return config


class Trainer:
    def __init__(self, config, rows):
        self.config = config
        self.rows = rows

    def run(self):
        return list(DataLoader(self.rows, num_workers=self.config.num_workers, collate_fn=lambda batch: batch))


"""


@pytest.mark.parametrize(
    ("statement", "is_found"),
    [("config.num_workers = 0", False), ("config.num_workers = 2", True), ("config.other = 0", True)],
)
def test_a_constant_that_a_script_stores_on_an_object_counts(statement: str, is_found: bool) -> None:
    text = f"{ROWS}{CONFIGURED}config = default()\n{statement}\n\nif __name__ == '__main__':\n"
    text += "    Trainer(config, Rows()).run()\n"
    assert [code for _, code in marks(text)] == (["LP201"] if is_found else [])


REPLACING = {
    "by its constructor": """\
class Tidy:
    def __init__(self, path, flag):
        self.file = open(path)
        if TEST:
            self.file = self.file.name


def main(flag):
    pickle.dumps(Tidy("a", flag))
""",
    "by a function": """\
class Holder:
    def __init__(self, path):
        self.file = open(path)


def strip(self, flag):
    if TEST:
        self.file.close()
        self.file = None


def main(flag):
    holder = Holder("a")
    strip(holder, flag)
    pickle.dumps(holder)
""",
    "of a namespace": """\
def main(flag):
    self = SimpleNamespace(file=open("a"))
    if TEST:
        self.file = self.file.name
    pickle.dumps(self)
""",
    "of parsed arguments": """\
def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", type=argparse.FileType("r"))
    return parser.parse_args(), 1


def complete(self, flag):
    if TEST:
        self.file = self.file.name
    return self


def main(flag):
    args, count = parse()
    args = complete(args, flag)
    pickle.dumps(args)
""",
}


@pytest.mark.parametrize("text", REPLACING.values(), ids=REPLACING)
@pytest.mark.parametrize(
    ("test", "is_found"),
    [
        ("self.file", False),
        ("self.file is not None", False),
        ("not self.file is None", False),
        ("flag", True),
        ("self.file is None", True),
        ("not self.file", True),
        ("self.other", True),
        ("self.file and flag", True),
    ],
)
def test_what_is_replaced_whenever_it_is_there(text: str, test: str, is_found: bool) -> None:
    imports = "import argparse\nimport pickle\nfrom types import SimpleNamespace\n\n\n"
    assert [code for _, code in marks(imports + text.replace("TEST", test))] == (["LP110"] if is_found else [])
