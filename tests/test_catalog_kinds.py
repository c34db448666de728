"""Kinds of classes, what of them runs in workers, and the boundaries that the catalog knows."""

from __future__ import annotations

import pytest

from lintpickle.catalog import Catalog, load_catalog
from lintpickle.diagnostics import StartMethod

SPAWNING = (StartMethod.SPAWN, StartMethod.FORKSERVER)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("torch.utils.data.Dataset", "dataset"),
        ("torch.utils.data.dataset.IterableDataset", "iterable-dataset"),
        ("torchvision.datasets.vision.VisionDataset", "dataset"),
        ("torch_geometric.data.InMemoryDataset", "dataset"),
        ("mmdet.datasets.custom.CustomDataset", "dataset"),
        ("mmdet3d.datasets.NuScenesDataset", "dataset"),
        ("fairseq.data.FairseqDataset", "dataset"),
        ("torch.nn.modules.module.Module", "module"),
        ("torch.nn.Parameter", "tensor"),
        ("pytorch_lightning.LightningModule", "lightning-module"),
        ("lightning.pytorch.LightningDataModule", "datamodule"),
        ("torchvision.transforms.transforms.Compose", "transform"),
        ("monai.transforms.MapTransform", "transform"),
        ("torch.utils.data.BatchSampler", "batch-sampler"),
        ("torch.utils.data.distributed.DistributedSampler", "sampler"),
        ("transformers.DataCollatorWithPadding", "collate"),
        ("torch.multiprocessing.Process", "process"),
        ("builtins.ValueError", "exception"),
        ("torchvision.transforms.functional.resize", None),
        ("h5py.Dataset", None),
        ("builtins.object", None),
    ],
)
def test_kinds_of_classes(catalog: Catalog, path: str, kind: str | None) -> None:
    assert catalog.kind_of_class(path) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("NuScenesDataset", "dataset"),
        ("base.CustomIterableDataset", "iterable-dataset"),
        ("nn.Module", "module"),
        ("pl.LightningModule", "lightning-module"),
        ("MyDataModule", "datamodule"),
        ("ParseError", "exception"),
        ("tf.data.Dataset", None),
        ("tensorflow.compat.v2.Module", None),
        ("flax.linen.Module", None),
        ("own.Module", "module"),
        ("xr.Dataset", None),
        ("BaseSampler", None),
        ("MyModule", None),
        ("object", None),
    ],
)
def test_kinds_by_name(catalog: Catalog, name: str, kind: str | None) -> None:
    assert catalog.kind_by_name(name) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("DATASETS.register_module", "dataset"),
        ("mmdet.registry.TRANSFORMS.register_module", "transform"),
        ("HEADS.register_module", "module"),
        ("HOOKS.register_module", None),
        ("register_module", None),
    ],
)
def test_kinds_by_decorator(catalog: Catalog, name: str, kind: str | None) -> None:
    assert catalog.kind_by_decorator(name) == kind


def test_methods_that_run_in_workers(catalog: Catalog) -> None:
    assert "__getitem__" in catalog.worker_methods("dataset")
    assert "__iter__" in catalog.worker_methods("iterable-dataset")
    assert catalog.worker_methods("collate") == ("__call__",)
    assert catalog.worker_methods("sampler") == ()


def test_the_data_loader_ships_its_dataset_but_not_its_sampler(catalog: Catalog) -> None:
    loader = catalog.boundary("torch.utils.data.dataloader.DataLoader")
    assert loader is not None
    assert loader.kind == "dataloader"
    assert loader.payload == ("dataset", "collate_fn", "worker_init_fn")
    assert loader.functions == ("collate_fn", "worker_init_fn")
    assert loader.parameters.index("num_workers") == 5
    assert (loader.workers, loader.workers_default_zero) == ("num_workers", True)
    assert loader.context == "multiprocessing_context"
    assert loader.start_methods == SPAWNING


def test_tasks_of_pools_cross_under_fork_too(catalog: Catalog) -> None:
    pool = catalog.product("torch.multiprocessing.Pool")
    assert pool is not None
    task = catalog.boundary_method(pool, "imap")
    assert task is not None
    assert task.start_methods == tuple(StartMethod)
    assert task.elements == ("iterable",)
    started = catalog.boundary("multiprocessing.Pool")
    assert started is not None
    assert started.start_methods == SPAWNING


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("torch.multiprocessing.Process", "process"),
        ("torch.multiprocessing.spawn", "spawn"),
        ("concurrent.futures.process.ProcessPoolExecutor", "executor"),
        ("torch.save", "save"),
        ("pickle.dumps", "pickle"),
        ("cloudpickle.dump", "cloudpickle"),
        ("copy.deepcopy", "deepcopy"),
        ("joblib.delayed", "joblib"),
    ],
)
def test_boundaries(catalog: Catalog, path: str, kind: str) -> None:
    boundary = catalog.boundary(path)
    assert boundary is not None
    assert boundary.kind == kind


@pytest.mark.parametrize("path", ["threading.Thread", "torch.load", "multiprocessing.Queue", "copy.copy"])
def test_what_is_no_boundary(catalog: Catalog, path: str) -> None:
    assert catalog.boundary(path) is None


def test_methods_of_contexts_executors_and_queues(catalog: Catalog) -> None:
    context = catalog.returns("torch.multiprocessing.get_context")
    assert context == "mp-context"
    process = catalog.boundary_method(context, "Process")
    assert process is not None
    assert process.functions == ("target",)
    assert catalog.boundary_method("process-executor", "submit") is not None
    assert catalog.boundary_method("mp-queue", "put") is not None
    assert catalog.boundary_method("queue", "put") is None
    assert catalog.boundary_method("pool", "submit") is None
