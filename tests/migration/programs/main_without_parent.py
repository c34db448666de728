"""A process that imports the script does not know its parent yet."""

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


if multiprocessing.parent_process() is None:
    main()
