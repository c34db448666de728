"""The mark is a member of an enumeration, which comes back as the same."""

import enum
import multiprocessing
import sys


class Mark(enum.Enum):
    MISSING = 1


class Task:
    def __init__(self, value=Mark.MISSING):
        self.value = value

    def run(self):
        print("nothing" if self.value is Mark.MISSING else "a value")


def main(method):
    process = multiprocessing.get_context(method).Process(target=Task().run)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
