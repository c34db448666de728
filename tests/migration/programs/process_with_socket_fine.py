"""A process of a class of its own that makes its selector where it runs."""

import multiprocessing
import selectors
import sys


class Worker(multiprocessing.Process):
    def run(self):
        selector = selectors.DefaultSelector()
        print(len(selector.get_map()))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    worker = Worker()
    worker.start()
    worker.join()
