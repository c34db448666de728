"""The parameters of the tide."""

amplitude = 1.0
period = 12.0


def level(hour):
    return amplitude * hour / period
