"""The module removes an old file at import."""

import multiprocessing
import os
import sys

if not os.path.exists("old.txt") and __name__ == "__main__":
    open("old.txt", "w").close()

os.remove("old.txt")


def work():
    print("work")


def main(method):
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
