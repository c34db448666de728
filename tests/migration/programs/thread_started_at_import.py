"""The module starts a thread at import."""

import multiprocessing
import sys
import threading


def beat():
    print("beat", flush=True)


threading.Thread(target=beat, daemon=True).start()


def work(number):
    return number


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
