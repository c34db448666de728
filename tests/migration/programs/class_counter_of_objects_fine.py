"""A counter of the class that only main reads; workers get a label."""

import multiprocessing
import sys


class Ticket:
    issued = 0
    prefix = "T"

    def __init__(self):
        type(self).issued += 1
        self.number = type(self).issued

    @classmethod
    def label(cls, number):
        return f"{cls.prefix}-{number}"


def label(number):
    return Ticket.label(number)


def main(method):
    numbers = [Ticket().number for _ in range(2)]
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(label, numbers), Ticket.issued)


if __name__ == "__main__":
    main(sys.argv[1])
