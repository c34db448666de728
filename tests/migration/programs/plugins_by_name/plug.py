from reg import handler


@handler("up")
def up(s):
    return s.upper()
