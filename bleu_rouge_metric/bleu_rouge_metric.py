"""BLEU and ROUGE as one metric of the Hugging Face ``evaluate`` library.

``evaluate.load`` runs this file. It copies beside it the siblings that are imported here, by
reading the lines below one by one, so every sibling is named here, also one that only another
sibling needs, on a line of its own and without a comment behind it.

Without a configuration the metric returns the keys of evaluate's ``bleu`` and ``rouge`` together;
the configurations ``"bleu"`` and ``"rouge"`` return those of one.
"""

from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np

from .arrow_texts import to_list
from .bleu import BleuScore
from .byte_limits import count_rouge_of_bytes
from .counts import BleuCounts
from .inputs import Samples
from .inputs import check_samples
from .inputs import concatenate_samples
from .native_kernel import count_threads
from .options import FAMILIES
from .options import Family
from .options import Options
from .perl_porter import stem_perl_porter
from .program_bootstrap import program_intervals
from .python_kernel import Tokens
from .resampling import bootstrap_percentiles
from .rouge import rouge_scores
from .rouge155 import make_tokenizer
from .rouge_formulas import Score
from .rouge_policies import score_samples
from .rouge_types import RougePlan
from .scorer import count_samples
from .scorer import score_counts
from .sentences import SentenceSplitter
from .skip_bigrams import count_skip_bigrams
from .tokenization import Tokenizer
from .weighted_lcs import run_values
from .word_lists import read_exceptions

_DESCRIPTION = """\
BLEU and ROUGE (N, L, Lsum) of generated texts against one or more references, from one load. The
numbers are the very doubles of evaluate's own `bleu` and of `rouge_score`, which evaluate's own
`rouge` wraps; the mean over the samples is exact, so that it is the same on every run.
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

_INPUTS_DESCRIPTION = """
Args:
    predictions: sequence of str, one per sample.
    references: sequence of the same length; each item one str or a sequence of str. Samples with
        one and with several references may be mixed.
    max_order: longest n-gram of BLEU, up to 100; default 4.
    smooth: add one to the matches and totals of every order of BLEU; default False.
    rouge_types: any of "rouge1" to "rouge9", "rougeL", "rougeLsum"; default rouge1, rouge2,
        rougeL and rougeLsum.
    use_stemmer: stem the tokens of ROUGE (Porter); default False.
    use_aggregator: one score for all samples; False gives a list of one score per sample.
    aggregator: "mean" (exact, the default), or "bootstrap" for the median of the means of
        resampled samples, which evaluate's `rouge` returns; seeded by `evaluate.load(..., seed=)`.
    n_resamples: resamples of "bootstrap"; default 1000.
    tokenizer: "13a", "rouge", "whitespace", "char", or a callable str -> list[str], for both;
        `bleu_tokenizer` (default "13a") and `rouge_tokenizer` (default "rouge") go before it.
    sentence_splitter: for rougeLsum, "newline" (default) or a callable str -> list[str].
    detailed: precision, recall and fmeasure of ROUGE in place of the F-measure; default False.
    sentence_bleu: add "sentence_bleu", a list of the BLEU of each sample; default False.
Returns:
    A dict of "bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length",
    "reference_length", then one item per ROUGE type. Scores are in [0, 1].
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

    Samples are checked as they come and held in memory: no file, no lock, and the metric can be
    pickled at any time. Only with ``num_process > 1`` do they go to the files of the base class;
    then the metric can be pickled while it holds none.
    """

    def __init__(
        self, config_name: str | None = None, *, seed: int | None = None, **kwargs: Any
    ) -> None:
        for option in fields(Options):
            if option.name in kwargs:
                raise TypeError(f"{option.name!r} is an option of compute, not of load.")
        if seed is not None:
            np.random.RandomState(seed)  # raises for what is no seed
        super().__init__(config_name, seed=seed, **kwargs)
        self._batches: list[Samples] = []
        # Of the base class, for what the processes of num_process > 1 share.
        self.file_paths: list[str] | None
        self.filelocks: list[Any] | None
        self.filelock: Any
        self.rendez_vous_lock: Any

    def _info(self) -> evaluate.MetricInfo:
        if self.config_name not in ("default", *FAMILIES):
            raise ValueError(
                f"Unknown configuration {self.config_name!r}; expected 'bleu' or 'rouge' for the "
                "scores of one family, or no configuration for both."
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
            reference_urls=[
                "https://aclanthology.org/P02-1040",
                "https://aclanthology.org/W04-1013",
            ],
            license="Apache-2.0",
        )

    @property
    def _families(self) -> Sequence[Family]:
        """The families that the configuration asks for."""
        return [family for family in FAMILIES if self.config_name in ("default", family)]

    def __len__(self) -> int:
        """How many samples are held."""
        if self.num_process > 1:
            return int(super().__len__())
        return sum(len(batch.predictions) for batch in self._batches)

    def add(
        self,
        *,
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
        prediction = predictions if prediction is None else prediction
        reference = references if reference is None else reference
        for name, value in (("prediction", prediction), ("reference", reference)):
            if value is None:
                raise TypeError(f"{name} is None or missing; expected a text (str).")
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: object = None, references: object = None) -> None:
        """Add samples: predictions (str each) and references (str or a sequence of str each).

        Raises:
            TypeError: a container or an item is of a type that cannot be scored.
            ValueError: there is no sample, the lengths differ, or a sample has no reference.
        """
        batch = check_samples(predictions, references)
        if self.num_process == 1:
            self._batches.append(batch)
            return
        with self._file_guard():
            super().add_batch(
                predictions=to_list(batch.predictions),
                references=[references for _, references in batch.by_sample()],
            )

    def compute(
        self, *, predictions: object = None, references: object = None, **kwargs: Any
    ) -> dict[str, Any] | None:
        """Scores of all the samples that were added, and of those given here.

        The samples are forgotten afterwards. After an error the metric holds what it held before,
        or nothing where ``num_process > 1``.

        Args:
            predictions: sequence of str, or None to score what was added.
            references: sequence of str or of sequences of str, as long as ``predictions``.
            **kwargs: the options listed below.

        Returns:
            The scores by name; None on all processes but the first where ``num_process > 1``.

        Raises:
            TypeError: an option is unknown, or a value is of a wrong type.
            ValueError: a value is out of range, or the samples do not fit together.
        """
        options = Options.from_keywords(kwargs, self._families)
        given = predictions is not None or references is not None
        if self.num_process > 1:
            if given:
                self.add_batch(predictions=predictions, references=references)
            if not len(self):
                raise ValueError(
                    f"Process {self.process_id} has no samples to score; "
                    "with num_process > 1 every process needs at least one."
                )
            with self._file_guard():
                result: dict[str, Any] | None = super().compute(**kwargs)
            self._forget_files()
            return result
        batches = list(self._batches)
        if given:
            batches.append(check_samples(predictions, references))
        if not batches:
            raise ValueError(
                "There are no samples to score; give predictions and references, "
                "or add some first with add or add_batch."
            )
        scores = self._score(concatenate_samples(batches), options)
        self._batches = []
        return scores

    @contextmanager
    def _file_guard(self) -> Iterator[None]:
        """Where the files of the base class fail, lets go of them, so that a new round can start.

        The base class itself would keep its locks.
        """
        try:
            yield
        except BaseException:
            for path in self.file_paths or []:
                Path(path).unlink(missing_ok=True)
            self._forget_files()
            raise

    def _forget_files(self) -> None:
        """Releases every lock of the base class; leaves it as it was before the first sample."""
        for lock in (*(self.filelocks or []), self.filelock, self.rendez_vous_lock):
            if lock is not None:
                lock.release()
        self.file_paths = self.filelocks = self.filelock = self.rendez_vous_lock = None
        self.cache_file_name = self.writer = self.data = self.selected_feature_format = None

    def _compute(
        self,
        *,
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        max_order: int | None = None,
        smooth: bool | None = None,
        rouge_types: Sequence[str] | None = None,
        use_stemmer: bool | None = None,
        use_aggregator: bool | None = None,
        aggregator: str | None = None,
        n_resamples: int | None = None,
        tokenizer: str | Tokenizer | None = None,
        bleu_tokenizer: str | Tokenizer | None = None,
        rouge_tokenizer: str | Tokenizer | None = None,
        sentence_splitter: str | SentenceSplitter | None = None,
        detailed: bool | None = None,
        sentence_bleu: bool | None = None,
    ) -> dict[str, Any]:
        """Scores of the samples of all processes; the base class calls it where num_process > 1."""
        options = Options.from_keywords(
            {
                "max_order": max_order,
                "smooth": smooth,
                "rouge_types": rouge_types,
                "use_stemmer": use_stemmer,
                "use_aggregator": use_aggregator,
                "aggregator": aggregator,
                "n_resamples": n_resamples,
                "tokenizer": tokenizer,
                "bleu_tokenizer": bleu_tokenizer,
                "rouge_tokenizer": rouge_tokenizer,
                "sentence_splitter": sentence_splitter,
                "detailed": detailed,
                "sentence_bleu": sentence_bleu,
            }
        )
        return self._score(check_samples(predictions, references), options)

    def _score(self, samples: Samples, options: Options) -> dict[str, Any]:
        """Scores of checked samples."""
        counts = count_samples(samples, options, self._families)
        return dict(score_counts(counts, options, seed=self.seed))
