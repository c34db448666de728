"""Filled at import, in every process."""
import queue
import multiprocessing
import sys
from multiprocessing import Pool

CONNECTIONS = queue.Queue()
for number in range(2):
    CONNECTIONS.put(f"connection {number}")


def work(number):
    connection = CONNECTIONS.get()
    try:
        return f"{number} by {connection}"
    finally:
        CONNECTIONS.put(connection)


def main():
    with Pool(1) as pool:
        print(pool.map(work, range(3)))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
