"""Workers sign with a key that the module draws at import; main verifies."""

import hashlib
import hmac
import multiprocessing
import secrets
import sys

KEY = secrets.token_bytes(16)


def sign(text):
    return hmac.new(KEY, text.encode(), hashlib.sha256).hexdigest()


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(sign, ["a"]) == [sign("a")])


if __name__ == "__main__":
    main(sys.argv[1])
