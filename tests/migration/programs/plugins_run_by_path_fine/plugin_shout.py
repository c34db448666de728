from actions import action


@action("shout")
def shout(text):
    return text.upper()
