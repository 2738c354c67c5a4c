"""Messages of the command speak of flags."""

import pytest

from bleu_rouge_metric.cli.flag_words import speak_of_flags
from bleu_rouge_metric.options.table import OPTIONS


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("max_order is 0; expected", "--max-order is 0; expected"),
        ("'lowercase' means nothing", "--lowercase means nothing"),
        ("Unknown smooth 'x'; expected", "Unknown --smooth 'x'; expected"),
        ("rouge_types is empty.", "--rouge-type is empty."),
        ("use use_stemmer=True here", "use --use-stemmer here"),
        ("use use_stemmer='german'", "use --stemmer german"),
        ("use use_aggregator=False, or", "use --no-aggregator, or"),
        ("use use_aggregator=True, or", "use --use-aggregator, or"),
        ("use sentence_splitter='punkt' or 'pysbd'.", "use --sentence-splitter punkt or pysbd."),
        ("x, but use_stemmer is False; y", "x, but --use-stemmer is not given; y"),
        ("x, but use_aggregator is False.", "x, but --no-aggregator is given."),
        ("x, but smooth 'exp' takes none", "x, but --smooth 'exp' takes none"),
        ("use rouge_types=['rouge1', 'rougeL'].", "use --rouge-type rouge1 --rouge-type rougeL."),
        ("use word_limit= or byte_limit=.", "use --word-limit or --byte-limit."),
        ("above 0, or math.inf for recall", "above 0, or inf for recall"),
        # No flag is made of these.
        ("the tokenizer 'rouge' of the profile 'hf'", "the tokenizer 'rouge' of the profile 'hf'"),
        ("Unknown rouge type 'max_order'.", "Unknown rouge type 'max_order'."),
        ("folder/max_order/x.txt: not there", "folder/max_order/x.txt: not there"),
        ("segmenter is given", "segmenter is given"),
        ("--max-order is 0", "--max-order is 0"),
        ("google_bleu, rouge_score", "google_bleu, rouge_score"),
        ("smoothing is off", "smoothing is off"),
    ],
)
def test_options_are_spoken_of_as_flags(message: str, expected: str) -> None:
    assert speak_of_flags(message) == expected


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.flags])
def test_every_option_with_a_flag_is_spoken_of_as_a_flag(name: str) -> None:
    flag = speak_of_flags(f"{name} is 3; expected")
    assert flag.startswith("--")
    shown = {"rouge_types": "--rouge-type"}.get(name, "--" + name.replace("_", "-"))
    assert flag == f"{shown} is 3; expected"
