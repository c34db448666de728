"""Sockets cross by multiprocessing, which has a way of its own for them, and not by pickle or copy."""

from __future__ import annotations

import pytest

from tests.support import marks

CLIENT = """\
import copy
import pickle
import socket
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import torch


class Client:
    def __init__(self, hosts):
        self.connections = {}
        for host in hosts:
            self.connect(host)

    def connect(self, host):
        self.connections[host] = socket.socket()


def ask(client):
    return 1


if __name__ == "__main__":
    client = Client(["a", "b"])
"""


@pytest.mark.parametrize("call", ["pickle.dumps(client)", "torch.save(client, 'client.pt')", "copy.deepcopy(client)"])
def test_what_does_not_take_sockets(call: str) -> None:
    assert (17, "LP110") in marks(f"{CLIENT}    {call}\n")


@pytest.mark.parametrize(
    "call",
    [
        "get_context('spawn').Process(target=ask, args=(client,)).start()",
        "get_context('spawn').Pool(1).map(ask, [client])",
        "get_context('spawn').Queue().put(client)",
        "ProcessPoolExecutor(1).submit(ask, client)",
    ],
)
def test_what_takes_sockets(call: str) -> None:
    assert not marks(f"{CLIENT}    {call}\n")
