"""Workers set what main sets, or main sets it at import, or after its workers, or what no worker reads."""

import multiprocessing
import sys

import texts

texts.LIMIT = 20


def main(method):
    texts.WIDTH = 5
    with multiprocessing.get_context(method).Pool(1, texts.configure, ["_"]) as pool:
        print(pool.map(texts.slug, ["Hello Large World"]), texts.wide("a"))
    texts.SEPARATOR = "+"
    print(texts.slug("Hello"))


if __name__ == "__main__":
    main(sys.argv[1])
