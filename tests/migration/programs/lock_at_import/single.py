"""One copy of the program runs at a time."""

import fcntl

HANDLE = open("single.lock", "a")
fcntl.flock(HANDLE, fcntl.LOCK_EX | fcntl.LOCK_NB)


def held():
    return not HANDLE.closed
