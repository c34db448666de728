"""A lambda, registered at import, removes a file at the end of each process."""

import atexit
import multiprocessing
import os
import sys

PIDFILE = "tool.pid"
atexit.register(lambda: os.path.exists(PIDFILE) and os.unlink(PIDFILE))


def work():
    print("work", flush=True)


def main(method):
    open(PIDFILE, "w").close()
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()
    print(os.path.exists(PIDFILE))


if __name__ == "__main__":
    main(sys.argv[1])
