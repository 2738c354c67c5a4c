"""The recipes of ``docs/papers.md``, compared with the libraries that each framework calls.

Each function with the name of a framework does its steps with these libraries, in its order of
floating-point operations; ``differences`` in the manual say what a recipe leaves out.
"""

import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from ..conftest import require, unfit_texts
from ..docs.blocks import read_blocks
from .goldens import each_corpus, read_golden

PAGE = "docs/papers.md"
FEW = 20

pytestmark = [*unfit_texts, pytest.mark.filterwarnings("ignore:.*cannot score:UserWarning")]

# Edge cases of the frameworks: no words, periods alone, blanks, a word that occurs twice.
EDGES = [
    ("", "a b"),
    ("a b", ""),
    ("...", "a b"),
    ("a b.", "..."),
    (" ", " "),
    ("a b. a b", "b a. c"),
    ("今天天气很好。我们去公园吧！", "今天的天气非常好，我们一起去公园。"),
    ("v2版本 发布了", "发布 v2 版本了"),
    ("no\nnewline", "a newline\nor two"),
]


def read_recipe(name: str) -> Callable[..., Any]:
    """Return the function of a recipe, run as the manual shows it."""
    (block,) = (b for b in read_blocks(PAGE) if f"def {name}(" in b.text or f"{name} =" in b.text)
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(block.text, block.place, "exec"), names)
    recipe: Callable[..., Any] = names[name]
    return recipe


def longbench(predictions: list[str], references: list[list[str]], *, is_chinese: bool) -> float:
    rouge = require("rouge").Rouge()

    def score(prediction: str, reference: str) -> float:
        if is_chinese:
            cut = require("jieba").cut
            prediction, reference = " ".join(cut(prediction)), " ".join(cut(reference))
        try:
            found: float = rouge.get_scores([prediction], [reference], avg=True)["rouge-l"]["f"]
        except (ValueError, RecursionError):
            return 0.0
        return found

    total = 0.0
    for prediction, texts in zip(predictions, references, strict=True):
        best = 0.0
        for text in texts:
            best = max(best, score(prediction, text))
        total += best
    return round(100 * total / len(predictions), 2)


def swift(predictions: list[str], references: list[list[str]]) -> dict[str, float]:
    bleu = require("nltk.translate.bleu_score")
    cut, rouge = require("jieba").cut, require("rouge").Rouge()
    smooth = bleu.SmoothingFunction().method3
    names = "rouge-1", "rouge-2", "rouge-l", "bleu-4"
    sums, count = dict.fromkeys(names, 0.0), 0
    for prediction, (reference,) in zip(predictions, references, strict=True):
        ours = [word.strip(" ") for word in cut(prediction) if word.strip(" ")]
        theirs = [word.strip(" ") for word in cut(reference) if word.strip(" ")]
        if not theirs:
            continue
        count += 1
        if not ours:
            continue
        texts = " ".join(ours), " ".join(theirs)
        if all(text.strip(".") for text in texts):
            for name, parts in rouge.get_scores(*texts)[0].items():
                sums[name] += parts["f"]
        sums["bleu-4"] += bleu.sentence_bleu([theirs], ours, smoothing_function=smooth)
    return {name: round(sums[name] / count * 100, 6) for name in names}


def llama_factory(predictions: list[str], references: list[list[str]]) -> dict[str, float]:
    bleu, numpy = require("nltk.translate.bleu_score"), require("numpy")
    cut, rouge = require("jieba").cut, require("rouge_chinese").Rouge()
    smooth = bleu.SmoothingFunction().method3
    columns: dict[str, list[float]] = {
        name: [] for name in ("rouge-1", "rouge-2", "rouge-l", "bleu-4")
    }
    for prediction, (reference,) in zip(predictions, references, strict=True):
        words, others = " ".join(cut(prediction)), " ".join(cut(reference))
        parts = {name: {"f": 0.0} for name in ("rouge-1", "rouge-2", "rouge-l")}
        if words.split() and others.split():
            parts = rouge.get_scores(words, others)[0]
        for name, part in parts.items():
            columns[name].append(round(part["f"] * 100, 4))
        score = bleu.sentence_bleu([list(reference)], list(prediction), smoothing_function=smooth)
        columns["bleu-4"].append(round(score * 100, 4))
    return {name: float(numpy.mean(column)) for name, column in columns.items()}


def vlmevalkit(predictions: list[str], references: list[list[str]]) -> dict[str, Any]:
    require("pycocoevalcap")
    gts = {str(i): texts for i, texts in enumerate(references)}
    res = {str(i): [text] for i, text in enumerate(predictions)}
    bleu, _ = require("pycocoevalcap.bleu.bleu").Bleu(4).compute_score(gts, res, verbose=0)
    rouge, _ = require("pycocoevalcap.rouge.rouge").Rouge().compute_score(gts, res)
    return {"Bleu": [score * 100 for score in bleu], "ROUGE_L": rouge * 100}


def azure(prediction: str, reference: str) -> float:
    tokenizer = require("nltk.tokenize").NLTKWordTokenizer()
    bleu = require("nltk.translate.bleu_score")
    ours, theirs = tokenizer.tokenize(prediction), tokenizer.tokenize(reference)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score: float = bleu.sentence_bleu(
            [theirs], ours, smoothing_function=bleu.SmoothingFunction().method4
        )
    return score


def read_first(corpus: str) -> tuple[list[str], list[list[str]]]:
    """Return the first samples of a corpus that are not too long for the originals."""
    golden = read_golden(corpus)
    pairs = zip(golden.predictions, golden.references, strict=True)
    short = [(text, texts) for text, texts in pairs if max(map(len, [text, *texts])) < 4000]
    return [text for text, _ in short[:FEW]], [texts for _, texts in short[:FEW]]


def make_edges() -> tuple[list[str], list[list[str]]]:
    """Return the edge cases, and random combinations of their pieces."""
    choose = random.Random(5)
    pieces = [*"abc. ", "今天", "天气", "。", "？", "...", "\n", "v2"]
    made = [
        tuple("".join(choose.choices(pieces, k=choose.randrange(12))) for _ in range(2))
        for _ in range(60)
    ]
    pairs = [*EDGES, *made]
    return [first for first, _ in pairs], [[second] for _, second in pairs]


@pytest.mark.extra
@pytest.mark.parametrize("is_chinese", [False, True])
@each_corpus()
def test_longbench(corpus: str, is_chinese: bool) -> None:
    recipe = read_recipe("score_longbench")
    for samples in (read_first(corpus), make_edges()):
        prepare = recipe.__globals__["cut_words"] if is_chinese else str
        assert recipe(*samples, prepare) == longbench(*samples, is_chinese=is_chinese)


@pytest.mark.extra
@each_corpus()
def test_ms_swift(corpus: str) -> None:
    recipe = read_recipe("score_swift")
    predictions, references = read_first(corpus)
    for samples in ((predictions, [texts[:1] for texts in references]), make_edges()):
        assert recipe(*samples) == swift(*samples)


@pytest.mark.extra
@each_corpus()
def test_llama_factory(corpus: str) -> None:
    recipe = read_recipe("score_llama_factory")
    predictions, references = read_first(corpus)
    for samples in ((predictions, [texts[:1] for texts in references]), make_edges()):
        assert recipe(*samples) == llama_factory(*samples)


@pytest.mark.extra
@each_corpus()
def test_vlmevalkit(corpus: str) -> None:
    recipe = read_recipe("score_vlmevalkit")
    for samples in (read_first(corpus), make_edges()):
        assert recipe(*samples) == vlmevalkit(*samples)


@each_corpus()
def test_azure(corpus: str) -> None:
    score = read_recipe("score_azure")
    for predictions, references in (read_first(corpus), make_edges()):
        for prediction, texts in zip(predictions, references, strict=True):
            assert score(prediction, texts[0]) == azure(prediction, texts[0])
