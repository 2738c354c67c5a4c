"""The flags of the command: each does the same as the option of its name in Python."""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import evaluate
import pytest

from bleu_rouge_metric.cli.command import make_command
from bleu_rouge_metric.cli.flags import COMMANDS
from bleu_rouge_metric.families.bleu import rules as bleu_rules
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.table import OPTIONS

from ..support.commands import PREDICTIONS, REFERENCES, error, invoke, score_json
from ..support.known_names import PROFILE_NAMES, ROUGE_PROFILE_NAMES, TOKENIZER_NAMES

pytestmark = pytest.mark.usefixtures("examples_folder")

SHORT = (["the cat"], [["the cat", "a cat"]])
SENTENCES = (["One cat sat. It ran."], [["It ran. One cat sat."]])
HINDI = (["the v2 film लड़के"], [["the v 2 film लड़का"]])
CHINESE = (["北京大学很大"], [["北京大学不大"]])
FORMS = (["cats running"], [["cat runs"]])
WORDS = "the\nof\nand\n"

SMOOTHINGS = ", ".join(map(repr, bleu_rules.SMOOTHINGS))


# With one reference, as the profile rouge has them.
REPEATED: Final = (["a b a b c"], [["a b a b"]])


class Case(NamedTuple):
    """Flags, the options that they set, and other options and samples needed for an effect."""

    flags: list[str]
    options: dict[str, Any]
    base: dict[str, Any] = {}  # noqa: RUF012
    samples: tuple[list[str], list[list[str]]] = (PREDICTIONS, REFERENCES)


def profile(name: str, **options: Any) -> dict[str, Any]:
    return {"profile": name, **options}


CASES = [
    Case(["--profile", "rouge_score"], {"profile": "rouge_score"}),
    Case(["--language", "Hindi"], {"rouge_tokenizer": "xlsum", "use_stemmer": "hindi"}, {}, HINDI),
    Case(["--segmenter", "jieba"], {"segmenter": "jieba"}, {"tokenizer": "unicode"}, CHINESE),
    Case(["--tokenizer", "char"], {"tokenizer": "char"}),
    Case(["--bleu-tokenizer", "whitespace"], {"bleu_tokenizer": "whitespace"}),
    Case(["--rouge-tokenizer", "13a"], {"rouge_tokenizer": "13a"}),
    Case(["--max-order", "2"], {"max_order": 2}),
    Case(["--min-order", "2"], {"min_order": 2}, profile("google_bleu")),
    Case(["--weights", "0.75,0.25"], {"weights": [0.75, 0.25]}),
    Case(
        ["--weights", "1", "--weights", "0.5,0.5"],
        {"weights": [[1.0], [0.5, 0.5]]},
        profile("nltk"),
    ),
    Case(["--smooth", "add-one"], {"smooth": "add-one"}),
    Case(["--smooth", "method5"], {"smooth": "method5"}, profile("nltk")),
    Case(["--smooth-value", "0.5"], {"smooth_value": 0.5}, {"smooth": "add-k"}),
    Case(["--reference-length", "longest"], {"reference_length": "longest"}),
    Case(["--effective-order"], {"effective_order": True}, profile("sacrebleu"), SHORT),
    Case(
        ["--no-effective-order"],
        {"effective_order": False},
        profile("sacrebleu", effective_order=True),
        SHORT,
    ),
    Case(["--auto-reweigh"], {"auto_reweigh": True}, profile("nltk"), SHORT),
    Case(["--lowercase"], {"lowercase": True}),
    Case(["--sentence-bleu"], {"sentence_bleu": True}),
    Case(
        ["--rouge-type", "rougeSU4", "--rouge-type", "rougeW-1.2"],
        {"rouge_types": ["rougeSU4", "rougeW-1.2"]},
    ),
    Case(["--use-stemmer"], {"use_stemmer": True}, {}, FORMS),
    Case(["--stemmer", "none"], {"use_stemmer": False}, {"language": "Hindi"}, HINDI),
    Case(["--stemmer", "english"], {"use_stemmer": "english"}, {"tokenizer": "unicode"}, FORMS),
    Case(
        ["--stemmer-exceptions", "verb.exc", "--stemmer-exceptions", "noun.exc"],
        {"stemmer_exceptions": ["verb.exc", "noun.exc"]},
        {"use_stemmer": True},
    ),
    Case(["--stop-words", "words.txt"], {"stop_words": WORDS.split()}),
    Case(["--stop-words", "words"], {"stop_words": WORDS.split()}),
    Case(["--word-limit", "5"], {"word_limit": 5}),
    Case(["--byte-limit", "30"], {"byte_limit": 30}),
    Case(["--sentence-splitter", "pysbd"], {"sentence_splitter": "pysbd"}, {}, SENTENCES),
    Case(["--multi-reference", "micro"], {"multi_reference": "micro"}),
    Case(["--beta", "2.5"], {"beta": 2.5}),
    Case(["--beta", "inf"], {"beta": float("inf")}),
    Case(["--exclusive"], {"exclusive": True}, profile("rouge", exclusive=False), REPEATED),
    Case(["--no-exclusive"], {"exclusive": False}, profile("rouge"), REPEATED),
    Case(["--detailed"], {"detailed": True}),
    Case(["--no-detailed"], {"detailed": False}, profile("rouge_score")),
    Case(["--no-aggregator"], {"use_aggregator": False}),
    Case(["--use-aggregator"], {"use_aggregator": True}, {"use_aggregator": False}),
    Case(["--aggregator", "bootstrap"], {"aggregator": "bootstrap"}),
    Case(["--n-resamples", "20"], {"n_resamples": 20}, {"confidence": 0.9}),
    Case(["--confidence", "0.9"], {"confidence": 0.9}),
    Case(["--signature"], {"signature": True}),
]

# Flags with another name than their option.
RENAMED = {"rouge_type": "rouge_types", "stemmer": "use_stemmer"}

# Parameters that are not options of the metric; other tests cover them.
def as_flags(options: dict[str, Any]) -> list[str]:
    """Convert options of ``Case.base`` to flags."""
    flags: list[str] = []
    for name, value in options.items():
        flag = {"use_aggregator": "--aggregator"}.get(name, "--" + name.replace("_", "-"))
        if isinstance(value, bool):
            flags.append(flag if value else flag.replace("--", "--no-"))
        else:
            flags += [flag, str(value)]
    return flags


def write_samples(samples: tuple[list[str], list[list[str]]]) -> str:
    rows = zip(*samples, strict=True)
    lines = (json.dumps({"prediction": text, "references": texts}) for text, texts in rows)
    Path("case.jsonl").write_text("\n".join(lines), "utf-8")
    return "case.jsonl"


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case.flags))
@pytest.mark.filterwarnings("ignore:.*one sentence per line:UserWarning")
def test_a_flag_is_the_option_of_its_name(case: Case, metric: evaluate.Metric) -> None:
    Path("words.txt").write_text(WORDS, "utf-8")
    Path("words").write_text(WORDS, "utf-8")
    Path("verb.exc").write_text("repaired fix\n", "utf-8")
    Path("noun.exc").write_text("loaves bread\n", "utf-8")
    metric.seed = 7
    texts = {"predictions": case.samples[0], "references": case.samples[1]}
    plain = metric.compute(**texts, **case.base)
    metric.seed = 7
    expected = metric.compute(**texts, **{**case.base, **case.options})
    assert list(expected.items()) != list(plain.items())
    base = {name: value for name, value in case.base.items() if name not in case.options}
    name = write_samples(case.samples)
    uses_seed = Options(**{**case.base, **case.options}).plan().has_seed
    seed = ["--seed", "7"] if uses_seed else []
    found = score_json(name, name, *seed, *as_flags(base), *case.flags)
    assert list(found.items()) == list(expected.items())


def test_a_seed_draws_the_same_samples_again() -> None:
    files = ["samples.jsonl", "samples.jsonl", "--aggregator", "bootstrap", "--n-resamples", "3"]
    first, same, other = (score_json(*files, "--seed", seed) for seed in ("1", "1", "2"))
    assert first == same
    assert first != other


def test_a_seed_without_resampling_is_a_warning() -> None:
    result = invoke("score", "samples.jsonl", "samples.jsonl", "--seed", "3")
    assert result.exit_code == 0
    assert result.stderr == (
        "bleu-rouge: warning: --seed is 3, but nothing is resampled; use --aggregator bootstrap or "
        "--confidence 0.95, or leave it out.\n"
    )


def test_every_option_has_a_flag_and_every_flag_a_test() -> None:
    own = {flag.name for flag in COMMANDS["score"].flags}
    parameters = {p.name for p in make_command("score").params} - own
    named = {RENAMED.get(name, name) for name in parameters}
    # Files hold texts, not token ids.
    others = {"ignore_index", "pad", "eos", "separator"}
    assert named == OPTIONS.keys() - others
    tested = {flag[2:] for case in CASES for flag in case.flags if flag.startswith("--")}
    flags = {name.replace("_", "-") for name in parameters}
    assert flags <= tested | {"use-aggregator"}


def test_the_flags_of_a_comparison_are_those_of_scores() -> None:
    of_scores = {p.name: p.help for p in make_command("score").params}
    of_comparison = {p.name: p.help for p in make_command("compare-profiles").params}
    differ = {name for name, text in of_comparison.items() if text != of_scores.get(name)}
    assert differ == {"profiles"}


def test_a_whole_number_is_an_int_as_in_python(metric: evaluate.Metric) -> None:
    # Exact fractions and floats differ in the last digit here.
    predictions, references = ["f f f a d f b f"], [["c f a d f f b f d"]]
    texts = {"predictions": predictions, "references": references}
    options = profile("nltk", smooth="method6")
    values = {
        type(value): metric.compute(**texts, **options, smooth_value=value)["bleu"]
        for value in (3, 3.0)
    }
    assert values[int] != values[float]
    name = write_samples((predictions, references))
    for value in (3, 3.0):
        found = score_json(name, name, *as_flags(options), "--smooth-value", str(value))
        assert found["bleu"] == values[type(value)]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--max-order", "two"], "--max-order is 'two'; expected an int."),
        (["--max-order", "0"], "--max-order is 0; expected an int from 1 to 100."),
        (
            ["--min-order", "2"],
            "--min-order has no effect under the profile 'hf'. Remove it.",
        ),
        (
            ["--weights", "a half"],
            "--weights is 'a half'; expected numbers with commas between, such as 0.5,0.5.",
        ),
        (["--weights", "0.5,0.4"], "--weights sums to 0.9; expected 1: divide each by 0.9."),
        (
            ["--weights", "1", "--max-order", "2"],
            "--weights has 1 values, but --max-order is 2; give one weight per order, or leave "
            "--max-order out.",
        ),
        (
            ["--smooth", "expo"],
            f"Unknown --smooth 'expo'; expected one of {SMOOTHINGS}. Did you mean 'exp'?",
        ),
        (["--smooth", "floor", "--smooth-value", "x"], "--smooth-value is 'x'; expected a number."),
        (
            ["--smooth", "floor", "--smooth-value", "-1"],
            "--smooth-value is -1.0; expected a number from 0 to 1,000,000 for --smooth 'floor'.",
        ),
        (
            ["--reference-length", "near"],
            "Unknown --reference-length 'near'; expected one of 'shortest', 'closest', 'average', "
            "'longest'.",
        ),
        (
            ["--rouge-type", "rouge0"],
            "Unknown rouge type 'rouge0'; expected 'rouge1' to 'rouge9', 'rougeL', 'rougeLsum', "
            "'rougeW' (or with a weight, 'rougeW-1.2'), 'rougeS' or 'rougeSU' (or with a gap, "
            "'rougeS4', 'rougeSU4').",
        ),
        (
            ["--rouge-type", "rougeS-1"],
            "Rouge type 'rougeS-1' has the gap -1; expected an int of at least 0, such as "
            "'rougeS4'. For any gap write 'rougeS*'.",
        ),
        (
            ["--tokenizer", "ids"],
            "--tokenizer is 'ids', but files hold texts; leave it out.",
        ),
        (
            ["--use-stemmer", "--stemmer", "german"],
            "--use-stemmer and --stemmer exclude each other; give one of them.",
        ),
        (
            ["--stemmer-exceptions", "noun.exc"],
            "--stemmer-exceptions is given, but --use-stemmer is not given; use --use-stemmer, or "
            "leave the exceptions out.",
        ),
        (
            ["--use-stemmer", "--stemmer-exceptions", "nowhere.exc"],
            "--stemmer-exceptions: there is no file or folder nowhere.exc.",
        ),
        (["--stop-words", "nowhere.txt"], "nowhere.txt: No such file or directory."),
        (["--stop-words", "latin.txt"], "latin.txt: the file is not UTF-8; save it as UTF-8."),
        (["--stop-words", "empty.txt"], "empty.txt: the file has no words; expected one per line."),
        (["--word-limit", "0"], "--word-limit is 0; expected an int from 1 to 2,147,483,647."),
        (["--byte-limit", "1.5"], "--byte-limit is '1.5'; expected an int."),
        (
            ["--multi-reference", "max"],
            "Unknown --multi-reference 'max'; expected one of 'best', 'best_recall', 'micro', "
            "'mean', 'jackknife'.",
        ),
        (["--beta", "0"], "--beta is 0; expected a number above 0, or inf for the recall."),
        (["--beta", "big"], "--beta is 'big'; expected a number."),
        (
            ["--aggregator", "sum"],
            "Unknown --aggregator 'sum'; expected one of 'mean', 'bootstrap'.",
        ),
        (["--n-resamples", "0"], "--n-resamples is 0; expected an int from 1 to 1,000,000."),
        (
            ["--confidence", "95"],
            "--confidence is 95; expected a float above 0 and below 1, such as 0.95.",
        ),
        (
            ["--confidence", "0.9", "--no-aggregator"],
            "--confidence is an interval around one score for all samples, but --no-aggregator is "
            "given; leave one of the two out.",
        ),
        (
            ["--confidence", "0.9", "--smooth", "method5"],
            "--confidence is 0.9, but --smooth 'method5' uses counts of the last sample, so "
            "resampling would change what is measured; use 'method5-corrected'.",
        ),
        (
            ["--confidence", "0.9", "--weights", "1", "--weights", "0.5,0.5"],
            "--confidence is 0.9, but --weights has 2 sets; expected one, because one score is "
            "resampled.",
        ),
        (
            ["--tokenizer", "13A"],
            f"Unknown --tokenizer '13A'; expected {TOKENIZER_NAMES}. Did you mean '13a'?",
        ),
        (
            ["--smooth", "exp", "--smooth-value", "1"],
            "--smooth-value is 1, but --smooth 'exp' takes no value; leave it out, or choose one "
            "of floor, add-k, method1, method4, method6, method6-corrected, method7, "
            "method7-corrected.",
        ),
        (["--seed", "-1"], "--seed is -1; expected an int from 0 to 4294967295."),
        (["--seed", "4294967296"], "--seed is 4294967296; expected an int from 0 to 4294967295."),
        (["--seed", "today"], "--seed is 'today'; expected an int."),
        (
            ["--profile", "sacreblue"],
            f"Unknown --profile 'sacreblue'; expected one of {PROFILE_NAMES}. Did you mean "
            "'sacrebleu'?",
        ),
        (
            ["--profile", "sacrebleu", "--use-stemmer"],
            "--use-stemmer applies to ROUGE only, but the profile 'sacrebleu' has only BLEU. "
            "Remove it.",
        ),
        (
            ["--profile", "nltk", "--family", "rouge"],
            "--profile 'nltk' has no ROUGE, but only ROUGE was requested; expected one of "
            f"{ROUGE_PROFILE_NAMES}.",
        ),
        (
            ["--profile", "google_bleu", "--smooth", "exp"],
            "--smooth has no effect under the profile 'google_bleu'. Remove it.",
        ),
    ],
)
def test_a_bad_value_is_one_line_before_any_score(
    flags: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleu_rouge_metric.cli.score.read_samples", None)
    Path("latin.txt").write_bytes(b"caf\xe9\n")
    Path("empty.txt").touch()
    assert error("samples.jsonl", "samples.jsonl", *flags) == f"bleu-rouge: {message}"


def test_rouge_types_may_be_separated_by_commas() -> None:
    files = ("predictions.txt", "references.txt", "--family", "rouge")
    several = ("--rouge-type", "rouge1", "--rouge-type", "rouge2", "--rouge-type", "rougeL")
    expected = score_json(*files, *several)
    assert list(expected) == ["rouge1", "rouge2", "rougeL"]
    assert score_json(*files, "--rouge-type", "rouge1,rouge2", "--rouge-type", "rougeL") == expected
    assert score_json(*files, "--rouge-type", "rouge1, rouge2, rougeL") == expected
    assert error(*files, "--rouge-type", "rouge1,rouge0").startswith(
        "bleu-rouge: Unknown rouge type 'rouge0'; expected "
    )


@pytest.mark.parametrize(("given", "hint"), [("klingon", ""), ("germn", " Did you mean 'german'?")])
def test_an_unknown_language_of_a_stemmer_names_the_flag_and_the_languages(
    given: str, hint: str
) -> None:
    line = error("predictions.txt", "references.txt", "--stemmer", given)
    assert line == (
        f"bleu-rouge: Unknown --stemmer '{given}'; expected one of 'arabic', 'danish', 'dutch', "
        "'english', 'finnish', 'french', 'german', 'hungarian', 'italian', 'norwegian', 'porter', "
        f"'portuguese', 'romanian', 'russian', 'spanish', 'swedish'.{hint}"
    )
