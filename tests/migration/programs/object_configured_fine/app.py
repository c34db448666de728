class App:
    def __init__(self):
        self.options = {}

    def configure(self, **kw):
        self.options.update(kw)
        return self


app = App()
