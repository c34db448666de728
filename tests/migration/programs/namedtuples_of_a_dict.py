"""Objects of namedtuple classes that a function makes in a dict."""

import multiprocessing
import sys
from collections import namedtuple
from multiprocessing import Process, Queue

SCHEMA = {"orders": ["id", "amount"], "users": ["id", "name"]}


def record_types(schema):
    return {table: namedtuple(table.title(), columns) for table, columns in schema.items()}


def parse(types, table, lines):
    kind = types[table]
    return [kind(*line.split(",")) for line in lines]


def publish(records, queue):
    for record in records:
        queue.put((type(record).__name__, tuple(record)))
    queue.put(None)


def main():
    types = record_types(SCHEMA)
    queue = Queue()
    publisher = Process(target=publish, args=[parse(types, "orders", ["1,9.5"]), queue])
    publisher.start()
    for item in iter(queue.get, None):
        print(item)
    publisher.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
