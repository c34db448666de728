"""Handlers that a method of main's sets in a loop, of which none is for the signal that workers are ended by."""

import multiprocessing
import os
import signal
import sys
import time


def leave(number, frame):
    os._exit(7)


def serve(ready):
    ready.set()
    time.sleep(20)


class Service:
    def __init__(self, context):
        self.context = context
        self.workers = []

    def install_handlers(self):
        for number in (signal.SIGUSR1, signal.SIGHUP):
            signal.signal(number, leave)

    def start(self):
        self.install_handlers()
        ready = self.context.Event()
        worker = self.context.Process(target=serve, args=(ready,))
        worker.start()
        ready.wait()
        self.workers.append(worker)

    def stop(self):
        for worker in self.workers:
            worker.terminate()
            worker.join()
        return [worker.exitcode for worker in self.workers]


def main(method):
    service = Service(multiprocessing.get_context(method))
    service.start()
    print(service.stop())


if __name__ == "__main__":
    main(sys.argv[1])
