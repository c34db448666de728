import json


class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)


_settings = None


def load(text):
    global _settings
    _settings = AttrDict(json.loads(text))


def get():
    if _settings is None:
        raise RuntimeError("settings are not loaded")
    return _settings
