"""``evaluate.load`` by path: which sources run, by folder and environment, and in processes.

``import bleu_rouge_metric`` gives the same classes.
"""

import shutil
from pathlib import Path

import pytest

from .conftest import (
    Environment,
    change_clone,
    check,
    install,
    make_clone,
    make_environment,
    run,
    set_version,
)

METRIC = Path("bleu_rouge_metric", "integrations", "evaluate_metric.py")


# The working directory, the path, and whether the program is a script elsewhere.
PATHS = [
    ("bleu_rouge_metric", "./bleu_rouge_metric", False),
    ("bleu_rouge_metric", "./bleu_rouge_metric", True),
    ("bleu_rouge_metric", "bleu_rouge_metric/bleu_rouge_metric.py", True),
    ("work", "../bleu_rouge_metric/bleu_rouge_metric", False),
    ("work", "{}/bleu_rouge_metric/bleu_rouge_metric", False),
    ("work", "{}/bleu_rouge_metric/bleu_rouge_metric/bleu_rouge_metric.py", True),
    # `git clone` makes a plain folder with the package's name around the package.
    (".", "bleu_rouge_metric/bleu_rouge_metric", False),
    ("bleu_rouge_metric/bleu_rouge_metric", "../bleu_rouge_metric", False),
    ("bleu_rouge_metric/bleu_rouge_metric", "./bleu_rouge_metric.py", False),
]


@pytest.mark.parametrize(
    ("name", "case"),
    [
        *(("bare", case) for case in PATHS),
        *((name, case) for name in ("installed", "editable") for case in PATHS[::4]),
    ],
)
def test_a_clone_is_loaded_from_any_folder(
    environments: dict[str, Environment],
    tmp_path: Path,
    name: str,
    case: tuple[str, str, bool],
) -> None:
    environment, (folder, path, is_script) = environments[name], case
    clone, work = make_clone(tmp_path / "bleu_rouge_metric"), tmp_path / folder
    work.mkdir(exist_ok=True)
    code = f'show(evaluate.load("{path.format(tmp_path)}"))'
    script = tmp_path / "scripts" / "score.py" if is_script else None
    printed = run(environment, code, work, tmp_path / "cache", script=script)
    check(printed, environment)
    if work == clone and not is_script:
        # The working directory is the first place where Python looks.
        assert Path(printed["file"]) == clone / METRIC


def test_two_clones_with_one_cache_run_their_own_sources(bare: Environment, tmp_path: Path) -> None:
    for name in ("one", "two"):
        change_clone(make_clone(tmp_path / name), name)
    for folder, path in (("one", "./"), ("two", "./"), (".", "one/"), (".", "two/"), (".", "one/")):
        code = f'show(evaluate.load("{path}bleu_rouge_metric"))'
        printed = run(bare, code, tmp_path / folder, tmp_path / "cache")
        assert printed["first line"] == (folder if folder != "." else path.rstrip("/"))


def test_the_installed_package_from_elsewhere(
    installed: Environment, folder: Path, tmp_path: Path
) -> None:
    code = """
        import os, bleu_rouge_metric
        ours = bleu_rouge_metric.load()
        metric = evaluate.load(os.path.dirname(bleu_rouge_metric.__file__))
        assert type(metric) is type(ours)
        show(metric)
    """
    printed = run(installed, code, folder, tmp_path / "cache")
    check(printed, installed)
    assert Path(printed["file"]) == installed.packages / METRIC


def test_an_installed_package_of_another_version_is_an_error(clone: Path, tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "venv")
    install(environment, clone)
    set_version(environment.packages / "bleu_rouge_metric", "0.0.9")
    code = f'evaluate.load("{clone / "bleu_rouge_metric"}")'
    printed = run(environment, code, tmp_path, tmp_path / "cache")
    assert isinstance(printed, str)
    assert printed.splitlines()[-1] == (
        "ImportError: This metric has version 0.1.0, but the package bleu_rouge_metric that Python "
        f"imports has version 0.0.9 ({environment.packages / 'bleu_rouge_metric'}). Install this "
        "version (pip install . in its clone), or remove the other (pip uninstall "
        "bleu-rouge-metric)."
    )


OTHER_SOURCES = """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric = [evaluate.load(path) for path in {paths}][-1]
    print(json.dumps([
        metric.description.splitlines()[0],
        [str(each.message) for each in caught if "evaluate.load was given" in str(each.message)],
    ]))
"""


def test_other_sources_of_the_same_version_are_told(
    installed: Environment, clone: Path, tmp_path: Path
) -> None:
    folder = clone / "bleu_rouge_metric"
    code = OTHER_SOURCES.format(paths=[str(folder)])
    # The same sources elsewhere are no warning.
    assert run(installed, code, tmp_path, tmp_path / "cache")[1] == []
    change_clone(clone, "edited")
    first_line, warnings = run(installed, code, tmp_path, tmp_path / "cache")
    assert first_line != "edited"
    assert warnings == [
        f"evaluate.load was given {folder}, but the package that runs is "
        f"{installed.packages / 'bleu_rouge_metric'}, whose sources differ. To run the package in "
        "the given folder, install it (pip install . in its clone), or uninstall the other "
        "package, and start Python again."
    ]


def test_a_second_clone_in_one_process_is_told(bare: Environment, tmp_path: Path) -> None:
    for name in ("one", "two"):
        change_clone(make_clone(tmp_path / name), name)
    paths = [str(tmp_path / name / "bleu_rouge_metric") for name in ("one", "two")]
    first_line, warnings = run(
        bare, OTHER_SOURCES.format(paths=paths), tmp_path, tmp_path / "cache"
    )
    assert first_line == "one"
    assert [text.split(",")[0] for text in warnings] == [f"evaluate.load was given {paths[1]}"]


def test_a_copy_whose_folder_is_not_known_is_an_error(
    bare: Environment, clone: Path, tmp_path: Path
) -> None:
    shutil.copy(clone / "bleu_rouge_metric" / "bleu_rouge_metric.py", tmp_path / "alone.py")
    printed = run(bare, "import alone", tmp_path, tmp_path / "cache", script=tmp_path / "run.py")
    assert isinstance(printed, str)
    assert printed.splitlines()[-1] == (
        "ImportError: The package bleu_rouge_metric is not installed, and its folder is not known. "
        "Give evaluate.load the path of the folder bleu_rouge_metric of a clone, or install the "
        "package: pip install . in the clone."
    )


# A subprocess gets a metric of a class that it has never loaded; workers get metrics and scorers.
SCRIPT = """
import multiprocessing, pickle, subprocess

def score(metric):
    return metric.compute(predictions=["the cat sat"], references=["the cat"])["rouge1"]

def count(scorer):
    scorer.update(["the cat sat"], ["the cat"])
    return scorer

def share(process_id):
    metric = evaluate.load({path}, num_process=2, process_id=process_id, experiment_id="two")
    text = ["the cat sat", "a dog"][process_id]
    scores = metric.compute(predictions=[text], references=["the cat"])
    return scores and scores["rouge1"]

if __name__ == "__main__":
    loaded = evaluate.load({path}, "rouge")
    import bleu_rouge_metric
    ours = bleu_rouge_metric.load("rouge")
    found = [type(loaded) is type(ours), isinstance(ours, evaluate.Metric)]
    found.append(isinstance(loaded.compute_metrics(pad=0), bleu_rouge_metric.ComputeMetrics))
    found.append(type(loaded).__module__)
    loaded.add(prediction="the cat sat", reference="the cat")
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).compute()['rouge1'])"
    printed = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(loaded), capture_output=True
    )
    found += [printed.stdout.decode(), printed.stderr.decode()] if {is_root} else ["0.8\\n", ""]
    loaded.compute()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found += pool.map(score, [loaded, ours], chunksize=1)
        (scorer,) = pool.map(count, [bleu_rouge_metric.Scorer()])
        found += pool.map(share, range(2), chunksize=1)
    whole = bleu_rouge_metric.Scorer()
    whole.merge(scorer)
    print(json.dumps([*found, whole.result()["rouge1"]]))
"""


@pytest.mark.parametrize(
    ("name", "is_root"),
    [("bare", True), ("bare", False), ("installed", False), ("editable", True)],
)
def test_metrics_and_scorers_go_to_other_processes(
    environments: dict[str, Environment], name: str, clone: Path, tmp_path: Path, *, is_root: bool
) -> None:
    # Only at the root of a clone does a process that loads nothing find the package.
    path = "./bleu_rouge_metric" if is_root else str(clone / "bleu_rouge_metric")
    code = SCRIPT.replace("{path}", repr(path)).replace("{is_root}", str(is_root))
    script, folder = tmp_path / "scripts" / "workers.py", clone if is_root else tmp_path
    found = run(environments[name], code, folder, tmp_path / "cache", script=script)
    module = "bleu_rouge_metric.integrations.evaluate_metric"
    assert found == [True, True, True, module, "0.8\n", "", 0.8, 0.8, 0.4, None, 0.8]
