"""Two globals set in one line."""
import multiprocessing
import sys
from multiprocessing import Pool

first = second = None
third, fourth = 1, 2


def configure(a, b):
    global first, second, third, fourth
    first, second = a, b; third, fourth = b, a


def work(number):
    return number + second + third


def main():
    configure(1, 2)
    with Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
