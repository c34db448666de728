class Config:
    def __init__(self, class_range):
        self.class_range = class_range
        self.class_names = self.class_range.keys()
