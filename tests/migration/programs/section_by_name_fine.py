"""The profile is taken in each worker, too: its initializer does it."""

import multiprocessing
import sys


class Money:
    def __init__(self):
        self.currency, self.vat = "EUR", 0.2


class Settings:
    def __init__(self):
        self.money = Money()


PROFILES = {"ch": {"money": {"currency": "CHF", "vat": 0.081}}}
settings = Settings()


def use_profile(name):
    for section, values in PROFILES[name].items():
        target = getattr(settings, section)
        for key, value in values.items():
            setattr(target, key, value)


def price(net):
    return settings.money.currency, round(net * (1 + settings.money.vat), 2)


def main(method):
    use_profile("ch")
    with multiprocessing.get_context(method).Pool(1, initializer=use_profile, initargs=("ch",)) as pool:
        print(pool.map(price, [10]))


if __name__ == "__main__":
    main(sys.argv[1])
