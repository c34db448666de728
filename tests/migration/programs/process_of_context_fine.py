"""The same with an event of the context."""

import sys
import multiprocessing as mp
import threading

ctx = mp.get_context(sys.argv[1])


class Worker(ctx.Process):
    def __init__(self, jobs):
        super().__init__()
        self.jobs = jobs
        self.stop = ctx.Event()

    def run(self):
        print(sum(self.jobs), self.stop.is_set())


if __name__ == "__main__":
    w = Worker([1, 2])
    w.start()
    w.join()
