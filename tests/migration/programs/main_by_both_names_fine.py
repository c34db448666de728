"""The name that it has in workers is left out."""

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


if __name__ not in ("tests", "__mp_main__"):
    main()
