"""The members of an enumeration have limits of their own, and each worker is given one."""

import enum
import multiprocessing
import sys


class Severity(enum.Enum):
    LOW = ("low", 10)
    HIGH = ("high", 70)

    def __init__(self, label, limit):
        self.label = label
        self.limit = limit

    def over(self, values):
        return sum(each > self.limit for each in values)


def check(severity, values, sent):
    sent.put((severity.label, severity.over(values)))


def main():
    values, sent = list(range(0, 100, 5)), multiprocessing.Queue()
    processes = [multiprocessing.Process(target=check, args=(each, values, sent)) for each in Severity]
    for process in processes:
        process.start()
    found = sorted(sent.get() for _ in processes)
    for process in processes:
        process.join()
    print(found)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
