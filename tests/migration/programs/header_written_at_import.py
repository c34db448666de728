"""The module writes the first line of a file at import; main and workers append others."""

import multiprocessing
import sys

with open("table.csv", "w") as file:
    file.write("name;")


def work(number):
    with open("table.csv", "a") as table:
        table.write(f"{number};")


def main(method):
    context = multiprocessing.get_context(method)
    for number in (1, 2):
        process = context.Process(target=work, args=(number,))
        process.start()
        process.join()
    with open("table.csv") as table:
        print(table.read())


if __name__ == "__main__":
    main(sys.argv[1])
