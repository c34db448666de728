"""The module runs a command at import."""

import multiprocessing
import subprocess
import sys

subprocess.run(["echo", "building"])


def work(number):
    return number


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
