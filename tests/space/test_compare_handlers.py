"""The functions behind the tab Compare: what they read, test, show and refuse."""

import html
import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import compare_systems

from ..conftest import require
from ..support.commands import invoke
from ..support.pages import OPTIONS
from ..support.sample_writers import write_lines
from ..support.system_files import NEW, OLD, REFERENCES, SYSTEMS, TOPICS, write_table

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


@pytest.fixture(scope="module")
def tab() -> Any:
    require("gradio")
    from space import compare_tab

    return compare_tab


def call(tab: Any, *paths: Path, references: tuple[Path, ...] = (), **keywords: Any) -> Any:
    """Compare as the page does; a message is raised as ``InputError``."""
    given = {
        "columns": ["old", "new"],
        "column": "reference",
        "clusters": None,
        "groups": None,
        "design": {},
        "options": OPTIONS,
        **keywords,
    }
    inputs = [given[name] for name in ("columns", "column", "clusters", "groups")]
    files = [list(map(str, paths)), list(map(str, references))]
    design = tab.Design(**given["design"])
    return tab.show_systems(*files, *inputs, *design, *given["options"])


def run_python(code: str, names: dict[str, Any]) -> list[Any]:
    """Run the lines of the page in which ``names`` are given; return the results in JSON types."""
    imports, _, *calls = code.splitlines()
    exec(imports, names)
    return [json.loads(json.dumps(eval(line, names).to_dict())) for line in calls]


@pytest.mark.parametrize("profile", ["hf", "xlsum", "rouge-1.5.5"])
def test_python_and_the_command_make_the_same_comparison(
    tab: Any,
    tmp_path: Path,
    own_folder: None,  # noqa: ARG001
    profile: str,
) -> None:
    from space.scores import Choices

    comma = '"old", 1'
    table = {comma: NEW, "new": OLD, "mixed": [*OLD[:4], *NEW[4:]]}
    path = write_table(tmp_path, systems=table, topic=TOPICS)
    written = tab.Design("new", "bootstrap", 0, 50, "fdr_bh", "greater")
    cases: list[Any] = [
        (
            {comma: NEW, "new": OLD},
            [path],
            {"clusters": "topic"},
            written,
            {"language": "hi", "use_stemmer": "no", "rouge_types": ["rouge1", "rougeL"]},
        ),
        # The ranking of three systems has a line of its own; a seed that was drawn is named.
        (table, [path], {"groups": "topic"}, tab.Design(seed=None), {}),
        (table, [path], {}, tab.Design(correction=""), {"rouge_types": ["rougeL"]}),
    ]
    unusual = Path("unusual.csv")
    content = path.read_text("utf-8").replace(",", ";")
    unusual.write_bytes(content.replace('"""old""; 1"', "old").encode("utf-16"))
    cases.append(({"old": NEW, "new": OLD}, [unusual], {}, tab.Design(), {}))
    texts = {"a.txt": OLD, "b.txt": NEW, "r.txt": REFERENCES}
    for name, lines in texts.items():
        write_lines(name, lines)
    *paths, references = map(Path, texts)
    cases.append(
        ({"a": OLD, "b": NEW}, paths, {"references": (references,)}, tab.Design(), {"max_order": 2})
    )
    for systems, given, sources, design, options in cases:
        choices = Choices(profile=profile)._replace(**options)
        keywords = {"columns": [*systems], "design": design._asdict(), "options": choices}
        *_, shown, kept = call(tab, *given, **sources, **keywords)
        code, commands, _ = map(html.unescape, re.findall("<pre>(.*?)</pre>", shown, re.DOTALL))
        comparison = json.loads(kept["files"]["json"])
        ranking = comparison.pop("ranking", None)
        expected = [comparison] if ranking is None else [comparison, ranking]
        results = [
            invoke(*shlex.split(line)[1:], "--format", "json") for line in commands.split("\n")
        ]
        assert [json.loads(result.stdout) for result in results] == expected
        labels = dict.fromkeys(("clusters", "groups"), TOPICS)
        names = {"systems": systems, "references": REFERENCES, **labels}
        assert run_python(code, names) == expected


def test_the_summary_is_of_corrected_p(tab: Any, tmp_path: Path) -> None:
    path = write_table(tmp_path)
    said, *_ = call(tab, path)
    assert "on every score. (p corrected with Holm's method over 3 tests)</p>" in said
    assert "p corrected with Holm" in said
    said, *_ = call(tab, path, design={"correction": ""})
    assert "on every score. (p not corrected)</p>" in said


@pytest.mark.parametrize("profile", ["hf", "sacrebleu"])
def test_a_number_is_written_the_same_everywhere(tab: Any, tmp_path: Path, profile: str) -> None:
    from space.scores import Choices

    options = Choices(profile=profile)
    path = write_table(tmp_path, systems={"new": NEW, "old": OLD, "mixed": [*OLD[:4], *NEW[4:]]})
    said, charts, *_, kept = call(tab, path, columns=["new", "old", "mixed"], options=options)
    assert "\N{MINUS SIGN}" not in json.dumps([said, kept], ensure_ascii=False)
    # As in the table for a paper, the first with the interval that is in the chart.
    latex = kept["files"]["latex"].replace("$", "").splitlines()
    cells = next(line.split("&") for line in latex if line.startswith("old"))
    value, delta = (cell.strip().replace("{[}", "[").replace("{]}", "]") for cell in cells[1:3])
    assert f"<title>old: {value}</title>" in charts
    assert f'<span class="value">{value.partition(" ")[0]}</span>' in said
    assert f'<span class="delta">{delta} <span>[-' in said
    assert delta.startswith("-")


def test_a_system_that_has_no_interval_is_a_point(tab: Any, tmp_path: Path) -> None:
    path = write_table(tmp_path, systems={"old": OLD, "perfect": REFERENCES})
    said, charts, *_ = call(tab, path, columns=["old", "perfect"])
    assert "<title>perfect: 1.0000</title>" in charts
    assert "<title>old: " in charts
    assert "perfect</bdi></b> on every score. " in said


def test_the_columns_of_every_kind_of_table_are_read(tab: Any, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = {**SYSTEMS, "reference": REFERENCES}
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "s.json").write_text(json.dumps(rows))
    pq.write_table(pa.table(table), tmp_path / "s.parquet")
    write_table(tmp_path, "s.csv")
    said = set()
    for suffix in ("csv", "jsonl", "json", "parquet"):
        path = tmp_path / f"s.{suffix}"
        message, columns, reference, baseline, *labels = tab.show_columns([str(path)])
        assert (message.value, columns.value) == ("", ["old", "new"])
        assert (reference.value, baseline.value) == ("reference", None)
        assert [label.value for label in labels] == [None, None]
        said.add(call(tab, path)[0].replace(path.name, ""))
    assert len(said) == 1


def test_a_table_is_read_once_for_all_systems(
    tab: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.json"
    rows = zip(*SYSTEMS.values(), REFERENCES, strict=True)
    path.write_text(
        json.dumps([dict(zip(("old", "new", "reference"), r, strict=True)) for r in rows])
    )
    programs = []
    run = subprocess.run

    def record(program: list[str], **keywords: Any) -> Any:
        programs.append(program[2:])
        return run(program, **keywords)

    monkeypatch.setattr(subprocess, "run", record)
    call(tab, path)
    columns = ["old", "new", "reference"]
    assert programs == [["space.read_apart", "s.json", json.dumps([[str(path)], columns])]]


def test_text_files_are_compared_as_in_the_command(tab: Any, tmp_path: Path) -> None:
    for name, lines in {**SYSTEMS, "references": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    paths = [tmp_path / f"{name}.txt" for name in SYSTEMS]
    said, *_ = call(
        tab, *paths, references=(tmp_path / "references.txt",), design={"baseline": "new"}
    )
    assert "Worse than <bdi>new</bdi>: <b><bdi>old</bdi></b> on every score." in said
    assert "old.txt, new.txt with references.txt" in said


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"columns": ["old"]},
            "The number of columns of systems is 1; this page compares 2 to 6 systems.",
        ),
        ({"column": None}, "Choose the column of the references."),
        (
            {"column": "old"},
            "The column 'old' holds the references; choose others for the systems.",
        ),
        ({"design": {"baseline": "x"}}, "The baseline is 'x'; expected one of 'old', 'new'."),
        (
            {"design": {"seed": -1}},
            "seed is -1; expected an int from 0 to 4294967295, or None to draw one.",
        ),
        (
            {"design": {"n_resamples": 0}},
            "n_resamples is 0; expected an int from 1 to 1,000,000.",
        ),
    ],
)
def test_what_is_wrong_is_said(
    tab: Any, tmp_path: Path, keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(tab.InputError) as caught:
        call(tab, write_table(tmp_path), **keywords)
    assert str(caught.value) == message


def test_the_test_is_that_of_the_command(tab: Any, tmp_path: Path) -> None:
    path = write_table(tmp_path, topic=TOPICS, part=["x", "y"] * 4)
    design: dict[str, Any] = {
        "test": "bootstrap",
        "seed": 3,
        "n_resamples": 200,
        "correction": "holm",
        "alternative": "greater",
    }
    *_, kept = call(tab, path, clusters="topic", groups="part", design=design)
    comparison = compare_systems(
        SYSTEMS,
        REFERENCES,
        clusters=TOPICS,
        groups=["x", "y"] * 4,
        rouge_types=TYPES[:2],
        **design,
    )
    assert json.loads(kept["files"]["json"]) == json.loads(json.dumps(comparison.to_dict()))


def test_several_tables_and_no_files_are_refused(tab: Any, tmp_path: Path) -> None:
    with pytest.raises(tab.InputError, match=r"^There is no file yet; upload one table"):
        call(tab)
    with pytest.raises(tab.InputError, match=r"^b\.csv is one of several files; expected one"):
        call(tab, tmp_path / "a.txt", tmp_path / "b.csv")
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{")
    message, *menus = tab.show_columns([str(bad)])
    assert "bad.jsonl, line 1: the JSON object does not end in its line" in message.value
    assert [menu.value for menu in menus] == [None] * 5
    large = tmp_path / "large.csv"
    large.write_bytes(b"old,new,reference\n" + b" " * 20_000_000)
    message, *_ = tab.show_columns([str(large)])
    assert "large.csv has 20.0 MB; this page reads files of up to 20 MB." in message.value


def test_a_test_that_takes_too_long_is_stopped(
    tab: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from space import systems

    monkeypatch.setattr(systems, "MAX_SECONDS", -1)
    path = tmp_path / "s.csv"
    rows = "".join(f"a {n % 7},b {n % 5},a b {n % 3}\n" for n in range(200))
    path.write_text(f"old,new,reference\n{rows}")
    with pytest.raises(tab.InputError, match=r"^The comparison took more than -1 seconds and"):
        call(tab, path)
