"""What a script does everywhere but in its workers, and what it sets in them, too."""

import sys
from multiprocessing import get_context

DIGITS = 1

if not __name__ == "__mp_main__":
    print("starts")

if __name__ in ("__main__", "__mp_main__"):
    DIGITS = 3


def work(number):
    return f"{number:.{DIGITS}f}"


if __name__ == "__main__":
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1 / 3]))
