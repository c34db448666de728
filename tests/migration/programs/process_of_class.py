"""A class keeps the process class of a context, by which its objects start what is not pickled under fork."""

import multiprocessing
import sys


def work(function):
    print(function(1), flush=True)


class Runner:
    Process = multiprocessing.get_context(sys.argv[1]).Process

    def go(self):
        process = self.Process(target=work, args=(lambda number: number + 1,))
        process.start()
        process.join()


if __name__ == "__main__":
    Runner().go()
