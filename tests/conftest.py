"""Fixtures that every test module may use."""

import importlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import evaluate
import pytest
from hypothesis import HealthCheck, Phase, settings

import bleu_rouge_metric
from bleu_rouge_metric import use_kernel
from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.kernels import current_kernel

from .parity import parity

ROOT = Path(__file__).parent.parent
# The folder of the package that is tested: that of the clone, or of an installed wheel.
METRIC = str(Path(bleu_rouge_metric.__file__).parent)

# Whether a missing optional library fails a test instead of skipping it. The variable CI is not
# used: much software behaves differently if it is set, and CI would not test what users get.
REQUIRES_ALL = bool(os.environ.get("BLEU_ROUGE_REQUIRE_ALL"))

# The same examples on every machine, also on a busy one; hypothesis itself does this only if it
# finds the variables of a CI. With --hypothesis-profile=search every run has many new examples.
_unhurried = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", _unhurried, derandomize=False, max_examples=1000)
settings.register_profile("tests", _unhurried, derandomize=True, database=None, max_examples=30)
# For nox -s sanitize, which is slow, and looks for reads and writes beyond arrays.
settings.register_profile("few", settings.get_profile("tests"), max_examples=5)
# For scripts/mutants.py: that an example fails is enough, it need not be made smaller.
settings.register_profile(
    "unshrunk", settings.get_profile("tests"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("tests")


# The tests of a wheel run in a folder without the page and the manual, which it does not have.
collect_ignore = [] if (ROOT / "space").is_dir() else ["docs", "files/test_page_cells.py"]

# Files whose tests are quick, besides single tests that are marked so. Together they cover what
# turns texts into scores: options, tokenizers, both kernels, formulas, resampling, Scorer, errors
# of callers, and the command. They need nothing of the clone but these tests and the examples.
QUICK = (
    *("analysis/test_compare", "analysis/test_explain.py", "analysis/test_influence"),
    *("analysis/test_reports", "bleu/", "resampling/", "samples/"),
    *("options/test_options.py", "options/test_signature.py", "cli/test_cli.py"),
    *("counting/test_counts.py", "counting/test_threads.py", "files/test_cases.py"),
    *("parity/test_kernel_goldens.py", "rouge/test_rouge155.py"),
    *("scoring/test_representations.py", "scoring/test_scorer.py", "scoring/test_scorer_states.py"),
    *("text/test_sentences.py", "text/test_text_warnings.py", "text/test_unicode_words.py"),
)
# What CI runs and `pytest` leaves out, besides every test of every code point: environments, the
# page and its browser, simulations of hundreds of test sets, and interrupts.
SLOW = (
    *("loading/test_hub.py", "loading/test_load_paths.py"),
    *("space/test_browser.py", "space/test_server.py"),
    *("analysis/test_error_rates.py", "options/test_types.py"),
    "counting/test_thread_pool.py",
)


# Files that take minutes together: they start browsers, environments and many processes.
LONG = ("space/", "loading/", "cli/test_process", "cli/test_shard", "integrations/", "parity/")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files without quick tests out if only these run: to import all takes as long again."""
    if config.option.markexpr != "quick" or not collection_path.name.startswith("test_"):
        return None
    name = collection_path.relative_to(Path(__file__).parent).as_posix()
    is_quick = name.startswith(QUICK) or "mark.quick" in collection_path.read_text("utf-8")
    return None if is_quick else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark quick and slow tests; raise an error for ids that no other process has.

    pytest-xdist compares the ids of its processes, which also finds ids with the order of a set.
    """
    folder = Path(__file__).parent
    for item in items:
        if re.search(r"\b0x[0-9a-f]{6}", item.nodeid):
            raise pytest.UsageError(f"The id of a test contains an address: {item.nodeid}")
        name = item.path.relative_to(folder).as_posix()
        if name.startswith(SLOW) or "every_code_point" in item.name:
            item.add_marker(pytest.mark.slow)
        elif name.startswith(QUICK):
            item.add_marker(pytest.mark.quick)
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: not item.path.relative_to(folder).as_posix().startswith(LONG))


# Large libraries, and what pip installs each with: an extra, or a dependency group.
EXTRAS = {
    "accelerate": ".[training]",
    "dspy": "--group harnesses",
    "inspect_ai": "--group harnesses",
    "keras": "--group harnesses",
    "lightning": "--group extras",
    "lm_eval": "--group harnesses",
    "multilingual_rouge": "--group practice",
    "pycocoevalcap": "--group practice",
    "pyspark": ".[spark]",
    "pytorch_lightning": "--group extras",
    "ray": ".[ray]",
    "torch": ".[training]",
    "torchmetrics": ".[torchmetrics]",
    "transformers": ".[training]",
    "trl": ".[trl]",
}
# Libraries that no extra brings; their tests run where somebody has installed them.
BY_HAND = ("duckdb", "lighteval", "mlflow", "nemo_curator")


def require(module: str) -> ModuleType:
    """Import an optional library; skip the test if it is missing, or fail if all are required.

    The tests of a large library are marked ``extra`` and run in a stage of their own.
    """
    is_wanted = os.environ.get("BLEU_ROUGE_EXTRAS") if module in EXTRAS else REQUIRES_ALL
    if is_wanted and module not in BY_HAND:
        return importlib.import_module(module)
    source = module if module in BY_HAND else EXTRAS.get(module, ".[test]")
    found: ModuleType = pytest.importorskip(module, reason=f"{module}: pip install {source}")
    return found


@pytest.fixture(scope="session", autouse=True)
def _fresh_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give evaluate empty caches."""
    # evaluate's cache key ignores what follows a "#" on a line, so old code may be in a cache.
    with pytest.MonkeyPatch.context() as patch:
        modules = tmp_path_factory.mktemp("modules")
        metrics = tmp_path_factory.mktemp("metrics")
        patch.setenv("HF_MODULES_CACHE", str(modules))
        patch.setenv("HF_METRICS_CACHE", str(metrics))
        patch.setattr("evaluate.config.HF_MODULES_CACHE", modules)
        patch.setattr("evaluate.config.HF_METRICS_CACHE", metrics)
        yield


# For tests that score texts that do not fit the tokenizer or the splitter.
unfit_texts = (
    pytest.mark.filterwarnings("ignore:.*leaves (nothing|.* in one piece):UserWarning"),
    pytest.mark.filterwarnings("ignore:.*lose letters:UserWarning"),
    pytest.mark.filterwarnings("ignore:rouge.* raises an error for:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*one sentence per line:UserWarning"),
)

is_native_missing = native_kernel.import_error is not None
needs_native = pytest.mark.skipif(
    is_native_missing and not REQUIRES_ALL, reason="the compiled kernel is not installed"
)


@pytest.fixture(params=["python", pytest.param("native", marks=needs_native)])
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test with each kernel; a kernel that cannot be used is an error."""
    with use_kernel(request.param):
        yield request.param
        assert current_kernel() == request.param


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test in an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def examples_folder(own_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Run the test in a folder with copies of the examples, on a screen of 80 columns."""
    for example in (ROOT / "examples").iterdir():
        if example.suffix in (".txt", ".jsonl"):
            Path(example.name).write_bytes(example.read_bytes())
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def metric() -> evaluate.Metric:
    """Load the metric of both families with ``evaluate.load``; a new one for each test."""
    return evaluate.load(METRIC)


@pytest.fixture
def bleu() -> evaluate.Metric:
    """Load the metric with the configuration "bleu"."""
    return evaluate.load(METRIC, "bleu")


@pytest.fixture
def rouge() -> evaluate.Metric:
    """Load the metric with the configuration "rouge"."""
    return evaluate.load(METRIC, "rouge")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Let each process of ``pytest -n`` use one thread for arrays: together they use more."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Run the tests of a file in one process under ``pytest -n``: they share their fixtures.

    The files are in the order of ``pytest_collection_modifyitems``: those that take minutes first,
    so that no process waits for the last of them.
    """
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a process of ``pytest -n`` compared with the reference libraries."""
    if hasattr(node, "workeroutput"):  # a process that died has none
        parity.add_compared(*node.workeroutput["parity"])


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write docs/parity.md if PARITY_DOCS is set and every test has passed."""
    path = os.environ.get("PARITY_DOCS")
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["parity"] = parity.compared()
    elif path and exitstatus == 0 and not session.config.option.collectonly:
        Path(path).write_text(parity.render(), "utf-8")
