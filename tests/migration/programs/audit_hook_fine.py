"""Main refuses by an audit hook to remove a file; workers read it."""

import multiprocessing
import sys

refused = []


def hook(event, args):
    if event == "os.remove" and args[0] in refused:
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
