"""A classic producer and consumer."""
import multiprocessing as mp
import sys

TASKS = mp.Queue()
DONE = None


def consume(results):
    while True:
        task = TASKS.get()
        if task is DONE:
            break
        results.put(task * task)


def main():
    results = mp.Queue()
    consumer = mp.Process(target=consume, args=(results,))
    consumer.start()
    for number in range(3):
        TASKS.put(number)
    TASKS.put(DONE)
    print([results.get() for _ in range(3)])
    consumer.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
