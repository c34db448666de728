class Config:
    def __init__(self):
        self.args = None
        self.retries = 1


cfg = Config()


def init(args):
    cfg.args = args
    cfg.retries = args.retries
