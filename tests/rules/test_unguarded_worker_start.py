"""LP203: scripts that start workers outside of their main guard."""

from __future__ import annotations

from textwrap import dedent

from tests.support import marks


def _rows(text: str) -> list[int]:
    return [row for row, code in marks(dedent(text).lstrip()) if code == "LP203"]


def test_loaders_that_are_bound_again_as_their_iterators() -> None:
    text = """
        from torch.utils.data import DataLoader

        loaders = [DataLoader([1, 2], num_workers=2)]
        loaders = [iter(loader) for loader in loaders]
        print(next(loaders[0]))
    """
    assert _rows(text) == [3]


def test_loaders_without_workers_that_are_bound_again_as_their_iterators() -> None:
    text = """
        from torch.utils.data import DataLoader

        loaders = [DataLoader([1, 2])]
        loaders = [iter(loader) for loader in loaders]
        print(next(loaders[0]))
    """
    assert _rows(text) == []


def test_an_iterator_that_a_loop_wraps_in_itself() -> None:
    text = """
        import sys
        from torch.utils.data import DataLoader

        batches = DataLoader([1, 2], num_workers=2)
        for _ in sys.argv:
            batches = map(str, batches)
        for batch in batches:
            print(batch)
    """
    assert _rows(text) == [4]


def test_a_name_that_is_bound_again_is_what_it_was_made_of() -> None:
    text = """
        from torch.utils.data import DataLoader

        source = DataLoader([1, 2], num_workers=2)
        source = [len(source), source.dataset]
        for each in source:
            print(each)
    """
    assert _rows(text) == []
