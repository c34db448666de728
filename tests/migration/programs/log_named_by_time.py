"""The module configures logging at import: into a file that is named by the time."""

import glob
import logging
import multiprocessing
import sys
from datetime import datetime

logging.basicConfig(filename=datetime.now().strftime("run-%H%M%S-%f.log"), level=logging.INFO)


def work(number):
    logging.info("work")


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])
    print(len(glob.glob("run-*.log")))


if __name__ == "__main__":
    main(sys.argv[1])
