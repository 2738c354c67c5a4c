"""Sub-interpreters, which the compiled kernel refuses: Python counts there."""

import os
import subprocess
import sys
import textwrap

import pytest

from ..conftest import needs_native

pytestmark = [
    needs_native,
    pytest.mark.skipif(
        "libasan" in os.environ.get("LD_PRELOAD", ""),
        reason="imports the package of another process",
    ),
]

# A sub-interpreter that shares the GIL, as those of mod_wsgi do. NumPy refuses others.
CREATE = """
    try:
        import _interpreters
        interpreter = _interpreters.create("legacy")
    except ImportError:
        import _xxsubinterpreters as _interpreters
        interpreter = _interpreters.create(isolated=False)
"""
# NumPy warns of sub-interpreters too, when it is imported.
SCORE = """
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from bleu_rouge_metric import Scorer, bleu_score, rouge_scores
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(rouge_scores(["a b"], ["a c"])["rouge1"].fmeasure.tolist())
        print(bleu_score(["a b"] * 2, ["a c"] * 2, max_order=1).bleu)
    print(Scorer().signature().split("|kernel:")[1].split("|")[0])
    print(*(item.message for item in caught))
"""
LOAD = """
    try:
        import bleu_rouge_kernel
        tokenization = bleu_rouge_kernel.Tokenization("13a")
        import numpy
        plan = bleu_rouge_kernel.CountPlan(
            [1], lcs=False, summary=False, skip_distances=[], unigrams_but_last=False,
            values=numpy.empty((0, 0)), lin2004=False,
        )
        print(bleu_rouge_kernel.PairCounter(tokenization, plan).count("a b", ["a"]))
    except ImportError as error:
        print(error)
"""
REFUSAL = "bleu_rouge_kernel does not run in a sub-interpreter"


def run(*parts: str, kernel: str = "") -> tuple[str, str]:
    """Run parts of a program in a new process; return its output and errors."""
    try:
        result = subprocess.run(
            [sys.executable, "-c", "".join(map(textwrap.dedent, parts))],
            env={**os.environ, "BLEU_ROUGE_KERNEL": kernel},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        pytest.fail("the process hangs")
    return result.stdout, result.stderr


def within_sub_interpreter(code: str) -> str:
    """Return the part of a program that runs code in a sub-interpreter and destroys it."""
    return (
        textwrap.dedent(CREATE)
        + f"_interpreters.run_string(interpreter, {textwrap.dedent(code)!r})\n"
        + "_interpreters.destroy(interpreter)\n"
    )


def test_python_counts_in_a_sub_interpreter() -> None:
    assert run(within_sub_interpreter(SCORE)) == (
        f"[0.5]\n0.5\npython\nThe compiled kernel cannot be loaded ({REFUSAL}). Scores are the "
        "same, but counting takes far longer. Set BLEU_ROUGE_KERNEL=python to count in Python "
        "without this warning.\n",
        "",
    )


def test_the_main_interpreter_keeps_the_compiled_kernel() -> None:
    refused = within_sub_interpreter(LOAD)
    assert run(refused, LOAD, refused) == (f"{REFUSAL}\n[1, 2, 1]\n{REFUSAL}\n", "")


def test_a_choice_of_the_compiled_kernel_is_refused_in_a_sub_interpreter() -> None:
    code = """
        import warnings
        warnings.simplefilter("ignore")
        import bleu_rouge_metric
        try:
            bleu_rouge_metric.rouge_scores(["a"], ["a"])
        except ImportError as error:
            print(error)
    """
    assert run(within_sub_interpreter(code), kernel="native") == (
        "BLEU_ROUGE_KERNEL is 'native', but the compiled kernel cannot be loaded "
        f"({REFUSAL}). Choose 'python', which gives the same scores.\n",
        "",
    )
