"""Scores of samples that come in batches, from several processes, or from several machines.

A ``Scorer`` counts samples and does not keep their texts. It keeps a few integers per sample, which
can be merged, saved and sent. The scores are bit-identical to those of all texts at once.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from ..checks import check_seed
from ..families.counts import SampleCounts, fit_counts
from ..options.errors import name_arguments
from ..options.options import Options, write_keywords
from ..options.plans import Plan
from ..options.profiles import BOTH, Family, check_family
from ..options.sacrebleu_signature import write_sacrebleu_signature
from ..options.same_counts import Counted, check_same_counts, check_same_functions
from ..samples.inputs import Samples, check_samples
from ..text.warnings import SentenceLines, warn_caller
from .batches import (
    CountedBatch,
    Keys,
    SampleStore,
    check_keys,
    check_state,
    join_batches,
    pack_batch,
    unpack_batch,
)
from .counting import count_samples
from .intervals import list_interval_warnings, warn_if_not_resampled, warn_of_seed
from .ranks import check_rank, count_state, find_rank, gather_states, warn_of_repeats
from .results import Value, choose_options, list_groups, score_groups
from .text_warnings import TextWarnings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords


class Scorer:
    """Count samples batch by batch, and compute the scores of all of them.

    It needs 80 bytes per sample with the default options: 20 for BLEU of four orders, 4 per
    reference, 12 per reference and ROUGE type, 8 for the number of references; and 8 for a key.
    Threads may share it. It can be pickled at any time, if the functions among its options can.

    Samples keep the order in which they are added. Scores of single samples, resampling and some
    smoothing methods of NLTK depend on it. If samples are not added in the order of the data, as
    with ranks and shards, pass keys: unique ints, by which the samples are ordered. A sample whose
    key occurs again is counted once.

    Attributes:
        options: the checked options of ``metric.compute``.
        families: the families that are scored.
        seed: the seed of resampling, either given or drawn.

    >>> scorer = Scorer("rouge", rouge_types=["rouge1"])
    >>> scorer.update(["the cat"], ["the cat sat"])
    >>> scorer.update(["a dog"], [["the dog", "a cat"]])
    >>> scorer.result(), scorer.result(use_aggregator=False)
    ({'rouge1': 0.65}, {'rouge1': [0.8, 0.5]})
    """

    def __init__(
        self,
        family: Family | None = None,
        *,
        seed: int | None = None,
        **options: "Unpack[OptionKeywords]",
    ) -> None:
        """Create an empty scorer.

        Args:
            family: ``"bleu"`` or ``"rouge"`` for one family; None for both.
            seed: the seed of resampling, below 2 ** 32; None to draw one, which the signature
                contains.
            **options: the options of ``metric.compute``.

        Raises:
            TypeError: an option is unknown, or a value is of a wrong type.
            ValueError: a value is out of range.
        """
        families = check_family(family)
        self._start(Options.from_keywords(options, families), families, seed)
        self._seed_is_given = seed is not None

    @classmethod
    def from_options(
        cls,
        options: Options,
        families: Sequence[Family] = BOTH,
        seed: int | None = None,
        warned: set[str] | None = None,
    ) -> "Scorer":
        """Return a scorer with options that are checked already.

        ``warned`` has the names of the warnings that are given once for several scorers, which
        share it. A seed is replaced by that of a state that is loaded.
        """
        scorer = cls.__new__(cls)
        scorer._start(options, families, seed, warned)  # noqa: SLF001 - of this class
        return scorer

    def _start(
        self,
        options: Options,
        families: Sequence[Family],
        seed: int | None,
        warned: set[str] | None = None,
    ) -> None:
        self.options = options
        self.families = options.plan(families).families
        given = check_seed(seed)
        self.seed = int.from_bytes(os.urandom(4), "big") if given is None else given
        self._seed_is_given = False
        self._samples = SampleStore()
        self._texts = TextWarnings(warned)

    @property
    def _plan(self) -> Plan:
        return self.options.plan(self.families)

    def __len__(self) -> int:
        """Count the samples held; one that came twice under a key counts twice until scored."""
        return len(self._samples)

    @name_arguments
    def update(self, predictions: object, references: object, *, keys: object = None) -> None:
        """Add a batch of samples. If this raises, the scorer is unchanged.

        Args:
            predictions: sequence of str, one per sample.
            references: sequence of the same length; each item one str or a sequence of str.
            keys: sequence of ints, one per sample, such as its index in the data set; None if
                samples are added in their order.

        Raises:
            TypeError: an item is of a type that cannot be scored, or a key is not an int.
            ValueError: there is no sample, the lengths differ, or some samples have keys and
                others have none.
        """
        of_ids = self._plan.counts_ids
        samples = check_samples(predictions, references, of_ids=of_ids)
        self.update_samples(samples, keys)

    def update_samples(self, samples: Samples, keys: object = None) -> None:
        """Like ``update``, for samples that are checked already."""
        checked = check_keys(keys, len(samples.predictions))
        self._samples.check_keyed(checked is not None)
        plan = self._plan
        counts = count_samples(samples, plan)
        self._texts.check(samples, counts, plan)
        self.update_counts(counts, checked)

    def update_counts(self, counts: SampleCounts, keys: object = None) -> None:
        """Like ``update``, for samples that were counted elsewhere with the same options."""
        checked = check_keys(keys, len(counts.reference_counts))
        if len(counts.reference_counts):
            self._samples.add(CountedBatch(counts, checked))

    def merge(self, other: "Scorer") -> None:
        """Append the samples of another scorer, which is unchanged.

        Raises:
            TypeError: the other is not a scorer.
            ValueError: its options differ, or only one of the two has keys.
        """
        if not isinstance(other, Scorer):
            raise TypeError(f"other is of type {type(other).__name__}; expected a Scorer.")
        theirs = other._describe("The other scorer")  # noqa: SLF001 - of this class
        check_same_counts(self._describe("this one"), theirs)
        check_same_functions(self.options, other.options, self.families)
        layouts = self._plan.layouts
        held = other._samples.batches  # noqa: SLF001
        self._samples.add(
            *(batch._replace(counts=fit_counts(batch.counts, layouts)) for batch in held)
        )
        self._texts.merge(other._texts.lines)  # noqa: SLF001

    def all_reduce(self, group: Any = None) -> "Scorer":
        """Return a scorer with the samples of all ranks, on each rank; this one is unchanged.

        The ranks are those of ``torch.distributed``, which accelerate and the Trainer initialize;
        in a single process the result is a copy. Ranks exchange counts, not texts. Samples are
        ordered by key, or by rank. Every rank must call it, also one without samples. Without keys,
        samples that several ranks share are counted several times; a warning says so, once per
        scorer, if all ranks have the same number of samples.

        Args:
            group: of ranks; None for all.

        Raises:
            ValueError: options differ among the ranks, or only some of them have keys, on every
                rank; this rank is not in the group; or there are ranks, but no
                ``torch.distributed`` for them.
        """
        return self._merge_states(gather_states(self.state_dict(), group))

    def gather(self, dst: int = 0, group: Any = None) -> "Scorer | None":
        """Return a scorer with the samples of all ranks on one rank, and None on the others.

        Args:
            dst: that rank, as ``torch.distributed`` counts all ranks.
            group: of ranks; None for all.
        """
        states = gather_states(self.state_dict(), group, dst)
        return self._merge_states(states) if states else None

    def _merge_states(self, states: Iterable[Mapping[str, Any]]) -> "Scorer":
        """Return a scorer of the samples of all states, which have the options of this one."""
        states = list(states)
        if not any("keys" in each["arrays"] for each in states):
            warn_of_repeats([count_state(each) for each in states], self._texts.given)
        # That of the first, so that resampling is the same on every rank.
        seed = states[0]["seed"]
        merged = Scorer.from_options(self.options, self.families, seed, self._texts.given)
        for state in states:
            part = Scorer.from_options(self.options, self.families)
            part._load(state)  # noqa: SLF001 - of this class
            merged.merge(part)
        return merged

    def result(
        self, *, groups: object = None, **options: "Unpack[OptionKeywords]"
    ) -> dict[str, Value]:
        """Return the scores of all samples, as ``metric.compute`` does, and keep the samples.

        Args:
            groups: one label (str or int) per sample, in the order of the samples, which with keys
                is that of the keys. Adds the key ``groups`` with the scores of the samples of each
                label.
            **options: options that do not change counts, such as ``smooth``, ``multi_reference``,
                ``use_aggregator`` and ``confidence``; they override the options of the scorer.

        Raises:
            TypeError: an option is unknown, or decides what is counted, or a label is neither str
                nor int.
            ValueError: there are no samples, a value is out of range, a key names two different
                samples, or there are more or fewer labels than samples.
        """
        chosen = choose_options(self.options, self.families, options)
        if not len(self):
            raise ValueError("There are no samples to score; give some to update first.")
        # Resampling may be left out of one result.
        plan = chosen.plan(self.families)
        if not (options and self._plan.streams):
            warn_if_not_resampled(chosen, self.families)
            if self._seed_is_given:
                warn_of_seed(chosen, self.families, self.seed)
        self._texts.warn_of_lines(plan)
        counts = self.counts()
        parts = list_groups(counts, groups)
        scores = score_groups(parts, chosen, self.families, self.seed)
        given = self._texts.given
        if chosen.confidence is not None:
            for key, message in list_interval_warnings(parts, plan, chosen.confidence):
                if key not in given:
                    given.add(key)
                    warn_caller(message)
        for name, applies, warn in plan.warnings:
            if name not in given and applies(scores) and warn(counts):
                given.add(name)
        return scores

    def counts(self) -> SampleCounts:
        """Return the counts of all samples, in their order; there must be at least one.

        Raises:
            ValueError: there are no samples, or a key names two different samples.
        """
        return self._samples.order().counts

    def keys(self) -> Keys | None:
        """Return the keys of all samples, in their order; None if they have no keys."""
        return self._samples.order().keys if len(self) else None

    def signature(self) -> str:
        """Return the line that records how the scores are computed; see ``metric.signature``."""
        counts = [batch.counts.reference_counts for batch in self._samples.batches]
        bounds = [int(bound) for part in counts for bound in (part.min(), part.max())]
        return self.options.write_signature(self.families, reference_counts=bounds, seed=self.seed)

    def sacrebleu_signature(self) -> str:
        """Return sacrebleu's line for the same score; see ``metric.sacrebleu_signature``."""
        return write_sacrebleu_signature(self.signature())

    def reset(self) -> None:
        """Remove all samples."""
        self._samples.replace()
        self._texts.restart()

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the scorer as plain values, to save or to send.

        ``pickle``, ``torch.save`` and ``torch.load`` accept it.

        Returns:
            ``options``: the signature; it only names functions, so two functions of the same name
            cannot be distinguished. ``families``: the families that are scored. ``arrays``: by
            name, each as its type, its shape and its bytes; empty if there are no samples.
            ``lines``: what a warning at the end needs to know of the texts. ``seed``: of
            resampling. ``rank`` and ``world_size``: of this process in ``torch.distributed``; 0
            and 1 if that is not initialised.
        """
        rank, world_size = find_rank()
        # Before the join, so that both are of the same samples.
        batches, lines = self._samples.batches, self._texts.lines
        return {
            "options": self.options.write_signature(self.families),
            "families": list(self.families),
            "arrays": pack_batch(join_batches(batches)) if batches else {},
            "lines": list(astuple(lines)),
            "seed": self.seed,
            "rank": rank,
            "world_size": world_size,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Replace the samples by a copy of a state; an explicit seed of this scorer is kept.

        If this raises, the scorer is unchanged. Among several ranks, a state with samples can be
        loaded only on the rank that made it. A process without other ranks loads the state of any
        rank, to merge them.

        Raises:
            TypeError: the state is not a mapping, or a value is of a wrong type.
            ValueError: it is of other options or of another rank, lacks a key, or holds no counts.
        """
        check_state(state)
        if state["arrays"]:
            check_rank(state["rank"], state["world_size"])
        self._load(state)

    def _load(self, state: Mapping[str, Any]) -> None:
        """Load the state of any rank."""
        theirs = Counted("The other scorer", state["options"], state["families"])
        check_same_counts(self._describe("this one"), theirs)
        arrays, lines = state["arrays"], SentenceLines.from_list(state["lines"])
        batches = (unpack_batch(arrays, self._plan),) if arrays else ()
        self._samples.replace(*batches)
        self._texts.restart(lines)
        self.seed = self.seed if self._seed_is_given else state["seed"]

    def _describe(self, name: str) -> Counted:
        """Return how this scorer counts, with a name for errors."""
        return Counted(name, self.options.write_signature(self.families), self.families)

    def __repr__(self) -> str:
        family = f"{self.families[0]!r}, " if len(self.families) == 1 else ""
        options = write_keywords(self.options.to_keywords(self.families))
        return f"<Scorer({family}{options}): {len(self):,} samples>"

    def __getstate__(self) -> dict[str, Any]:
        # No rank: a pickle makes another scorer, which any rank may merge. Only load_state_dict
        # replaces the samples of a scorer, on all ranks by the same state if a checkpoint has one.
        return {**self.__dict__, "_samples": copy(self._samples), "_texts": copy(self._texts)}
