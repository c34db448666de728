"""A queue of threads, filled before the workers start."""
import queue
import multiprocessing
import sys
from multiprocessing import Pool

CONNECTIONS = queue.Queue()


def fill(count):
    for number in range(count):
        CONNECTIONS.put(f"connection {number}")


def work(number):
    connection = CONNECTIONS.get()
    try:
        return f"{number} by {connection}"
    finally:
        CONNECTIONS.put(connection)


def main():
    fill(2)
    with Pool(1) as pool:
        print(pool.map(work, range(3)))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
