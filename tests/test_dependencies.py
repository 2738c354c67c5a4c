"""What works with NumPy alone, and what the error says where a package is missing."""

from pathlib import Path

import pytest

from .conftest import ROOT, is_native_missing
from .support.errors import read_errors
from .support.processes import run_with_numpy_alone

CORE = """
import warnings
from bleu_rouge_metric import *
from bleu_rouge_metric.integrations import sacrebleu
from bleu_rouge_metric.integrations.nltk.translate.bleu_score import *
from bleu_rouge_metric.integrations.rewards import make_reward
from bleu_rouge_metric.integrations.rouge_score import rouge_scorer

texts = ["the cats were running", "one two three four", "Привет"]
others = ["a cat runs", "one two three four", "мир"]
def print_scores():
    # The warning about "Привет" needs no more either.
    warnings.simplefilter("ignore")
    print(bleu_score(texts, others, max_order=1, tokenizer="13a").bleu)
    print(rouge_scores(texts, others, use_stemmer=True)["rougeLsum"].fmeasure)
    print(PairScorer("rouge1", use_stemmer=True)(texts[0], others[0]))
    scorer = Scorer(use_stemmer=True)
    scorer.update(texts, others)
    copy = Scorer(use_stemmer=True)
    copy.load_state_dict(scorer.state_dict())
    print(copy.result() == scorer.result())
    print(explain(texts[0], others[0], use_stemmer=True).notes[0])
    print(len(compare_profiles(texts, others, use_stemmer=True).differences) > 0)
    print(len(compare_systems({"a": texts, "b": others}, texts, n_resamples=9).scores) > 0)
    print(influence(scorer).scores["rouge1"])
    print(rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True).score("a cat", "cats")["rouge1"])
    print(make_reward("rouge1")(completions=["a"], ground_truth=["a"]))
    print(sacrebleu.BLEU(max_ngram_order=1).corpus_score(texts, [others], 5))
    print(sentence_bleu([["a"]], ["a"], smoothing_function=SmoothingFunction().method3))
    print(make_reward("rouge1", tokens="ids", eos=1)(completion_ids=[[5, 1]], ground_truth=[[5]]))
    print(score_table({"prediction": ["a b"], "reference": ["a"]}, "rouge1")["rouge1"])

for kernel in KERNELS:
    with use_kernel(kernel):
        print_scores()
"""


SCORES = """\
0.4444444444444444
[0.57142857 1.         0.        ]
0.5714285714285715
True
BLEU is 0: no token of the prediction occurs in a reference.
True
True
0.5238095238095238
Score(precision=1.0, recall=0.5, fmeasure=0.6666666666666666)
[1.0]
BLEU = 44.44 (μ = 35.56 ± 33.33) 44.4 (BP = 1.000 ratio = 1.125 hyp_len = 9 ref_len = 8)
0.3535533905932738
[1.0]
[0.6666666666666666]
"""


def last_line(code: str) -> str:
    done = run_with_numpy_alone(code)
    assert done.returncode != 0
    return done.stderr.splitlines()[-1]


def test_the_core_needs_numpy_alone() -> None:
    kernels = ["python"] if is_native_missing else ["python", "native"]
    done = run_with_numpy_alone(CORE.replace("KERNELS", repr(kernels)))
    assert (done.stdout, done.stderr) == (SCORES * len(kernels), "")


INSTALL = 'Install it with: pip install "bleu-rouge-metric'
ERRORS = read_errors(Path(__file__).with_name("dependencies.txt"))


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_what_needs_more_says_what_to_type(call: str, message: str) -> None:
    code = (
        "from importlib import import_module\n"
        "from bleu_rouge_metric import *\n"
        "from bleu_rouge_metric.integrations.rewards import make_openrlhf_reward\n"
    )
    assert last_line(code + call) == f"ImportError: {message}"


def test_the_command_says_what_to_type() -> None:
    done = run_with_numpy_alone("from bleu_rouge_metric.cli import main; main()")
    assert (done.returncode, done.stdout) == (2, "")
    message = f'bleu-rouge: The command needs the package click. {INSTALL}[cli]"\n'
    assert done.stderr == message


def test_the_page_says_what_to_type() -> None:
    code = f"import runpy; runpy.run_path({str(ROOT / 'app.py')!r})"
    message = 'The page needs the package gradio. Install it with: pip install ".[app]"'
    assert last_line(code) == message


def test_an_error_of_a_package_itself_is_its_own() -> None:
    code = "import sys\nsys.path.insert(0, '.')\nHidden.kept.update(['datasets', 'evaluate'])\n"
    assert last_line(f"{code}import bleu_rouge_metric; bleu_rouge_metric.load()").startswith(
        "ModuleNotFoundError: No module named "
    )


def test_a_package_that_no_extra_brings_keeps_its_error() -> None:
    code = "Hidden.kept.discard('numpy')\nimport bleu_rouge_metric; bleu_rouge_metric.load()"
    assert last_line(code) == "ModuleNotFoundError: No module named 'numpy'"
