"""A pool that the call of the function around does not make, as the caller leaves its option off, runs nothing."""

from __future__ import annotations

import pytest

from tests.support import marks

HEAD = """\
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool


"""

BY_BRANCHES = """\
def run_all(items, use_processes=False):
    if use_processes:
        pool = Pool(4)
    else:
        pool = ThreadPool(4)
    return pool.map(lambda item: item + 1, items)


"""

IN_BRANCH_OF_BRANCH = """\
def run_all(items, sequential=True, **options):
    pool = None
    if not sequential:
        if len(items) > 1:
            pool = Pool(4)
    if pool is None:
        pool = ThreadPool(4)
    return pool.map(lambda item: item + 1, items)


"""

BY_EARLY_RETURN = """\
def made(use_processes):
    if not use_processes:
        return ThreadPoolExecutor()
    return ProcessPoolExecutor()


def run_all(items, use_processes=False):
    executor = made(use_processes)
    return list(executor.map(lambda item: item + 1, items))


"""

IN_ATTRIBUTE = """\
class Runner:
    def __init__(self, use_processes=False):
        if use_processes:
            self.pool = Pool(4)
        else:
            self.pool = ThreadPool(4)

    def run_all(self, items):
        return self.pool.map(lambda item: item + 1, items)


def run_all(items, **options):
    return Runner(**options).run_all(items)


"""

FORMS = {
    "by branches": (BY_BRANCHES, "use_processes=True"),
    "in a branch of a branch": (IN_BRANCH_OF_BRANCH, "sequential=False"),
    "by an early return": (BY_EARLY_RETURN, "use_processes=True"),
    "in an attribute": (IN_ATTRIBUTE, "use_processes=True"),
}


def _found(text: str) -> list[str]:
    return [code for _, code in marks(HEAD + text)]


@pytest.mark.parametrize("form", FORMS)
def test_the_option_is_left_off(form: str) -> None:
    text, _ = FORMS[form]
    found = _found(text + 'if __name__ == "__main__":\n    run_all([1, 2])\n')
    # gap: a method is read without its callers, too, and there its object may be any of the class
    assert found == (["LP201"] if form == "in an attribute" else [])


@pytest.mark.parametrize("form", FORMS)
def test_the_option_is_set(form: str) -> None:
    text, option = FORMS[form]
    assert _found(text + f'if __name__ == "__main__":\n    run_all([1, 2], {option})\n') == ["LP201"]


@pytest.mark.parametrize("form", FORMS)
def test_one_of_two_calls_sets_it(form: str) -> None:
    text, option = FORMS[form]
    calls = f'if __name__ == "__main__":\n    run_all([1, 2])\n    run_all([1, 2], {option})\n'
    assert _found(text + calls) == ["LP201"]


@pytest.mark.parametrize("form", FORMS)
def test_a_person_chooses(form: str) -> None:
    text, option = FORMS[form]
    name = option.partition("=")[0]
    calls = f'if __name__ == "__main__":\n    import sys\n    run_all([1, 2], {name}="-p" in sys.argv)\n'
    assert _found(text + calls) == ["LP201"]
