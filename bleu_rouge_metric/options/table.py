"""The table of options: one row per option, with everything that is known about it.

Derived from it are the record of checked values, the options of each family and profile, what
``Scorer.result`` may change, the signature, the flags of the command, the docstring of
``metric.compute`` and the manual's table. A new option is a row, a line in ``keywords.py``, and its
use. The rows of a family are in its folder.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import fill
from typing import Any, Final

from .. import checks, schema
from ..checks import check_flag
from ..families import registry
from ..samples.token_ids import IDS, to_id_option
from ..schema import Effect, Flag, Foreign, Option, read_rows, row
from ..text.external import SEGMENTERS
from ..text.languages import LANGUAGES
from ..text.tokenizer import TEXT_TOKENIZERS, uses_segmenter
from .profiles import BOTH, PROFILES, Family, ProfileName

# The heading of the command's help for resampling.
INTERVALS: Final = "Resampling"


@dataclass(frozen=True, kw_only=True)
class TextOptions:
    """The options of all families that come first: of texts."""

    profile: ProfileName = row(
        "the reference implementation; sets defaults of the other options",
        "counts",
        default="hf",
        choices=tuple(PROFILES),
        signed="always",
    )
    language: None = row(
        "the language of the texts, a code or an English name such as de or German: chooses "
        "tokenizers and stemmer if they are not given; none of them is downloaded, and the manual "
        "lists what published scores need besides, such as use_stemmer='french'",
        "counts",
        Flag(
            text="Language of the texts, such as de or German: chooses tokenizers and stemmer that "
            "need no download.",
            completions=tuple(language.codes[0] for language in LANGUAGES),
        ),
        kind=schema.NAME,
        unset="the defaults of the profile",
        samples="texts",
        signed="never",
        foreign=(
            Foreign("lang"),
            Foreign(
                "trg_lang --language-pair -l",
                "{language=}, the language of the references, such as {language='zh'}",
            ),
        ),
    )
    tokenizer: None = row(
        "the tokenizer of both families: a name, such as unicode, or a callable that returns the "
        "list of tokens of a text",
        "counts",
        Flag(
            text=f"For both families. One of {', '.join(TEXT_TOKENIZERS)}.",
            completions=TEXT_TOKENIZERS,
        ),
        kind=schema.NAME_OR_FUNCTION,
        unset="that of each family",
        signed="never",
    )
    segmenter: str | Callable[[str], list[str]] | None = row(
        "splits text without spaces into words, for the tokenizer unicode: jieba, fugashi, "
        "pythainlp, or a callable that returns a list of words",
        "counts",
        Flag(
            text="Splits text without spaces into words, for the tokenizer unicode: "
            f"{', '.join(SEGMENTERS)}.",
            completions=tuple(SEGMENTERS),
        ),
        unset="one word per character",
        samples="texts",
    )


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """The options of all families that come last: of resamples, token ids and results."""

    n_resamples: int = row(
        "the number of resamples, from 1 to 1,000,000",
        "aggregation",
        Flag(panel=INTERVALS),
        default=1000,
        check=checks.check_resamples,
        foreign=(Foreign("n_samples resampling --confidence-n -cin"),),
    )
    confidence: float | None = row(
        "add an interval with this confidence level, such as 0.95, to BLEU and ROUGE",
        "output",
        Flag(panel=INTERVALS),
        unset="no interval",
        check=checks.check_confidence,
        foreign=(Foreign("confidence_interval -ci -c"),),
    )
    ignore_index: int = row(
        "a token id to drop",
        "counts",
        default=-100,
        samples="ids",
        foreign=(Foreign("label_pad_token_id"),),
    )
    pad: int | tuple[int, ...] | None = row(
        "token ids to drop",
        "counts",
        kind=schema.IDS,
        unset="none",
        check=to_id_option,
        samples="ids",
        foreign=(Foreign("pad_token_id"),),
    )
    eos: int | tuple[int, ...] | None = row(
        "token ids that end a text",
        "counts",
        kind=schema.IDS,
        unset="none",
        check=to_id_option,
        samples="ids",
        foreign=(Foreign("eos_token_id"),),
    )
    separator: int | None = row(
        "the token id between the sentences of rougeLsum",
        "counts",
        unset="none",
        samples="ids",
        foreign=(Foreign("sep_token_id"),),
    )
    signature: bool = row(
        "add the signature, one line that records how the scores were computed",
        "output",
        Flag(panel="Output"),
        default=False,
        check=check_flag,
        signed="never",
        one_number=False,
    )


# All options by name, in the order of a signature.
OPTIONS: Final[dict[str, Option]] = {
    option.name: option
    for option in (
        *read_rows(TextOptions),
        *(option for family in registry.FAMILIES.values() for option in family.options),
        *read_rows(OutputOptions),
    )
}


@cache
def option_names(*effects: Effect, families: tuple[Family, ...] = BOTH) -> tuple[str, ...]:
    """Return names of the options of families that decide one of these things."""
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
    return OPTIONS[name].is_of(families) and means_something(name, profile)


def is_used(option: Option, tokenizers: Sequence[Any]) -> bool:
    """Return whether an option has an effect with these tokenizers; most need no special one."""
    if option.name == "segmenter":
        return any(map(uses_segmenter, tokenizers))
    return option.samples != "ids" or IDS in tokenizers


def describe_default(option: Option) -> str:
    """Return the default of an option."""
    if option.default is None:
        return option.unset
    return ", ".join(option.default) if isinstance(option.default, tuple) else str(option.default)


def write_arguments(options: Iterable[Option] = tuple(OPTIONS.values())) -> str:
    """Return the options as the ``Args`` of a docstring, one paragraph per option."""
    return "\n".join(
        fill(
            f"{option.name}: {option.text}; default: {describe_default(option)}.",
            width=100,
            initial_indent=" " * 4,
            subsequent_indent=" " * 8,
        )
        for option in options
    )
