"""A process of a class of its own that keeps a socket's selector."""

import multiprocessing
import selectors
import sys


class Worker(multiprocessing.Process):
    def __init__(self):
        super().__init__()
        self.selector = selectors.DefaultSelector()

    def run(self):
        print(len(self.selector.get_map()))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    worker = Worker()
    worker.start()
    worker.join()
