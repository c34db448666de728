"""A counter of the class that counts objects made by main and by workers."""

import multiprocessing
import sys


class Ticket:
    issued = 0

    def __init__(self, title):
        Ticket.issued += 1
        self.number = Ticket.issued
        self.title = title


def number_of(title):
    return Ticket(title).number


def main(method):
    backlog = [Ticket("login"), Ticket("search")]
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(len(backlog), pool.map(number_of, ["page"]))


if __name__ == "__main__":
    main(sys.argv[1])
