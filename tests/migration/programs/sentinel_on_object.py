"""An object that main makes holds a mark of the module; the worker asks if it is that one."""

import multiprocessing
import sys

MISSING = object()


class Task:
    def __init__(self, value=MISSING):
        self.value = value

    def run(self):
        print("nothing" if self.value is MISSING else "a value")


def main(method):
    process = multiprocessing.get_context(method).Process(target=Task().run)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
