class Model:
    backend = "cpu"
    _cache = {}

    @classmethod
    def use(cls, backend):
        cls.backend = backend
        return cls

    @classmethod
    def of(cls, name):
        if name not in cls._cache:
            cls._cache[name] = cls(name)
        return cls._cache[name]

    def __init__(self, name):
        self.name = name

    def run(self, number):
        return f"{self.name}:{self.backend}:{number}"
