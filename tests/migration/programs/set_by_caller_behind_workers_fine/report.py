"""The pages of a report."""

META = {"title": "draft"}
title = "draft"


def finish():
    META["title"] = "final"


def name_it(text):
    global title
    title = text


def body(number):
    return f"[{META['title']}/{title}] {number}"
