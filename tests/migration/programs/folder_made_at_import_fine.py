"""The module makes its folders at import, unless they are there."""

import multiprocessing
import os
import sys
from pathlib import Path

os.makedirs("out/tables", exist_ok=True)
if not os.path.exists("out/pictures"):
    os.mkdir("out/pictures")
Path("out/texts").mkdir(parents=True, exist_ok=True)
try:
    os.mkdir("out/sounds")
except FileExistsError:
    pass


def work():
    print("work")


def main(method):
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
