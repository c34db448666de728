"""A cache that main fills from a temporary folder, which is gone when workers fill theirs."""

import functools
import json
import multiprocessing
import pathlib
import sys
import tempfile


@functools.lru_cache(maxsize=None)
def words(path):
    return json.loads(pathlib.Path(path).read_text())


def prepare():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "fr.json")
        path.write_text('{"cat": "chat"}')
        words(path)
    return path


def translate(job):
    path, word = job
    return words(path).get(word, word)


def main(method):
    path = prepare()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(translate, [(path, "cat")]))


if __name__ == "__main__":
    main(sys.argv[1])
