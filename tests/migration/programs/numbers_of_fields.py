"""Fields of objects that are made both in main and in workers take the next number."""

import itertools
import multiprocessing
import sys
from dataclasses import dataclass, field

_numbers = itertools.count(100)


@dataclass
class Ticket:
    title: str
    ident: int = field(default_factory=lambda: next(_numbers))


def open_ticket(title):
    return Ticket(title.upper()).ident


def main():
    mine = [open_ticket(title) for title in ("disk", "fan")]
    with multiprocessing.Pool(1) as pool:
        print(mine, pool.map(open_ticket, ["door"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
