"""A context variable without a default, for whose absence the function is prepared."""

import contextvars
import multiprocessing
import sys

tenant = contextvars.ContextVar("tenant")


def work(name):
    try:
        return f"{tenant.get()}.{name}"
    except LookupError:
        return name


def main():
    tenant.set("acme")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, ["orders"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
