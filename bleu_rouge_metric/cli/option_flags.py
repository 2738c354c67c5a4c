"""Flags of ``bleu-rouge`` for the options of the metric, with their help.

The values are checked by ``Options``, not here, so that a bad value is the same error as in Python;
numbers come as text, since only here an int and a float are told apart as Python does.
A flag that is not given is None: its default is that of the profile.
"""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Final, get_args

import typer

from ..files.lines import FileError, describe
from ..options.options import Options
from ..options.profiles import PROFILES
from ..rouge.formulas import MultiReference as Policy
from ..samples.token_ids import IDS

_BLEU: Final = "BLEU"
_SHORT: Final = "BLEU of short texts"
_ROUGE: Final = "ROUGE"
_AGGREGATE: Final = "ROUGE of all samples"
_OUTPUT: Final = "Output"


def _flag(metavar: str, text: str, panel: str | None = None) -> Any:
    """A flag with a value; its name is that of the parameter."""
    return typer.Option(metavar=metavar, help=text, show_default=False, rich_help_panel=panel)


def _switch(names: str, text: str, panel: str) -> Any:
    """A flag without a value."""
    # Without the type, which is no news, there is more room for the text.
    return typer.Option(names, metavar="", help=text, show_default=False, rich_help_panel=panel)


Profile = Annotated[
    str | None,
    _flag(
        "NAME",
        f"Whose numbers to give: {', '.join(PROFILES)}. It presets the options below. Default: hf.",
    ),
]
Profiles = Annotated[
    list[str] | None, _flag("NAME", "Compare this profile; give it again for more. Default: all.")
]
Tokenizer = Annotated[
    str | None,
    _flag("NAME", "For both families: 13a, rouge, unicode, intl, zh, char, whitespace, ..."),
]

MaxOrder = Annotated[str | None, _flag("INT", "Longest n-gram. Default: 4.", _BLEU)]
MinOrder = Annotated[str | None, _flag("INT", "Shortest n-gram of google_bleu. Default: 1.", _BLEU)]
Weights = Annotated[
    list[str] | None,
    _flag(
        "W,W,...", "Weights of the orders; give it again for several scores. Default: alike.", _BLEU
    ),
]
Smooth = Annotated[
    str | None,
    _flag(
        "NAME",
        "none, add-one (evaluate), floor, add-k, exp (sacrebleu), method0 to method7 (NLTK).",
        _BLEU,
    ),
]
SmoothValue = Annotated[str | None, _flag("FLOAT", "Parameter of the smoothing.", _BLEU)]
ReferenceLength = Annotated[
    str | None, _flag("NAME", "Of several references: shortest, closest, average, longest.", _BLEU)
]
EffectiveOrder = Annotated[
    bool | None,
    _switch(
        "--effective-order/--no-effective-order",
        "Leave out orders that the predictions are too short for.",
        _SHORT,
    ),
]
AutoReweigh = Annotated[
    bool | None,
    _switch("--auto-reweigh", "Weigh the orders alike below four tokens, as NLTK does.", _SHORT),
]
Lowercase = Annotated[bool | None, _switch("--lowercase", "Lower-case the texts.", _BLEU)]
SentenceBleu = Annotated[
    bool | None,
    _switch(
        "--sentence-bleu",
        "Add the BLEU of every sample; with --format json. --per-sample has it anyway.",
        _BLEU,
    ),
]
BleuTokenizer = Annotated[str | None, _flag("NAME", "Goes before --tokenizer.", _BLEU)]

RougeType = Annotated[
    list[str] | None,
    _flag(
        "TYPE",
        "rouge1 to rouge9, rougeL, rougeLsum, rougeW-1.2, rougeS4, rougeSU4, ...; give it again "
        "for more. Default: rouge1, rouge2, rougeL and rougeLsum.",
        _ROUGE,
    ),
]
UseStemmer = Annotated[bool | None, _switch("--use-stemmer", "Stem the tokens (Porter).", _ROUGE)]
Stemmer = Annotated[
    str | None,
    _flag("LANGUAGE", "Stem the tokens by NLTK's Snowball stemmer of a language.", _ROUGE),
]
StemmerExceptions = Annotated[
    list[str] | None,
    _flag("PATH", "WordNet .exc file, or folder of them; give it again for more.", _ROUGE),
]
StopWords = Annotated[
    str | None,
    _flag("FILE|LANGUAGE", "Words to leave out, one a line, or NLTK's list of a language.", _ROUGE),
]
WordLimit = Annotated[str | None, _flag("INT", "Read so many words of a text.", _ROUGE)]
ByteLimit = Annotated[str | None, _flag("INT", "Read so many bytes of a text.", _ROUGE)]
SentenceSplitter = Annotated[
    str | None,
    _flag(
        "NAME",
        "Finds the sentences of rougeLsum: newline, punkt or pysbd. In plain text a sample is one "
        "line, hence one sentence by newline.",
        _ROUGE,
    ),
]
MultiReference = Annotated[
    str | None,
    _flag("NAME", f"Of several references: {', '.join(get_args(Policy))}.", _ROUGE),
]
Beta = Annotated[
    str | None, _flag("FLOAT", "Weight of recall in the F-measure. Default: 1.", _ROUGE)
]
Detailed = Annotated[
    bool | None,
    _switch(
        "--detailed/--no-detailed",
        "ROUGE: precision, recall and F-measure, or the F-measure alone.",
        _OUTPUT,
    ),
]
RougeTokenizer = Annotated[str | None, _flag("NAME", "Goes before --tokenizer.", _ROUGE)]

UseAggregator = Annotated[
    bool | None,
    _switch(
        "--use-aggregator/--no-aggregator",
        "One score for all samples (default), or a list of one per sample; the list with "
        "--format json.",
        _AGGREGATE,
    ),
]
Aggregator = Annotated[
    str | None,
    _flag(
        "NAME",
        "mean, or bootstrap for that of the reference: evaluate's median of the means of resampled "
        "samples.",
        _AGGREGATE,
    ),
]
NResamples = Annotated[
    str | None, _flag("INT", "How many times the samples are drawn. Default: 1000.", _AGGREGATE)
]
Confidence = Annotated[str | None, _flag("FLOAT", "Add an interval, such as of 0.95.", _AGGREGATE)]
Seed = Annotated[
    str | None,
    _flag("INT", "Draw the same samples again. Default: others each time.", _AGGREGATE),
]
Signature = Annotated[
    bool | None,
    _switch("--signature", "Add one line that says how the scores were made.", _OUTPUT),
]


# What is no text.
_INTS: Final = ("max_order", "min_order", "word_limit", "byte_limit", "n_resamples")
_NUMBERS: Final = ("smooth_value", "beta", "confidence")


def to_keywords(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments of ``Options.from_keywords`` from the flags of a command.

    Args:
        flags: values by the names of the parameters; None, or an empty list, where a flag is not
            given. Flags that are no options of the metric are left out.

    Raises:
        FileError: the file of stop words cannot be read.
        ValueError: a number is none, two flags exclude each other, or files have no such tokens.

    >>> to_keywords({"rouge_type": ["rougeL"], "weights": ["0.5,0.5"], "seed": "1", "beta": "2"})
    {'weights': (0.5, 0.5), 'beta': 2, 'rouge_types': ['rougeL']}
    """
    given = {name: value for name, value in flags.items() if value not in (None, [], ())}
    names = {option.name for option in fields(Options)}
    keywords = {name: value for name, value in given.items() if name in names}
    _check_tokenizers(keywords)
    for name in _INTS:
        if name in given:
            keywords[name] = to_int(name, given[name])
    for name in _NUMBERS:
        if name in given:
            keywords[name] = _to_number(name, given[name])
    if "weights" in given:
        vectors = [_to_weights(text) for text in given["weights"]]
        keywords["weights"] = vectors[0] if len(vectors) == 1 else tuple(vectors)
    if "rouge_type" in given:
        keywords["rouge_types"] = given["rouge_type"]
    if "stemmer" in given:
        if "use_stemmer" in given:
            raise ValueError("--use-stemmer and --stemmer exclude each other; give one of them.")
        keywords["use_stemmer"] = given["stemmer"]
    if "stop_words" in given:
        keywords["stop_words"] = _read_stop_words(given["stop_words"])
    return keywords


def _check_tokenizers(keywords: Mapping[str, object]) -> None:
    """Raises ValueError for the tokenizer of what is no text."""
    for name in ("tokenizer", "bleu_tokenizer", "rouge_tokenizer"):
        if keywords.get(name) == IDS:
            raise ValueError(f"{name} is 'ids', but files hold texts; leave it out.")


def to_int(name: str, text: str) -> int:
    """The int that a flag holds."""
    try:
        return int(text)
    except ValueError as error:
        raise ValueError(f"{name} is {text!r}; expected an int.") from error


def _to_number(name: str, text: str) -> float:
    """The number that a flag holds; an int stays one, as NLTK's smoothings need it."""
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError as error:
        raise ValueError(f"{name} is {text!r}; expected a number.") from error


def _to_weights(text: str) -> tuple[float, ...]:
    """Numbers from between commas."""
    try:
        return tuple(map(float, text.split(",")))
    except ValueError as error:
        raise ValueError(
            f"weights is {text!r}; expected numbers with commas between, such as 0.5,0.5."
        ) from error


def _read_stop_words(choice: str) -> str | list[str]:
    """The words of a file; what is no file is the language of a list."""
    path = Path(choice)
    if not path.suffix and not path.is_file():
        return choice
    try:
        words = path.read_text("utf-8-sig").split()
    except UnicodeDecodeError as error:
        raise FileError(choice, "the file is not UTF-8; save it as UTF-8.") from error
    except OSError as error:
        raise FileError(choice, f"{describe(error)}.") from error
    if not words:
        raise FileError(choice, "the file has no words; expected one a line.")
    return words
