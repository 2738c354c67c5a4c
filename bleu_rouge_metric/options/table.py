"""The table of options: one row per option, with everything that is known about it.

Derived from it are the options of each family and profile, what ``Scorer.result`` may change, the
signature, the flags of the command, the docstring of ``metric.compute`` and the manual's table. A
new option is a row here, its lines in ``keywords.py`` and ``record.py``, and its use. The rows of a
family are in its folder.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from ..checks import check_flag
from ..families import registry
from ..samples.token_ids import IDS
from ..schema import checks, kinds
from ..schema.option import Effect, Flag, Foreign, Option
from ..text.languages import LANGUAGES
from ..text.segmenters import SEGMENTERS
from ..text.tokenizers import TEXT_TOKENIZERS, uses_segmenter
from .profiles import BOTH, PROFILES, Family

# The heading of the command's help for resampling.
INTERVALS: Final = "Resampling"

_FIRST: Final = (
    Option(
        name="profile",
        kind=kinds.NAME,
        effect="counts",
        text="the reference implementation; sets defaults of the other options",
        default="hf",
        choices=tuple(PROFILES),
        signed="always",
        flags=(Flag(metavar="NAME"),),
    ),
    Option(
        name="language",
        kind=kinds.NAME,
        effect="counts",
        text="the language of the texts, a code or an English name such as de or German: chooses "
        "tokenizers and stemmer if they are not given; none of them is downloaded, and the manual "
        "lists what published scores need besides, such as use_stemmer='french'",
        unset="the defaults of the profile",
        samples="texts",
        signed="never",
        flags=(
            Flag(
                metavar="NAME",
                text="Language of the texts, such as de or German: chooses tokenizers and stemmer "
                "that need no download.",
                completions=tuple(language.codes[0] for language in LANGUAGES),
            ),
        ),
        foreign=(
            Foreign(("lang",)),
            Foreign(
                ("trg_lang",),
                "{language=}, the language of the references, such as {language='zh'}",
                flags=("--language-pair", "-l"),
            ),
        ),
    ),
    Option(
        name="tokenizer",
        kind=kinds.NAME_OR_FUNCTION,
        effect="counts",
        text="the tokenizer of both families: a name, such as unicode, or a callable that returns "
        "the list of tokens of a text",
        unset="that of each family",
        signed="never",
        flags=(
            Flag(
                metavar="NAME",
                text=f"For both families. One of {', '.join(TEXT_TOKENIZERS)}.",
                completions=TEXT_TOKENIZERS,
            ),
        ),
    ),
    Option(
        name="segmenter",
        kind=kinds.NAME_OR_FUNCTION,
        effect="counts",
        text="splits text without spaces into words, for the tokenizer unicode: jieba, fugashi, "
        "pythainlp, or a callable that returns a list of words",
        unset="one word per character",
        samples="texts",
        flags=(
            Flag(
                metavar="NAME",
                text="Splits text without spaces into words, for the tokenizer unicode: "
                f"{', '.join(SEGMENTERS)}.",
                completions=tuple(SEGMENTERS),
            ),
        ),
    ),
)

_RESAMPLING: Final = (
    Option(
        name="n_resamples",
        kind=kinds.INT,
        effect="aggregation",
        text="the number of resamples, from 1 to 1,000,000",
        default=1000,
        check=checks.check_resamples,
        flags=(Flag(metavar="INT", panel=INTERVALS),),
        foreign=(Foreign(("n_samples", "resampling"), flags=("--confidence-n", "-cin")),),
    ),
    Option(
        name="confidence",
        kind=kinds.FLOAT,
        effect="output",
        text="add an interval with this confidence level, such as 0.95, to BLEU and ROUGE",
        unset="no interval",
        check=checks.check_confidence,
        flags=(Flag(metavar="FLOAT", panel=INTERVALS),),
        foreign=(Foreign(("confidence_interval",), flags=("-ci", "-c")),),
    ),
)

_LAST: Final = (
    Option(
        name="ignore_index",
        kind=kinds.INT,
        effect="counts",
        text="a token id to drop",
        default=-100,
        samples="ids",
        foreign=(Foreign(("label_pad_token_id",)),),
    ),
    Option(
        name="pad",
        kind=kinds.IDS,
        effect="counts",
        text="token ids to drop",
        unset="none",
        check=checks.to_id_option,
        samples="ids",
        foreign=(Foreign(("pad_token_id",)),),
    ),
    Option(
        name="eos",
        kind=kinds.IDS,
        effect="counts",
        text="token ids that end a text",
        unset="none",
        check=checks.to_id_option,
        samples="ids",
        foreign=(Foreign(("eos_token_id",)),),
    ),
    Option(
        name="separator",
        kind=kinds.INT,
        effect="counts",
        text="the token id between the sentences of rougeLsum",
        unset="none",
        samples="ids",
        foreign=(Foreign(("sep_token_id",)),),
    ),
    Option(
        name="signature",
        kind=kinds.FLAG,
        effect="output",
        text="add the signature, one line that records how the scores were computed",
        default=False,
        check=check_flag,
        signed="never",
        one_number=False,
        flags=(Flag(panel="Output"),),
    ),
)


# All options by name, in the order of a signature.
OPTIONS: Final[dict[str, Option]] = {
    option.name: option
    for option in (
        *_FIRST,
        *(option for family in registry.FAMILIES.values() for option in family.options),
        *_RESAMPLING,
        *_LAST,
    )
}


@cache
def option_names(*effects: Effect, families: tuple[Family, ...] = BOTH) -> tuple[str, ...]:
    """Return names of the options of families that decide one of these things.

    >>> option_names("aggregation")
    ('aggregator', 'n_resamples')
    """
    return tuple(
        option.name
        for option in OPTIONS.values()
        if option.effect in effects and option.is_of(families)
    )


def means_something(name: str, profile: str) -> bool:
    """Return whether a profile that has the group of an option uses the option."""
    used_by = OPTIONS[name].used_by
    return not used_by or any(family in used_by for family in PROFILES[profile].calculates)


def is_relevant(name: str, profile: str, families: Sequence[Family]) -> bool:
    """Return whether an option means something if these families are scored under a profile."""
    has_family = OPTIONS[name].is_of(families)
    return has_family and means_something(name, profile)


def list_relevant(profile: str, families: Sequence[Family]) -> Iterator[Option]:
    """Iterate over the options that have an effect on these families under a profile."""
    return (option for option in OPTIONS.values() if is_relevant(option.name, profile, families))


def is_used(option: Option, tokenizers: Sequence[Any]) -> bool:
    """Return whether an option has an effect with these tokenizers; most need no special one.

    >>> is_used(OPTIONS["pad"], ["ids", "rouge"]), is_used(OPTIONS["segmenter"], ["ids", "rouge"])
    (True, False)
    """
    if option.name == "segmenter":
        return any(map(uses_segmenter, tokenizers))
    return option.samples != "ids" or IDS in tokenizers
