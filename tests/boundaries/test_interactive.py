"""Loaders of notebooks in which Lightning refuses to train."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver

DEFINED = """\
from torch.utils.data import DataLoader
from torchvision.datasets import VOCDetection


def target_transform(target):
    return 0
"""
LOADER = "loader = DataLoader(VOCDetection('voc', target_transform=target_transform), num_workers=8)\n"


def _confidences(folder: Path, *cells: str) -> list[Confidence]:
    (folder / "train.ipynb").write_text(
        json.dumps(
            {
                "cells": [
                    {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell, "execution_count": None}
                    for cell in cells
                ],
                "metadata": {"language_info": {"name": "python"}},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        )
    )
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True})
    found = lint_paths([str(folder)], resolver=resolver).diagnostics
    return [each.confidence for each in found if each.code == "LP204"]


@pytest.mark.parametrize(
    ("training", "confidence"),
    [
        ("pl.Trainer(max_epochs=10, devices=len([1]), strategy='ddp')", Confidence.POSSIBLE),
        ('pl.Trainer(strategy="ddp_find_unused_parameters_true", sync_batchnorm=True)', Confidence.POSSIBLE),
        ("pl.Trainer(strategy='ddp_spawn')", Confidence.POSSIBLE),
        ("pl.Trainer(strategy='ddp_notebook')", Confidence.CERTAIN),
        ("pl.Trainer(strategy='auto')", Confidence.CERTAIN),
        ("pl.Trainer(max_epochs=10)\nfit(strategy='ddp')", Confidence.CERTAIN),
        ("pl.Trainer(strategy='ddp')\ntrainer = pl.Trainer(devices=1)", Confidence.CERTAIN),
    ],
)
def test_the_strategy_of_all_trainers_decides(tmp_path: Path, training: str, confidence: Confidence) -> None:
    cells = ("import pytorch_lightning as pl\n", DEFINED, LOADER, f"trainer = {training}\ntrainer.fit(model, loader)\n")
    assert _confidences(tmp_path, *cells) == [confidence]


def test_a_loader_without_lightning_is_not_concerned(tmp_path: Path) -> None:
    cells = ("from own import Trainer\n", DEFINED, LOADER, "Trainer(strategy='ddp').fit(loader)\n")
    assert _confidences(tmp_path, *cells) == [Confidence.CERTAIN]
