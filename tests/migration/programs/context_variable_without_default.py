"""A context variable without a default that only main sets."""

import contextvars
import multiprocessing
import sys

tenant = contextvars.ContextVar("tenant")


def work(name):
    return f"{tenant.get()}.{name}"


def main():
    tenant.set("acme")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, ["orders"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
