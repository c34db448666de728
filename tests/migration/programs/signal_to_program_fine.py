"""A handler that main sets, and a signal that it sends to another program only."""

import multiprocessing
import os
import signal
import subprocess
import sys


def leave(number, frame):
    os._exit(7)


def square(results, number):
    results.put(number * number)


def main(method):
    signal.signal(signal.SIGTERM, leave)
    context = multiprocessing.get_context(method)
    results = context.SimpleQueue()
    worker = context.Process(target=square, args=(results, 3))
    worker.start()
    worker.join()
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"])
    program.terminate()
    print(results.get(), program.wait())


if __name__ == "__main__":
    main(sys.argv[1])
