"""Processes and queues of another kind under Jython."""

import multiprocessing
import sys

if sys.platform.startswith("java"):
    from jython_processes import Process, Queue
else:
    from multiprocessing import Process, Queue


class Source:
    def __init__(self):
        self.queue = Queue(3)

    def work(self):
        self.queue.put(1)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    source = Source()
    process = Process(target=source.work)
    process.start()
    print(source.queue.get(timeout=15))
    process.join()
