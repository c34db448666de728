"""What is made for one text of a setting that the program sets to others is only possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

EQUATIONS = """\
class Plain:
    pass


class Curved:
    def __init__(self):
        self.bend = lambda time: time * 2


def choose(config):
    {test}
        return Plain()
    elif config.training.equation.lower() == "curved":
        return Curved()
    raise ValueError(config.training.equation)
"""
SAMPLING = """\
import multiprocessing as mp

from equations import choose
from options import get_config


def draw(equation):
    print(equation)


def main(config):
    with mp.Pool(2) as pool:
        print(pool.apply(draw, args=(choose(config),)))
    {more}


if __name__ == "__main__":
    main(get_config())
"""
OPTIONS = """\
from library import ConfigDict


def get_config():
    config = ConfigDict()
    config.training = training = ConfigDict()
    {sets}
    return config
"""
TEST = 'if config.training.equation.lower() == "plain":'
SETS = 'training.equation = "plain"'


def _codes(folder: Path, test: str = TEST, sets: str = SETS, more: str = "return None") -> list[str]:
    files = {"equations.py": EQUATIONS.format(test=test), "sampling.py": SAMPLING.format(more=more)}
    found = lint_files(folder, {**files, "options.py": OPTIONS.format(sets=sets)})
    return [each.code for each in found if each.code == "LP102"]


@pytest.mark.parametrize(
    ("sets", "more"),
    [
        (SETS, "return None"),
        ("config.training.equation = 'Plain'", "return None"),
        (SETS + "\n    training.equation = training.equation", "return None"),
        (SETS, "equation = choose(config)\n    print(equation)"),
        (SETS, 'if config.training.equation == "curved":\n        print("a curve")'),
        (SETS, "config.model.run(equation=config.training.equation)"),
    ],
)
def test_a_setting_that_the_program_sets_to_something_else(tmp_path: Path, sets: str, more: str) -> None:
    assert _codes(tmp_path, sets=sets, more=more) == []


@pytest.mark.parametrize(
    ("sets", "more"),
    [
        pytest.param('training.equation = "curved"', "return None", id="that one"),
        pytest.param('training.equation = "Curved"', "return None", id="spelled otherwise"),
        pytest.param(SETS + "\n    training.equation = input()", "return None", id="anything"),
        pytest.param("training.size = 3", "return None", id="nothing"),
        pytest.param('other.equation = "plain"', "return None", id="of something else"),
        pytest.param(SETS, 'KINDS = ["curved"]', id="in a list"),
        pytest.param(SETS, "config.training.update(equation=input())", id="as an argument"),
        pytest.param(SETS, 'print(config["equation"])', id="by a key"),
        pytest.param(SETS, 'parser.add_argument("--equation")', id="an option of users"),
        pytest.param(SETS, 'config.merge_from_file("curved.yaml")', id="from a document"),
        pytest.param(SETS, "setattr(config.training, input(), 3)", id="by any name"),
    ],
)
def test_a_setting_that_may_be_that(tmp_path: Path, sets: str, more: str) -> None:
    assert _codes(tmp_path, sets=sets, more=more) == ["LP102"]


def test_the_test_of_another_object(tmp_path: Path) -> None:
    test = 'if config.training.size == "plain":'
    assert _codes(tmp_path, test=test, sets='training.size = "plain"') == ["LP102"]
