"""A script without a main guard."""

import multiprocessing
import sys


def work():
    print("done")


multiprocessing.set_start_method(sys.argv[1], force=True)
process = multiprocessing.Process(target=work)
process.start()
process.join()
