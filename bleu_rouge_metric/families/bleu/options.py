"""The options of BLEU and GLEU."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ... import schema
from ...checks import check_flag
from ...schema import Flag, Foreign, read_rows, row
from ...text.tokenizer import TEXT_TOKENIZERS
from .rules import SMOOTHINGS, ReferenceLength

_SHORT: Final = "BLEU of short texts"
# The families whose formula has options: google_bleu, coco and codexglue fix theirs.
_OF_FORMULA: Final = ("bleu",)
# The families that do not fix the orders.
_OF_ORDERS: Final = ("bleu", "google_bleu", "coco_bleu")


@dataclass(frozen=True, kw_only=True)
class BleuOptions:
    """The options of BLEU, with the types of checked values."""

    bleu_tokenizer: str | Callable[[str], list[str]] = row(
        "the tokenizer of BLEU; overrides tokenizer",
        "counts",
        Flag(text="Overrides --tokenizer.", completions=TEXT_TOKENIZERS),
        default="13a",
        samples="texts",
        signed="always",
        foreign=(Foreign("tokenize -tok"),),
    )
    max_order: int = row(
        "the highest n-gram order, from 1 to 100",
        "counts",
        used_by=_OF_ORDERS,
        unset="4, or the length of the longest weights",
        foreign=(
            Foreign("max_ngram_order n_gram ngram max_len"),
            Foreign(
                "max_n", "{max_order=4} for BLEU, {rouge_types=['rouge1', 'rouge2']} for ROUGE"
            ),
        ),
    )
    min_order: int = row(
        "the lowest n-gram order of google_bleu",
        "scores",
        default=1,
        used_by=("google_bleu",),
        foreign=(Foreign("min_len"),),
    )
    weights: tuple[float, ...] | tuple[tuple[float, ...], ...] | None = row(
        "weights of the n-gram orders, which sum to 1; several sequences give several scores",
        "counts",
        Flag(metavar="W,W,...", text="Weights of the n-gram orders; repeat for several scores."),
        kind=schema.WEIGHTS,
        unset="equal weights",
        used_by=_OF_FORMULA,
    )
    smooth: str = row(
        "the smoothing of the precisions: True for evaluate's add-one; floor, add-k and exp as in "
        "sacrebleu; method0 to method7 as in NLTK",
        "scores",
        Flag(
            text="none, add-one (evaluate), floor, add-k, exp (sacrebleu), method0 to method7 "
            "(NLTK)."
        ),
        kind=schema.SMOOTHING,
        default="none",
        choices=SMOOTHINGS,
        used_by=_OF_FORMULA,
        signed="always",
        foreign=(
            Foreign("smooth_method smoothing smoothing_method -s"),
            Foreign("smoothing_function", "{smooth='method1'} for SmoothingFunction().method1"),
        ),
    )
    smooth_value: float | None = row(
        "the parameter of the smoothing method",
        "scores",
        kind=schema.NUMBER,
        unset="the default of the reference",
        used_by=_OF_FORMULA,
        foreign=(Foreign("epsilon k -sv"),),
    )
    reference_length: ReferenceLength = row(
        "the length that the brevity penalty uses if there are several references",
        "scores",
        Flag(text="Length of several references: shortest, closest, average or longest."),
        default="shortest",
        used_by=_OF_FORMULA,
        signed="always",
    )
    effective_order: bool | None = row(
        "ignore n-gram orders that are longer than the predictions",
        "scores",
        Flag(panel=_SHORT, names="--effective-order/--no-effective-order"),
        unset="as the reference does; sacrebleu does so for single sentences only",
        used_by=_OF_FORMULA,
        foreign=(Foreign("use_effective_order"),),
    )
    auto_reweigh: bool = row(
        "use equal weights for fewer than four tokens, as NLTK does",
        "scores",
        Flag(panel=_SHORT),
        default=False,
        check=check_flag,
        used_by=_OF_FORMULA,
    )
    lowercase: bool = row(
        "convert the texts to lower case",
        "counts",
        default=False,
        check=check_flag,
        samples="texts",
        foreign=(
            Foreign("lower_case do_lower_case -lc"),
            Foreign(
                "case_sensitive", "{lowercase=True} for case_sensitive=False", is_opposite=True
            ),
        ),
    )
    sentence_bleu: bool = row(
        "add sentence_bleu, the BLEU of every sample",
        "output",
        Flag(
            text="Add the BLEU of every sample; requires --format json. --per-sample always "
            "writes it."
        ),
        default=False,
        check=check_flag,
        one_number=False,
        foreign=(Foreign("sentence_level -sl", "{sentence_bleu=True} for one BLEU per sample"),),
    )


OPTIONS: Final = read_rows(BleuOptions, "bleu")
