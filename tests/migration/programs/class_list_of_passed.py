"""A list in the body of a class to which main adds by an object; a dict of another class that it replaces."""

import sys
from multiprocessing import get_context


class Chain:
    steps = []

    def run(self, number):
        for step in self.steps:
            number = step(number)
        return number


class Table(Chain):
    units = {"m": 1}

    def __call__(self, number):
        return self.run(number), self.units.get("km")


def main():
    table = Table()
    table.steps.append(abs)
    Table.units = {"km": 1000}
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(table, [-1]))


if __name__ == "__main__":
    main()
