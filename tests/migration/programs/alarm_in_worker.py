"""A handler of the alarm that main sets, where the worker sets the alarm."""

import multiprocessing
import signal
import sys
import time


class TooSlow(Exception):
    pass


def give_up(number, frame):
    raise TooSlow


def slow(results):
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        time.sleep(2)
    except TooSlow:
        results.put("too slow")


def main(method):
    signal.signal(signal.SIGALRM, give_up)
    context = multiprocessing.get_context(method)
    results = context.SimpleQueue()
    worker = context.Process(target=slow, args=(results,))
    worker.start()
    worker.join()
    print(worker.exitcode)


if __name__ == "__main__":
    main(sys.argv[1])
