"""A call that must run right after the imports: where it goes, and where there is no place for it."""

from __future__ import annotations

import pytest

from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.settings_line import call_after_imports


def called(text: str) -> str | None:
    edits = call_after_imports(text, "cv2", "setNumThreads", "0")
    return None if edits is None else apply_edits(text, edits)


@pytest.mark.parametrize(
    ("imports", "call", "rest"),
    [
        ("import cv2\n", "cv2.setNumThreads(0)", "\nx = 1\n"),
        ("import cv2; import os\n", "cv2.setNumThreads(0)", ""),
        ("import cv2\nfrom os import path\nimport sys\n", "cv2.setNumThreads(0)", ""),
        ("import cv2\ntry:\n    import a\nexcept ImportError:\n    a = None\n", "cv2.setNumThreads(0)", "\nx = 1\n"),
        ("import cv2\n", "cv2.setNumThreads(0)", "\nif x:\n    import a\n    f()\n"),
        ("import cv2 as cv\r\nimport os\r\n", "cv.setNumThreads(0)", "\r\nx = 1\r\n"),
    ],
)
def test_the_call_stands_below_the_block_of_imports(imports: str, call: str, rest: str) -> None:
    end = "\r\n" if "\r" in imports else "\n"
    assert called(imports + rest) == f"{imports}{end}{call}{end}{rest}"
    assert called(imports + rest.removeprefix(end)) == f"{imports}{end}{call}{end}{rest}"


def test_a_name_is_added_to_the_import() -> None:
    expected = "from cv2 import imread, setNumThreads\n\nsetNumThreads(0)\n\nx = 1\n"
    assert called("from cv2 import imread\nx = 1\n") == expected


@pytest.mark.parametrize(
    "text",
    [
        "import os\n",
        "try:\n    import cv2\nexcept ImportError:\n    cv2 = None\n",
        "def f():\n    import cv2\n",
        "from .cv2 import imread\n",
        "import cv2\ncv2 = None\n",
        "import cv2(\n",
    ],
)
def test_without_an_import_to_rely_on_there_is_no_call(text: str) -> None:
    assert called(text) is None
