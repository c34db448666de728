"""Containers in bodies of classes that objects have of their own by then, or that are filled in the class itself."""

import sys
from dataclasses import dataclass, field
from multiprocessing import get_context


class Chain:
    steps = []
    known = []
    known.append(abs)

    def run(self, number):
        for step in self.steps + self.known:
            number = step(number)
        return number


@dataclass
class Table:
    rows: list = field(default_factory=list)
    limits = [1]

    def __call__(self, number):
        return len(self.rows), self.limits


def main():
    chain = Chain()
    chain.steps = []
    chain.steps.append(abs)
    table = Table()
    table.rows.append(2)
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(chain.run, [-1]), pool.map(table, [1]))


if __name__ == "__main__":
    main()
