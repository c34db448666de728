"""The script is let in under the name that it has in workers, too."""

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


if __name__ in ("__main__", "__mp_main__"):
    main()
