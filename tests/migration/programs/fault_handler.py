"""A handler of fatal errors that main enables."""

import sys
import faulthandler
import multiprocessing as mp


def work(_):
    return faulthandler.is_enabled()


if __name__ == "__main__":
    faulthandler.enable()
    with mp.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [0]))
