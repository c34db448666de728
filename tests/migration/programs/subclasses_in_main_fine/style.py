from base import Check


class Style(Check):
    pass
