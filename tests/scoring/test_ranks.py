"""Scorers of several ranks: two real processes of torchrun compared with one process."""

import json
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import load

from ..conftest import require
from ..support import on_ranks
from ..support.on_ranks import (
    CASES,
    PREDICTIONS,
    REFERENCES,
    REPEATS,
    make_ids,
    make_scorer,
    run_on_ranks,
    update,
)

NOT_INITIALISED = (
    "WORLD_SIZE is 2, but torch.distributed is not initialised, so the samples of the other ranks "
    "cannot be gathered. Call torch.distributed.init_process_group, or make the Accelerator or the "
    "Trainer, before all_reduce and gather."
)

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

# Every case gets the seed, also cases that do not use it.
pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("ignore:seed is")]


def score(case: str, indices: range | list[int] = range(11), **output: Any) -> Any:
    scores = update(make_scorer(case), indices).result(**(output or CASES[case][1]))
    return json.loads(json.dumps(scores))


def expect(rank: int) -> dict[str, Any]:
    """Return what a rank must find, by name."""
    two, every = range(2), score("samples", use_aggregator=False)
    outputs, ids = [make_ids(index) for index in range(11)], make_scorer("samples", tokenizer="ids")
    ids.update(outputs, [[token for token in output if token < 6] for output in outputs])
    alone = {"group": score("means", [1]), "gathered in group": score("means", [1])}
    quiet = ("with keys", "another number", "only one rank", "no samples")
    return {
        **{f"{case} {way}": score(case) for case in CASES for way in ("by key", "in order")},
        # A scorer goes on after it was reduced.
        **{
            f"round up to {stop}": score("samples", range(stop), use_aggregator=False)
            for stop in (4, 8, 11)
        },
        "own samples": [6, 5][rank],
        # Ranks may have no samples, and one may get those of all.
        "rank 0 empty": score("means"),
        "all empty": 0,
        "gathered": [None, score("means", two)][rank],
        "dst outside": "dst is 2; expected one of the ranks of the group: [0, 1].",
        **[{"group": NOT_IN_GROUP}, alone][rank],
        # What cannot be merged is the same error on every rank.
        "options": [OTHER_OPTIONS] * 2,
        "keys": [SOME_KEYS] * 2,
        "key of two samples": ONE_KEY,
        # torch was not imported to find out that there is no process group.
        "no process group": NOT_INITIALISED,
        "torch": False,
        "gathered texts": load().compute(predictions=PREDICTIONS, references=REFERENCES),
        "gathered ids": ids.result(use_aggregator=False),
        "gathered keys": every,
        # A state is loaded on its own rank.
        "rank and world size": [rank, 2],
        "a file per rank": every,
        "unchanged": True,
        "of the other rank": OTHER_RANK.format(1 - rank, 2, rank),
        "of one process": OTHER_RANK.format(0, 1, rank),
        # register_for_checkpointing saves the scorer of rank 0, which has 6 of 11 samples.
        "registered": ["no error", OTHER_RANK.format(0, 2, 1)][rank],
        "registered samples": [6, 0][rank],
        "pickled": score("samples", two, use_aggregator=False),
        "without samples": 0,
        # The rank that gets the samples warns; none does if ranks cannot repeat samples unseen.
        "repeats": [[REPEATS], []],
        "repeats gathered": [[], [REPEATS]][rank],
        **{f"no repeats: {name}": [] for name in quiet},
        # A reduced scorer warns of the texts of all ranks.
        "warnings": ["rougeLsum"],
    }


def test_ranks_find_what_one_process_does(tmp_path: Path) -> None:
    require("torch")
    require("accelerate")
    found = run_on_ranks(on_ranks.__name__, tmp_path)
    shards = [rank.pop("shard") for rank in found]
    assert sorted({*shards[0], *shards[1]}) == [*range(11)]
    assert list(map(len, shards)) == [6, 6]  # one sample comes twice
    for rank in range(2):
        assert found[rank] == expect(rank)


def test_a_process_without_ranks_merges_the_states_of_all() -> None:
    merged = make_scorer("samples")
    for rank in range(2):
        part = update(make_scorer("samples"), range(rank, 11, 2), keyed=True)
        loaded = make_scorer("samples")
        loaded.load_state_dict({**part.state_dict(), "rank": rank, "world_size": 2})
        merged.merge(loaded)
    assert json.loads(json.dumps(merged.result(use_aggregator=False))) == score(
        "samples", use_aggregator=False
    )
