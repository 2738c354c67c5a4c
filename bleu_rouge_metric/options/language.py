"""What the option ``language`` stands for: values of other options.

It is replaced by them before options are checked, so that options and signature are those of a
caller who writes the other options out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..families.registry import find_tokenizer_option
from ..messages import Argument, value_error
from ..samples.token_ids import IDS
from ..text.languages import Language, find_language, use_published
from ..text.tokenizer import find_tokenizer
from ..text.xlsum import xlsum_stems
from .profiles import Family, find_profile, profile_of
from .table import OPTIONS, is_relevant

# The options that a language may choose.
CHOSEN: Final = ("use_stemmer", "bleu_tokenizer", "rouge_tokenizer")


def apply_language(keywords: Mapping[str, Any], families: Sequence[Family]) -> dict[str, Any]:
    """Return options with what their language chooses for some families in its place.

    >>> apply_language({"language": "zh-Hans", "profile": "sacrebleu"}, ("bleu",))
    {'profile': 'sacrebleu', 'bleu_tokenizer': 'zh'}
    """
    chosen = {name: value for name, value in keywords.items() if name != "language"}
    given = keywords.get("language")
    if given is None:
        return chosen
    language = find_language("language", given)
    name = profile_of(keywords)
    # Everything else is chosen so that nothing is downloaded; the scores of xlsum are XL-Sum's.
    if name == "xlsum":
        language = use_published(language)
    presets, shared = find_profile(name).presets, keywords.get("tokenizer")
    choices = {"bleu_tokenizer": language.bleu, "rouge_tokenizer": language.rouge}
    tokenizers: dict[str, Any] = {}
    for option in map(find_tokenizer_option, families):
        tokenizers[option] = shared if chosen.get(option) is None else chosen[option]
        if tokenizers[option] is None and option in choices:
            own = presets.get(option, OPTIONS[option].default)
            fit = own if _is_fit(own, choices[option], language) else choices[option]
            tokenizers[option] = chosen[option] = fit
    if all(tokenizer == IDS for tokenizer in tokenizers.values()):
        # Those of both families are called by the name that the caller has probably given.
        option = "tokenizer" if shared is not None else next(iter(tokenizers))
        raise describe_unfit("language", given, option)
    tokenizer = find_tokenizer(tokenizers.get("rouge_tokenizer"))
    # Without a stemmer of XL-Sum's recipe, the profile's stays.
    has_recipe = tokenizer is not None and tokenizer.language_stems is xlsum_stems
    if language.stemmer and has_recipe and is_relevant("use_stemmer", name, families):
        stemmer = chosen.get("use_stemmer")
        chosen["use_stemmer"] = language.stemmer if stemmer is None else stemmer
    return chosen


def _is_fit(own: str, choice: str, language: Language) -> bool:
    """Return whether the tokenizer of a profile can split a language that would get ``choice``."""
    # The tokenizer of a profile is part of its recipe, so it stays if it is fit. That of
    # rouge_score and that of ROUGE-1.5.5 can split English only.
    row = find_tokenizer(own)
    is_ascii = row is not None and row.keeps_ascii
    return choice == "rouge" if is_ascii else language.has_spaces


def describe_unfit(name: str, value: object, tokenizer: str) -> ValueError:
    """Return the error for an option of texts whose tokenizer is that of token ids."""
    return value_error(
        "{} is {!r}, which is for texts, but {} is 'ids'",
        *(Argument(name), value, Argument(tokenizer)),
        remedy="leave it out.",
    )
