"""The folder for results is removed at the end, as the module says at import."""

import atexit
import multiprocessing
import os
import shutil
import sys

FOLDER = "results"
os.makedirs(FOLDER, exist_ok=True)
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def work(number):
    with open(os.path.join(FOLDER, str(number)), "w") as file:
        file.write("done")


def main(method):
    process = multiprocessing.get_context(method).Process(target=work, args=(1,))
    process.start()
    process.join()
    print(os.path.exists(os.path.join(FOLDER, "1")))


if __name__ == "__main__":
    main(sys.argv[1])
