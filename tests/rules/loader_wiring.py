"""What tests of DataLoader arguments and samplers have in common."""

from __future__ import annotations

IMPORTS = """\
import torch
from torch.utils.data import (
    BatchSampler, DataLoader, Dataset, IterableDataset, RandomSampler, Sampler, SequentialSampler
)
from torch.utils.data.distributed import DistributedSampler


class Pairs(Sampler):
    def __iter__(self):
        for index in range(4):
            yield [index, 224]


class Packed(Sampler):
    def __iter__(self):
        batch = []
        for index in range(4):
            batch.append(index)
            if len(batch) == 2:
                yield batch
                batch = []
        if batch:
            yield batch


class Numbers(IterableDataset):
    def __iter__(self):
        return iter(range(4))


def first(batch):
    return batch[0]


def several(batch):
    return torch.stack(batch)


"""
