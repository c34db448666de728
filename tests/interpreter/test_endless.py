"""Code that leads back to itself, by ever new objects or in circles: following it ends, and soon."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from msgspec.structs import replace

from lintpickle.api import lint_paths, lint_source
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.instance_state import StateReader
from lintpickle.limits import EVALUATIONS, SHARED_BUDGET
from lintpickle.payload.payload import Payload
from lintpickle.resolution.class_headers import ClassHeaderKinds
from lintpickle.resolution.name_targets import NameTargets
from lintpickle.settings import SettingsResolver

_MODULES = 12


@pytest.fixture
def at_most(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[type, str, int], None]]:
    """Lets a method be called so many times; more are an error."""

    def limit(owner: type, method: str, most: int) -> None:
        original = getattr(owner, method)
        left = [most]

        def counted(*arguments: Any, **keywords: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise RuntimeError(f"{owner.__name__}.{method} is called without end")
            return original(*arguments, **keywords)

        monkeypatch.setattr(owner, method, counted)

    yield limit


def _codes(text: str) -> list[str]:
    resolver = SettingsResolver(isolated=True)
    return [each.code for each in lint_source(dedent(text), "example.py", resolver=resolver).diagnostics]


def test_properties_that_make_ever_new_objects(at_most: Callable[[type, str, int], None]) -> None:
    at_most(StateReader, "state", 20_000)
    found = _codes("""
        import pickle
        import threading

        class Node:
            def __init__(self, first):
                self.first = first
                self.lock = threading.Lock()

            @property
            def left(self):
                return Node(self.first).right or Node(self).left

            @property
            def right(self):
                return Node(self.first).left or Node(self).right

        def save(file):
            pickle.dump(Node(1).left, file)
    """)
    assert set(found) <= {"LP111"}


def test_a_factory_that_calls_itself_from_several_places(at_most: Callable[[type, str, int], None]) -> None:
    at_most(Payload, "_inside", 1_000)
    found = _codes("""
        import pickle
        import threading

        class Part:
            def __init__(self, kind):
                self.first = make(kind)
                self.second = make(kind)
                self.third = make(kind)
                self.lock = threading.Lock()

        def make(kind):
            if kind == 1:
                return Part(kind)
            if kind == 2:
                return Part(kind)
            if kind == 3:
                return Part(kind)
            return Part(kind)

        def save(file, kind):
            pickle.dump(make(kind), file)
    """)
    assert found == ["LP111"]


def test_what_a_factory_that_calls_itself_makes_in_the_end() -> None:
    found = _codes("""
        import pickle
        import threading

        class Part:
            def __init__(self, inner):
                self.inner = inner

        def make(kind):
            if kind == "outer":
                return Part(make("inner"))
            return Part(threading.Lock())

        def save(file):
            pickle.dump(make("outer"), file)
    """)
    assert found == ["LP111"]


def test_modules_that_import_stars_from_one_another(tmp_path: Path, at_most: Callable[[type, str, int], None]) -> None:
    at_most(ClassHeaderKinds, "_of_name", 20 * _MODULES**2)
    at_most(NameTargets, "_of_name", 20 * _MODULES**2)
    (tmp_path / "__init__.py").touch()
    for number in range(_MODULES):
        stars = "".join(f"from .part{other} import *\n" for other in range(_MODULES) if other != number)
        text = f"{stars}\n\nclass Holder{number}(Base):\n    def __init__(self, rows):\n        self.key = KEY\n"
        if number == _MODULES - 1:
            text = f"from torch.utils.data import Dataset as Base\n{stars}\nKEY = lambda row: row\n"
        (tmp_path / f"part{number}.py").write_text(text, encoding="utf-8")
    outcome = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path, isolated=True))
    assert {each.code for each in outcome.diagnostics} == {"LP102"}
    assert sum(len(each.related) or 1 for each in outcome.diagnostics) == _MODULES - 1


@pytest.mark.parametrize("deeper", ["M{}.next", "make{}()", "[each for each in [M{}.next]][0]"])
def test_objects_whose_making_leads_to_the_making_of_others(deeper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's stack has 1,000 places, and reading a function takes some hundred."""
    depths: list[int] = []
    state = StateReader.state

    def watched(self: StateReader, instance: InstanceValue) -> tuple[Held, ...]:
        depths.append(len(inspect.stack(0)))
        return state(self, instance)

    monkeypatch.setattr(StateReader, "state", watched)
    text = "import pickle\nM99 = make99 = open\n"
    for number in reversed(range(99)):
        steps = "".join(f"    def step{step}(self):\n        self.step{step + 1}()\n" for step in range(4))
        text += (
            f"class C{number}:\n"
            f"    def __init__(self):\n        self.step0()\n{steps}"
            f"    def step4(self):\n        {deeper.format(number + 1)}.attach(self)\n        self.next = self\n"
            f"M{number} = C{number}()\n"
            f"def make{number}():\n    return C{number}().next\n"
        )
    assert _codes(text + "pickle.dumps(M0.next)\n") == []
    assert max(depths) - len(inspect.stack(0)) < 600


_STATES = """
    import pickle
    from collections import OrderedDict

    class Net:
        def __init__(self):
            self.layers = [1, 2]
            self.heads = {"a": [3, 4]}

    def states(obj, prefix="", leaf=int):
        if isinstance(obj, leaf):
            return {prefix: obj}
        if hasattr(obj, "_asdict"):
            return states(obj._asdict(), prefix, leaf)
        if isinstance(obj, OrderedDict):
            return states(dict(obj), prefix, leaf)
        if hasattr(obj, "__dict__"):
            return states(obj.__dict__, prefix, leaf)
        found = {}
        if isinstance(obj, (list, tuple)):
            for i, x in enumerate(obj):
                found.update(states(x, f"{prefix}{i}.", leaf))
        elif isinstance(obj, dict):
            for k, v in obj.items():
                found.update(states(v, f"{prefix}{k}.", leaf))
        return found

    def main(path):
        with open(path, "wb") as file:
            pickle.dump(states(Net()), file)
"""


def test_a_function_that_calls_itself_on_parts_of_what_it_is_given(at_most: Callable[[type, str, int], None]) -> None:
    at_most(Evaluator, "_evaluate", 3_000)
    assert _codes(_STATES) == []


def test_what_a_recursive_function_makes_itself_is_found(at_most: Callable[[type, str, int], None]) -> None:
    at_most(Evaluator, "_evaluate", 3_000)
    made = _STATES.replace("found = {}", 'found = {"hook": lambda: 0}')
    assert _codes(made) == ["LP102"]


def test_one_root_takes_no_more_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = "".join(f"def f{n}(x):\n    return [f{n + 1}(x), f{n + 1}([x])]\n" for n in range(8))
    code = f"import pickle\n{functions}def f8(x):\n    return x\npickle.dumps(f0(1))\npickle.dumps(lambda: 0)\n"
    assert _codes(code) == ["LP102"]
    monkeypatch.setattr("lintpickle.interpreter.evaluator.EVALUATIONS", replace(EVALUATIONS, most=20))
    assert _codes(code) == ["LP102"], "the next root has a budget of its own"


def test_the_search_takes_nothing_from_the_first_root(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = "".join(f"def f{n}(x):\n    return [f{n + 1}(x), f{n + 1}([x])]\n" for n in range(8))
    code = f"import pickle\npickle.dumps(lambda: 0)\n{functions}def f8(x):\n    return x\n"
    code += "def show(x):\n    pickle.dumps(x)\n"
    monkeypatch.setattr("lintpickle.interpreter.evaluator.EVALUATIONS", replace(EVALUATIONS, most=20))
    assert _codes(f"{code}show(f0(1))\n") == ["LP102"]


def test_the_calls_that_lead_to_one_boundary_share_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import pickle\ndef show(x):\n    pickle.dumps([[x]])\n" + "".join(
        f"show([{each}])\n" for each in ("1", "2", "3", "lambda: 0")
    )
    assert _codes(code) == ["LP102"]
    monkeypatch.setattr("lintpickle.payload.shared_budgets.SHARED_BUDGET", replace(SHARED_BUDGET, most=9))
    assert _codes(code) == ["LP102"], "what they are given themselves is evaluated"
    monkeypatch.setattr("lintpickle.payload.shared_budgets.SPENT_ALLOWANCE", 0)
    assert _codes(code) == [], "the fourth call gets what the others have left"


def test_a_list_that_is_added_to_itself_again_and_again() -> None:
    doubled = "\n    ".join(["items = items + items"] * 40)
    text = (
        f"import pickle\n\n\ndef main():\n    items = [lambda: 1]\n    {doubled}\n    pickle.dumps(items)\n\n\nmain()\n"
    )
    assert _codes(text) == ["LP102"]


_FORMULAS = """
    from concurrent.futures import ProcessPoolExecutor

    class Node:
        def __init__(self, op, children):
            self.name = op
            self.children = children

        def clear(self):
            for child in self.children:
                child.clear()

        def calculate(self, data):
            if self.name == "abs":
                return self.children[0].calculate(data).abs()
            left = self.children[0].calculate(data)
            right = self.children[1].calculate(data)
            return left - right if self.name == "-" else left.astype("float") + right

    class Leaf:
        def __init__(self, name):
            self.name = name

        def clear(self):
            self.data = None

        def calculate(self, data):
            return data[self.name]

    def parse(text):
        if text[-1] != ")":
            return Leaf(text)
        if text[0] == "(":
            return Node(text[1], [parse(text[2:4]), parse(text[4:-1])])
        if text[0] == "-":
            return Node(text[0], [parse(text[1:4]), parse(text[4:-1])])
        return Node(text[:3], [parse(text[4:-1])])

    def work(formula, data):
        return formula.calculate(data), {made}

    def main(texts, data):
        with ProcessPoolExecutor() as pool:
            for text in texts:
                formula = parse(text)
                formula.clear()
                print(pool.submit(work, formula, data).result())

    if __name__ == "__main__":
        main(["abs(a)"], {{}})
"""


@pytest.mark.parametrize(("made", "found"), [("0", []), ("open(__file__)", ["LP206"])])
def test_a_tree_of_nodes_that_calculates_itself(
    made: str, found: list[str], at_most: Callable[[type, str, int], None]
) -> None:
    at_most(Evaluator, "_evaluate", 30_000)
    assert _codes(_FORMULAS.format(made=made)) == found
