"""Scores of samples that come in batches, from several processes, or from several machines.

A ``Scorer`` counts the samples that it is given and forgets their texts. What it keeps, a few
integers a sample, can be merged, saved and sent, and gives the very scores of all texts at once.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import astuple
from typing import TYPE_CHECKING, Any, Final

from ..fork_locks import make_fork_lock
from ..options.arguments import name_arguments
from ..options.checks import check_seed
from ..options.options import Options, write_keywords
from ..options.plans import Plan
from ..options.profiles import FAMILIES, Family, check_family
from ..options.relevance import check_same_functions
from ..options.sacrebleu_signature import write_sacrebleu_signature
from ..options.signature import find_difference, split_signature
from ..samples.inputs import Samples, check_samples
from ..text.letter_warnings import LetterLosses
from ..text.warnings import SentenceLines
from .batches import (
    CountedBatch,
    Keys,
    check_keys,
    check_state,
    join_batches,
    pack_batch,
    sort_batch,
    unpack_batch,
)
from .counting import count_samples
from .groups import score_groups
from .lost_texts import warn_of_lost_texts
from .ranks import gather_states
from .resampling_options import warn_if_not_resampled, warn_of_seed
from .result_options import choose_options
from .results import Value
from .sample_counts import SampleCounts
from .zero_bleu import warn_of_zero_bleu

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

# Batches are joined up to this number of samples: few batches to go through, little to copy.
_MOST_JOINED: Final = 1 << 16


class Scorer:
    """Counts of samples that grow batch by batch, and the scores of all of them.

    It holds 80 bytes a sample with the default options: 20 for BLEU of four orders, 4 for each
    reference, 12 for each reference and ROUGE type, 8 for the number of references; and 8 for a
    key. Threads may share it. It can be pickled at any time, if the functions among its options
    can.

    Samples keep the order in which they came, which scores of single samples, resampling and some
    smoothings of NLTK depend on. Where it is not that of the data, as with ranks and shards, keys
    give it: they are unique names of the samples, and the samples are in their order. A sample that
    comes again under its key counts once.

    Attributes:
        options: checked; what ``metric.compute`` takes.
        families: the families that are scored.
        seed: of the random stream of resampling: the one that was given, or one that was drawn.

    >>> scorer = Scorer("rouge", rouge_types=["rouge1"])
    >>> scorer.update(["the cat"], ["the cat sat"])
    >>> scorer.update(["a dog"], [["the dog", "a cat"]])
    >>> scorer.result(), scorer.result(use_aggregator=False)
    ({'rouge1': 0.65}, {'rouge1': [0.8, 0.5]})
    """

    # Of all scorers: it is held for a moment at a time, and a fork has to wait for it.
    _lock = make_fork_lock()

    def __init__(
        self,
        family: Family | None = None,
        *,
        seed: int | None = None,
        **options: "Unpack[OptionKeywords]",
    ) -> None:
        """Takes no samples yet.

        Args:
            family: ``"bleu"`` or ``"rouge"`` for one alone; None for both.
            seed: of the random stream of resampling, below 2 ** 32; None to draw one, which the
                signature then says.
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
        families: Sequence[Family] = FAMILIES,
        seed: int | None = None,
        warned: set[str] | None = None,
    ) -> "Scorer":
        """Return a scorer of options that are checked already.

        Args:
            options: checked options.
            families: the families that are scored.
            seed: of the random stream of resampling; None to draw one.
            warned: names of the warnings that come once for several scorers; they share it.
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
        self.seed = secrets.randbits(32) if given is None else given
        self._seed_is_given = False
        self._batches: list[CountedBatch] = []
        self._has_warned = False
        self._warned = set() if warned is None else warned
        self._letters = LetterLosses(self._warned)
        self._lines = SentenceLines()

    @property
    def _plan(self) -> Plan:
        return self.options.plan(self.families)

    def __len__(self) -> int:
        """Count the samples held; one that came twice under a key counts twice until scored."""
        with self._lock:
            return sum(batch.n_samples for batch in self._batches)

    @name_arguments
    def update(self, predictions: object, references: object, *, keys: object = None) -> None:
        """Counts more samples. After an error the scorer holds what it held before.

        Args:
            predictions: sequence of str, one per sample.
            references: sequence of the same length; each item one str or a sequence of str.
            keys: sequence of ints, one per sample, such as its index in the data set; None if
                the samples come in their order.

        Raises:
            TypeError: an item is of a type that cannot be scored, or a key is no int.
            ValueError: there is no sample, the lengths differ, or some samples have keys and
                others have none.
        """
        samples = check_samples(predictions, references)
        self.update_samples(samples, keys)

    def update_samples(self, samples: Samples, keys: object = None) -> None:
        """Like ``update``, for samples that are checked already."""
        checked = check_keys(keys, len(samples.predictions))
        self._check_keyed(checked is not None)
        plan = self._plan.counting
        counts = count_samples(samples, plan)
        if not self._has_warned:
            self._has_warned = warn_of_lost_texts(samples, counts, plan, self._letters)
        self.update_counts(counts, checked)
        if plan.line_types and not samples.are_ids:
            with self._lock:
                self._lines.add(samples)

    def update_counts(self, counts: SampleCounts, keys: object = None) -> None:
        """Like ``update``, for samples that were counted elsewhere with the same options."""
        checked = check_keys(keys, len(counts.reference_counts))
        if not len(counts.reference_counts):
            return
        with self._lock:
            self._check_keyed(checked is not None)
            self._append(CountedBatch(counts, checked))

    def _check_keyed(self, is_keyed: bool) -> None:  # noqa: FBT001 - private
        """Raise ValueError if samples with keys would meet samples without."""
        with self._lock:
            if self._batches and (self._batches[0].keys is not None) != is_keyed:
                held, given = ("have none", "keys") if is_keyed else ("have keys", "no keys")
                raise ValueError(
                    f"The samples held so far {held}, but those given now have {given}; "
                    "give keys for all samples, or for none."
                )

    def _append(self, batch: CountedBatch) -> None:
        """Add a batch; join it with smaller ones before it, so that there are few."""
        self._batches.append(batch)
        while len(self._batches) > 1:
            last = self._batches[-1].n_samples
            before = self._batches[-2].n_samples
            # Each sample is copied once for each doubling of its batch.
            if before >= 2 * last or before + last > _MOST_JOINED:
                break
            self._batches[-2:] = [join_batches(self._batches[-2:])]

    def merge(self, other: "Scorer") -> None:
        """Take in the samples of another scorer, behind its own; the other stays as it is.

        Raises:
            TypeError: the other is no scorer.
            ValueError: its options differ, or only one of the two has keys.
        """
        if not isinstance(other, Scorer):
            raise TypeError(f"other is of type {type(other).__name__}; expected a Scorer.")
        self._check_same(other._write_options(), other.families)  # noqa: SLF001 - of this class
        check_same_functions(self.options, other.options)
        theirs = other.__getstate__()
        with self._lock:
            for batch in theirs["_batches"]:
                self._check_keyed(batch.keys is not None)
                self._append(batch)
            self._lines.merge(theirs["_lines"])

    def all_reduce(self, group: Any = None) -> "Scorer":
        """Return a scorer of the samples of all ranks, on each rank; this one keeps its own alone.

        The ranks are those of ``torch.distributed``, which accelerate and the Trainer initialise;
        in a single process it is a copy. Counts travel, no texts. Samples are in the order of their
        keys, or rank after rank. Every rank calls it, also one without samples.

        Args:
            group: of ranks; None for all.

        Raises:
            ValueError: options differ among the ranks, or only some of them have keys, on every
                rank; this rank is not in the group; or there are ranks, but no
                ``torch.distributed`` for them.
        """
        return self._merge_states(gather_states(self.state_dict(), group))

    def gather(self, dst: int = 0, group: Any = None) -> "Scorer | None":
        """Like ``all_reduce``, on one rank alone; None on the others.

        Args:
            dst: that rank, as ``torch.distributed`` counts all ranks.
            group: of ranks; None for all.
        """
        states = gather_states(self.state_dict(), group, dst)
        return self._merge_states(states) if states else None

    def _merge_states(self, states: Iterable[Mapping[str, Any]]) -> "Scorer":
        """Return a scorer of the samples of all states, which have the options of this one."""
        states = list(states)
        # That of the first, so that resampling is the same on every rank.
        seed = states[0]["seed"]
        merged = Scorer.from_options(self.options, self.families, seed, self._warned)
        for state in states:
            part = Scorer.from_options(self.options, self.families)
            part.load_state_dict(state)
            merged.merge(part)
        return merged

    def result(
        self, *, groups: object = None, **options: "Unpack[OptionKeywords]"
    ) -> dict[str, Value]:
        """The scores of all samples, as ``metric.compute`` gives them; the samples are kept.

        Args:
            groups: one label (str or int) per sample, in the order of the samples, which with keys
                is that of the keys. The key ``groups`` then has the scores of the samples of each
                label.
            **options: options that change no counts, such as ``smooth``, ``multi_reference``,
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
        if not (options and self._plan.is_resampled):
            warn_if_not_resampled(chosen, self.families)
            if self._seed_is_given:
                warn_of_seed(chosen, self.families, self.seed)
        self._lines.warn(self._plan.counting.line_types)
        counts = self.counts()
        scores = score_groups(counts, groups, chosen, self.families, self.seed)
        warn_of_zero_bleu(scores, counts, chosen.plan(self.families).scoring.bleu, self._warned)
        return scores

    def counts(self) -> SampleCounts:
        """Return the counts of all samples, in their order; at least one sample.

        Raises:
            ValueError: there are no samples, or a key names two different samples.
        """
        with self._lock:
            if not self._batches:
                raise ValueError("There are no samples; give some to update first.")
            batch = self._batches[0] if len(self._batches) == 1 else join_batches(self._batches)
            if batch.keys is not None:
                batch = sort_batch(batch.counts, batch.keys)
            self._batches = [batch]
            return batch.counts

    def keys(self) -> Keys | None:
        """Return the keys of all samples, in their order; None if they came without keys."""
        if not len(self):
            return None
        self.counts()
        with self._lock:
            return self._batches[0].keys

    def signature(self) -> str:
        """Return one line that says how the scores are made, as ``metric.signature`` gives it."""
        with self._lock:
            counts = [batch.counts.reference_counts for batch in self._batches]
        bounds = [int(bound) for part in counts for bound in (part.min(), part.max())]
        return self.options.write_signature(self.families, reference_counts=bounds, seed=self.seed)

    def sacrebleu_signature(self) -> str:
        """Return sacrebleu's line for the same score; see ``metric.sacrebleu_signature``."""
        return write_sacrebleu_signature(self.signature())

    def reset(self) -> None:
        """Forget all samples."""
        with self._lock:
            self._batches = []
            self._has_warned = False
            self._letters = LetterLosses(self._warned)
            self._lines = SentenceLines()

    def state_dict(self) -> dict[str, Any]:
        """Return all that is held, as plain values, to save or to send.

        ``pickle``, ``torch.save`` and ``torch.load`` take it as it is.

        Returns:
            ``options``: the line of the signature; it only names functions, so two functions of
            the same name look alike. ``families``: the families that are scored. ``arrays``: by
            name, each as its type, its shape and its bytes; empty if there are no samples.
            ``lines``: what a warning at the end needs to know of the texts. ``seed``: of
            resampling.
        """
        with self._lock:
            batch = join_batches(self._batches) if self._batches else None
            lines = list(astuple(self._lines))
        return {
            "options": self._write_options(),
            "families": list(self.families),
            "arrays": {} if batch is None else pack_batch(batch),
            "lines": lines,
            "seed": self.seed,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Hold a copy of what the state says; a seed that was given to this scorer stays.

        After an error the scorer holds what it held before.

        Raises:
            TypeError: the state is no mapping, or a value is of a wrong type.
            ValueError: it is of other options, lacks a key, or holds no counts.
        """
        check_state(state)
        self._check_same(state["options"], state["families"])
        arrays, lines = state["arrays"], SentenceLines.from_list(state["lines"])
        batches = [unpack_batch(arrays, self._plan.counting)] if arrays else []
        with self._lock:
            self._batches = batches
            self._has_warned = False
            self._letters = LetterLosses(self._warned)
            self._lines = lines
            self.seed = self.seed if self._seed_is_given else state["seed"]

    def _write_options(self) -> str:
        return self.options.write_signature(self.families)

    def _check_same(self, line: str, families: Sequence[str]) -> None:
        """Raise ValueError if another scorer has other options; name the first that differs.

        Args:
            line: the signature of the other scorer.
            families: the families that it scores.
        """
        ours, theirs = split_signature(self._write_options()), split_signature(line)
        ours = {"families": " and ".join(self.families), **ours}
        theirs = {"families": " and ".join(families), **theirs}
        difference = find_difference(ours, theirs)
        if difference is not None:
            name, here, there = difference
            raise ValueError(
                f"The other scorer has {name} {there}, but this one has {here}; "
                "counts can be merged only if all options are the same."
            )

    def __repr__(self) -> str:
        # Without the lock: a debugger may ask while another thread holds it.
        samples = sum(batch.n_samples for batch in list(self._batches))
        family = f"{self.families[0]!r}, " if len(self.families) == 1 else ""
        options = write_keywords(self.options.to_keywords(self.families))
        return f"<Scorer({family}{options}): {samples:,} samples>"

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            own = {"_batches": list(self._batches), "_lines": copy(self._lines)}
            return {**self.__dict__, **own}
