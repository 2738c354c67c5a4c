"""Plant single faults in the package, one at a time, and count how many the tests notice.

    python scripts/mutants.py --number 100 --seed 1

Run it in a clone where ``pip install -e ".[test]"`` was run. It works on a copy of the clone, and
prints each fault with its outcome, and the changed lines of those that no test noticed.
``--under counting/lcs.py`` chooses faults of this file.

A fault is noticed if a test fails: first those of its folders are run, then the laws and the quick
tests. Tests that take far longer than without a fault are ended. mutmut and cosmic-ray run every
fault, which takes hours; a sample takes minutes.
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
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "bleu_rouge_metric"

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
    """A change of a file, by its number among all changes of the file."""

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
    files = (ROOT / PACKAGE).glob("*/**/*.py")
    return sorted({file.relative_to(ROOT / PACKAGE).as_posix() for file in files} - SKIPPED)


def list_faults(under: Sequence[str]) -> list[Fault]:
    """List all faults of the files whose paths begin with one of some texts."""
    faults = []
    for path in list_files():
        if path.startswith(tuple(under)):
            tree = ast.parse((ROOT / PACKAGE / path).read_text("utf-8"))
            lines = [line for line, *_ in list_changes(tree)]
            faults += [Fault(path, line, number) for number, line in enumerate(lines)]
    return faults


def list_tests(path: str) -> list[tuple[str, ...]]:
    """List the tests that are to notice a fault of a file, as arguments of pytest."""
    folders = [f"tests/{part}" for part in reversed(path.split("/")[:-1])]
    own = tuple(folder for folder in folders if (ROOT / folder).is_dir())
    return [*filter(None, [own]), ("tests/laws",), ("-m", "quick")]


def do_tests_fail(
    clone: Path, path: str, tests: Sequence[str], limit: float | None = None
) -> bool | None:
    """Return whether a test fails in the copy of the clone; None if they take too many seconds."""
    kernel = "python" if path.startswith("counting/") else "native"
    command = [sys.executable, "-c", RUN, "-xq", "-p", "no:cacheprovider"]
    command += ["-W", "ignore:Module already imported", "--hypothesis-profile=unshrunk", *tests]
    environment = {**os.environ, "PYTHONPATH": str(clone), "BLEU_ROUGE_KERNEL": kernel}
    output = None if limit is None else subprocess.DEVNULL
    try:
        done = subprocess.run(
            command,
            cwd=clone,
            env=environment,
            stdout=output,
            stderr=output,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return bool(done.returncode)


def make_clone(clone: Path) -> Path:
    """Copy this clone, with its files written as those with a fault will be: without comments."""
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".*", "build"))
    if (ROOT.parent / "shared").is_dir():
        (clone.parent / "shared").symlink_to((ROOT.parent / "shared").resolve())
    for path in list_files():
        file = clone / PACKAGE / path
        file.write_text(ast.unparse(ast.parse(file.read_text("utf-8"))), "utf-8")
    return clone


class Trial:
    """Try faults in a copy of the clone."""

    def __init__(self, clone: Path) -> None:
        self.clone = clone
        # The seconds that tests may take, by kernel and tests.
        self.limits: dict[tuple[bool, Sequence[str]], float] = {}

    def measure(self, path: str) -> None:
        """Run the tests of a file without a fault, and set their limits."""
        for tests in list_tests(path):
            key = path.startswith("counting/"), tests
            if key not in self.limits:
                start = time.monotonic()
                if do_tests_fail(self.clone, path, tests):
                    raise SystemExit(f"These fail without a fault; mend them first: {tests}.")
                self.limits[key] = 30 + 3 * (time.monotonic() - start)

    def run(self, fault: Fault) -> tuple[bool | None, str]:
        """Return whether a test notices a fault, and the changed lines."""
        self.measure(fault.path)
        file = self.clone / PACKAGE / fault.path
        source = file.read_text("utf-8")
        changed = plant(fault, source)
        lines = unified_diff(source.split("\n"), changed.split("\n"), n=0, lineterm="")
        diff = [f"    {line}" for line in lines if not line.startswith(("---", "+++", "@"))]
        file.write_text(changed, "utf-8")
        try:
            for tests in list_tests(fault.path):
                limit = self.limits[fault.path.startswith("counting/"), tests]
                outcome = do_tests_fail(self.clone, fault.path, tests, limit)
                if outcome is not False:
                    return outcome, "\n".join(diff)
            return False, "\n".join(diff)
        finally:
            file.write_text(source, "utf-8")


def main() -> None:
    """Print the faults, whether a test noticed each, and how many were noticed."""
    parser = argparse.ArgumentParser(description="Plant faults that the tests are to notice.")
    parser.add_argument("--number", type=int, default=100, help="how many are chosen")
    parser.add_argument("--seed", type=int, default=1, help="chooses them")
    parser.add_argument("--under", default="", help="paths in the package, with commas between")
    given = parser.parse_args()
    faults = list_faults(given.under.split(","))
    draws = random.Random(given.seed)  # noqa: S311 - no secret
    chosen = draws.sample(faults, min(given.number, len(faults)))
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(make_clone(Path(folder) / "clone"))
        for fault in chosen:
            outcome, diff = trial.run(fault)
            noticed += bool(outcome)
            print(f"{OUTCOMES[outcome]} {fault.path}:{fault.line}", flush=True)
            if not outcome:
                print(diff, flush=True)
    print(f"{noticed} of {len(chosen)} faults were noticed, {len(faults)} are possible")


if __name__ == "__main__":
    main()
