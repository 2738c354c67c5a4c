"""The options of BLEU and GLEU."""

from typing import Final

from ...checks import check_flag
from ...schema import kinds
from ...schema.option import Flag, Foreign, Option
from ...text.tokenizers import TEXT_TOKENIZERS
from .rules import REFERENCE_LENGTHS, SMOOTHINGS

_BLEU: Final = ("bleu",)
_SHORT: Final = "BLEU of short texts"
# The families whose formula has options: google_bleu, coco and codexglue fix theirs.
_OF_FORMULA: Final = ("bleu",)
# The families that do not fix the orders.
_OF_ORDERS: Final = ("bleu", "google_bleu", "coco_bleu")

OPTIONS: Final = (
    Option(
        name="bleu_tokenizer",
        kind=kinds.NAME_OR_FUNCTION,
        effect="counts",
        text="the tokenizer of BLEU; overrides tokenizer",
        families=_BLEU,
        default="13a",
        samples="texts",
        signed="always",
        flags=(
            Flag(
                metavar="NAME",
                panel="BLEU",
                text="Overrides --tokenizer.",
                completions=TEXT_TOKENIZERS,
            ),
        ),
        foreign=(Foreign(("tokenize",), flags=("-tok",)),),
    ),
    Option(
        name="max_order",
        kind=kinds.INT,
        effect="counts",
        text="the highest n-gram order, from 1 to 100",
        families=_BLEU,
        used_by=_OF_ORDERS,
        unset="4, or the length of the longest weights",
        flags=(Flag(metavar="INT", panel="BLEU"),),
        foreign=(
            Foreign(("max_ngram_order", "n_gram", "ngram", "max_len")),
            Foreign(
                ("max_n",),
                "{max_order=4} for BLEU, {rouge_types=['rouge1', 'rouge2']} for ROUGE",
            ),
        ),
    ),
    Option(
        name="min_order",
        kind=kinds.INT,
        effect="scores",
        text="the lowest n-gram order of google_bleu",
        families=_BLEU,
        default=1,
        used_by=("google_bleu",),
        flags=(Flag(metavar="INT", panel="BLEU"),),
        foreign=(Foreign(("min_len",)),),
    ),
    Option(
        name="weights",
        kind=kinds.WEIGHTS,
        effect="counts",
        text="weights of the n-gram orders, which sum to 1; several sequences give several scores",
        families=_BLEU,
        unset="equal weights",
        used_by=_OF_FORMULA,
        flags=(
            Flag(
                metavar="W,W,...",
                panel="BLEU",
                text="Weights of the n-gram orders; repeat for several scores.",
                is_list=True,
            ),
        ),
    ),
    Option(
        name="smooth",
        kind=kinds.SMOOTHING,
        effect="scores",
        text="the smoothing of the precisions: True for evaluate's add-one; floor, add-k and exp "
        "as in sacrebleu; method0 to method7 as in NLTK",
        families=_BLEU,
        default="none",
        choices=SMOOTHINGS,
        used_by=_OF_FORMULA,
        signed="always",
        flags=(
            Flag(
                metavar="NAME",
                panel="BLEU",
                text="none, add-one (evaluate), floor, add-k, exp (sacrebleu), method0 to method7 "
                "(NLTK).",
            ),
        ),
        foreign=(
            Foreign(("smooth_method", "smoothing", "smoothing_method"), flags=("-s",)),
            Foreign(("smoothing_function",), "{smooth='method1'} for SmoothingFunction().method1"),
        ),
    ),
    Option(
        name="smooth_value",
        kind=kinds.NUMBER,
        effect="scores",
        text="the parameter of the smoothing method",
        families=_BLEU,
        unset="the default of the reference",
        used_by=_OF_FORMULA,
        flags=(Flag(metavar="FLOAT", panel="BLEU"),),
        foreign=(Foreign(("epsilon", "k"), flags=("-sv",)),),
    ),
    Option(
        name="reference_length",
        kind=kinds.NAME,
        effect="scores",
        text="the length that the brevity penalty uses if there are several references",
        families=_BLEU,
        default="shortest",
        choices=REFERENCE_LENGTHS,
        used_by=_OF_FORMULA,
        signed="always",
        flags=(
            Flag(
                metavar="NAME",
                panel="BLEU",
                text="Length of several references: shortest, closest, average or longest.",
            ),
        ),
    ),
    Option(
        name="effective_order",
        kind=kinds.FLAG,
        effect="scores",
        text="ignore n-gram orders that are longer than the predictions",
        families=_BLEU,
        unset="as the reference does; sacrebleu does so for single sentences only",
        used_by=_OF_FORMULA,
        flags=(Flag(panel=_SHORT, names="--effective-order/--no-effective-order"),),
        foreign=(Foreign(("use_effective_order",)),),
    ),
    Option(
        name="auto_reweigh",
        kind=kinds.FLAG,
        effect="scores",
        text="use equal weights for fewer than four tokens, as NLTK does",
        families=_BLEU,
        default=False,
        check=check_flag,
        used_by=_OF_FORMULA,
        flags=(Flag(panel=_SHORT),),
    ),
    Option(
        name="lowercase",
        kind=kinds.FLAG,
        effect="counts",
        text="convert the texts to lower case",
        families=_BLEU,
        default=False,
        check=check_flag,
        samples="texts",
        flags=(Flag(panel="BLEU"),),
        foreign=(
            Foreign(("lower_case", "do_lower_case"), flags=("-lc",)),
            Foreign(
                ("case_sensitive",), "{lowercase=True} for case_sensitive=False", is_opposite=True
            ),
        ),
    ),
    Option(
        name="sentence_bleu",
        kind=kinds.FLAG,
        effect="output",
        text="add sentence_bleu, the BLEU of every sample",
        families=_BLEU,
        default=False,
        check=check_flag,
        one_number=False,
        flags=(
            Flag(
                panel="BLEU",
                text="Add the BLEU of every sample; requires --format json. --per-sample "
                "always writes it.",
            ),
        ),
        foreign=(
            Foreign(
                ("sentence_level",), "{sentence_bleu=True} for one BLEU per sample", flags=("-sl",)
            ),
        ),
    ),
)
