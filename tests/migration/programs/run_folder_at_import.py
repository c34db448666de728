"""The module names the folder of the run by the time; main makes it, workers write into it."""

import multiprocessing
import os
import sys
from datetime import datetime

FOLDER = os.path.join("runs", datetime.now().strftime("%Y%m%d-%H%M%S-%f"))


def work(number):
    with open(os.path.join(FOLDER, str(number)), "w") as file:
        file.write("done")


def main(method):
    os.makedirs(FOLDER)
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])
    print(os.listdir(FOLDER))


if __name__ == "__main__":
    main(sys.argv[1])
