"""Texts of the command line, and keys of a table, that objects and workers are given."""

import multiprocessing
import sys

HOSTS = {"one": [("cpu", 95), ("disk", 40)], "two": [("cpu", 12)]}


class Probe:
    def __init__(self, host):
        self.host = host

    def run(self, samples, method, queue):
        queue.put((self.host, len(samples), bool(method)))


def main():
    method = sys.argv[1] if len(sys.argv) > 1 else "spawn"
    multiprocessing.set_start_method(method)
    queue = multiprocessing.SimpleQueue()
    probes = [Probe(host) for host in HOSTS]
    workers = [multiprocessing.Process(target=each.run, args=(HOSTS[each.host], method, queue)) for each in probes]
    for worker in workers:
        worker.start()
    print(sorted(queue.get() for _ in workers))
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
