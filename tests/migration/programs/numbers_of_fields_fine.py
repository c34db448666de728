"""Fields that are given, so that no process takes a number."""

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
    return Ticket(title.upper(), len(title)).ident


def main():
    mine = [open_ticket(title) for title in ("disk", "fan")]
    with multiprocessing.Pool(1) as pool:
        print(mine, pool.map(open_ticket, ["door"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
