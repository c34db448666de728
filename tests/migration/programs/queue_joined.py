"""A joinable queue of the module."""
import multiprocessing as mp
import sys

TASKS = mp.JoinableQueue()


def consume():
    while True:
        TASKS.get()
        TASKS.task_done()


def main():
    consumer = mp.Process(target=consume, daemon=True)
    consumer.start()
    for number in range(3):
        TASKS.put(number)
    TASKS.join()
    print("done")


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
