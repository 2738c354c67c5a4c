"""The options of ROUGE."""

from functools import partial
from typing import Final, get_args

from ...checks import check_choice, check_flag
from ...schema import checks, kinds
from ...schema.option import Flag, Foreign, Option
from ...text.tokenizers import TEXT_TOKENIZERS
from .option_checks import (
    AGGREGATORS,
    DEFAULT_ROUGE_TYPES,
    check_rouge_types,
    check_stemmer,
    to_paths,
    to_words,
)
from .rules import MultiReference

_ROUGE: Final = ("rouge",)
# The families of this group that use an option.
_EXACT: Final = ("rouge",)
_PREPARED: Final = ("rouge", "coco_rouge")
_PACKAGE: Final = ("rouge_package",)
_AGGREGATE: Final = "ROUGE of all samples"

OPTIONS: Final = (
    Option(
        name="rouge_types",
        kind=kinds.NAMES,
        effect="counts",
        text="the ROUGE types: rouge1 to rouge9, rougeL, rougeLsum, rougeW-1.2, rougeS4, rougeSU4 "
        "and similar",
        families=_ROUGE,
        used_by=(*_EXACT, *_PACKAGE),
        default=DEFAULT_ROUGE_TYPES,
        check=check_rouge_types,
        signed="always",
        flags=(
            Flag(
                metavar="TYPE",
                panel="ROUGE",
                names="--rouge-type",
                text="rouge1 to rouge9, rougeL, rougeLsum, rougeW-1.2, rougeS4, rougeSU4, ...; "
                "separate several with commas, or give the flag again.",
                is_list=True,
            ),
        ),
        foreign=(
            Foreign(("rouge_keys", "variants")),
            Foreign(
                ("metrics", "rouge_n", "rouge_n_max"),
                "{rouge_types=['rouge1', 'rouge2']}",
                flags=("-n",),
            ),
            Foreign(("rouge_l",), "{rouge_types=['rougeL']}"),
            Foreign(
                ("rouge_w", "rouge_w_weight", "weight_factor"),
                "{rouge_types=['rougeW-1.2']}",
            ),
            Foreign(
                ("rouge_s", "rouge_su", "skip_gap", "max_skip_bigram"),
                "{rouge_types=['rougeS4', 'rougeSU4']}",
                flags=("-2", "-u"),
            ),
        ),
    ),
    Option(
        name="rouge_tokenizer",
        kind=kinds.NAME_OR_FUNCTION,
        effect="counts",
        text="the tokenizer of ROUGE; overrides tokenizer",
        families=_ROUGE,
        default="rouge",
        samples="texts",
        signed="always",
        flags=(
            Flag(
                metavar="NAME",
                panel="ROUGE",
                text="Overrides --tokenizer.",
                completions=TEXT_TOKENIZERS,
            ),
        ),
        foreign=(
            Foreign(
                ("normalizer",),
                "{rouge_tokenizer=}, a callable that normalizes a text and splits it",
                command=None,
            ),
        ),
    ),
    Option(
        name="use_stemmer",
        kind=kinds.STEMMER,
        effect="counts",
        text="stem the tokens: True for the Porter stemmer, a language for NLTK's Snowball stemmer",
        families=_ROUGE,
        used_by=_PREPARED,
        default=False,
        check=check_stemmer,
        samples="texts",
        signed="always",
        flags=(
            Flag(panel="ROUGE", text="Stem the tokens (Porter stemmer)."),
            Flag(
                metavar="LANGUAGE",
                panel="ROUGE",
                names="--stemmer",
                text="Stem the tokens with NLTK's Snowball stemmer for a language; none turns "
                "stemming off.",
            ),
        ),
        foreign=(Foreign(("stemming", "stem")),),
    ),
    Option(
        name="stemmer_exceptions",
        kind=kinds.PATHS,
        effect="counts",
        text="base forms that override the stemmer: WordNet .exc files, or a folder of them",
        families=_ROUGE,
        used_by=_PREPARED,
        unset="none",
        check=to_paths,
        samples="texts",
        flags=(
            Flag(metavar="PATH", panel="ROUGE", more="Repeat for several paths.", is_list=True),
        ),
    ),
    Option(
        name="stop_words",
        kind=kinds.WORDS,
        effect="counts",
        text="words that ROUGE ignores: a sequence, or a language for NLTK's list",
        families=_ROUGE,
        used_by=_PREPARED,
        unset="none",
        check=to_words,
        samples="texts",
        flags=(
            Flag(
                metavar="FILE|LANGUAGE",
                panel="ROUGE",
                text="File of words to ignore, one per line, or a language for NLTK's list.",
            ),
        ),
        foreign=(
            Foreign(
                ("stopwords", "remove_stopwords", "stopword_removal"),
                "{stop_words='english'}, which is NLTK's list, or a sequence of words",
                command="--stop-words english, which is NLTK's list, or a file of words",
            ),
        ),
    ),
    Option(
        name="word_limit",
        kind=kinds.INT,
        effect="counts",
        text="the maximum number of words per text; ROUGE ignores the rest",
        families=_ROUGE,
        used_by=_PREPARED,
        unset="no limit",
        check=checks.check_limit,
        samples="texts",
        flags=(Flag(metavar="INT", panel="ROUGE", text="Maximum number of words per text."),),
        foreign=(
            Foreign(
                ("length_limit", "limit_length", "length_limit_type"),
                "{word_limit=} or {byte_limit=}",
            ),
        ),
    ),
    Option(
        name="byte_limit",
        kind=kinds.INT,
        effect="counts",
        text="the maximum number of bytes per text; ROUGE ignores the rest",
        families=_ROUGE,
        used_by=_PREPARED,
        unset="no limit",
        check=checks.check_limit,
        samples="texts",
        flags=(Flag(metavar="INT", panel="ROUGE", text="Maximum number of bytes per text."),),
    ),
    Option(
        name="sentence_splitter",
        kind=kinds.NAME_OR_FUNCTION,
        effect="counts",
        text="splits texts into sentences for rougeLsum: newline, punkt, pysbd, or a callable that "
        "returns a list of sentences",
        families=_ROUGE,
        used_by=_EXACT,
        default="newline",
        samples="texts",
        signed="always",
        flags=(
            Flag(
                metavar="NAME",
                panel="ROUGE",
                text="Splits texts into sentences for rougeLsum: newline, punkt or pysbd. In plain "
                "text, newline finds one sentence per sample.",
            ),
        ),
        foreign=(
            Foreign(("sentencizer",)),
            Foreign(("split_summaries",), "{sentence_splitter='punkt'} for split_summaries=True"),
            Foreign(
                ("newline_sep", "rouge_newline_sep"),
                "{sentence_splitter='punkt'}, or leave it out: a newline in a text ends a sentence "
                "of rougeLsum",
            ),
        ),
    ),
    Option(
        name="multi_reference",
        kind=kinds.NAME,
        effect="scores",
        text="how to combine several references into one score",
        families=_ROUGE,
        used_by=_EXACT,
        default="best",
        choices=get_args(MultiReference),
        signed="always",
        flags=(Flag(metavar="NAME", panel="ROUGE"),),
        foreign=(
            Foreign(
                ("accumulate",),
                "{multi_reference='best'} for 'best', {multi_reference='mean'} for 'avg'",
            ),
            Foreign(
                ("multiref", "multi_ref_mode"),
                "{multi_reference='best'} for 'best', {multi_reference='mean'} for 'average'",
            ),
            Foreign(("apply_avg",), "{multi_reference='mean'} for apply_avg=True"),
            Foreign(("apply_best",), "{multi_reference='best'} for apply_best=True"),
        ),
    ),
    Option(
        name="beta",
        kind=kinds.FLOAT,
        effect="scores",
        text="the weight of recall in the F-measure, above 0; math.inf for recall only",
        families=_ROUGE,
        used_by=_EXACT,
        default=1.0,
        flags=(Flag(metavar="FLOAT", panel="ROUGE", text="Weight of recall in the F-measure."),),
        foreign=(
            Foreign(
                ("alpha",),
                "{beta=}math.sqrt(1 / alpha - 1) for ROUGE, {smooth_value=}alpha for NLTK's "
                "method6",
                command="--beta with the square root of 1 / alpha - 1 for ROUGE, --smooth-value "
                "with alpha for NLTK's method6",
            ),
        ),
    ),
    Option(
        name="exclusive",
        kind=kinds.FLAG,
        effect="counts",
        text="count each distinct n-gram of a text once, and each distinct word of rouge-l, under "
        "the profile rouge; False counts repetitions",
        families=_ROUGE,
        used_by=_PACKAGE,
        default=True,
        check=check_flag,
        signed="changed",
        flags=(
            Flag(
                panel="ROUGE of the profile rouge",
                names="--exclusive/--no-exclusive",
                text="Count each distinct n-gram once (default), or each repetition.",
            ),
        ),
    ),
    Option(
        name="use_aggregator",
        kind=kinds.FLAG,
        effect="output",
        text="return one ROUGE for all samples; False returns a list with one per sample",
        families=_ROUGE,
        default=True,
        check=check_flag,
        one_number=True,
        flags=(
            Flag(
                panel=_AGGREGATE,
                names="--use-aggregator/--no-aggregator",
                text="One score for all samples (default), or a list with one per sample, which "
                "requires --format json.",
            ),
        ),
        foreign=(
            Foreign(
                ("avg", "aggregate"),
                flags=("-a",),
                command="--use-aggregator for one score of all samples, which is the default",
            ),
        ),
    ),
    Option(
        name="aggregator",
        kind=kinds.NAME,
        effect="aggregation",
        text="mean, which is exact, or bootstrap as in the reference; evaluate returns the median "
        "of the means of resamples",
        families=_ROUGE,
        default="mean",
        choices=AGGREGATORS,
        check=partial(check_choice, choices=AGGREGATORS),
        signed="always",
        flags=(
            Flag(
                metavar="NAME",
                panel=_AGGREGATE,
                text="mean, or bootstrap as in the reference: for evaluate, a median of resamples.",
            ),
        ),
        foreign=(
            Foreign(
                ("bootstrap_aggregation",),
                "{aggregator='bootstrap'} for bootstrap_aggregation=True",
            ),
        ),
    ),
    Option(
        name="detailed",
        kind=kinds.FLAG,
        effect="output",
        text="return precision, recall and F-measure of ROUGE, not only the F-measure",
        families=_ROUGE,
        default=False,
        check=check_flag,
        flags=(Flag(panel="Output", names="--detailed/--no-detailed"),),
        foreign=(Foreign(("return_precision_and_recall",)),),
    ),
)
