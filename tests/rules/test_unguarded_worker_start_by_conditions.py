"""LP203: conditions and functions that tell the main process from its workers, and some that do not."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.rules.unguarded_starts import in_files
from tests.support import lint, marks

_GUARDED_BY_FUNCTION = """
import multiprocessing


def is_main():
    {body}


def doubled(number):
    return number * 2


def run():
    with multiprocessing.Pool(2) as pool:
        print(pool.map(doubled, [1]))


if {test}:
    run()
"""


@pytest.mark.parametrize(
    ("body", "test", "fires"),
    [
        ("return __name__ == '__main__'", "is_main()", False),
        ("return __name__ == '__main__'", "is_main() and doubled(1)", False),
        ("return multiprocessing.cpu_count() > 1", "is_main()", True),
        ("return __name__ == '__main__'", "doubled(1)", True),
        ("return '__main__' == __name__ and doubled(1) == 2", "is_main()", False),
        ("return multiprocessing.current_process().name == 'MainProcess'", "is_main()", False),
        ("return multiprocessing.current_process().name != 'MainProcess'", "is_main()", True),
        ("return multiprocessing.current_process().name == 'MainProcess' or __debug__", "is_main()", True),
    ],
)
def test_a_function_that_asks_for_the_main_process(body: str, test: str, fires: bool) -> None:
    assert bool(marks(_GUARDED_BY_FUNCTION.format(body=body, test=test))) is fires


def test_a_function_of_another_module_that_asks_for_the_main_process(tmp_path: Path) -> None:
    roles = "from multiprocessing import current_process\n\nleads = lambda: current_process().name == 'MainProcess'\n"
    main = """
        import multiprocessing

        import roles


        def doubled(number):
            return number * 2


        if roles.leads():
            multiprocessing.Pool(2).map(doubled, [1])
    """
    assert in_files(tmp_path, {"roles.py": roles, "main.py": dedent(main)}) == set()
    roles = roles.replace("==", "!=")
    assert in_files(tmp_path, {"roles.py": roles, "main.py": dedent(main)}) == {("main.py", "LP203")}


ASKING = """\
import multiprocessing
from multiprocessing import current_process, parent_process


def work(number):
    print(number)


def main():
    process = multiprocessing.Process(target=work, args=(1,))
    process.start()
    process.join()


if {test}:
    main()
"""


@pytest.mark.parametrize(
    "test",
    [
        "parent_process() is None",
        "not multiprocessing.parent_process()",
        "not current_process().daemon",
        "__name__ in ('__main__', '__mp_main__')",
        "__name__ == '__main__' or __name__ == '__mp_main__'",
        "parent_process() is None or __name__ == '__main__'",
    ],
)
def test_what_workers_do_not_know_yet_is_no_guard(test: str) -> None:
    assert marks(ASKING.format(test=test)) == [(16, "LP203")]


@pytest.mark.parametrize(
    "test",
    [
        "current_process().name == 'MainProcess'",
        "parent_process() is None and __name__ == '__main__'",
        "__name__ not in ('__mp_main__', 'worker')",
        "__name__ in ('__main__', 'script')",
        "__name__ == '__main__' or current_process().name == 'MainProcess'",
        "not getattr(current_process(), '_inheriting', False)",
    ],
)
def test_what_workers_know_is_a_guard(test: str) -> None:
    assert not marks(ASKING.format(test=test))


def test_a_guard_beside_what_is_not_known_is_told_of_nothing() -> None:
    assert not marks(ASKING.format(test="__name__ == '__main__' or input()"))


_PAGE = """
import multiprocessing as mp
import {library} as st


def work(number):
    return number


def run():
    with mp.Pool(2) as pool:
        print(pool.map(work, [1, 2]))


{start}
"""


@pytest.mark.parametrize(
    ("library", "start", "confidences"),
    [
        ("streamlit", "if st.button('Run'):\n    run()", []),
        ("streamlit", "if st.session_state.started:\n    run()", []),
        ("streamlit", "run()", ["certain"]),
        ("settings", "if st.button('Run'):\n    run()", ["certain"]),
    ],
)
def test_buttons_of_a_page_are_not_pressed_where_workers_import_it(
    library: str, start: str, confidences: list[str]
) -> None:
    found = lint(_PAGE.format(library=library, start=start)).diagnostics
    assert [each.confidence.value for each in found if each.code == "LP203"] == confidences
