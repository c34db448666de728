"""A worker that asks the library for its parent."""

import multiprocessing
import os
import sys


def work(supervisor, jobs, done):
    parent = multiprocessing.parent_process()
    done.put([job for job in jobs if parent.pid == supervisor and parent.is_alive()])


def main(method):
    context = multiprocessing.get_context(method)
    done = context.Queue()
    worker = context.Process(target=work, args=(os.getpid(), ["resize", "notify"], done))
    worker.start()
    print(done.get())
    worker.join()


if __name__ == "__main__":
    main(sys.argv[1])
