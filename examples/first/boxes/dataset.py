from torch.utils.data import Dataset

from boxes.config import Config


class Boxes(Dataset):
    def __init__(self, files, class_range):
        self.files = files
        self.config = Config(class_range)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return self.files[index]
