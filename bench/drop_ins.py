"""Time the drop-ins, and ``score_table``, beside what they replace.

    python bench/drop_ins.py libraries | captions | packages | columns

Both are called with the same arguments, on sentences of XSum, or on generated texts.
Their results are compared (``==``) before they are timed. The number is the processor time of all
threads, which other programs of a shared machine disturb less: the least of several repeats, which
take turns, in microseconds per sample. PTBTokenizer is timed if Java is installed.
"""

import logging
import random
import shutil
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import starmap
from typing import Any

from workloads import Call, Row, Table, check_equal, compare, in_kernel, read_workload, run

from bleu_rouge_metric import PairScorer, Scorer, score_table
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

TYPES = ["rouge1", "rouge2", "rougeL"]

# Of the packages rouge and rouge_chinese: words per text, and pairs of texts.
SIZES = ((20, 200), (60, 60), (300, 4))

REFERENCES = 5
WORDS = """a the one two man woman child dog cat horse bus train table plate kitchen street beach
field ball phone umbrella red brown small large sitting standing riding holding walking on in with
next to of and near""".split()  # noqa: SIM905

Captions = dict[int, list[str]]
Pairs = list[tuple[str, str]]


def make_row(name: str, theirs: Call, ours: Call, units: int) -> Row:
    """Make a row of a call with both libraries, whose results are equal."""
    check_equal(name, ours(), theirs())
    return Row(name, ours, {"original": theirs, "Python kernel": in_kernel("python", ours)}, units)


def list_sacrebleu(library: Any, pairs: Pairs, n_bootstrap: int) -> dict[str, Call]:
    """List the calls of sacrebleu."""
    metric = library.BLEU(effective_order=True)
    texts, targets = map(list, zip(*pairs, strict=True))

    def read(score: Any) -> tuple[Any, ...]:
        return score.score, score.precisions, score.counts, score.totals, score._mean, score._ci  # noqa: SLF001

    def score_each(score: Callable[[str, list[str]], Any]) -> Any:
        return [read(score(text, [target])) for text, target in pairs]

    return {
        "corpus_bleu": lambda: read(library.corpus_bleu(texts, [targets])),
        f"BLEU().corpus_score, n_bootstrap={n_bootstrap}": lambda: read(
            library.BLEU().corpus_score(texts, [targets], n_bootstrap)
        ),
        "sentence_bleu": partial(score_each, library.sentence_bleu),
        "BLEU(…).sentence_score": partial(score_each, metric.sentence_score),
    }


def list_nltk(module: Any, pairs: Pairs, _: int) -> dict[str, Call]:
    """List the calls of NLTK."""
    tokens, targets = ([text.split() for text in side] for side in zip(*pairs, strict=True))
    smooth = module.SmoothingFunction().method3
    numbers: dict[str, int] = {}
    ids, target_ids = (
        [[numbers.setdefault(word, len(numbers)) for word in text] for text in side]
        for side in (tokens, targets)
    )

    def score_each(predictions: Any, references: Any) -> Any:
        return [
            module.sentence_bleu([reference], prediction, smoothing_function=smooth)
            for reference, prediction in zip(references, predictions, strict=True)
        ]

    return {
        "corpus_bleu": lambda: module.corpus_bleu([[target] for target in targets], tokens),
        "sentence_bleu, method3": partial(score_each, tokens, targets),
        "sentence_bleu of ids, method3": partial(score_each, ids, target_ids),
    }


def list_rouge_score(package: Any, pairs: Pairs, _: int) -> dict[str, Call]:
    """List the calls of rouge_score."""

    def score_each(scorer: Any) -> Any:
        return [scorer.score(target, text) for text, target in pairs]

    return {
        f"RougeScorer.score{', with the stemmer' * stem}": partial(
            score_each, package.RougeScorer(TYPES, use_stemmer=stem)
        )
        for stem in (False, True)
    }


def libraries(samples: int = 1000, n_bootstrap: int = 1000, repeats: int = 5) -> Iterator[Table]:
    """Compare with sacrebleu, NLTK and rouge_score."""
    import nltk.translate.bleu_score as nltk
    import rouge_score.rouge_scorer
    import sacrebleu

    from bleu_rouge_metric.integrations import sacrebleu as our_sacrebleu
    from bleu_rouge_metric.integrations.nltk import bleu_score as our_nltk
    from bleu_rouge_metric.integrations.rouge_score import rouge_scorer as our_rouge

    warnings.simplefilter("ignore")
    logging.disable()
    pairs = [*zip(*read_workload("XSum", samples)[1:3], strict=True)]
    rows = []
    for name, list_calls, modules in (
        ("sacrebleu", list_sacrebleu, (sacrebleu, our_sacrebleu)),
        ("nltk", list_nltk, (nltk, our_nltk)),
        ("rouge_score", list_rouge_score, (rouge_score.rouge_scorer, our_rouge)),
    ):
        theirs, ours = (list_calls(module, pairs, n_bootstrap) for module in modules)
        rows += [make_row(f"{name} {call}", theirs[call], ours[call], samples) for call in ours]
    yield compare("µs per sample", rows, repeats, time.process_time)


def make_captions(images: int) -> tuple[Captions, Captions]:
    """Make references and predictions by id; a caption shares most words with the others."""
    draws = random.Random(1)  # noqa: S311 - any texts will do
    gts: Captions = {}
    res: Captions = {}
    for image in range(images):
        words = draws.choices(WORDS, k=draws.randint(8, 14))
        every = [
            " ".join(word if draws.random() < 0.7 else draws.choice(WORDS) for word in words)
            for _ in range(1 + REFERENCES)
        ]
        res[image], gts[image] = every[:1], every[1:]
    return gts, res


def captions(images: int = 2_000, repeats: int = 5) -> Iterator[Table]:
    """Compare with pycocoevalcap."""
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    from bleu_rouge_metric.integrations import pycocoevalcap as ours

    gts, res = make_captions(images)
    scorer = Scorer(profile="coco")
    predictions, references = [texts[0] for texts in res.values()], [*gts.values()]

    def score_both() -> Any:
        scorer.reset()
        scorer.update(predictions, references)
        return [*scorer.result().values()]

    def score_bleu(kind: Any) -> Any:
        return kind(4).compute_score(gts, res, 0)

    def score_rouge(kind: Any) -> Any:
        return kind().compute_score(gts, res)

    def score_theirs() -> Any:
        return [*score_bleu(Bleu)[0], score_rouge(Rouge)[0]]

    calls: dict[str, tuple[Call, Call]] = {
        "Bleu(4).compute_score": (partial(score_bleu, Bleu), partial(score_bleu, ours.Bleu)),
        "Rouge().compute_score": (partial(score_rouge, Rouge), partial(score_rouge, ours.Rouge)),
        "Scorer(profile='coco')": (score_theirs, score_both),
    }
    if "ptb" in TOKENIZERS and shutil.which("java"):
        texts = {key: [{"caption": text} for text in own] for key, own in gts.items()}
        tokenizers = PTBTokenizer(), ours.PTBTokenizer()
        theirs, own = (partial(tokenizer.tokenize, texts) for tokenizer in tokenizers)
        calls["PTBTokenizer().tokenize"] = theirs, own
    title = f"{images:,} captions with {REFERENCES} references each, µs per image"
    yield compare(title, [make_row(name, *both, images) for name, both in calls.items()], repeats)


def make_texts(words: int, count: int, seed: int) -> list[str]:
    """Make texts of frequent and rare words, with a full stop behind every 18th word."""
    draws = random.Random(seed)  # noqa: S311 - any texts will do
    texts = []
    for _ in range(count):
        drawn = [f"w{int(draws.expovariate(0.02))}" for _ in range(words)]
        drawn[17::18] = [f"{word}." for word in drawn[17::18]]
        texts.append(" ".join(drawn))
    return texts


def packages(repeats: int = 3) -> Iterator[Table]:
    """Compare with rouge and rouge_chinese: one call for all pairs, and one per pair."""
    import rouge
    import rouge_chinese

    from bleu_rouge_metric.integrations import rouge as ours
    from bleu_rouge_metric.integrations import rouge_chinese as ours_chinese

    def score_alone(scorer: Any, hyps: list[str], refs: list[str]) -> list[Any]:
        return [*starmap(scorer.get_scores, zip(hyps, refs, strict=True))]

    rows = []
    for words, pairs in SIZES:
        texts = make_texts(words, pairs, seed=1), make_texts(words, pairs, seed=2)
        for module, own in ((rouge, ours), (rouge_chinese, ours_chinese)):
            scorers = module.Rouge(), own.Rouge()
            together = [partial(scorer.get_scores, *texts) for scorer in scorers]
            alone = [partial(score_alone, scorer, *texts) for scorer in scorers]
            name = f"{module.__name__}, {words} words"
            rows.append(make_row(name, together[0], together[1], pairs))
            rows.append(make_row(f"{name}, one pair per call", alone[0], alone[1], pairs))
    yield compare("µs per pair", rows, repeats)


def columns(rows: int = 50_000, few: int = 500, repeats: int = 3) -> Iterator[Table]:
    """Compare ``score_table`` with a call per row; rouge_score scores ``few`` rows."""
    import pandas as pd
    from rouge_score.rouge_scorer import RougeScorer

    texts = read_workload("XSum", rows)
    frame = pd.DataFrame({"prediction": texts.predictions, "reference": texts.references})
    pair = PairScorer("rougeL")
    theirs: Any = RougeScorer(["rougeL"])

    def apply(part: Any, score: Callable[[str, str], Any]) -> list[Any]:
        call = part.apply(lambda row: score(row["prediction"], row["reference"]), axis=1)
        scores: list[Any] = call.tolist()
        return scores

    def score_theirs(prediction: str, reference: str) -> Any:
        return theirs.score(reference, prediction)["rougeL"].fmeasure

    ours = partial(score_table, frame, "rougeL")
    of_pairs, of_theirs = partial(apply, frame, pair), partial(apply, frame.head(few), score_theirs)
    scores = ours()["rougeL"].tolist()
    check_equal("PairScorer", of_pairs(), scores)
    check_equal("rouge_score", of_theirs(), scores[:few])
    both = [
        Row("score_table", ours, {"apply of PairScorer": of_pairs}, rows),
        Row("score_table", ours, {"apply of rouge_score": of_theirs}, rows, few),
    ]
    yield compare(f"rougeL of a DataFrame of {rows:,} rows, µs per row", both, repeats)


if __name__ == "__main__":
    run(libraries, captions, packages, columns)
