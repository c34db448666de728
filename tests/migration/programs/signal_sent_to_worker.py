"""A handler of a signal that main sets, and that workers are sent."""

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


def main(method):
    context = multiprocessing.get_context(method)
    signal.signal(signal.SIGTERM, leave)
    ready = context.Event()
    worker = context.Process(target=serve, args=(ready,))
    worker.start()
    ready.wait()
    worker.terminate()
    worker.join()
    print(worker.exitcode)


if __name__ == "__main__":
    main(sys.argv[1])
