"""Objects number themselves in `__post_init__`, in workers alone."""

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
    with multiprocessing.Pool(1) as pool:
        print(pool.map(open_ticket, ["door", "wall"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
