"""Raw shared memory that the import fills and nobody changes."""

import multiprocessing
import sys

primes = multiprocessing.RawArray("i", [2, 3, 5])


def nth(place):
    return primes[place] + len(primes)


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(nth, [0, 2]), list(primes))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
