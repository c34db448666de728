"""Main refuses by an audit hook to read a file, which workers read."""

import multiprocessing
import sys

refused = []


def hook(event, args):
    if event == "open" and args[0] in refused:
        raise PermissionError(args[0])


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except PermissionError:
        return "refused"


def main(method):
    with open("secret", "w") as file:
        file.write("text")
    refused.append("secret")
    sys.addaudithook(hook)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(read, ["secret"]))


if __name__ == "__main__":
    main(sys.argv[1])
