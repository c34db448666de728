"""LP115: native-object-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP115"


SIGNING = """\
from multiprocessing import Process

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dh, ec, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class Signer:
    def __init__(self, pem):
        self.kept = {kept}

    def sign(self, row):
        print(row)


if __name__ == "__main__":
    Process(target=Signer(b"").sign, args=(1,)).start()
"""


@pytest.mark.parametrize(
    ("kept", "fires"),
    [
        ("rsa.generate_private_key(65537, 2048)", True),
        ("rsa.generate_private_key(65537, 2048).public_key()", True),
        ("ec.generate_private_key(ec.SECP256R1())", True),
        ("serialization.load_pem_private_key(pem, None)", True),
        ("dh.generate_parameters(2, 2048).generate_private_key()", True),
        ("AESGCM(pem)", True),
        ("hashes.Hash(hashes.SHA256())", True),
        ("Fernet(pem)", False),
        ("hashes.SHA256()", False),
        ("AESGCM.generate_key(128)", False),
        ("rsa.generate_private_key(65537, 2048).sign(pem)", False),
    ],
)
def test_keys_of_cryptography(kept: str, fires: bool) -> None:
    assert [code for _, code in marks(SIGNING.format(kept=kept))] == ["LP115"] * fires


DEVICES = """\
import multiprocessing

import spidev
from aiohttp import web


class Board:
    def __init__(self, speed):
        self.speed = speed
        {kept}

    def open(self):
        spi = spidev.SpiDev()
        spi.open(0, 0)
        return spi


def capture(board, queue):
    queue.put(board.speed)


def serve(port):
    app = web.Application()
    web.run_app(app, port=port)


def main():
    queue = multiprocessing.Queue()
    multiprocessing.Process(target=capture, args=(Board(16), queue)).start()
    {served}


if __name__ == "__main__":
    main()
"""
SERVES = "multiprocessing.Process(target=web.run_app, args=(web.Application(),)).start()"


@pytest.mark.parametrize(
    ("kept", "served", "count"),
    [
        ("self.spi = spidev.SpiDev()", "pass", 1),
        ("pass", SERVES, 1),
        ("self.spi = spidev.SpiDev()", SERVES, 2),
        ("pass", "multiprocessing.Process(target=serve, args=(8080,)).start()", 0),
        ("self.made = repr(spidev.SpiDev())", "pass", 0),
        ("self.spi = None", "web.run_app(web.Application())", 0),
    ],
)
def test_devices_and_servers(kept: str, served: str, count: int) -> None:
    assert [code for _, code in marks(DEVICES.format(kept=kept, served=served))] == ["LP115"] * count
