"""``BleuRouge`` in real runs of Lightning, under both of its names: a tiny model, no network."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ..conftest import require

torch: Any = require("torch")
torchmetrics: Any = require("torchmetrics")

from bleu_rouge_metric.integrations.torchmetrics import BleuRouge  # noqa: E402

from .test_torchmetrics import expect, pick  # noqa: E402

pytestmark = [
    pytest.mark.extra,
    # Of Lightning and the libraries below it: workers, loggers, deprecations.
    pytest.mark.filterwarnings("ignore"),
]

NAMES = ("rouge1", "rougeL")
# Two batches of uneven size an epoch while training, three in validation.
TRAINED, VALIDATED = range(7), range(11)
BATCH = 4


@pytest.fixture(params=["lightning", "pytorch_lightning"], scope="module")
def library(request: pytest.FixtureRequest) -> Any:
    require(request.param)
    name = "lightning.pytorch" if request.param == "lightning" else request.param
    return import_module(name)


class Stop(Exception):  # noqa: N818 - no error
    """Ends a run, as a machine that goes away does."""


def make_module(library: Any, *, stop_at: int | None = None) -> Any:
    class Module(library.LightningModule):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.training_scores = BleuRouge("rouge", rouge_types=NAMES)
            # So that a checkpoint within an epoch has its samples.
            self.training_scores.persistent(mode=True)
            self.all_scores = BleuRouge()
            self.bleu = BleuRouge(score="bleu")
            self.collection = torchmetrics.MetricCollection(
                {name: BleuRouge("rouge", score=name) for name in NAMES}, prefix="group/"
            )
            self.epochs: list[dict[str, float]] = []
            self.steps: list[float] = []

        def training_step(self, batch: Any, number: int) -> Any:
            if stop_at is not None and self.global_step == stop_at:
                raise Stop
            del number
            scores = self.training_scores(*pick(batch))
            found = {name: value.item() for name, value in scores.items()}
            assert found == expect(batch.tolist(), "rouge", rouge_types=NAMES)
            return self.layer(torch.ones(1, 1)).sum()

        def on_train_epoch_end(self) -> None:
            scores = self.training_scores.compute()
            self.epochs.append({name: value.item() for name, value in scores.items()})
            self.training_scores.reset()

        def validation_step(self, batch: Any, number: int) -> None:
            del number
            preds, target = pick(batch)
            self.all_scores.update(preds, target, keys=batch)
            # Forward: a value of the step, and all samples at the end of the epoch.
            self.steps.append(self.bleu(preds, target).item())
            self.log("val/bleu", self.bleu, on_step=True, on_epoch=True, batch_size=len(batch))
            self.collection.update(preds, target)
            self.log_dict(self.collection, batch_size=len(batch))

        def on_validation_epoch_end(self) -> None:
            scores = self.all_scores.compute()
            self.log_dict({f"all/{name}": value for name, value in scores.items()})
            self.all_scores.reset()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.1)

    return Module()


class Batches:
    """Batches that go on where a checkpoint left them, as Lightning asks a loader to do.

    Without ``state_dict`` a run that stopped within an epoch begins with the first batch again.
    """

    def __init__(self, indices: range) -> None:
        self.batches = [indices[start : start + BATCH] for start in range(0, len(indices), BATCH)]
        self.start = self.taken = 0

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[Any]:
        self.taken, self.start = self.start, 0
        for batch in self.batches[self.taken :]:
            self.taken += 1
            yield torch.tensor(batch)

    def state_dict(self) -> dict[str, int]:
        return {"taken": self.taken % len(self.batches)}

    def load_state_dict(self, state: dict[str, int]) -> None:
        self.start = state["taken"]


def make_trainer(library: Any, folder: Path, **arguments: Any) -> Any:
    return library.Trainer(
        default_root_dir=folder, accelerator="cpu", devices=1, logger=False, max_epochs=2,
        enable_progress_bar=False, enable_model_summary=False, use_distributed_sampler=False,
        **arguments,
    )  # fmt: skip


def test_what_is_logged_are_the_scores_of_all_samples(library: Any, tmp_path: Path) -> None:
    module = make_module(library)
    trainer = make_trainer(library, tmp_path, enable_checkpointing=False)
    trainer.fit(module, Batches(TRAINED), Batches(VALIDATED))
    logged = {name: value.item() for name, value in trainer.callback_metrics.items()}
    scores = expect(VALIDATED)
    # Not one digit is lost.
    assert {f"all/{name}": value for name, value in scores.items()}.items() <= logged.items()
    assert logged["val/bleu_epoch"] == scores["bleu"]
    batches = [VALIDATED[start : start + BATCH] for start in (0, 4, 8)]
    # Sanity checking takes the first two batches.
    by_step = [expect(batch)["bleu"] for batch in [*batches[:2], *batches, *batches]]
    assert module.steps == by_step
    assert logged["val/bleu_epoch"] != sum(by_step[-3:]) / 3
    assert [logged[f"group/{name}"] for name in NAMES] == [scores[name] for name in NAMES]
    # The samples of the sanity check and of the first epoch are gone.
    assert module.epochs == [expect(TRAINED, "rouge", rouge_types=NAMES)] * 2


@pytest.mark.parametrize("stop_at", [1, 2, 3])
def test_a_run_that_stopped_goes_on_with_the_samples_it_had(
    library: Any, tmp_path: Path, stop_at: int
) -> None:
    # After each of the two steps of an epoch: within it, and at its end.
    saver = library.callbacks.ModelCheckpoint(
        dirpath=tmp_path, filename="{step}", every_n_train_steps=1, save_top_k=-1
    )
    trainer = make_trainer(library, tmp_path, callbacks=[saver], limit_val_batches=0)
    with pytest.raises(Stop):
        trainer.fit(make_module(library, stop_at=stop_at), Batches(TRAINED))
    module = make_module(library)
    trainer = make_trainer(library, tmp_path, enable_checkpointing=False, limit_val_batches=0)
    trainer.fit(module, Batches(TRAINED), ckpt_path=str(tmp_path / f"step={stop_at}.ckpt"))
    expected = expect(TRAINED, "rouge", rouge_types=NAMES)
    # An epoch that the first run finished is not trained again.
    assert module.epochs == [expected] * (2 if stop_at < 2 else 1)


def test_a_warning_points_to_the_line_of_the_user(library: Any, tmp_path: Path) -> None:
    # States are gathered from two ranks, of which both are this one.
    synced: dict[str, Any] = {
        "dist_sync_fn": lambda states, group: [states, states],  # noqa: ARG005
        "distributed_available_fn": lambda: True,
    }

    class Module(library.LightningModule):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            # Lightning computes the first, and the module the second.
            self.logged, self.computed = BleuRouge(score="bleu", **synced), BleuRouge(**synced)

        def validation_step(self, batch: Any, number: int) -> None:
            del number
            for metric in (self.logged, self.computed):
                metric.update(*pick(batch))
            self.log("val", self.logged, batch_size=len(batch))

        def on_validation_epoch_end(self) -> None:
            self.computed.compute()

    with pytest.warns(UserWarning, match="samples without keys") as record:
        make_trainer(library, tmp_path).validate(Module(), Batches(VALIDATED), verbose=False)
    lines = [one.filename for one in record if "samples without keys" in str(one.message)]
    assert lines == [__file__] * 2
