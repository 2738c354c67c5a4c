"""The ``evaluate.Metric``: BLEU and ROUGE, or one of them.

Without a configuration the metric returns the keys of evaluate's ``bleu`` and ``rouge`` together;
the configurations ``"bleu"`` and ``"rouge"`` return the keys of one. The name of any other profile
is a configuration too: ``evaluate.load(path, "sacrebleu")``.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import datasets
import evaluate

from ..checks import check_seed, find_closest, hint_at
from ..families.registry import list_groups
from ..fork_locks import make_fork_lock
from ..options.errors import find_remedy, refuse_positional
from ..options.options import Options
from ..options.profiles import PROFILES, Family, check_family
from ..options.sacrebleu_signature import write_sacrebleu_signature
from ..options.table import OPTIONS, write_arguments
from ..samples.inputs import Samples, check_samples, concatenate_samples
from ..samples.token_ids import IDS
from ..scoring.results import check_labels, find_single_pair, read_pair
from ..scoring.scorer import Scorer
from ..text.warnings import warn_caller
from .trainer import ComputeMetrics, compute_metrics

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_SAMPLES: Final = ("predictions", "references")
_LOAD: Final = ("load", "evaluate.loading")

_DESCRIPTION = """\
BLEU and ROUGE (N, L, Lsum, W, S, SU) of generated texts with one or more references. By default,
the scores are bit-identical to evaluate's `bleu` and to `rouge_score`, which evaluate's `rouge`
uses. A profile selects another reference: sacrebleu, NLTK, Google BLEU, ROUGE-1.5.5 or the paper of
ROUGE. The mean over the samples is exact and therefore the same in every run.
"""

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = {{BLEU}: a Method for Automatic Evaluation of Machine Translation},
    author = {Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing},
    booktitle = {Proceedings of the 40th Annual Meeting of the ACL},
    year = {2002},
    pages = {311--318},
    url = {https://aclanthology.org/P02-1040}
}
@inproceedings{lin-2004-rouge,
    title = {{ROUGE}: A Package for Automatic Evaluation of Summaries},
    author = {Lin, Chin-Yew},
    booktitle = {Text Summarization Branches Out},
    year = {2004},
    pages = {74--81},
    url = {https://aclanthology.org/W04-1013}
}
"""

_INPUTS_DESCRIPTION = f"""
Args:
    predictions: sequence of str, one per sample.
    references: sequence of the same length; each item is one str or a sequence of str. Samples with
        one and with several references may be mixed.
    groups: one label (str or int) per sample; adds the key "groups" with the scores of each label.
{write_arguments()}
Returns:
    A dict with "bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length",
    "reference_length", then one item per ROUGE type; or with the keys of the profile's reference.
    Scores are in [0, 1], or in [0, 100] with the profile "sacrebleu"; the manual lists two
    exceptions.
Examples:

    >>> metric = evaluate.load("./bleu_rouge_metric")
    >>> scores = metric.compute(
    ...     predictions=["Paris is not the capital of France"],
    ...     references=[["Paris is the biggest French city"]],
    ...     max_order=1,
    ... )
    >>> scores["bleu"], scores["rouge2"]
    (0.42857142857142855, 0.1818181818181818)
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS_DESCRIPTION)
class BleuRougeMetric(evaluate.Metric):
    """BLEU and ROUGE of predictions against references.

    Samples are checked when they are added and stored in memory, not in files, so the metric can be
    pickled and copied at any time. Files are used only with ``num_process > 1``, while ``compute``
    transfers the samples of the other processes to process 0.

    Threads may share a metric: no sample is lost or scored twice. ``compute`` also scores the added
    samples, so threads that pass their own samples to ``compute`` must not add any.
    """

    # Of all metrics: it is held for a moment at a time, and a fork has to wait for it.
    _lock = make_fork_lock()

    # Of the base class, which has no types.
    cache_file_name: Any
    filelock: Any
    rendez_vous_lock: Any
    writer: Any

    def __init__(
        self, config_name: str | None = None, *, seed: int | None = None, **kwargs: Any
    ) -> None:
        for name, value in kwargs.items():
            if name in OPTIONS or name == "groups":
                raise TypeError(f"{name!r} is an option of compute, not of load.")
            if remedy := find_remedy(name, value):
                raise TypeError(f"Unknown argument {name!r} of load; in compute {remedy}.")
        super().__init__(config_name, seed=check_seed(seed), **kwargs)
        _warn_of_other_sources()
        # Families have the names of some profiles, and precedence.
        is_profile = self.config_name not in ("default", *list_groups())
        self._preset = {"profile": self.config_name} if is_profile else {}
        self._families: Sequence[Family] = (
            PROFILES[self.config_name].families
            if is_profile
            else check_family(None if self.config_name == "default" else self.config_name)
        )
        # evaluate draws a NumPy integer if none is given.
        self.seed: int = int(self.seed)
        self._batches: list[Samples] = []
        self._calls = 0  # of compute, if there are several processes
        self._warned: set[str] = set()  # names of the warnings that come once
        # The line of the last scores, or what it is written from.
        self._signature: str | Callable[[], str] = partial(
            Options(**self._preset).write_signature, self._families, seed=self.seed
        )

    def _info(self) -> evaluate.MetricInfo:
        groups = list_groups()
        if self.config_name not in ("default", *groups, *PROFILES):
            raise ValueError(
                f"Unknown configuration {self.config_name!r}; expected "
                f"{' or '.join(map(repr, groups))} for the scores of one family, a profile such as "
                "'sacrebleu', or no configuration for both."
                f"{hint_at(find_closest(self.config_name, [*groups, *PROFILES]))}"
            )
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS_DESCRIPTION,
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
            homepage="https://pypi.org/project/bleu-rouge-metric/",
            reference_urls=[
                "https://aclanthology.org/P02-1040",
                "https://aclanthology.org/W04-1013",
            ],
            license="Apache-2.0",
        )

    def _choose_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options that were given, and the profile of the configuration."""
        if not self._preset:
            return {**given}
        if given.get("profile") not in (None, self.config_name):
            raise ValueError(
                f"profile is {given['profile']!r}, but the metric was loaded with the profile "
                f"{self.config_name!r}; leave it out, or load the metric without a configuration."
            )
        return {**given, **self._preset}

    def __repr__(self) -> str:
        family = "" if self.config_name == "default" else f"{self.config_name!r}, "
        return f"<BleuRougeMetric({family}seed={self.seed}): stored examples: {len(self)}>"

    def __len__(self) -> int:
        """Return the number of collected samples."""
        return sum(len(batch.predictions) for batch in self._batches)

    def add(
        self,
        *positional: object,
        prediction: object = None,
        reference: object = None,
        predictions: object = None,
        references: object = None,
    ) -> None:
        """Add one sample: a prediction (str) and its reference (str, or a sequence of str).

        ``predictions`` and ``references`` are other names for the same two arguments;
        ``evaluate.combine`` uses them.

        Raises:
            TypeError: the prediction or a reference is not a text.
            ValueError: there is no reference.
        """
        refuse_positional("add", positional, "prediction", "reference")
        prediction = predictions if prediction is None else prediction
        reference = references if reference is None else reference
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(
        self, *positional: object, predictions: object = None, references: object = None
    ) -> None:
        """Add samples: predictions (str each) and references (str or a sequence of str each).

        Raises:
            TypeError: a container or an item is of a type that cannot be scored.
            ValueError: there is no sample, the lengths differ, or a sample has no reference.
        """
        refuse_positional("add_batch", positional, *_SAMPLES)
        batch = self._check(predictions, references)
        with self._lock:
            self._batches.append(batch)

    def _check(self, predictions: object, references: object, *, of_ids: bool = False) -> Samples:
        """Return checked samples; token ids are refused if there are several processes."""
        samples = check_samples(predictions, references, of_ids=of_ids)
        if self.num_process > 1 and samples.are_ids:
            raise TypeError(
                "predictions are sequences of token ids, but with num_process > 1 evaluate shares "
                "only texts; use a Scorer and its all_reduce."
            )
        return samples

    def compute(
        self,
        *positional: object,
        predictions: object = None,
        references: object = None,
        groups: object = None,
        **kwargs: Any,
    ) -> dict[str, Any] | None:
        """Return the scores of all added samples and of the samples in this call.

        The samples are removed afterwards. If this raises, the added samples are kept.

        If ``num_process > 1``, evaluate gathers the samples through its files: all processes must
        have samples, and call ``compute`` equally often. Ranks of torch use ``Scorer.all_reduce``.

        Args:
            *positional: none; an error says which keywords to use.
            predictions: sequence of str, or None to score what was added.
            references: sequence of str or of sequences of str, as long as ``predictions``.
            groups: one label (str or int) per sample, first of the added samples. Adds the key
                ``groups`` with the scores of each label.
            **kwargs: the options listed below.

        Returns:
            The scores by name; if ``num_process > 1``, None on all processes except the first.

        Raises:
            TypeError: an option is unknown, or a value is of a wrong type.
            ValueError: a value is out of range, or the samples do not fit together; or
                ``num_process > 1``, and there are groups, or another process did not come.
        """
        refuse_positional("compute", positional, *_SAMPLES)
        if self.num_process > 1:
            # First: a call that fails here counts as one too.
            self._calls += 1
            if groups is not None:
                raise ValueError(
                    f"groups is given, but num_process is {self.num_process}, and the labels of "
                    "the other processes are not gathered; use a Scorer and its all_reduce, or "
                    "leave the groups out."
                )
        options = Options.from_keywords(self._choose_options(kwargs), self._families)
        if groups is None and not self._batches and self.num_process == 1:
            # Fast path: equals the lines below for one sample of plain texts, in a tenth of
            # the time (bench/latency.py).
            pair = read_pair(predictions, references)
            single = find_single_pair(options, self._families) if pair else None
            scores = single(*pair, self._warned) if pair and single else None
            if pair and scores is not None:
                self._sign(options, len(pair[1]), len(pair[1]))
                return scores
        batches = []
        if predictions is not None or references is not None:
            of_ids = kwargs.get("tokenizer") == IDS
            batches.append(self._check(predictions, references, of_ids=of_ids))
        with self._take() as held:
            batches = [*held, *batches]
            if not batches:
                raise ValueError(
                    "There are no samples to score; give predictions and references, "
                    "or add some first with add or add_batch."
                )
            samples = concatenate_samples(batches)
            if self.num_process > 1:
                gathered = self._gather(samples)
                return None if gathered is None else self._score(gathered, options)
            if groups is not None:
                labels = check_labels("groups", groups, len(samples.predictions))
                groups = [labels.names[number] for number in labels.numbers]
            return self._score(samples, options, groups)

    def _sign(self, options: Options, least: int, most: int) -> None:
        """Keep what the signature is written from: options, and the counts of references."""
        self._signature = partial(
            options.write_signature,
            self._families,
            reference_counts=(least, most),
            seed=self.seed,
        )

    @contextmanager
    def _take(self) -> Iterator[list[Samples]]:
        """Remove the added batches and yield them; after an error, put the list back."""
        with self._lock:
            held, self._batches = self._batches, []
        try:
            yield held
        except BaseException:
            with self._lock:
                self._batches = held + self._batches
            raise

    def _gather(self, samples: Samples) -> Samples | None:
        """Return the samples of all processes on process 0, through the files of evaluate."""
        texts = zip(*samples.by_sample(), strict=True)
        columns = dict(zip(_SAMPLES, map(list, texts), strict=True))
        experiment = self.experiment_id
        # A process that is ahead waits for files of this name and reads no others.
        self.info.experiment_id = f"{experiment}-{self._calls}"
        try:
            evaluate.Metric.add_batch(self, **columns)
            gathered: dict[str, Any] | None = evaluate.Metric.compute(self)
        except BaseException:
            if self.cache_file_name is not None:
                Path(self.cache_file_name).unlink(missing_ok=True)
            raise
        finally:
            for lock in (self.filelock, self.rendez_vous_lock):
                if lock is not None:
                    lock.release()
            # Nothing of this call is left, and locks cannot be pickled.
            self.writer = self.cache_file_name = self.filelock = None
            self.rendez_vous_lock = self.filelocks = self.file_paths = None
            self.info.experiment_id = experiment
        return None if gathered is None else check_samples(**gathered)

    def _compute(self, predictions: object, references: object) -> dict[str, Any]:
        """Return what evaluate gathered from all processes."""
        return {"predictions": predictions, "references": references}

    def _score(self, samples: Samples, options: Options, groups: object = None) -> dict[str, Any]:
        """Return the scores of samples, and keep what their signature is written from."""
        scorer = Scorer.from_options(options, self._families, self.seed, self._warned)
        scorer.update_samples(samples)
        scores = scorer.result(groups=groups)
        counts = scorer.counts().reference_counts
        self._sign(options, int(counts.min()), int(counts.max()))
        return dict(scores)

    def compute_metrics(self, tokenizer: Any = None, **keywords: Any) -> ComputeMetrics:
        """Return a hook for ``Trainer(compute_metrics=...)`` with this configuration and seed.

        Args:
            tokenizer: the model's tokenizer or processor; None scores token ids without texts.
            **keywords: ``prefix``, ``percent``, ``num_samples``, ``causal`` and ``strip``, as
                ``bleu_rouge_metric.compute_metrics`` takes them, and the options of ``compute``.

        Raises:
            TypeError: an argument is of a wrong type, or an option is unknown.
            ValueError: a value is out of range, or an option gives lists.
        """
        family = self._families[0] if len(self._families) == 1 else None
        chosen = self._choose_options(keywords)
        return compute_metrics(tokenizer, family=family, seed=self.seed, **chosen)

    def signature(self) -> str:
        """Return one line that records how the last scores were computed.

        Before the first ``compute`` it is that of the default options. ``Options.from_signature``
        parses it.
        """
        signature = self._signature
        return signature if isinstance(signature, str) else signature()

    def sacrebleu_signature(self) -> str:
        """Return sacrebleu's signature of the last score of the profile ``sacrebleu``.

        For example ``nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0``. ``signature``
        is more complete.

        Raises:
            ValueError: there is no score of this profile yet, or sacrebleu lacks an option of it.
        """
        return write_sacrebleu_signature(self.signature())

    def __getstate__(self) -> dict[str, Any]:
        """Return what can be pickled and copied: the signature as text, not as a function."""
        with self._lock:
            state = {
                **self.__dict__,
                "_batches": list(self._batches),
                "_signature": self.signature(),
            }
        # The base class bound these to this very metric.
        for name in ("add", "add_batch", "compute"):
            state.pop(name, None)
        return state


def _warn_of_other_sources() -> None:
    """Warn if the folder given to ``evaluate.load`` has other sources than the imported package."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - evaluate passes the path to nobody
    # A caller may have wrapped the name of the function.
    while frame and (frame.f_code.co_name, frame.f_globals.get("__name__")) != _LOAD:
        frame = frame.f_back
    if frame is None or "path" not in frame.f_locals:
        return
    path = Path(frame.f_locals["path"]).resolve()
    folder = path.parent if path.is_file() else path
    is_package = (folder / "integrations" / Path(__file__).name).is_file()
    if is_package and folder != _PACKAGE and _read_sources(folder) != _read_sources(_PACKAGE):
        warn_caller(
            f"evaluate.load was given {folder}, but the package that runs is {_PACKAGE}, whose "
            "sources differ. To run the package in the given folder, install it (pip install . in "
            "its clone), or uninstall the other package, and start Python again."
        )


@lru_cache(maxsize=16)
def _read_sources(folder: Path) -> dict[str, bytes]:
    """Return the sources of a folder, which is read once."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.py")}
