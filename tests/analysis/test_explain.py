"""explain: matches, LCS, scores, tokens, marks, notes and errors of examples worked by hand."""

import math
from html.parser import HTMLParser
from typing import Any

import pytest

from bleu_rouge_metric import Explanation, explain
from bleu_rouge_metric.families.bleu.explanation import BleuExplanation
from bleu_rouge_metric.families.gleu import GleuExplanation

from ..conftest import unfit_texts
from ..scoring.test_coco import BLEU, compute

pytestmark = list(unfit_texts)

WORDS: dict[str, Any] = {"tokenizer": "whitespace"}
MIR = "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440 a"


def bleu_of(explanation: Explanation) -> BleuExplanation:
    assert isinstance(explanation.bleu, BleuExplanation)
    return explanation.bleu


def test_the_form_that_to_dict_gives() -> None:
    plain = explain("The cat.", ["the cat", "A cat, sat"]).to_dict()
    assert list(plain) == ["prediction", "references", "matches", "lcs", "bleu", "rouge", "notes"]
    assert plain["prediction"]["tokens"][1] == {"text": "cat", "start": 4, "end": 7, "form": "cat"}
    assert [text["text"] for text in plain["references"]] == ["the cat", "A cat, sat"]
    assert list(plain["matches"]) == ["bleu", "rouge1", "rouge2"]
    assert list(plain["lcs"]) == ["rougeL", "rougeLsum"]


def test_one_family_alone() -> None:
    bleu = explain("The cat.", "the cat", family="bleu")
    assert [token.form for token in bleu.prediction.tokens] == ["The", "cat", "."]
    assert bleu.prediction.tokens == bleu.prediction.bleu_tokens
    assert (bleu.rouge, bleu.lcs, list(bleu.matches)) == ({}, {}, ["bleu"])
    rouge = explain("The cat.", "the cat", family="rouge")
    assert (rouge.bleu, rouge.prediction.bleu_tokens) == (None, ())


def test_bleu_is_a_product() -> None:
    bleu = bleu_of(explain("a b c d", ["a b c x y z", "a b c d e"], **WORDS))
    assert (bleu.prediction_length, bleu.reference_length, bleu.reference) == (4, 5, 1)
    assert bleu.reference_lengths == (6, 5)
    assert bleu.exponent == 1 - 1 / (4 / 5) == bleu.logarithm
    assert bleu.brevity_penalty == math.exp(1 - 1 / (4 / 5))
    assert [order[1:3] for order in bleu.orders] == [(4, 4), (3, 3), (2, 2), (1, 1)]
    assert [(order.weight, order.contribution) for order in bleu.orders] == [(0.25, 0.0)] * 4


def test_smoothed_and_raw_precisions_and_the_effective_order() -> None:
    options: dict[str, Any] = {"profile": "sacrebleu", "tokenizer": "none"}
    bleu = bleu_of(explain("a b", "a c", **options))
    assert [order.precision for order in bleu.orders] == [50.0, 0.0, 0.0, 0.0]
    assert [order.smoothed for order in bleu.orders] == [50.0, 50.0, 0.0, 0.0]
    assert (bleu.score, bleu.logarithm) == (0.0, None)
    assert bleu.sentence_score == pytest.approx(50)
    effective = bleu_of(explain("a b", "a c", **options, effective_order=True))
    assert [order.weight for order in effective.orders] == [0.5, 0.5, 0.0, 0.0]
    assert effective.score == bleu.sentence_score
    assert effective.logarithm == pytest.approx(math.log(0.5))


def test_google_bleu_has_the_quotient_of_one_reference() -> None:
    found = explain("a b", ["c d", "a c"], profile="google_bleu")
    assert found.bleu == GleuExplanation(score=1 / 3, reference=1, matches=1, total=3)


def test_coco_has_the_scores_of_all_orders_and_the_reference_of_each_part() -> None:
    found = explain("a b c d", ["a b", "a b x y z q"], profile="coco")
    bleu: Any = found.bleu
    scores = compute(predictions=["a b c d"], references=[["a b", "a b x y z q"]])
    assert bleu.scores == {name: scores[name] for name in BLEU}
    assert (bleu.score, bleu.reference, bleu.reference_length) == (scores["Bleu_4"], 0, 2)
    assert [order.precision for order in bleu.orders] == [2 / 4, 1 / 3, 0.0, 0.0]
    rouge = found.rouge["ROUGE_L"]
    assert (rouge.precision, rouge.recall, rouge.fmeasure) == (0.5, 1.0, scores["ROUGE_L"])
    assert rouge.reference == 0
    apart = explain("a b c d", ["a", "a b x y z q w v"], profile="coco").rouge["ROUGE_L"]
    assert (apart.precision, apart.recall, apart.reference) == (0.5, 1.0, None)
    assert apart.fmeasure == 0.7093023255813954


@pytest.mark.parametrize(
    ("policy", "reference"),
    [("best", 1), ("best_recall", 2), ("micro", None), ("mean", None), ("jackknife", None)],
)
def test_the_reference_that_rouge_chooses(policy: Any, reference: int | None) -> None:
    options: Any = {"rouge_types": ["rouge1"], "multi_reference": policy, **WORDS}
    found = explain("a b c d", ["x", "a b c e f", "a"], **options).rouge["rouge1"]
    assert (found.reference, found.multi_reference) == (reference, policy)
    numbers = [
        (pair.hits, pair.prediction_total, pair.reference_total) for pair in found.references
    ]
    assert numbers == [(0, 4, 1), (3, 4, 5), (1, 4, 1)]
    assert found.references[2].recall == 1.0
    assert explain("a b", "a c", **options).rouge["rouge1"].reference == 0


CATS = "The cats, the DOGS\nand others ran"
LIMITED = {"use_stemmer": True, "stop_words": ["the", "and"], "word_limit": 6}
SPLIT = {"rouge_types": ["rougeLsum"], "sentence_splitter": lambda text: text.split(". ")}
SWAPPED = {**SPLIT, **WORDS, "sentence_splitter": lambda text: [text.swapcase()]}
SEGMENTED = {"tokenizer": "unicode", "segmenter": lambda run: [run[:2], run[2:]]}
PTB = {"profile": "coco", "tokenizer": "ptb"}
LEFT = "A/a man/man (/-lrb- left/left )/-rrb- eats/eats"
PIES = "A man (left) eats 1\u00a01/2 pies."


# The piece of the text and the form of each token; "_" is a space, "|" the end of a sentence.
@pytest.mark.parametrize(
    ("text", "options", "kind", "expected"),
    [
        (CATS, LIMITED, "tokens", "cats/cat DOGS/dog others/other"),
        (CATS, LIMITED, "sentences", "cats/cat DOGS/dog | others/other"),
        ("\u0130 co-\n", {"profile": "sacrebleu", "lowercase": True}, "tokens",
         "\u0130/i\u0307 co-/co-"),
        ("Ab. Cd", SPLIT, "sentences", "Ab/ab | Cd/cd"),
        ("In \u5317\u4eac\u5927\u5b66", SEGMENTED, "tokens",
         "In/in \u5317\u4eac/\u5317\u4eac \u5927\u5b66/\u5927\u5b66"),
        # A splitter that rewrites leaves no places.
        ("a b", SWAPPED, "sentences", "/A /B"),
        # A no-break space joins the two numbers; BLEU splits the token there, and ROUGE-L does not.
        (PIES, PTB, "tokens", f"{LEFT} 1\u00a01/2/1\u00a01/2 pies/pies"),
        (PIES, PTB, "bleu_tokens", f"{LEFT} 1/1 1/2/1/2 pies/pies"),
        ("a 1 1/2", PTB, "bleu_tokens", "a/a 1/1 1/2/1/2"),
        # Of a fraction that is one character, the second number is not a piece of the text.
        ("1½ a", PTB, "bleu_tokens", "1/1 ½/1/2 a/a"),
    ],
)  # fmt: skip
def test_tokens_keep_their_places(
    text: str, options: dict[str, Any], kind: str, expected: str
) -> None:
    found = explain(text, text, **options).prediction
    sentences = found.sentences if kind == "sentences" else [getattr(found, kind)]
    lines = (" ".join(f"{token.text}/{token.form}" for token in tokens) for tokens in sentences)
    assert " | ".join(lines) == expected


NO = "no {} of the prediction occurs in a reference."
ALL = "rouge1, rougeL and rougeLsum are 0: "
COCO = {"profile": "coco"}


@pytest.mark.parametrize(
    ("prediction", "references", "options", "expected"),
    [
        ("a b c", "a b d", {}, "BLEU is 0: " + NO.format("3-gram")),
        ("a b c d", "a b c x d", {}, "BLEU is 0: " + NO.format("4-gram")),
        ("a b", "a b", {}, "BLEU is 0: the prediction is too short for a 3-gram."),
        ("a", "b", {}, "BLEU is 0: " + NO.format("token")),
        ("", "b", {"family": "bleu"}, "BLEU is 0: the prediction has no token."),
        ("a", ["", ""], {"family": "bleu"}, "BLEU is 0: no reference has a token."),
        ("a b c d", ["a b c d", ""], {"family": "bleu"}, "BLEU is 0: a reference has no token."),
        ("a", "a " * 800, {"family": "bleu", "max_order": 1},
         "BLEU is 0: the prediction is so short that the brevity penalty is 0."),
        ("a b", "a c", {"profile": "nltk", "smooth": "method6", "max_order": 2},
         "BLEU is 0: the smoothing is not defined for these counts."),
        ("a", "b", {"profile": "google_bleu"}, "Google BLEU is 0: " + NO.format("n-gram")),
        ("a b c d", "a b", COCO,
         "Bleu_3 is close to 0, as are the scores of higher orders: " + NO.format("3-gram")),
        ("x", "y z", COCO, "ROUGE_L is 0: " + NO.format("token")),
        ("", "y", COCO, "Bleu_1, Bleu_2, Bleu_3 and Bleu_4 are 0: the brevity penalty is 0."),
        ("a b", "c d", {"family": "rouge"}, ALL + NO.format("token")),
        ("कखग।", "घङच।", {"language": "hi", "family": "rouge"}, ALL + NO.format("token")),
        ("kitab1", "kitab2", {"tokenizer": "xlsum", "family": "rouge"},
         "rougeLsum is 0: this tokenizer splits a sentence only at spaces and punctuation, and no "
         "such piece of the prediction occurs in a reference."),
        ("a", "a b", {"rouge_types": ["rougeS"]},
         "rougeS is 0: the prediction has fewer than two tokens."),
        ("a b", "b a", {"rouge_types": ["rougeS"]}, "rougeS is 0: " + NO.format("skip-bigram")),
        ("a b", "c d", {"rouge_types": ["rougeSU"]},
         "rougeSU is 0: " + NO.format("skip-bigram and no token")),
        ("a b", "a " * 30, {"profile": "rouge-1.5.5", "rouge_types": ["rougeW-5"]},
         "rougeW-5 is 0: the five digits of the score are 0."),
        (MIR, "a", {}, "The 'rouge' tokenizer drops 10 characters of the prediction: "
         "'\u041f\u0440\u0438\u0432\u0435\u0442,', '\u043c\u0438\u0440'."),
        ("a", "1. 2, 3! 4? 5; 6: 7", {}, "The 'rouge' tokenizer drops 6 characters of "
         "references[0]: '.', ',', '!', '?', ';' and others."),
        ("a b", "a", {"rouge_tokenizer": lambda text: [*text.split(), "</s>"]},
         "1 token of the prediction for ROUGE is no piece of the text: '</s>'."),
        (CATS, "a", LIMITED, "The 'rouge' tokenizer drops 1 character of the prediction: ','."),
        (CATS, "a", LIMITED, "The limit cuts 3 characters of the prediction."),
        (CATS, "a", LIMITED, "3 stop words of the prediction are left out: 'The', 'the', 'and'."),
    ],
)  # fmt: skip
def test_notes(prediction: str, references: Any, options: dict[str, Any], expected: str) -> None:
    assert expected in explain(prediction, references, **options).notes


@pytest.mark.filterwarnings("error")
def test_warnings_are_notes_and_are_not_shown() -> None:
    found = explain("\u043c\u0438\u0440", "\u043c\u0438\u0440", use_stemmer=True, tokenizer="13a")
    assert found.notes[-1].startswith("use_stemmer=True has no effect on ROUGE here")
    assert explain("\u043c\u0438\u0440", "a").notes[-1].startswith("The 'rouge' tokenizer leaves")


def test_an_error_of_pysbd_names_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object, text: str) -> list[str]:
        if text == "odd":
            raise IndexError("list index out of range")
        return [text]

    monkeypatch.setattr(pytest.importorskip("pysbd").Segmenter, "segment", fail)
    reason = "sentence_splitter 'pysbd' fails with IndexError: list index out of range"
    with pytest.raises(ValueError, match=rf"^references\[1\]: {reason}$"):
        explain("a", ["b", "odd"], family="rouge", sentence_splitter="pysbd")


# What is printed of a score: a longer n-gram that counts is before a shorter one, × is clipped.
@pytest.mark.parametrize(
    ("prediction", "references", "options", "expected"),
    [
        ("the the cat sat", ["the cat sat", "a dog"], {},
         ["bleu", "[the]1 [the]3 [cat]3 [sat]3", "[the]3 [cat]3 [sat]3", "a dog"]),
        # A token of a clipped 2-gram that counts as a 1-gram is not clipped.
        ("a b a b", "a b b", {}, ["bleu", "[a]2 [b]2 [a]× [b]1", "[a]2 [b]2 [b]1"]),
        ("the the cat sat", "the cat sat", {},
         ["rouge1", "[the]1 [the]× [cat]1 [sat]1", "[the]1 [cat]1 [sat]1"]),
        ("the the cat sat", "the cat sat", {},
         ["rouge2", "the [the]2 [cat]2 [sat]2", "[the]2 [cat]2 [sat]2"]),
        ("a b", "a a b", {}, ["rouge1", "[a]1 [b]1", "[a]1 [a]× [b]1"]),
        ("a b", "a\na b", {}, ["rougeL", "[a] [b]", "a\n[a] [b]"]),
        ("a b", "a\na b", {}, ["rougeLsum", "[a] [b]", "[a]\n[a]× [b]"]),
        ("a b c", "a x c", {"rouge_types": ["rougeS"]}, ["rougeS", "[a]s b [c]s", "[a]s x [c]s"]),
        ("a b c", "a x c", {"rouge_types": ["rougeSU"]}, ["rougeSU", "[a]s b [c]s", "[a]s x [c]s"]),
        # After NFKC "xa/cy", so that both words have a part of the middle character.
        ("x\u2100y", "xa cy", {"tokenizer": "unicode"}, ["rouge1", "[x\u2100y]1", "[xa]1 [cy]1"]),
        # A token without a place has no mark.
        ("a b", "a", {"tokenizer": lambda text: ["<s>", *text.split()]},
         ["rouge1", "[a]1 b", "[a]1"]),
    ],
)  # fmt: skip
def test_marks(
    prediction: str, references: Any, options: dict[str, Any], expected: list[str]
) -> None:
    found = str(explain(prediction, references, **{**WORDS, **options}))
    view, text, *others = expected
    lines = [f"  reference {at}: {other}" for at, other in enumerate(others)]
    assert "\n".join([view, f"  prediction: {text}", *lines]) in found.split("\n\n")


def test_spans_compare_with_the_given_reference() -> None:
    found = explain("a b", ["a", "b"], **WORDS, rouge_types=["rouge1"])
    marked = [[span.start for span in found.spans(view="rouge1", reference=at)] for at in (0, 1)]
    assert marked == [[0], [2]]
    assert found.spans() == found.spans("prediction", "bleu", 1)


class _Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"class", "dir", "title"}


def test_html_is_escaped_and_needs_nothing_from_elsewhere() -> None:
    hostile = "<script>alert('&amp;')</script> <img src=x onerror=alert(1)> \" onmouseover=\"x"
    found = explain(hostile, [hostile, "</mark></div><b>"])
    parser = _Tags()
    parser.feed(found.to_html())
    assert parser.tags == {
        *("div", "style", "h4", "p", "b", "mark", "sup"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    assert "http" not in found.to_html()
    assert found._repr_html_() == found.to_html()


def test_plain_text_and_tables() -> None:
    gleu = explain("a b", "a c", profile="google_bleu")
    assert "Google BLEU 0.3333 = 1 / 3, reference 0" in str(gleu)
    assert gleu.to_table() == ([], [])
    mean = str(explain("a b", ["a c", "b"], family="rouge", multi_reference="mean"))
    assert " mean " in mean
    assert "0.5833" in mean
    empty = explain("", "a", profile="sacrebleu")
    assert "exp(minus infinity)" in str(empty)
    assert [row[-1] for row in empty.to_table()[1]] == ["-inf"] * 4
    rouge = explain("the the cat.", ["the cat", "a dog"], rouge_types=["rouge1"])
    assert rouge.to_table()[1][0] == ["rouge1", "0 *", 2, 3, 2, 2 / 3, 1.0, 0.8]
    assert rouge.sentences() == list(rouge.notes)
