import multiprocessing
import sys


class Quota:
    left = multiprocessing.get_context(sys.argv[1]).Manager().dict({"alice": 5})


def take(client, cost):
    Quota.left[client] -= cost
    return Quota.left[client]
