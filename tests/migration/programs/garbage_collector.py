"""A garbage collector that main switches off."""

import sys
import gc
import multiprocessing as mp


def work(_):
    return gc.isenabled()


def main():
    gc.disable()
    with mp.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [0]))


if __name__ == "__main__":
    main()
