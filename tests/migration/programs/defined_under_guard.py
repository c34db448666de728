"""A function that is defined under the main guard."""

import multiprocessing
import sys

if __name__ == "__main__":

    def work():
        print("done")

    multiprocessing.set_start_method(sys.argv[1])
    process = multiprocessing.Process(target=work)
    process.start()
    process.join()
