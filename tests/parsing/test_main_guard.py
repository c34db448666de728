"""What is a main guard, and what is not."""

from __future__ import annotations

import pytest

from lintpickle.parsing.main_guard import is_lone_guard, text_from_guard


@pytest.mark.parametrize(
    "test",
    [
        "__name__ == '__main__'",
        '"__main__" == __name__',
        "(__name__ == '__main__')",
        "__name__ == '__main__' and ready",
        "ready and __name__ == '__main__'",
        "__name__ != '__mp_main__'",
        "not __name__ == '__mp_main__'",
    ],
)
def test_a_guard(test: str) -> None:
    assert is_lone_guard(f"if {test}:\n    main()\n")
    assert text_from_guard(f"import a\n\nif {test}:\n    main()\n") == f"if {test}:\n    main()\n"


@pytest.mark.parametrize(
    "text",
    [
        "if __name__ != '__main__':\n    main()\n",
        "if __name__ == '__main__' or ready:\n    main()\n",
        "if name == '__main__':\n    main()\n",
        "if name != '__mp_main__':\n    main()\n",
        "if __name__ == '__mp_main__':\n    main()\n",
        "if not __name__ == '__main__':\n    main()\n",
        "text = '''\nif __name__ == '__main__':\n'''\n",
        "def f():\n    if __name__ == '__main__':\n        main()\n",
        "# if __name__ == '__main__':\n",
        "if __name__ == '__main__'\n    main()\n",
    ],
)
def test_no_guard(text: str) -> None:
    assert text_from_guard(text) is None
    assert not is_lone_guard(text)


def test_a_guard_with_another_branch_is_not_alone() -> None:
    assert not is_lone_guard("if __name__ == '__main__':\n    main()\nelse:\n    other()\n")


@pytest.mark.parametrize(
    ("test", "is_guard"),
    [
        ("multiprocessing.current_process().name == 'MainProcess'", True),
        ("'MainProcess' == current_process().name and ready", True),
        ("current_process().name != 'MainProcess'", False),
        ("current_process().name == 'SpawnProcess-1'", False),
        ("process.name == 'MainProcess'", False),
        ("multiprocessing.parent_process() is None", False),
    ],
)
def test_a_test_for_the_name_of_the_main_process(test: str, is_guard: bool) -> None:
    assert is_lone_guard(f"if {test}:\n    main()\n") is is_guard
