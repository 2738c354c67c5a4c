"""``Rouge`` and ``FilesRouge`` beside the classes of the packages: results, types and errors."""

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.integrations import rouge, rouge_chinese
from bleu_rouge_metric.integrations.rouge import Rouge

from ..conftest import require

OURS: dict[str, Any] = {"rouge": rouge, "rouge_chinese": rouge_chinese}

SCRIPT = """
from {module} import FilesRouge, Rouge

hypotheses = ["the cat sat. on the mat", "a b. ", "c d"]
references = ["the cat. sat on a mat", "b a", "c c d"]
rouge = Rouge()
found = [
    rouge.get_scores(hypotheses, references),
    rouge.get_scores(hypotheses[0], references[0]),
    rouge.get_scores(hypotheses, references, avg=True),
    rouge.get_scores(["", "a"], ["a", "a"], ignore_empty=True),
    Rouge(metrics=["ROUGE-L", "rouge-5"], stats=["F"]).get_scores(hypotheses, references),
    Rouge(raw_results=True, return_lengths=True).get_scores(hypotheses, references),
    Rouge(exclusive=False, return_lengths=True).get_scores(hypotheses, references, avg=True),
    FilesRouge().get_scores("hyps.txt", "refs.txt", avg=True),
    FilesRouge(["rouge-1"]).get_scores(b"hyps.txt", b"refs.txt"),
]
"""


@pytest.mark.parametrize("name", OURS)
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
            [None, ["rouge-L"], ["rouge-3", "rouge-l", "rouge-1"], ["rouge-1"] * 2, [], ["rouge-6"]]
        ),
        "stats": st.sampled_from([None, ["F"], ["p", "r"], [], ["x"]]),
        "return_lengths": st.booleans(),
        "raw_results": st.booleans(),
        "exclusive": st.booleans(),
    }
)


@pytest.mark.parametrize("name", OURS)
@given(
    pairs=st.lists(st.tuples(texts, texts), max_size=3),
    given_arguments=arguments,
    avg=st.booleans(),
    ignore_empty=st.booleans(),
)
def test_results_and_errors_are_those_of_the_library(
    name: str,
    pairs: list[tuple[str, str]],
    given_arguments: dict[str, Any],
    *,
    avg: bool,
    ignore_empty: bool,
) -> None:
    sides = [text for text, _ in pairs], [text for _, text in pairs]

    def score(module: ModuleType) -> Any:
        scorer = module.Rouge(**given_arguments)
        return scorer.get_scores(*sides, avg=avg, ignore_empty=ignore_empty)

    assert run(score, OURS[name]) == run(score, require(name))


def run(score: Callable[[ModuleType], Any], module: ModuleType) -> str:
    """Return a result with the types of its numbers, or the type and the text of an error."""
    try:
        return repr(score(module))
    except (ValueError, KeyError, ZeroDivisionError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"
    except (AttributeError, TypeError) as error:
        return type(error).__name__


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("cell", [None, 5, ["a"], b"a", bytearray(b"a")])
@pytest.mark.parametrize("metrics", [None, []])
def test_errors_of_cells_that_are_not_texts_are_of_the_types_of_the_library(
    name: str, cell: Any, metrics: list[str] | None
) -> None:
    pairs: list[Any] = [
        *(([cell], ["a"]), (["a"], [cell]), ("a", cell), (["a", cell], ["a", "b"])),
        *((["a", "b"], ["a", cell]), (["", cell], ["a", "a"])),
    ]
    for hyps, refs in pairs:
        for arguments in ({}, {"avg": True}, {"ignore_empty": True}):

            def score(
                module: Any, hyps: Any = hyps, refs: Any = refs, keys: Any = arguments
            ) -> Any:
                return module.Rouge(metrics).get_scores(hyps, refs, **keys)

            assert run(score, OURS[name]) == run(score, require(name))


def test_the_error_of_a_cell_names_its_place() -> None:
    for hyps, refs, place in ((["a", None], ["a", "a"], "hyps[1]"), (["a"], [None], "refs[0]")):
        message = f"{place} is of type NoneType; expected a str."
        with pytest.raises(AttributeError, match=f"^{re.escape(message)}$"):
            Rouge().get_scores(hyps, refs)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("avg", [False, True])
@pytest.mark.parametrize(
    ("arguments", "changes"),
    [
        ({}, {"raw_results": True}),
        ({"raw_results": True}, {"raw_results": False}),
        ({}, {"metrics": ["rouge-9"]}),
        ({}, {"metrics": ["rouge-l"], "stats": ["p"]}),
    ],
)
def test_attributes_that_are_set_later_count(
    name: str, arguments: dict[str, Any], changes: dict[str, Any], *, avg: bool
) -> None:
    def score(module: Any) -> Any:
        scorer = module.Rouge(**arguments)
        for key, value in changes.items():
            setattr(scorer, key, value)
        return scorer.get_scores(["a b", "c"], ["a", "c"], avg=avg)

    assert run(score, OURS[name]) == run(score, require(name))


@pytest.mark.parametrize("name", OURS)
def test_names_of_the_module_are_those_of_the_library(name: str) -> None:
    library = require(name)
    assert OURS[name].__version__ == library.__version__
    metrics = library.Rouge.AVAILABLE_METRICS
    assert OURS[name].Rouge.AVAILABLE_METRICS.keys() == metrics.keys()


def test_a_series_with_another_index_is_scored() -> None:
    texts: Any = pd.Series(["a b"], index=[7])
    for keys in ({}, {"avg": True}):
        expected = require("rouge").Rouge().get_scores(texts, texts, **keys)
        assert Rouge().get_scores(texts, texts, **keys) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": ["rouge-6"]}, "Unknown metric 'rouge-6'"),
        ({"stats": ["X"]}, "Unknown stat 'x'"),
    ],
)
def test_unknown_names_are_errors(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Rouge(**arguments)


@pytest.mark.parametrize(
    ("metrics", "hyp", "ref", "message"),
    [
        (None, "", "a", "Hypothesis is empty."),
        (None, "a", "...", "Reference is empty."),
        (["rouge-l"], "a", "", "Collections must contain at least 1 sentence."),
    ],
)
def test_a_text_without_a_sentence_is_an_error(
    metrics: list[str] | None, hyp: str, ref: str, message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Rouge(metrics).get_scores(hyp, ref)


def test_sequences_of_other_types_or_lengths_are_errors() -> None:
    scorer: Any = Rouge()
    for hyps, refs in ((["a"], ("a",)), (["a"], ["a", "b"])):
        with pytest.raises(AssertionError):
            scorer.get_scores(hyps, refs)


def test_files_must_be_there_and_have_as_many_lines(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("a\nb\n", "utf-8")
    second.write_text("a\n", "utf-8")
    scorer = rouge.FilesRouge()
    for other in (second, tmp_path / "missing"):
        with pytest.raises(AssertionError):
            scorer.get_scores(str(first), str(other))


@pytest.mark.filterwarnings("ignore:rouge 1.0.1 raises an error")
def test_long_texts_are_scored() -> None:
    text = " ".join(map(str, range(1200)))
    library = require("rouge").Rouge(["rouge-1", "rouge-l"])
    with pytest.raises(RecursionError):
        library.get_scores(text, text)
    scores = Rouge(["rouge-1", "rouge-l"]).get_scores(text, text)[0]
    assert scores["rouge-l"] == scores["rouge-1"]
