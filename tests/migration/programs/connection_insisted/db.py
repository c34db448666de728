_conn = None


def connect(url):
    global _conn
    _conn = {"url": url}


def query():
    if _conn is None:
        raise RuntimeError("not connected")
    return _conn["url"]
