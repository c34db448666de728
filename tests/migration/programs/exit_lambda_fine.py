"""A lambda, registered by main, removes a file at the end of the main process."""

import atexit
import multiprocessing
import os
import sys

PIDFILE = "tool.pid"


def work():
    print("work", flush=True)


def main(method):
    atexit.register(lambda: os.path.exists(PIDFILE) and os.unlink(PIDFILE))
    open(PIDFILE, "w").close()
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()
    print(os.path.exists(PIDFILE))


if __name__ == "__main__":
    main(sys.argv[1])
