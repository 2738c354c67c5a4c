"""The options of ROUGE."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, get_args

from ... import checks, schema
from ...checks import check_choice, check_flag
from ...schema import Flag, Foreign, read_rows, row
from ...text.tokenizer import TEXT_TOKENIZERS
from .rules import (
    DEFAULT_ROUGE_TYPES,
    Aggregator,
    MultiReference,
    check_rouge_types,
    check_stemmer,
    to_paths,
    to_words,
)

# The families of this group that use an option.
_EXACT: Final = ("rouge",)
_PREPARED: Final = ("rouge", "coco_rouge")
_PACKAGE: Final = ("rouge_package",)
_AGGREGATE: Final = "ROUGE of all samples"


@dataclass(frozen=True, kw_only=True)
class RougeOptions:
    """The options of ROUGE, with the types of checked values."""

    rouge_types: tuple[str, ...] = row(
        "the ROUGE types: rouge1 to rouge9, rougeL, rougeLsum, rougeW-1.2, rougeS4, rougeSU4 and "
        "similar",
        "counts",
        Flag(
            metavar="TYPE",
            names="--rouge-type",
            text="rouge1 to rouge9, rougeL, rougeLsum, rougeW-1.2, rougeS4, rougeSU4, ...; "
            "separate several with commas, or give the flag again.",
        ),
        kind=schema.NAMES,
        used_by=(*_EXACT, *_PACKAGE),
        default=DEFAULT_ROUGE_TYPES,
        check=check_rouge_types,
        signed="always",
        foreign=(
            Foreign("rouge_keys variants"),
            Foreign("metrics rouge_n rouge_n_max -n", "{rouge_types=['rouge1', 'rouge2']}"),
            Foreign("rouge_l", "{rouge_types=['rougeL']}"),
            Foreign("rouge_w rouge_w_weight weight_factor", "{rouge_types=['rougeW-1.2']}"),
            Foreign(
                "rouge_s rouge_su skip_gap max_skip_bigram -2 -u",
                "{rouge_types=['rougeS4', 'rougeSU4']}",
            ),
        ),
    )
    rouge_tokenizer: str | Callable[[str], list[str]] = row(
        "the tokenizer of ROUGE; overrides tokenizer",
        "counts",
        Flag(text="Overrides --tokenizer.", completions=TEXT_TOKENIZERS),
        default="rouge",
        samples="texts",
        signed="always",
        foreign=(
            Foreign(
                "normalizer",
                "{rouge_tokenizer=}, a callable that normalizes a text and splits it",
                command=None,
            ),
        ),
    )
    use_stemmer: bool | str = row(
        "stem the tokens: True for the Porter stemmer, a language for NLTK's Snowball stemmer",
        "counts",
        Flag(text="Stem the tokens (Porter stemmer)."),
        Flag(
            metavar="LANGUAGE",
            names="--stemmer",
            text="Stem the tokens with NLTK's Snowball stemmer for a language; none turns stemming "
            "off.",
        ),
        kind=schema.STEMMER,
        used_by=_PREPARED,
        default=False,
        check=check_stemmer,
        samples="texts",
        signed="always",
        foreign=(Foreign("stemming stem"),),
    )
    stemmer_exceptions: tuple[str, ...] | None = row(
        "base forms that override the stemmer: WordNet .exc files, or a folder of them",
        "counts",
        Flag(metavar="PATH", more="Repeat for several paths."),
        kind=schema.PATHS,
        used_by=_PREPARED,
        unset="none",
        check=to_paths,
        samples="texts",
    )
    stop_words: str | tuple[str, ...] | None = row(
        "words that ROUGE ignores: a sequence, or a language for NLTK's list",
        "counts",
        Flag(
            metavar="FILE|LANGUAGE",
            text="File of words to ignore, one per line, or a language for NLTK's list.",
        ),
        kind=schema.WORDS,
        used_by=_PREPARED,
        unset="none",
        check=to_words,
        samples="texts",
        foreign=(
            Foreign(
                "stopwords remove_stopwords stopword_removal",
                "{stop_words='english'}, which is NLTK's list, or a sequence of words",
                "--stop-words english, which is NLTK's list, or a file of words",
            ),
        ),
    )
    word_limit: int | None = row(
        "the maximum number of words per text; ROUGE ignores the rest",
        "counts",
        Flag(text="Maximum number of words per text."),
        used_by=_PREPARED,
        unset="no limit",
        check=checks.check_limit,
        samples="texts",
        foreign=(
            Foreign(
                "length_limit limit_length length_limit_type", "{word_limit=} or {byte_limit=}"
            ),
        ),
    )
    byte_limit: int | None = row(
        "the maximum number of bytes per text; ROUGE ignores the rest",
        "counts",
        Flag(text="Maximum number of bytes per text."),
        used_by=_PREPARED,
        unset="no limit",
        check=checks.check_limit,
        samples="texts",
    )
    sentence_splitter: str | Callable[[str], list[str]] = row(
        "splits texts into sentences for rougeLsum: newline, punkt, pysbd, or a callable that "
        "returns a list of sentences",
        "counts",
        Flag(
            text="Splits texts into sentences for rougeLsum: newline, punkt or pysbd. In plain "
            "text, newline finds one sentence per sample."
        ),
        used_by=_EXACT,
        default="newline",
        samples="texts",
        signed="always",
        foreign=(
            Foreign("sentencizer"),
            Foreign("split_summaries", "{sentence_splitter='punkt'} for split_summaries=True"),
            Foreign(
                "newline_sep rouge_newline_sep",
                "{sentence_splitter='punkt'}, or leave it out: a newline in a text ends a sentence "
                "of rougeLsum",
            ),
        ),
    )
    multi_reference: MultiReference = row(
        "how to combine several references into one score",
        "scores",
        used_by=_EXACT,
        default="best",
        signed="always",
        foreign=(
            Foreign(
                "accumulate",
                "{multi_reference='best'} for 'best', {multi_reference='mean'} for 'avg'",
            ),
            Foreign(
                "multiref multi_ref_mode",
                "{multi_reference='best'} for 'best', {multi_reference='mean'} for 'average'",
            ),
            Foreign("apply_avg", "{multi_reference='mean'} for apply_avg=True"),
            Foreign("apply_best", "{multi_reference='best'} for apply_best=True"),
        ),
    )
    beta: float = row(
        "the weight of recall in the F-measure, above 0; math.inf for recall only",
        "scores",
        Flag(text="Weight of recall in the F-measure."),
        used_by=_EXACT,
        default=1.0,
        foreign=(
            Foreign(
                "alpha",
                "{beta=}math.sqrt(1 / alpha - 1) for ROUGE, {smooth_value=}alpha for NLTK's "
                "method6",
                "--beta with the square root of 1 / alpha - 1 for ROUGE, --smooth-value with alpha "
                "for NLTK's method6",
            ),
        ),
    )
    exclusive: bool = row(
        "count each distinct n-gram of a text once, and each distinct word of rouge-l, under the "
        "profile rouge; False counts repetitions",
        "counts",
        Flag(
            panel="ROUGE of the profile rouge",
            names="--exclusive/--no-exclusive",
            text="Count each distinct n-gram once (default), or each repetition.",
        ),
        used_by=_PACKAGE,
        default=True,
        check=check_flag,
    )
    use_aggregator: bool = row(
        "return one ROUGE for all samples; False returns a list with one per sample",
        "output",
        Flag(
            panel=_AGGREGATE,
            names="--use-aggregator/--no-aggregator",
            text="One score for all samples (default), or a list with one per sample, which "
            "requires --format json.",
        ),
        default=True,
        check=check_flag,
        one_number=True,
        foreign=(
            Foreign(
                "avg aggregate -a",
                command="--use-aggregator for one score of all samples, which is the default",
            ),
        ),
    )
    aggregator: Aggregator = row(
        "mean, which is exact, or bootstrap as in the reference; evaluate returns the median of "
        "the means of resamples",
        "aggregation",
        Flag(
            panel=_AGGREGATE,
            text="mean, or bootstrap as in the reference: for evaluate, a median of resamples.",
        ),
        default="mean",
        check=partial(check_choice, choices=get_args(Aggregator)),
        signed="always",
        foreign=(
            Foreign(
                "bootstrap_aggregation", "{aggregator='bootstrap'} for bootstrap_aggregation=True"
            ),
        ),
    )
    detailed: bool = row(
        "return precision, recall and F-measure of ROUGE, not only the F-measure",
        "output",
        Flag(panel="Output", names="--detailed/--no-detailed"),
        default=False,
        check=check_flag,
        foreign=(Foreign("return_precision_and_recall"),),
    )


OPTIONS: Final = read_rows(RougeOptions, "rouge")
