"""Objects number themselves in `__post_init__`, both in main and in workers."""

import multiprocessing
import sys
from dataclasses import dataclass, field

_last = 0


def next_number():
    global _last
    _last += 1
    return _last


@dataclass
class Ticket:
    title: str
    ident: int = field(init=False)

    def __post_init__(self):
        self.ident = next_number()


def open_ticket(title):
    return Ticket(title).ident


def main():
    mine = [open_ticket(title) for title in ("disk", "fan")]
    with multiprocessing.Pool(1) as pool:
        print(mine, pool.map(open_ticket, ["door"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
