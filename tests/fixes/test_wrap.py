"""Wrapping a function that pickle cannot find by its name."""

from __future__ import annotations

import pytest

from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.wrap import wrap_function
from tests.fixes.helpers import span_of
from tests.support import fixed, marks


def wrapped(text: str, part: str = "F.max_pool2d") -> str | None:
    found = wrap_function(text, span_of(text, part))
    return None if found is None else apply_edits(text, found.edits)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        pytest.param(
            "import F\n\n\nclass A:\n    def __init__(self):\n        self.p = F.max_pool2d\n",
            "import F\n\n\ndef _max_pool2d(*args, **kwargs):\n    return F.max_pool2d(*args, **kwargs)\n\n\n"
            "class A:\n    def __init__(self):\n        self.p = _max_pool2d\n",
            id="class",
        ),
        pytest.param(
            "import F\n\nif __name__ == '__main__':\n    run(F.max_pool2d)\n",
            "import F\n\n\ndef _max_pool2d(*args, **kwargs):\n    return F.max_pool2d(*args, **kwargs)\n\n\n"
            "if __name__ == '__main__':\n    run(_max_pool2d)\n",
            id="main-guard",
        ),
        pytest.param(
            "import F\r\nPOOLS = {'max': (F.max_pool2d)}\r\n",
            "import F\r\n\r\n\r\ndef _max_pool2d(*args, **kwargs):\r\n"
            "    return F.max_pool2d(*args, **kwargs)\r\n\r\n\r\nPOOLS = {'max': (_max_pool2d)}\r\n",
            id="newlines",
        ),
        pytest.param(
            "import F\n\n\nclass A:\n\tdef __init__(self, p=F.max_pool2d):\n\t\tself.p = p\n",
            "import F\n\n\ndef _max_pool2d(*args, **kwargs):\n\treturn F.max_pool2d(*args, **kwargs)\n\n\n"
            "class A:\n\tdef __init__(self, p=_max_pool2d):\n\t\tself.p = p\n",
            id="default-and-tabs",
        ),
        pytest.param(
            "import F\n\n\n# About A.\n@register\nclass A:\n    pool = F.max_pool2d if x else None\n",
            "import F\n\n\ndef _max_pool2d(*args, **kwargs):\n    return F.max_pool2d(*args, **kwargs)\n\n\n"
            "# About A.\n@register\nclass A:\n    pool = _max_pool2d if x else None\n",
            id="before-comments-and-decorators",
        ),
        pytest.param(
            "import F\n\n_max_pool2d = 1\nx = F.max_pool2d\n",
            "import F\n\n_max_pool2d = 1\n\n\ndef _max_pool2d_2(*args, **kwargs):\n"
            "    return F.max_pool2d(*args, **kwargs)\n\n\nx = _max_pool2d_2\n",
            id="name-taken",
        ),
        pytest.param(
            "import F\n\n\ndef pool(*args, **kwargs):\n    return F.max_pool2d(*args, **kwargs)\n\n\n"
            "class A:\n    def __init__(self):\n        self.p = F.max_pool2d  # here\n",
            "import F\n\n\ndef pool(*args, **kwargs):\n    return F.max_pool2d(*args, **kwargs)\n\n\n"
            "class A:\n    def __init__(self):\n        self.p = pool  # here\n",
            id="wrapper-is-there",
        ),
    ],
)
def test_wraps(text: str, result: str) -> None:
    at = text.rindex("F.max_pool2d") if text.count("F.max_pool2d") > 1 else 0
    found = wrap_function(text, span_of(text, "F.max_pool2d", at))
    assert found is not None
    assert apply_edits(text, found.edits) == result


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("class A:\n    def f(self):\n        import F\n        self.p = F.max_pool2d\n", id="local"),
        pytest.param("def f(F):\n    return F.max_pool2d\n", id="parameter"),
        pytest.param("x = F.max_pool2d\nimport F\n", id="imported-later"),
        pytest.param("try:\n    import F\nexcept ImportError:\n    F = None\nx = F.max_pool2d\n", id="twice"),
        pytest.param("import F\nx = F.max_pool2d\nif model.pool is F.max_pool2d:\n    pass\n", id="compared"),
        pytest.param("import F\nx = F.max_pool2d\nok = model.pool in (F.max_pool2d, None)\n", id="compared-in"),
        pytest.param("import F\ndel F.max_pool2d\n", id="not-read"),
        pytest.param("import F\nx = (F.max_pool2d\n", id="broken"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert wrapped(text) is None


@pytest.mark.parametrize("part", ["F.max_pool2d(2)", "F().max_pool2d", "F['max_pool2d']", "max_pool2d, F"])
def test_wraps_dotted_names_only(part: str) -> None:
    assert wrapped(f"import F, max_pool2d\nx = [{part}]\n", part) is None


def test_a_wrapper_that_does_something_else_is_not_used() -> None:
    text = "import F\n\n\ndef pool(*args, **kw):\n    return F.max_pool2d(*args)\n\n\nx = F.max_pool2d\n"
    found = wrap_function(text, span_of(text, "F.max_pool2d", text.rindex("F.max")))
    assert found is not None
    assert found.name == "_max_pool2d"


TWO = """\
import pickle

import torch.nn.functional as F
from torch import nn


class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.pools = [F.max_pool2d, F.max_pool2d, F.max_pool1d]


class Second(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = F.max_pool2d


def both():
    return pickle.dumps((First(), Second()))
"""


def test_all_uses_in_a_file_share_one_wrapper() -> None:
    result = fixed(TWO, unsafe=False)
    assert result.count("def _max_pool2d(") == result.count("return F.max_pool2d(") == 1
    assert "[_max_pool2d, _max_pool2d, _max_pool1d]" in result
    assert "self.pool = _max_pool2d\n" in result
    assert marks(result) == []


def test_a_function_that_comes_from_another_name_is_wrapped_under_it() -> None:
    text = TWO.replace("First(", "Only(").replace("class Second", "POOL = F.max_pool2d\n\n\nclass Second")
    result = fixed(text.replace("self.pool = F.max_pool2d", "self.pool = POOL"), unsafe=False)
    assert marks(result) == []
