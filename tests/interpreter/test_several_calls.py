"""Objects of which a method is called several times that has the name of one of a container's: each call counts."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import multiprocessing


class Plan:
    def __init__(self, title):
        self.title = title
        self.steps, self.named = [], {{}}
        self.done = None

    def add(self, step):
        self.steps.append(step)
        return self

    def update(self, **steps):
        self.named.update(steps)

    def then(self, step):
        self.done = step

    def __len__(self):
        self.done = self.done or (lambda: 0)
        return len(self.steps)


def strip():
    return str.strip


def split(mark):
    def do_split(row):
        return row.split(mark)

    return do_split


def finish(plan):
    plan.done = split(";")


def run(plan):
    print(plan.title)


def main():
    plan = Plan("people")
    {steps}
    process = multiprocessing.get_context("spawn").Process(target=run, args=(plan,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


def codes(*steps: str) -> list[str]:
    return [code for _, code in marks(TEXT.format(steps="\n    ".join(steps)))]


@pytest.mark.parametrize(
    "steps",
    [
        ("plan.add(strip())", 'plan.add(split(","))'),
        ("plan.add(1)", 'plan.add(strip()).add(split(","))'),
        ("plan.update(first=strip())", 'plan.update(second=split(","))'),
        ("plan.add(strip())", 'plan.then(split(","))'),
        ("plan.add(strip())", 'plan.done = split(",")'),
        ("plan.add(strip())", "finish(plan)"),
        ("if plan.title:", "    plan.add(strip())", 'plan.add(split(","))'),
        ("for step in (1, 2):", "    plan.add(step)", 'plan.add(split(","))'),
    ],
)
def test_each_call_counts(steps: tuple[str, ...]) -> None:
    assert codes(*steps) == ["LP103"]


def test_what_a_special_method_keeps_counts_behind_one() -> None:
    assert codes("plan.add(strip())", "print(len(plan))") == ["LP102"]


@pytest.mark.parametrize(
    "steps",
    [
        ("plan.add(strip())", "plan.add(len)"),
        ("plan.add(strip())", 'plan.then(split(","))', "plan.then(None)"),
        ("plan.add(strip())", 'plan.done = split(",")', "plan.done = str.strip"),
        ("plan.add(strip())", 'other = Plan("others")', 'other.add(split(","))'),
        ("plan.add(strip())", 'plan = Plan("others")', "plan.add(len)"),
        ("plan.add(strip())", 'plan.add(split(",")(" a, b "))'),
    ],
)
def test_what_is_not_kept_does_not(steps: tuple[str, ...]) -> None:
    assert codes(*steps) == []


MADE = """\
import multiprocessing


def made_class(name):
    class Made:
        pass

    return Made


class Maker:
    def __init__(self, names):
        self.classes = {name: made_class(name) for name in names}

    def create(self, name):
        return self.classes[name]()


def run(job):
    print(job)


def main():
    maker = Maker(["first", "second"])
    jobs = [maker.create("first"), maker.create("second")]
    for job in jobs * 2:
        multiprocessing.get_context("spawn").Process(target=run, args=(job,)).start()


if __name__ == "__main__":
    main()
"""


def test_what_methods_make_of_what_the_object_holds() -> None:
    assert "LP104" in [code for _, code in marks(MADE)]
