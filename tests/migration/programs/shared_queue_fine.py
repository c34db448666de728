"""A queue that is passed."""

import multiprocessing
import sys


def work(results, number):
    results.put(number)


def main():
    results = multiprocessing.Queue()
    process = multiprocessing.Process(target=work, args=(results, 5))
    process.start()
    print(results.get())
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
