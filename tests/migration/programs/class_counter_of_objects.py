"""A counter of the class that every object made by main counts up."""

import multiprocessing
import sys


class Ticket:
    issued = 0

    def __init__(self):
        type(self).issued += 1

    @classmethod
    def next_label(cls):
        return f"T-{cls.issued + 1}"


def label(number):
    return Ticket.next_label()


def main(method):
    Ticket(), Ticket()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(label, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
