"""A class attribute that is set under the main guard."""

import sys
import multiprocessing as mp


class Settings:
    factor = 1


def work(x):
    return x * Settings.factor


if __name__ == "__main__":
    Settings.factor = 10
    with mp.get_context(sys.argv[1]).Pool(2) as pool:
        print(pool.map(work, [1, 2]))
