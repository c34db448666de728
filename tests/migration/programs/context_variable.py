"""A context variable that only main sets."""

import contextvars
import multiprocessing
import sys

USER = contextvars.ContextVar("user", default="nobody")


def work(number):
    return USER.get()


def main():
    USER.set("somebody")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
