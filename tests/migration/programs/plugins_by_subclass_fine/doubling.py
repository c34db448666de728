from base import Plugin


class Doubling(Plugin):
    def run(self, number):
        return 2 * number
