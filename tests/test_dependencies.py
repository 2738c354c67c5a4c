"""What the package does without libraries that only a part of it needs."""

import subprocess
import sys

import pytest

from .conftest import ROOT

# As if they were not installed. Whether libraries load others that they can do without is theirs.
MISSING = "import sys; sys.modules.update(dict.fromkeys({names!r}))\n"


def run_without(names: list[str], code: str) -> subprocess.CompletedProcess[str]:
    """Python code in a process of its own that finds none of some libraries."""
    return subprocess.run(
        [sys.executable, "-c", MISSING.format(names=names) + code],
        capture_output=True,
        text=True,
        check=False,
    )


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode != 0
    return done.stderr.splitlines()[-1]


def test_the_package_scores_without_evaluate_datasets_typer_and_rich() -> None:
    code = (
        "from bleu_rouge_metric import Scorer, bleu_score, compare_profiles, rouge_scores\n"
        "texts = ['one two three four']\n"
        "scorer = Scorer()\n"
        "scorer.update(texts, texts)\n"
        "compare_profiles(texts, texts)\n"
        "print(bleu_score(texts, texts).bleu, rouge_scores(texts, texts)['rouge1'].fmeasure[0])\n"
        "print(scorer.result()['rougeL'])\n"
    )
    done = run_without(["click", "datasets", "evaluate", "pandas", "rich", "torch", "typer"], code)
    assert (done.stdout, done.stderr) == ("1.0 1.0\n1.0\n", "")


@pytest.mark.parametrize("name", ["datasets", "evaluate"])
def test_load_without_evaluate_names_the_line_to_install(name: str) -> None:
    done = run_without([name], "import bleu_rouge_metric; bleu_rouge_metric.load()")
    assert last_line(done) == (
        f"ImportError: load needs {name}, which is not installed; use pip install "
        '"bleu-rouge-metric[evaluate]". bleu_score, rouge_scores and Scorer do not need it.'
    )


def test_an_error_of_evaluate_itself_is_its_own() -> None:
    done = run_without(["dill"], "import bleu_rouge_metric; bleu_rouge_metric.load()")
    assert last_line(done) == "ModuleNotFoundError: import of dill halted; None in sys.modules"


@pytest.mark.parametrize("name", ["rich", "typer"])
def test_the_command_without_its_libraries_names_the_line_to_install(name: str) -> None:
    done = run_without([name], "from bleu_rouge_metric.cli import main; main()")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f'bleu-rouge: {name} is not installed; use pip install "bleu-rouge-metric[cli]".\n'
    )


def test_another_error_of_the_command_is_no_missing_library() -> None:
    done = run_without(["numpy"], "from bleu_rouge_metric.cli import main; main()")
    assert last_line(done) == "ModuleNotFoundError: import of numpy halted; None in sys.modules"


def test_the_page_without_gradio_names_the_line_to_install() -> None:
    code = f"import runpy; runpy.run_path({str(ROOT / 'app.py')!r})"
    assert last_line(run_without(["gradio"], code)) == (
        'The page needs gradio, which is not installed; use pip install ".[app]".'
    )
