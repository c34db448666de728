"""A handler that main sets when its worker has started, and one that the worker sets for itself."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time


def leave(number, frame):
    os._exit(7)


def ignore(number, frame):
    pass


def serve(ready):
    signal.signal(signal.SIGUSR1, leave)
    ready.set()
    time.sleep(20)


def main(method):
    context = multiprocessing.get_context(method)
    ready = context.Event()
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    worker = context.Process(target=serve, args=(ready,))
    worker.start()
    ready.wait()
    signal.signal(signal.SIGUSR1, ignore)
    signal.signal(signal.SIGTERM, ignore)
    os.kill(worker.pid, signal.SIGUSR2)
    os.kill(worker.pid, signal.SIGUSR1)
    worker.join()
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"])
    program.terminate()
    program.wait()
    print(worker.exitcode, program.returncode)


if __name__ == "__main__":
    main(sys.argv[1])
