"""The module makes the id of the run at import."""

import multiprocessing
import sys
import uuid

RUN = uuid.uuid4().hex


def work(number):
    return f"{RUN}/{number}"


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]) == [f"{RUN}/1"])


if __name__ == "__main__":
    main(sys.argv[1])
