"""A method that main replaces in a class: workers call another one on an object that they get."""

import multiprocessing
import sys


class Box:
    def area(self):
        return 1

    def name(self):
        return "box"


def name(box):
    return box.name()


def apply():
    Box.area = lambda self: 2


if __name__ == "__main__":
    apply()
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(name, [Box()]))
