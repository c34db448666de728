"""The module takes an argument away at import."""

import multiprocessing
import sys

METHOD = sys.argv.pop(1)


def work():
    print("work")


def main():
    process = multiprocessing.get_context(METHOD).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
