"""An object that main configures, and an initializer too."""

import sys
import multiprocessing as mp
from app import app


def work(x):
    return x * app.options.get("scale", 1)


def main():
    app.configure(scale=9)
    with mp.get_context(sys.argv[1]).Pool(1, app_init, ({"scale": 9},)) as pool:
        print(pool.map(work, [2]))


def app_init(options):
    app.configure(**options)


if __name__ == "__main__":
    main()
