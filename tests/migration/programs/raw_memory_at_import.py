"""Raw shared memory that the import makes: workers count into their own."""

import multiprocessing
import sys
from multiprocessing import sharedctypes

rejected = sharedctypes.RawValue("i", 0)
kinds = multiprocessing.RawArray("i", 3)


def check(kind):
    kinds[kind] = 1
    if kind == 2:
        rejected.value += 1
    return kind != 2


def main():
    with multiprocessing.Pool(1) as pool:
        print(sum(pool.map(check, [0, 2])), rejected.value, list(kinds))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
