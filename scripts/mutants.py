"""Plant single faults in the package, one at a time, and count how many the tests notice.

    python scripts/mutants.py --number 100 --seed 1

Run it in a clone where ``pip install -e ".[test]"`` was run. It works on copies of the clone, on
all processors but one, and prints each fault with its outcome, and the changed lines of those that
no test noticed. ``--under counting/lcs.py`` chooses faults of this file.

A fault is noticed if one of the tests of its file fails; those that take far longer are ended.
mutmut and cosmic-ray run every fault, and all tests or those that a traced run of all tests maps to
it: hours here, where a sample and a table of the tests of each folder take minutes.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Queue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "bleu_rouge_metric"

# Folders and files with faults, and the tests that are to notice them, the quickest first; the
# longest name that fits counts. Those of "counting" are for the files of the Python kernel, and
# run with it.
_OPTIONS = "options cli/test_cli.py cli/test_cases.py cli/test_flags.py docs/test_reference.py"
_SCORERS = (
    "scoring/test_functions.py scoring/test_scorer.py "
    "scoring/test_scorer_states.py scoring/test_single_pair.py scoring/test_pair_scorer.py "
    "scoring/test_groups.py scoring/test_seeds.py scoring/test_errors.py"
)
_EXPLANATIONS = (
    "analysis/test_explain.py analysis/test_explain_law.py analysis/test_compare.py "
    "analysis/test_profiles.py analysis/test_influence.py"
)
TESTS = {
    "families": f"families bleu {_SCORERS} {_EXPLANATIONS} engines/test_engines.py "
    f"rouge/test_rouge.py {_OPTIONS} laws",
    "families/bleu": f"bleu families/test_examples.py {_SCORERS} scoring/test_zero_bleu.py "
    f"scoring/test_bleu_intervals.py {_EXPLANATIONS} {_OPTIONS} resampling/test_sacrebleu.py "
    "analysis/test_compare.py parity/test_profile_goldens.py parity/test_goldens.py laws",
    "families/gleu.py": f"bleu/test_gleu.py {_SCORERS} {_EXPLANATIONS} families "
    "integrations/test_metric.py parity/test_profile_goldens.py laws",
    "families/rouge": "families/test_examples.py rouge/test_rouge.py rouge/test_rouge_policies.py "
    "rouge/test_rouge155.py "
    f"{_SCORERS} {_EXPLANATIONS} {_OPTIONS} samples/test_token_ids.py "
    "rouge/test_rouge155_program.py parity/test_goldens.py parity/test_profile_goldens.py laws",
    "scoring": f"{_SCORERS} scoring/test_zero_bleu.py scoring/test_bleu_intervals.py "
    "scoring/test_representations.py samples text/test_text_warnings.py "
    "text/test_script_warnings.py text/test_letter_warnings.py integrations/test_metric.py "
    "analysis/test_influence.py cli/test_cli.py engines/test_engine_errors.py "
    "scoring/test_ranks.py scoring/test_concurrency.py laws",
    "options": f"{_OPTIONS} scoring/test_scorer.py scoring/test_functions.py "
    "samples analysis/test_profiles.py "
    "analysis/test_compare_errors.py analysis/test_comparison_signature.py "
    "analysis/test_explain.py cli/test_flags.py integrations/test_training.py "
    "engines/test_engine_errors.py text/test_text_warnings.py rouge/test_rouge_policies.py bleu "
    "text/test_registry.py integrations/test_metric.py laws",
    "resampling": "resampling rouge/test_rouge155.py cli/test_flags.py "
    "scoring/test_functions.py rouge/test_rouge155_program.py",
    "integrations/nltk": "integrations/test_nltk.py",
    "integrations/rouge_score": "integrations/test_rouge_score.py",
    "integrations/sacrebleu": "integrations/test_sacrebleu.py",
    "counting": "counting/test_counts.py counting/test_kernel_rouge.py "
    "counting/test_rouge_types.py rouge/test_rouge_policies.py parity/test_kernel_goldens.py "
    "counting/test_kernel_counts.py",
    "counting/byte_limit.py": "rouge/test_rouge155.py rouge/test_rouge155_program.py",
    "counting/kernels.py": "counting/test_use_kernel.py counting/test_counts.py "
    "counting/test_rouge_types.py counting/test_kernel_rouge.py counting/test_kernel_choice.py "
    "scoring/test_functions.py rouge/test_rouge_policies.py",
    "counting/native_kernel.py": "counting/test_use_kernel.py counting/test_counts.py "
    "counting/test_kernel_rouge.py samples counting/test_kernel_choice.py "
    "counting/test_kernel_counts.py",
    "counting/rouge_types.py": "counting/test_rouge_types.py counting/test_counts.py "
    "counting/test_kernel_rouge.py rouge/test_rouge_policies.py scoring/test_functions.py options",
}

# Files that only declare, or that the tests of one machine cannot see: the choice of threads.
SKIPPED = {"options/keywords.py", "counting/threads.py"}

# Numbers that change only how fast it is, or how much memory it takes.
SIZES = {
    *("_BLOCK", "_SLICE", "_PAIRS_PER_BLOCK", "_DRAWS_PER_BLOCK"),
    *("_LONGEST_TEXT", "_MOST_KEPT", "_MOST_TEXTS", "maxsize"),
}

OUTCOMES = {True: "noticed ", False: "SURVIVES", None: "TOO LONG"}
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip

# Runs pytest on the package of the working directory. An editable installation has a finder that
# leads to the clone that was installed. evaluate imports transformers if it can; it takes seconds.
RUN = f"""
import sys
sys.meta_path[:] = [item for item in sys.meta_path if "Redirecting" not in type(item).__name__]
sys.modules["transformers"] = None
import {PACKAGE}, evaluate, pytest
del sys.modules["transformers"]
assert {PACKAGE}.__file__.startswith(sys.path[1]), {PACKAGE}.__file__
sys.exit(pytest.main(sys.argv[1:]))
"""


class Fault(NamedTuple):
    """One change of one file.

    Attributes:
        path: of the file, from the package.
        line: of the change, from 1.
        number: of the change among all of the file.
    """

    path: str
    line: int
    number: int


def plant(fault: Fault, source: str) -> str:
    """Return the source of a file with a fault in it."""
    tree = ast.parse(source)
    _, node, field, value = next(islice(list_changes(tree), fault.number, None))
    setattr(node, field, value)
    return ast.unparse(ast.fix_missing_locations(tree))


Change = tuple[int, ast.AST, str, object]


def list_changes(tree: ast.Module) -> Iterator[Change]:
    """List the changes of a file: the line, and which field of which node has another value."""
    for node in _walk(tree):
        yield from _list_replacements(node)
        yield from _list_deletions(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Go through the nodes below a node, but for sizes and what only type checkers read."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.keyword(arg=name) if name in SIZES:
                continue
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
        yield child
        yield from _walk(child)


def _list_replacements(node: ast.AST) -> Iterator[Change]:
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in SWAPS:
        yield line, node, "op", SWAPS[type(node.op)]()
    elif isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            if type(operator) in SWAPS:
                swapped = SWAPS[type(operator)]()
                yield line, node, "ops", [*node.ops[:place], swapped, *node.ops[place + 1 :]]
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield line, node, "value", value
    elif isinstance(node, ast.If | ast.IfExp):
        yield line, node, "test", ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        first, second, *others = node.args
        if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            yield line, node, "args", [second, first, *others]
    elif isinstance(node, ast.FunctionDef) and len(node.body) > 1:
        yield line, node, "body", [node.body[0], ast.Return(None)]


def _list_deletions(node: ast.AST) -> Iterator[Change]:
    """List the statements of a block that can be left out."""
    if isinstance(node, ast.FunctionDef | ast.If | ast.For | ast.While | ast.With):
        for place, statement in enumerate(node.body):
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if isinstance(statement, ast.Expr | ast.AugAssign | ast.Raise) and not is_text:
                rest = [*node.body[:place], ast.Pass(), *node.body[place + 1 :]]
                yield statement.lineno, node, "body", rest


def list_files() -> list[str]:
    """List the files in which faults are planted, from the folder of the package."""
    rooms = [name for name in TESTS if not name.endswith(".py")]
    files = [file for room in rooms for file in (ROOT / PACKAGE / room).glob("*.py")]
    return sorted({str(file.relative_to(ROOT / PACKAGE)) for file in files} - SKIPPED)


def list_faults(under: Sequence[str]) -> list[Fault]:
    """List all faults of the files whose paths begin with one of some texts."""
    faults = []
    for path in list_files():
        if path.startswith(tuple(under)):
            tree = ast.parse((ROOT / PACKAGE / path).read_text("utf-8"))
            lines = [line for line, *_ in list_changes(tree)]
            faults += [Fault(path, line, number) for number, line in enumerate(lines)]
    return faults


def tests_of(path: str) -> str:
    """Return the tests that are to notice a fault of a file."""
    return TESTS[max((name for name in TESTS if path.startswith(name)), key=len)]


def do_tests_fail(tests: str, clone: Path, limit: float | None = None) -> bool | None:
    """Return whether a test fails in a copy of the clone; None if they take too many seconds."""
    kernel = "python" if tests == TESTS["counting"] else "native"
    command = [sys.executable, "-c", RUN, "-xq", "-p", "no:cacheprovider"]
    command += ["-W", "ignore:Module already imported", "--hypothesis-profile=unshrunk"]
    command += [f"tests/{name}" for name in tests.split()]
    environment = {**os.environ, "PYTHONPATH": str(clone), "BLEU_ROUGE_KERNEL": kernel}
    output = None if limit is None else subprocess.DEVNULL
    run = partial(subprocess.run, cwd=clone, env=environment, stdout=output, stderr=output)
    try:
        return bool(run(command, timeout=limit, check=False).returncode)
    except subprocess.TimeoutExpired:
        return None


def make_clone(clone: Path) -> Path:
    """Copy this clone, with its files written as those with a fault will be: without comments."""
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".*", "build"))
    corpora = clone.parent / "shared"
    if (ROOT.parent / "shared").is_dir() and not corpora.exists():
        corpora.symlink_to((ROOT.parent / "shared").resolve())
    for path in list_files():
        file = clone / PACKAGE / path
        file.write_text(ast.unparse(ast.parse(file.read_text("utf-8"))), "utf-8")
    return clone


def try_fault(
    fault: Fault, clones: "Queue[Path]", limits: dict[str, float]
) -> tuple[bool | None, str]:
    """Return whether a test of a free copy of the clone notices a fault, and the changed lines."""
    clone = clones.get()
    file = clone / PACKAGE / fault.path
    source = file.read_text("utf-8")
    changed = plant(fault, source)
    file.write_text(changed, "utf-8")
    try:
        tests = tests_of(fault.path)
        lines = unified_diff(source.split("\n"), changed.split("\n"), n=0, lineterm="")
        diff = "\n".join(
            f"    {line}" for line in lines if not line.startswith(("---", "+++", "@"))
        )
        return do_tests_fail(tests, clone, limits[tests]), diff
    finally:
        file.write_text(source, "utf-8")
        clones.put(clone)


def main() -> None:
    """Print the faults, whether a test noticed each, and how many were noticed."""
    parser = argparse.ArgumentParser(description="Plant faults that the tests are to notice.")
    parser.add_argument("--number", type=int, default=100, help="how many are chosen")
    parser.add_argument("--seed", type=int, default=1, help="chooses them")
    parser.add_argument("--under", default="families,scoring,options", help="paths in the package")
    given = parser.parse_args()
    number, seed = given.number, given.seed
    faults = list_faults(given.under.split(","))
    chosen = random.Random(seed).sample(faults, min(number, len(faults)))  # noqa: S311 - no secret
    clones: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as folder:
        workers = max((os.cpu_count() or 2) - 1, 1)
        for worker in range(workers):
            clones.put(make_clone(Path(folder) / str(worker)))

        limits: dict[str, float] = {}
        for tests in sorted({tests_of(fault.path) for fault in chosen}):
            start = time.monotonic()
            if do_tests_fail(tests, Path(folder) / "0"):
                raise SystemExit(f"These fail without a fault; mend them first: {tests}.")
            limits[tests] = 30 + 3 * (time.monotonic() - start)

        noticed = 0
        with ThreadPoolExecutor(workers) as pool:
            results = pool.map(lambda fault: try_fault(fault, clones, limits), chosen)
            for fault, (outcome, diff) in zip(chosen, results, strict=True):
                noticed += bool(outcome)
                print(f"{OUTCOMES[outcome]} {fault.path}:{fault.line}", flush=True)
                if not outcome:
                    print(diff, flush=True)
    print(f"{noticed} of {len(chosen)} faults were noticed, {len(faults)} are possible")


if __name__ == "__main__":
    main()
