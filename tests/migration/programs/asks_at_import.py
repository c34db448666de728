"""The module asks its user at import."""

import multiprocessing
import sys

NAME = input("name? ")


def work():
    print(NAME)


def main(method):
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
