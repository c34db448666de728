HANDLERS = {}


def handler(name):
    def register(function):
        HANDLERS[name] = function
        return function

    return register


@handler("double")
def double(number):
    return number * 2
