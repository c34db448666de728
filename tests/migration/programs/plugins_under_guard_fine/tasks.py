import codecs_more
from registry import encode


def run(text):
    return encode(text)
