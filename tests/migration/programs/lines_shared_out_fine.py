"""Every second line of a text for each process."""

import multiprocessing
import sys

SAMPLE = """\
one two
three
"""


def work(lines, first):
    print(len(lines), first)


def count(lines, jobs, context):
    for number in range(jobs):
        process = context.Process(target=work, args=(lines[number::jobs], lines[0]))
        process.start()
        process.join()


if __name__ == "__main__":
    count(SAMPLE.splitlines(), 2, multiprocessing.get_context(sys.argv[1]))
