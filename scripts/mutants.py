"""Plant single faults in the package, one at a time, and count how many the tests notice.

    python scripts/mutants.py --number 200 --seed 1

Run it in a clone where ``pip install -e ".[test]"`` was run. It works on copies of the clone, on
all processors but one, and prints each fault with what came of it. ``--under counting/lcs.py``
plants only those of the chosen faults that are in this file, ``--list`` only prints all of them.

A fault is noticed if one of the tests of its file fails; those that take far longer are ended.
"""

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Annotated, NamedTuple

import typer

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "bleu_rouge_metric"

# Rooms with faults, and the tests that are to notice them, the quickest first. Some files have
# tests of their own. Those of "counting" are for the files of the Python kernel, and run with it.
TESTS = {
    "bleu": "bleu scoring/test_functions.py parity/test_goldens.py parity/test_profile_goldens.py",
    "rouge": "rouge/test_rouge.py rouge/test_rouge_policies.py rouge/test_rouge155.py "
    "scoring/test_functions.py rouge/test_rouge155_program.py parity/test_goldens.py "
    "parity/test_profile_goldens.py",
    "resampling": "resampling rouge/test_rouge155.py cli/test_cli_options.py "
    "scoring/test_functions.py rouge/test_rouge155_program.py",
    "options": "options cli/test_cli_options.py scoring/test_scorer.py scoring/test_functions.py "
    "scoring/test_scorer_errors.py samples analysis cli/test_cli_help.py cli/test_cli_messages.py "
    "docs/test_reference.py integrations/test_training_errors.py engines/test_engine_errors.py "
    "text/test_text_warnings.py rouge/test_rouge_policies.py bleu",
    "counting": "counting/test_counts.py counting/test_kernel_rouge.py "
    "counting/test_rouge_types.py rouge/test_rouge_policies.py parity/test_kernel_goldens.py "
    "counting/test_kernel_counts.py",
    "counting/byte_limit.py": "rouge/test_rouge155.py rouge/test_rouge155_program.py",
    "counting/id_columns.py": "counting/test_id_columns.py samples/test_token_ids.py",
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
SIZES = {"_BLOCK", "_SLICE", "_PAIRS_PER_BLOCK", "_DRAWS_PER_BLOCK", "_MOST_KEPT", "maxsize"}

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
        text: what is changed into what.
    """

    path: str
    line: int
    number: int
    text: str


def change(tree: ast.Module, wanted: int | None = None) -> Iterator[tuple[int, str]]:
    """Go through the faults of a file; make the wanted one in the tree.

    Yields:
        The line and the description of each.
    """
    changes = (item for node in _walk(tree) for item in _list_changes(node))
    for index, (node, field, old, new) in enumerate(changes):
        if index == wanted:
            setattr(node, field, new)
        yield getattr(node, "lineno", 0), f"{_show(old)} -> {_show(new)}"


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


def _list_changes(node: ast.AST) -> Iterator[tuple[ast.AST, str, object, object]]:
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in SWAPS:
        yield node, "op", node.op, SWAPS[type(node.op)]()
    elif isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            if type(operator) in SWAPS:
                changed = [*node.ops]
                changed[place] = SWAPS[type(operator)]()  # type: ignore[call-overload]
                yield node, "ops", node.ops, changed
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield node, "value", node.value, value
    elif isinstance(node, ast.If | ast.IfExp):
        yield node, "test", node.test, ast.UnaryOp(ast.Not(), node.test)


def _show(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_show, value))
    return type(value).__name__ if isinstance(value, ast.AST) else repr(value)


def list_files() -> list[str]:
    """The files in which faults are planted, from the folder of the package."""
    rooms = [name for name in TESTS if not name.endswith(".py")]
    files = [file for room in rooms for file in (ROOT / PACKAGE / room).glob("*.py")]
    return sorted({str(file.relative_to(ROOT / PACKAGE)) for file in files} - SKIPPED)


def list_faults() -> list[Fault]:
    """All faults of all files."""
    faults = []
    for path in list_files():
        found = change(ast.parse((ROOT / PACKAGE / path).read_text("utf-8")))
        faults += [Fault(path, line, i, text) for i, (line, text) in enumerate(found)]
    return faults


def tests_of(path: str) -> str:
    """The tests that are to notice a fault of a file."""
    return TESTS.get(path, TESTS[path.partition("/")[0]])


def do_tests_fail(tests: str, clone: Path, limit: float | None = None) -> bool | None:
    """Whether a test fails in a copy of the clone; None after more seconds than the limit."""
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
    for path in list_files():
        file = clone / PACKAGE / path
        file.write_text(ast.unparse(ast.parse(file.read_text("utf-8"))), "utf-8")
    return clone


def is_noticed(fault: Fault, clones: "Queue[Path]", limits: dict[str, float]) -> bool | None:
    """Whether a test of a free copy of the clone fails with the fault in it."""
    clone = clones.get()
    file = clone / PACKAGE / fault.path
    source = file.read_text("utf-8")
    tree = ast.parse(source)
    for _ in change(tree, fault.number):
        pass
    file.write_text(ast.unparse(ast.fix_missing_locations(tree)), "utf-8")
    try:
        tests = tests_of(fault.path)
        return do_tests_fail(tests, clone, limits[tests])
    finally:
        file.write_text(source, "utf-8")
        clones.put(clone)


def main(
    number: Annotated[int, typer.Option(help="How many faults are chosen.")] = 200,
    seed: Annotated[int, typer.Option(help="Chooses them.")] = 1,
    under: Annotated[str, typer.Option(help="Plants only the chosen faults of this path.")] = "",
    *,
    list_all: Annotated[bool, typer.Option("--list", help="Only print all faults.")] = False,
) -> None:
    """Print the faults, whether a test noticed each, and how many were noticed."""
    faults = list_faults()
    if list_all:
        print(*(f"{fault.path}:{fault.line}: {fault.text}" for fault in faults), sep="\n")
        return
    sample = random.Random(seed).sample(faults, min(number, len(faults)))  # noqa: S311 - no secret
    chosen = sorted(fault for fault in sample if fault.path.startswith(under))
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
            results = pool.map(lambda fault: is_noticed(fault, clones, limits), chosen)
            for fault, found in zip(chosen, results, strict=True):
                noticed += bool(found)
                print(f"{OUTCOMES[found]} {fault.path}:{fault.line}: {fault.text}", flush=True)
    print(f"{noticed} of {len(chosen)} faults were noticed, {len(faults)} are possible")


if __name__ == "__main__":
    typer.run(main)
