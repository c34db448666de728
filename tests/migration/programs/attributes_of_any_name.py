"""Settings that main gives to an object by names that come from elsewhere."""

import multiprocessing
import sys


class Settings:
    tolerance = 1e-3
    limit = 100


settings = Settings()


def configure(**values):
    for name, value in values.items():
        setattr(settings, name, value)


def solve(start):
    steps = 0
    while start > settings.tolerance and steps < settings.limit:
        start /= 2
        steps += 1
    return steps


def main():
    configure(tolerance=0.25, limit=7)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(solve, [1.0, 1e9]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
