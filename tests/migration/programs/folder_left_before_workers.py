"""A folder is listed at import by a path in the current folder, which main leaves before it starts workers."""

import multiprocessing
import os
import sys
import tempfile

if __name__ == "__main__":
    os.makedirs("labels/Ada")

LABELS = os.listdir("labels")


def work():
    print(LABELS, flush=True)


def main(method):
    os.chdir(tempfile.mkdtemp())
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()
    sys.exit(process.exitcode)


if __name__ == "__main__":
    main(sys.argv[1])
