"""The module prints a word and the year at import."""

import multiprocessing
import sys
from datetime import datetime

print("started in", datetime.now().year > 2000, flush=True)


def work(number):
    return number


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
