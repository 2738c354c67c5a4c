"""Plant single faults in the package, one at a time, and count how many the tests notice.

    python scripts/mutants.py --number 200 --seed 1

Run it in a clone where ``pip install -e ".[test]"`` was run. It works on copies of the clone, on
all processors but one, and prints each fault that no test notices; ``--list`` only prints them all.
"""

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Annotated, NamedTuple

import typer

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "bleu_rouge_metric"

# Rooms with faults, and the tests that are to notice them, the quickest first.
ROOMS = {
    "bleu": ["tests/bleu", "tests/scoring/test_functions.py", "tests/parity"],
    "rouge": ["tests/rouge", "tests/scoring/test_functions.py", "tests/parity"],
    "resampling": ["tests/resampling", "tests/rouge", "tests/cli/test_cli_options.py"],
    "options": [
        "tests/options",
        "tests/cli/test_cli_options.py",
        "tests/samples",
        "tests/analysis",
    ],
    "counting": ["tests/counting", "tests/rouge", "tests/parity/test_kernel_goldens.py"],
}

# Files that only declare, or that the tests of one machine cannot see: the choice of threads.
SKIPPED = {"options/keywords.py", "counting/threads.py"}

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


# Runs pytest on the package of the working directory. An editable installation has a finder that
# leads to the clone that was installed.
RUN = f"""
import sys
sys.meta_path[:] = [item for item in sys.meta_path if "Redirecting" not in type(item).__name__]
import {PACKAGE}, pytest
assert {PACKAGE}.__file__.startswith(sys.path[1]), {PACKAGE}.__file__
sys.exit(pytest.main(sys.argv[1:]))
"""


class Fault(NamedTuple):
    """One change of one file.

    Attributes:
        path: of the file, from the root.
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
    index = 0
    for node in ast.walk(tree):
        for owner, field, old, new in _list_changes(node):
            if index == wanted:
                setattr(owner, field, new)
            yield getattr(node, "lineno", 0), f"{_show(old)} -> {_show(new)}"
            index += 1


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


def list_faults() -> list[Fault]:
    """All faults of all rooms."""
    faults = []
    for room in ROOMS:
        for file in sorted((ROOT / PACKAGE / room).glob("*.py")):
            if f"{room}/{file.name}" in SKIPPED:
                continue
            path = str(file.relative_to(ROOT))
            found = change(ast.parse(file.read_text("utf-8")))
            faults += [Fault(path, line, i, text) for i, (line, text) in enumerate(found)]
    return faults


def do_tests_fail(room: str, clone: Path) -> bool:
    """Whether a test of a room fails in a copy of the clone."""
    command = [sys.executable, "-c", RUN, "-x", "-q", "-p", "no:cacheprovider", *ROOMS[room]]
    for kernel in ("native", "python") if room == "counting" else ("native",):
        environment = {**os.environ, "PYTHONPATH": str(clone), "BLEU_ROUGE_KERNEL": kernel}
        try:
            done = subprocess.run(
                command, cwd=clone, env=environment, capture_output=True, timeout=900, check=False
            )
        except subprocess.TimeoutExpired:
            return True
        if done.returncode:
            return True
    return False


def is_noticed(fault: Fault, clone: Path) -> bool:
    """Whether a test of a copy of the clone fails with the fault in it."""
    file = clone / fault.path
    source = file.read_text("utf-8")
    tree = ast.parse(source)
    for _ in change(tree, fault.number):
        pass
    file.write_text(ast.unparse(ast.fix_missing_locations(tree)), "utf-8")
    try:
        return do_tests_fail(Path(fault.path).parts[1], clone)
    finally:
        file.write_text(source, "utf-8")


def main(
    number: Annotated[int, typer.Option(help="How many faults are planted.")] = 200,
    seed: Annotated[int, typer.Option(help="Chooses them.")] = 1,
    *,
    list_all: Annotated[bool, typer.Option("--list", help="Only print all faults.")] = False,
) -> None:
    """Print the faults that no test notices, and how many it noticed."""
    faults = list_faults()
    if list_all:
        for fault in faults:
            print(f"{fault.path}:{fault.line}: {fault.text}")
        return
    chosen = random.Random(seed).sample(  # noqa: S311 - no secret
        faults, min(number, len(faults))
    )
    clones: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as folder:
        workers = max((os.cpu_count() or 2) - 1, 1)
        for worker in range(workers):
            clone = Path(folder) / str(worker)
            shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".git", ".venv", "build"))
            clones.put(clone)

        for room in sorted({Path(fault.path).parts[1] for fault in chosen}):
            if do_tests_fail(room, Path(folder) / "0"):
                raise SystemExit(f"The tests of {room} fail without a fault; mend them first.")

        def run(fault: Fault) -> bool:
            clone = clones.get()
            try:
                return is_noticed(fault, clone)
            finally:
                clones.put(clone)

        noticed = 0
        with ThreadPoolExecutor(workers) as pool:
            for fault, found in zip(chosen, pool.map(run, chosen), strict=True):
                noticed += found
                if not found:
                    print(f"{fault.path}:{fault.line}: {fault.text}", flush=True)
    print(f"{noticed} of {len(chosen)} faults were noticed, {len(faults)} are possible")


if __name__ == "__main__":
    typer.run(main)
