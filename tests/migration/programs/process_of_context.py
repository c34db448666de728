"""A process class of a context that keeps a lock of threads."""

import sys
import multiprocessing as mp
import threading

ctx = mp.get_context(sys.argv[1])


class Worker(ctx.Process):
    def __init__(self, jobs):
        super().__init__()
        self.jobs = jobs
        self.stop = threading.Event()

    def run(self):
        print(sum(self.jobs), self.stop.is_set())


if __name__ == "__main__":
    w = Worker([1, 2])
    w.start()
    w.join()
