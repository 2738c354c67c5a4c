"""Cells of CSV and TSV files: texts, lists of references, and lists that are errors."""

import pytest

from bleu_rouge_metric.files.samples import read_samples

from ..support.sample_writers import error_of, write_csv, write_lines

pytestmark = pytest.mark.usefixtures("own_folder")


def read_cells(suffix: str, *cells: str) -> list[list[str]]:
    """Read the cells of a file as references."""
    write_lines("p.txt", ["a"] * len(cells))
    rows = [["reference"], *([cell] for cell in cells)]
    write_csv(f"r.{suffix}", rows, "," if suffix == "csv" else "\t")
    samples = read_samples("p.txt", [f"r.{suffix}"])
    return [references for _, references in samples.by_sample()]


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_cell_may_hold_a_list_of_references(suffix: str) -> None:
    cells = ['["x", "y"]', ' ["x",\n "y"] ', '["[1]"]', '["\\u00e9", ""]']
    assert read_cells(suffix, *cells) == [["x", "y"], ["x", "y"], ["[1]"], ["é", ""]]


PLAIN_CELLS = [
    *("[Music]", "[deleted]", "[sic] he said", "[1] see [2]", "[12:30]", "[...]", "[Don't know]"),
    *("[", "]", "[[", "", "['Tis the season] he sang", "he said [it's 'fine']", '"x"', "null"),
    *("[Applause] Thank you. [Laughter]", '[Singing "Happy birthday"]', "[" * 100_000),
]


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_cell_with_brackets_that_is_no_list_is_a_text(suffix: str) -> None:
    assert read_cells(suffix, *PLAIN_CELLS) == [[cell] for cell in PLAIN_CELLS]
    write_csv("p.csv", [["prediction"], *([cell] for cell in PLAIN_CELLS)])
    assert read_samples("p.csv", [f"r.{suffix}"]).predictions == PLAIN_CELLS


# Lists as JSON, Python, pandas and NumPy write them that are not JSON lists of texts.
OTHER_LISTS = [
    *("['a b c', 'x']", "['a b c' 'x']", '["a b c", null]', '["a b", 1]', "[]", "[ ]", "[1]"),
    *("[null]", "[None]", "[nan]", "[None, 'a']", "[1, 'a']", "['a', None]", " ['a'] ", "[['a']]"),
    *("[np.str_('a')]", "[array(['a'], dtype=object)]", "[{'text': 'a'}]", '[["a"]]', "[('a',)]"),
    *("[u'a b c', u'x']", "[b'a', b'c']"),
]


@pytest.mark.parametrize("cell", OTHER_LISTS)
def test_a_list_in_a_cell_that_is_no_json_list_of_texts_is_an_error(cell: str) -> None:
    write_lines("p.txt", ["a", "b"])
    write_csv("r.csv", [["id", "reference"], ["1", "fine"], ["2", cell]])
    assert error_of("p.txt", "r.csv") == (
        f"r.csv:3: column 'reference': the cell {cell.strip()} looks like a list; expected a JSON "
        'list of texts, such as ["one", "another"]. A text that looks like a list is written as a '
        "list of one."
    )


@pytest.mark.parametrize("cell", ["['a b c']", '["a b c"]', "[]"])
def test_a_prediction_is_never_a_list(cell: str) -> None:
    write_csv("p.tsv", [["prediction", "reference"], ["fine", "x"], [cell, "y"]], "\t")
    assert error_of("p.tsv", "p.tsv") == (
        f"p.tsv:3: column 'prediction': the cell {cell} looks like a list; a prediction is a "
        "text, not a list. A text that looks like a list can be read from JSON Lines or Parquet."
    )


def test_a_long_list_in_a_cell_is_shown_in_part() -> None:
    write_lines("p.txt", ["a"])
    write_csv("r.csv", [["reference"], [f"['{'word ' * 50_000}',\n 'x']"]])
    assert error_of("p.txt", "r.csv").startswith(
        "r.csv:3: column 'reference': the cell ['word word word word word word word ... looks like"
    )
    write_csv("r.csv", [["reference"], ["[" * 100_000 + "]" * 100_000]])
    assert f"the cell {'[' * 37}... looks like a list;" in error_of("p.txt", "r.csv")
    # Characters that could be read in several ways would take forever.
    write_csv("r.csv", [["reference"], ["[" + "1 None, (" * 50_000 + "x]"]])
    read_samples("p.txt", ["r.csv"])
