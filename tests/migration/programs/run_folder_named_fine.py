"""Main names the folder of the run by the time, and passes it."""

import functools
import multiprocessing
import os
import sys
from datetime import datetime


def work(folder, number):
    with open(os.path.join(folder, str(number)), "w") as file:
        file.write("done")


def main(method):
    folder = os.path.join("runs", datetime.now().strftime("%Y%m%d-%H%M%S-%f"))
    os.makedirs(folder)
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(functools.partial(work, folder), [1])
    print(os.listdir(folder))


if __name__ == "__main__":
    main(sys.argv[1])
