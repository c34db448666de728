"""A worker that takes itself for an orphan, because an object has kept the number of main."""

import multiprocessing
import os
import sys


class Supervisor:
    def __init__(self, jobs):
        self.jobs = jobs
        self.pid = os.getpid()

    def run(self, context):
        done = context.Queue()
        worker = context.Process(target=work, args=(self.pid, self.jobs, done))
        worker.start()
        found = done.get()
        worker.join()
        return found


def orphaned(supervisor):
    return os.getppid() != supervisor


def work(supervisor, jobs, done):
    done.put([job for job in jobs if not orphaned(supervisor)])


def main(method):
    print(Supervisor(["resize", "notify"]).run(multiprocessing.get_context(method)))


if __name__ == "__main__":
    main(sys.argv[1])
