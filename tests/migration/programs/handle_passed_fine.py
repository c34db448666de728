"""The path of a file is passed."""

import multiprocessing
import sys


def work(path):
    with open(path) as file:
        print(file.readline().strip())


def main():
    process = multiprocessing.Process(target=work, args=(__file__,))
    process.start()
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
