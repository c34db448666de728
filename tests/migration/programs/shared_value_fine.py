"""A shared number that is passed."""

import multiprocessing
import sys


def work(count, number):
    with count.get_lock():
        count.value += number


def main():
    count = multiprocessing.Value("i", 0)
    process = multiprocessing.Process(target=work, args=(count, 5))
    process.start()
    process.join()
    print(count.value)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
