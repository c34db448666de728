"""A file that main opens and passes."""

import multiprocessing
import sys


def work(file):
    print(file.readline().strip())


def main():
    with open(__file__) as file:
        process = multiprocessing.Process(target=work, args=(file,))
        process.start()
        process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
