"""Scorers of several ranks: two processes of torch find what one process does."""

from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Scorer, load

from ..conftest import require
from ..support.errors import list_warnings
from ..support.on_ranks import (
    PREDICTIONS,
    REFERENCES,
    REPEATS,
    describe_error,
    list_shards,
    run_on_ranks,
)

# Every case gets the seed, also cases that do not use it.
pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("ignore:seed is")]

# Options of a scorer, and options of its result.
CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "means": ({}, {}),
    "samples": ({"sentence_bleu": True}, {"use_aggregator": False, "detailed": True}),
    "bootstrap": ({}, {"aggregator": "bootstrap", "n_resamples": 50}),
    "interval": ({}, {"confidence": 0.9, "n_resamples": 50}),
    "weighted": ({"rouge_types": ["rougeW-1.2", "rougeSU4"]}, {"signature": True}),
    "ROUGE-1.5.5": ({"profile": "rouge-1.5.5"}, {}),
    "google_bleu": ({"profile": "google_bleu"}, {}),
    "codexglue": ({"profile": "codexglue"}, {}),
}
EACH: dict[str, Any] = {"use_aggregator": False}
NOT_IN_GROUP = "Rank 0 is not in the group; only ranks of the group call all_reduce and gather."
OTHER_OPTIONS = (
    "Rank 1 has max_order 3, but rank 0 has 4; counts can be merged only if all options are the "
    "same."
)
SOME_KEYS = "Rank 0 has keys, but rank 1 has none; give keys for all samples, or for none."
ONE_KEY = (
    "The key 7 names two different samples; expected a unique key for every sample, such as its "
    "index in the data set."
)
OTHER_RANK = (
    "The state is from rank {} of {}, but this is rank {} of 2: samples would be lost, or count "
    "several times. Save one file per rank and load it on the same rank; "
    "register_for_checkpointing of accelerate saves that of rank 0 only. To merge states, load all "
    "of them in a process without torch.distributed, or use all_reduce or gather."
)


def make(case: str, indices: Any = (), *, keyed: bool = False, **options: Any) -> Scorer:
    """Make the scorer of a case, with some of the samples."""
    return update(Scorer(seed=3, **CASES[case][0], **options), indices, keyed=keyed)


def update(scorer: Scorer, indices: Any, *, keyed: bool = False) -> Scorer:
    if indices:
        predictions, references = (
            [PREDICTIONS[n] for n in indices],
            [REFERENCES[n] for n in indices],
        )
        scorer.update(predictions, references, keys=list(indices) if keyed else None)
    return scorer


def check_cases(rank: int, _: Path) -> None:
    shards = list_shards()
    for case, (_options, output) in CASES.items():
        expected = make(case, range(11)).result(**output)
        keyed = make(case, shards[rank], keyed=True).all_reduce()
        ordered = make(case, (range(6), range(6, 11))[rank]).all_reduce()
        assert keyed.result(**output) == ordered.result(**output) == expected


def check_rounds(rank: int, _: Path) -> None:
    """Reduce a scorer that grows between reductions, as in a training loop."""
    scorer = make("samples")
    for stop in (4, 8, 11):
        update(scorer, range((stop - 1) // 4 * 4 + rank, stop, 2), keyed=True)
        expected = make("samples", range(stop)).result(**EACH)
        assert scorer.all_reduce().result(**EACH) == expected
    assert len(scorer) == (6, 5)[rank]


def check_uneven_ranks(rank: int, _: Path) -> None:
    """Reduce ranks without samples, a single rank, and groups."""
    every, both, second = (make("means", range(*ends)).result() for ends in ((11,), (2,), (1, 2)))
    assert make("means", range(11 * rank)).all_reduce().result() == every
    assert len(make("means").all_reduce()) == 0
    alone = make("means", [rank])
    gathered = alone.gather(dst=1)
    assert (gathered and gathered.result()) == (None, both)[rank]
    group = require("torch.distributed").new_group([1])
    if rank == 1:
        gathered = alone.gather(1, group)
        assert gathered is not None
        assert alone.all_reduce(group).result() == gathered.result() == second
    else:
        assert describe_error(lambda: alone.all_reduce(group)) == NOT_IN_GROUP
    expected = "dst is 2; expected one of the ranks of the group: [0, 1]."
    assert describe_error(lambda: alone.gather(2)) == expected


def check_misfits(rank: int, _: Path) -> None:
    """Try to reduce scorers that cannot be merged; the ranks go on after each error."""
    for scorer, expected in (
        (make("means", [rank], max_order=4 - rank), OTHER_OPTIONS),
        (make("means", [rank], keyed=rank == 0), SOME_KEYS),
    ):
        assert describe_error(scorer.all_reduce) == describe_error(scorer.gather) == expected
    twice = make("means")
    twice.update(PREDICTIONS[rank : rank + 1], ["a"], keys=[7])
    assert describe_error(lambda: twice.all_reduce().result()) == ONE_KEY


def check_warnings(rank: int, _: Path) -> None:
    """Warn the rank that gets the samples, unless ranks cannot repeat samples unseen."""
    same = make("means", [rank, 2])
    assert list_warnings(same.all_reduce) == [REPEATS]
    assert list_warnings(lambda: same.all_reduce().all_reduce()) == []
    gathered = list_warnings(lambda: make("means", [rank, 2]).gather(dst=1))
    assert gathered == ([], [REPEATS])[rank]
    for scorer in (
        make("means", [rank, 2], keyed=True),
        make("means", range(rank, 3)),
        make("means", range(2 * rank)),
        make("means"),
    ):
        assert list_warnings(scorer.all_reduce) == []
    # A reduced scorer warns of the texts of all ranks.
    lines = Scorer("rouge")
    if rank == 1:
        lines.update(["A cat sat. It ran."] * 2, ["A cat sat. A dog ran."] * 2)
    (warning,) = list_warnings(lines.all_reduce().result)
    assert warning.startswith("rougeLsum:")


def check_accelerate(_: int, __: Path) -> None:
    """Use gather_for_metrics with an incomplete last batch."""
    torch = require("torch")
    accelerator = require("accelerate").Accelerator(cpu=True)
    loader = accelerator.prepare(torch.utils.data.DataLoader(range(11), batch_size=2))
    metric, scorer, ids = load(), make("samples"), make("samples", tokenizer="ids")
    outputs = [list(range(index % 4, 5 + 2 * (index % 3))) for index in range(11)]
    for indices in loader:
        own = [(PREDICTIONS[index], REFERENCES[index]) for index in indices.tolist()]
        predictions, references = zip(
            *accelerator.gather_for_metrics(own, use_gather_object=True), strict=True
        )
        metric.add_batch(predictions=predictions, references=references)
        rows = [torch.tensor(outputs[index]) for index in indices.tolist()]
        batch = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-100)
        # The batches of the ranks differ in length.
        batch = accelerator.pad_across_processes(batch, dim=1, pad_index=-100)
        keys, gathered = accelerator.gather_for_metrics((indices, batch))
        ids.update(gathered, gathered.where(gathered < 6, -100), keys=keys)
        update(scorer, keys.tolist(), keyed=True)
    assert metric.compute() == load().compute(predictions=PREDICTIONS, references=REFERENCES)
    assert scorer.result(**EACH) == make("samples", range(11)).result(**EACH)
    alone = make("samples", tokenizer="ids")
    alone.update(outputs, [[token for token in output if token < 6] for output in outputs])
    assert ids.result(**EACH) == alone.result(**EACH)


def check_checkpoints(rank: int, folder: Path) -> None:
    """Save and load the scorers of two ranks: as accelerate does, and with a file per rank."""
    torch = require("torch")
    accelerator = require("accelerate").Accelerator(cpu=True)
    scorer, empty = make("samples", range(rank, 11, 2), keyed=True), make("means")
    accelerator.register_for_checkpointing(scorer, empty)
    state = scorer.state_dict()
    assert (state["rank"], state["world_size"]) == (rank, 2)
    accelerator.save_state(str(folder / "checkpoint"))
    torch.save(state, folder / f"scorer-{rank}.pt")
    accelerator.wait_for_everyone()
    scorer.reset()
    # The scorer of rank 0, which has 6 of 11 samples.
    found = describe_error(lambda: accelerator.load_state(str(folder / "checkpoint")))
    assert (found, len(scorer)) == (("no error", 6), (OTHER_RANK.format(0, 2, 1), 0))[rank]

    states = [torch.load(folder / f"scorer-{n}.pt") for n in range(2)]
    update(scorer, [0], keyed=True)
    held = scorer.state_dict()
    found = describe_error(lambda: scorer.load_state_dict(states[1 - rank]))
    assert found == OTHER_RANK.format(1 - rank, 2, rank)
    found = describe_error(lambda: scorer.load_state_dict({**states[0], "world_size": 1}))
    assert found == OTHER_RANK.format(0, 1, rank)
    assert scorer.state_dict() == held
    scorer.load_state_dict(states[rank])
    expected = make("samples", range(11)).result(**EACH)
    assert scorer.all_reduce().result(**EACH) == expected
    # A state without samples is of every rank.
    empty.load_state_dict({**make("means").state_dict(), "rank": 1 - rank})


def test_ranks_find_what_one_process_does(tmp_path: Path) -> None:
    require("accelerate")
    run_on_ranks(
        tmp_path,
        *(check_cases, check_rounds, check_uneven_ranks, check_misfits, check_warnings),
        *(check_accelerate, check_checkpoints),
    )


def test_a_process_without_ranks_merges_the_states_of_all() -> None:
    merged = make("samples")
    for rank in range(2):
        part = make("samples", range(rank, 11, 2), keyed=True).state_dict()
        loaded = make("samples")
        loaded.load_state_dict({**part, "rank": rank, "world_size": 2})
        merged.merge(loaded)
    assert merged.result(**EACH) == make("samples", range(11)).result(**EACH)
