"""``rouge`` and ``rouge_chinese`` under ``integrations`` do what the libraries do."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.integrations.rouge import Rouge

from ..conftest import require

NAMES = ("rouge", "rouge_chinese")
LIBRARIES = pytest.mark.parametrize("name", NAMES)

SCRIPT = """
from {module} import FilesRouge, Rouge, __version__

hypotheses = ["the cat sat. on the mat", "a b. ", "c d"]
references = ["the cat. sat on a mat", "b a", "c c d"]
rouge = Rouge()
found = [
    rouge.get_scores(hypotheses, references, avg=True),
    rouge.get_scores(hypotheses[0], references[0]),
    rouge.get_scores(["", "a"], ["a", "a"], ignore_empty=True),
    (__version__, list(Rouge.AVAILABLE_METRICS)),
    FilesRouge().get_scores("hyps.txt", "refs.txt", avg=True),
    FilesRouge(["rouge-1"]).get_scores(b"hyps.txt", b"refs.txt"),
]
"""


@LIBRARIES
def test_a_script_gives_the_same_with_another_import_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(name)
    monkeypatch.chdir(tmp_path)
    Path("hyps.txt").write_text("a b c\nc dd", "utf-8")
    Path("refs.txt").write_text("a c b\nc d\n", "utf-8")
    found: list[Any] = []
    for module in (name, f"bleu_rouge_metric.integrations.{name}"):
        names: dict[str, Any] = {}
        exec(SCRIPT.format(module=module), names)
        found.append(names["found"])
    assert repr(found[0]) == repr(found[1])


PIECES = ["a", "b", "the", " ", ".", "..", "\n", "。", "？", "?", "”", "……", "......", "，"]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
arguments = st.fixed_dictionaries(
    {
        "metrics": st.sampled_from(
            [None, ["rouge-L"], ["rouge-3", "rouge-l", "rouge-1"], ["rouge-1"] * 2, []]
        ),
        "stats": st.sampled_from([None, ["F"], ["p", "r"], []]),
        "return_lengths": st.booleans(),
        "raw_results": st.booleans(),
        "exclusive": st.booleans(),
    }
)


def load_both(name: str, module: str = "") -> tuple[ModuleType, ModuleType]:
    require(name)
    path = f"{name}{module}"
    return import_module(f"bleu_rouge_metric.integrations.{path}"), import_module(path)


def check_equal(ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
    """Compare results with the types of their numbers, where the library has one."""
    try:
        expected = repr(theirs())
    except (AssertionError, KeyError, ValueError, ZeroDivisionError):
        return
    assert repr(ours()) == expected


@LIBRARIES
@given(
    pairs=st.lists(st.tuples(texts, texts), max_size=3),
    given_arguments=arguments,
    avg=st.booleans(),
    ignore_empty=st.booleans(),
)
def test_results_are_those_of_the_library(
    name: str, pairs: list[tuple[str, str]], given_arguments: Any, avg: bool, ignore_empty: bool
) -> None:
    sides = [text for text, _ in pairs], [text for _, text in pairs]

    def score(module: Any) -> Any:
        scorer = module.Rouge(**given_arguments)
        return scorer.get_scores(*sides, avg=avg, ignore_empty=ignore_empty)

    ours, theirs = load_both(name)
    check_equal(lambda: score(ours), lambda: score(theirs))


sentences = st.lists(st.text("ab \n.", max_size=6), max_size=3)


@LIBRARIES
@given(sentences, sentences, st.integers(1, 5), st.booleans(), st.booleans())
def test_functions_are_those_of_the_library(
    name: str, hyp: list[str], ref: list[str], n: int, raw: bool, exclusive: bool
) -> None:
    ours, theirs = load_both(name, ".rouge_score")
    for function, args in (
        ("rouge_n", (hyp, ref, n, raw, exclusive)),
        ("rouge_l_summary_level", (hyp, ref, raw, exclusive)),
        ("multi_rouge_n", ([hyp, ref], [(0, 1), (1, 1)], n, exclusive)),
        ("f_r_p_rouge_n", (n, len(hyp), min(n, len(hyp)))),
    ):
        call, expected = (getattr(module, function) for module in (ours, theirs))
        check_equal(partial(call, *args), partial(expected, *args))


def test_a_series_with_another_index_is_scored() -> None:
    series: Any = pd.Series(["a b", "c"], index=[7, 8])
    for keys in ({}, {"avg": True}):
        assert Rouge().get_scores(series, series, **keys) == Rouge().get_scores(
            series.tolist(), series.tolist(), **keys
        )


@pytest.mark.filterwarnings("ignore:rouge 1.0.1 raises an error")
def test_long_texts_are_scored() -> None:
    text = " ".join(map(str, range(1000)))
    library = require("rouge").Rouge(["rouge-1", "rouge-l"])
    with pytest.raises(RecursionError):
        library.get_scores(text, text)
    scores = Rouge(["rouge-1", "rouge-l"]).get_scores(text, text)[0]
    assert scores["rouge-l"] == scores["rouge-1"]
