"""A counter of the class that counts objects, which is told to nobody in workers."""

import multiprocessing
import sys


class Ticket:
    issued = 0

    def __init__(self, title):
        Ticket.issued += 1
        self.title = title


def shout(title):
    return Ticket(title).title.upper()


def main(method):
    backlog = [Ticket("login"), Ticket("search")]
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(len(backlog), Ticket.issued, pool.map(shout, ["page"]))


if __name__ == "__main__":
    main(sys.argv[1])
