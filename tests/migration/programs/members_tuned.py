"""Main sets an attribute of the members of an enumeration, and gives one to each worker."""

import enum
import multiprocessing
import sys


class Severity(enum.Enum):
    LOW = "low"
    HIGH = "high"

    def __init__(self, label):
        self.label = label
        self.limit = 100

    def over(self, values):
        return sum(each > self.limit for each in values)


def tune(limits):
    for name, limit in limits.items():
        Severity[name].limit = limit


def check(severity, values, sent):
    sent.put((severity.label, severity.over(values)))


def main():
    tune({"LOW": 10, "HIGH": 70})
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
