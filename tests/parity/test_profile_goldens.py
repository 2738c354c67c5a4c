"""Every golden of sacrebleu, NLTK and ROUGE-1.5.5 equals ``metric.compute`` with a profile."""

import gzip
import json
from typing import Any

import evaluate
import pytest

from bleu_rouge_metric import Options
from bleu_rouge_metric.families.bleu.counts import read_bleu
from bleu_rouge_metric.families.bleu.statistics import make_columns
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.scoring.counting import count_samples

from ..conftest import unfit_texts
from ..support import perl_rouge
from .goldens import DATA, each_corpus, read_golden
from .parity import compare

pytestmark = [pytest.mark.usefixtures("kernel"), *unfit_texts]

# Names of tokenizers in the goldens, and our names.
NLTK_TOKENIZERS = {"13a": "13a", "split": "whitespace", "char": "char"}

PROBES = DATA / "peer_suites" / "rouge155_probes.json.gz"
SUMMARIES = {"cnndm_bart_cased", "cnndm_simcls_nl", "duc2004_4refs_nl", "summeval_11refs"}


def _sacrebleu_options(name: str) -> dict[str, Any]:
    """Return keyword arguments for a name such as ``13a/floor0.5/eff0``."""
    tokenizer, smooth, effective, *rest = name.split("/")
    options: dict[str, Any] = {
        "tokenizer": tokenizer,
        "effective_order": effective == "eff1",
    }
    method = smooth.rstrip("0123456789.")
    options["smooth"] = method
    if method != smooth:
        options["smooth_value"] = float(smooth.removeprefix(method))
    for part in rest:
        if part == "lc":
            options["lowercase"] = True
        else:
            options["max_order"] = int(part.removeprefix("order"))
    return options


def _nltk_options(name: str) -> dict[str, Any]:
    """Keyword arguments for a name such as ``split/method1/bleu3`` or ``13a/none/auto_reweigh``."""
    tokenizer, smooth, *rest = name.split("/")
    options: dict[str, Any] = {"tokenizer": NLTK_TOKENIZERS[tokenizer], "smooth": smooth}
    for part in rest:
        if part == "auto_reweigh":
            options["auto_reweigh"] = True
        else:
            order = int(part.removeprefix("bleu"))
            options["weights"] = (1 / order,) * order
    return options


def _without_error(score: float | dict[str, str], place: str) -> float:
    """Return a golden of NLTK; 0 if its method 6 is not defined."""
    if isinstance(score, float | int):
        return score
    message = "This smoothing method requires non-zero precision for bigrams."
    assert score == {"error": f"AssertionError: {message}"}
    assert "method6" in place
    return 0.0


@each_corpus()
def test_sacrebleu_of_a_corpus(metric: evaluate.Metric, corpus: str) -> None:
    golden = read_golden(corpus)
    goldens = golden.scores["sacrebleu"]["corpus"]
    assert len(goldens) >= 39
    for name, expected in goldens.items():
        found = metric.compute(
            predictions=golden.predictions,
            references=golden.references,
            profile="sacrebleu",
            **_sacrebleu_options(name),
        )
        wanted = {key: value for key, value in expected.items() if key != "signature"}
        if "add-k" in name:
            # Differences B15: sacrebleu returns smoothed counts; ours are the integers.
            plain = golden.scores["sacrebleu"]["corpus"][name.split("/")[0] + "/none/eff0"]
            wanted |= {key: plain[key] for key in ("counts", "totals")}
        compare("sacrebleu", "corpus BLEU of the corpora, all outputs", found, wanted, name)


@each_corpus()
def test_sacrebleu_of_every_sentence(metric: evaluate.Metric, corpus: str) -> None:
    golden = read_golden(corpus)
    goldens = golden.scores["sacrebleu"]["sentence"]
    assert len(goldens) >= 9
    for name, expected in goldens.items():
        found = metric.compute(
            predictions=golden.predictions,
            references=golden.references,
            profile="sacrebleu",
            sentence_bleu=True,
            **_sacrebleu_options(name),
        )
        compare(
            "sacrebleu",
            "sentence BLEU of the corpora",
            found["sentence_bleu"],
            expected,
            name,
        )


@each_corpus()
def test_statistics_of_sentences_equal_sacrebleu(corpus: str) -> None:
    golden = read_golden(corpus)
    expected = golden.scores["sacrebleu"]["sentence_stats_13a"]
    assert expected["columns"] == "correct1-4,total1-4,sys_len,ref_len"
    options = Options.from_keywords({"profile": "sacrebleu"}, ["bleu"])
    samples = check_samples(golden.predictions, golden.references)
    plan = options.plan(["bleu"])
    counts = read_bleu(count_samples(samples, plan))
    scoring: Any = plan.scores["bleu"]
    columns = make_columns(counts, samples.offsets, scoring.rules).tolist()
    rows = [[*row[5:], *row[1:5], row[1], row[0]] for row in columns]
    compare("sacrebleu", "counts of every sentence of the corpora", rows, expected["rows"])


@each_corpus()
def test_nltk_of_a_corpus_and_of_every_sentence(metric: evaluate.Metric, corpus: str) -> None:
    golden = read_golden(corpus)
    for level in ("corpus", "sentence"):
        goldens = golden.scores["nltk"][level]
        assert len(goldens) >= (28 if level == "corpus" else 9)
        for name, expected in goldens.items():
            found = metric.compute(
                predictions=golden.predictions,
                references=golden.references,
                profile="nltk",
                sentence_bleu=level == "sentence",
                **_nltk_options(name),
            )
            values = found["bleu" if level == "corpus" else "sentence_bleu"]
            wanted = (
                [_without_error(score, name) for score in expected]
                if isinstance(expected, list)
                else _without_error(expected, name)
            )
            compare("nltk", f"{level} BLEU of the corpora", values, wanted, name)


def _rouge155_options(name: str, run: dict[str, Any]) -> dict[str, Any]:
    """Return keyword arguments for a run of ROUGE-1.5.5, such as ``A/m`` or ``B``."""
    policy, *flags = name.split("/")
    options: dict[str, Any] = {
        "profile": "rouge-1.5.5",
        "rouge_types": [_rouge155_type(score) for score in run["per_item"]],
    }
    if policy == "B":
        options["multi_reference"] = "best_recall"
    for flag in flags:
        if flag == "m":
            files = str(perl_rouge.exception_files())
            options |= {"use_stemmer": True, "stemmer_exceptions": files}
        elif flag == "s":
            options["stop_words"] = sorted(perl_rouge.stop_words())
        elif flag == "p0.8":
            options["beta"] = 0.5
        elif flag == "l7":
            options["word_limit"] = 7
        elif flag == "b20":
            options["byte_limit"] = 20
    return options


def _rouge155_type(score: str) -> str:
    """Return our name of a score such as ``ROUGE-SU4``."""
    return "rouge" + score.removeprefix("ROUGE-")


def _compare_rouge155(
    metric: evaluate.Metric,
    samples: tuple[list[str], list[list[str]]],
    runs: dict[str, Any],
    where: str,
) -> None:
    """Compare every item and every average of all runs."""
    for name, run in runs.items():
        options = _rouge155_options(name, run)
        # If the program divides by zero, it prints nothing for the item.
        errors = set(map(int, run.get("errors", ())))
        kept = [index for index in range(len(samples[0])) if index not in errors]
        predictions, references = ([side[index] for index in kept] for side in samples)
        texts = {"predictions": predictions, "references": references}
        items = metric.compute(**texts, use_aggregator=False, **options)
        averages = metric.compute(**texts, confidence=0.95, **options)
        for score, printed in run["per_item"].items():
            ours = _rouge155_type(score)
            found = [list(triple) for triple in zip(*items[ours].values(), strict=True)]
            expected = [printed[index] for index in kept]
            compare("rouge-1.5.5", f"each item of {where}", found, expected, (name, score))
        for score, printed in run.get("average_low_high", {}).items():
            ours = _rouge155_type(score)
            bounds = [averages[key] for key in (ours, f"{ours}_low", f"{ours}_high")]
            parts = {
                letter: [bound[part] for bound in bounds]
                for letter, part in (("R", "recall"), ("P", "precision"), ("F", "fmeasure"))
            }
            what = f"averages and intervals of {where}"
            compare("rouge-1.5.5", what, parts, printed, (name, score))


@each_corpus()
def test_rouge155_of_the_corpora(metric: evaluate.Metric, corpus: str) -> None:
    golden = read_golden(corpus)
    section = golden.scores.get("rouge155", {"items": 0, "runs": {}})
    items = int(section["items"])
    samples = golden.predictions[:items], golden.references[:items]
    _compare_rouge155(metric, samples, section["runs"], "the corpora")


@each_corpus()
def test_all_summaries_have_goldens_of_rouge155(corpus: str) -> None:
    assert ("rouge155" in read_golden(corpus).scores) == (corpus in SUMMARIES)


@pytest.mark.skipif(not PROBES.exists(), reason="the probes are not at ../shared/data")
def test_rouge155_of_the_probes(metric: evaluate.Metric) -> None:
    probes = json.loads(gzip.decompress(PROBES.read_bytes()))
    samples = (
        [item["prediction"] for item in probes["items"]],
        [item["references"] for item in probes["items"]],
    )
    _compare_rouge155(metric, samples, probes["runs"], "the probes")
