"""The name of the process is known."""

import multiprocessing
import sys


def render(number):
    print("rendered", number)


def main():
    context = multiprocessing.get_context(sys.argv[1])
    process = context.Process(target=render, args=(1,))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)


if multiprocessing.current_process().name == "MainProcess":
    main()
