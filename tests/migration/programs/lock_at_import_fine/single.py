"""The file is locked only while a line is added to it."""

import fcntl

with open("single.lock", "a") as handle:
    fcntl.flock(handle, fcntl.LOCK_EX)
    handle.write("imported")


def held():
    return not handle.closed
