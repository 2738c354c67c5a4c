"""What the benchmarks share: texts, the fastest of several runs, printed tables, the command line.

Texts are repeated or joined to the requested size. They are real system outputs if the corpora are
at ``../shared/data`` beside the clone. Otherwise they are generated from the words of
``examples/news.jsonl``, as long as the texts of the corpora.
"""

import argparse
import inspect
import json
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, islice, repeat
from pathlib import Path
from typing import Any, Final, NamedTuple

from bleu_rouge_metric import use_kernel
from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.kernels import KernelName

ROOT: Final = Path(__file__).parent.parent
DATA: Final = ROOT.parent / "shared" / "data"
EXAMPLES: Final = ROOT / "examples"
KERNELS: Final[list[KernelName]] = ["python", "native"]
PACKAGES: Final = (
    "bleu-rouge-metric",
    *("rouge-score", "rouge-score-rs", "rouge-rust", "sacrebleu", "bleuscore", "nltk", "evaluate"),
    *("numpy", "pyarrow"),
)

# A fast call runs often, so that other work has not disturbed at least one run.
LEAST_SECONDS: Final = 1.0
MOST_RUNS: Final = 200

Call = Callable[[], Any]
Clock = Callable[[], float]


class Corpus(NamedTuple):
    """A file of texts of about so many lines and words; ``joined`` texts make one text here."""

    file: str
    lines: int
    words: int
    joined: int = 1


# The corpus of each kind of texts.
WORKLOADS: Final = {
    "XSum": Corpus("xsum_convs2s", 1, 21),
    "TED translation": Corpus("ted_slk_en", 1, 15),
    "WMT17 translation": Corpus("wmt17_en_de", 1, 15),
    "CNN/DailyMail, by lines": Corpus("cnndm_simcls_nl", 4, 16),
    "DUC 2004, by lines": Corpus("duc2004_4refs_nl", 4, 27),
    "long documents, by lines": Corpus("cnndm_simcls_nl", 4, 16, joined=10),
}

# Generated pairs of a corpus; and how often a word of a prediction is also in its reference.
GENERATED_PAIRS: Final = 150
SHARED_WORDS: Final = 0.45


class Workload(NamedTuple):
    """Pairs of texts, of which ``distinct`` are different."""

    name: str
    predictions: list[str]
    references: list[str]
    distinct: int

    def head(self, pairs: int) -> "Workload":
        """Return the first pairs."""
        return Workload(
            self.name, self.predictions[:pairs], self.references[:pairs], min(self.distinct, pairs)
        )


def read_workload(name: str, pairs: int) -> Workload:
    """Read a workload of ``WORKLOADS`` with the requested number of pairs."""
    corpus = WORKLOADS[name]
    predictions, references = (join(texts, corpus.joined) for texts in read_texts(corpus))
    return Workload(
        name,
        list(islice(cycle(predictions), pairs)),
        list(islice(cycle(references), pairs)),
        min(pairs, len(predictions)),
    )


def read_texts(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Return the predictions of a corpus, and one reference of each."""
    if not DATA.is_dir():
        return generate_texts(corpus)
    lines = (DATA / f"{corpus.file}.jsonl").read_bytes().decode("utf-8").split("\n")
    samples = [json.loads(line) for line in lines if line]
    return (
        [sample["prediction"] for sample in samples],
        [sample["references"][0] for sample in samples],
    )


def generate_texts(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Generate predictions, and references that share words with them; the same on every run."""
    draws, words = random.Random(corpus.file), read_words()  # noqa: S311 - any texts will do
    predictions, references = [], []
    for _ in range(GENERATED_PAIRS):
        lines = [draws.choices(words, k=corpus.words) for _ in range(corpus.lines)]
        predictions.append("\n".join(map(" ".join, lines)))
        others = [
            [word if draws.random() < SHARED_WORDS else draws.choice(words) for word in line]
            for line in lines
        ]
        references.append("\n".join(map(" ".join, others)))
    return predictions, references


@cache
def read_words() -> list[str]:
    """Return all words of the example articles, as often as they occur."""
    lines = (EXAMPLES / "news.jsonl").read_text("utf-8").splitlines()
    return [word for line in lines for word in json.loads(line)["article"].split()]


def run_apart(code: str, *, is_json: bool = True) -> Any:
    """Run code in a new process in the folder of the benchmarks; return the JSON that it prints."""
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise RuntimeError(process.stderr)
    return json.loads(process.stdout) if is_json else None


def join(texts: list[str], count: int) -> list[str]:
    """Join texts to documents, one text per line; every text starts one document."""
    return ["\n".join(islice(cycle(texts), at, at + count)) for at in range(len(texts))]


def peak_memory(process: int | str = "self") -> int:
    """Return the peak memory of a process, in bytes; on Linux only."""
    # That of getrusage would include the process that started this one.
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def best_time(work: Call, repeats: int) -> float:
    """Return the seconds of the fastest of ``repeats`` runs, or more until a second has passed.

    With ``repeats=1`` there is one run, as a test of the benchmark, or of a first call.
    """
    times: list[float] = []
    most = MOST_RUNS if repeats > 1 else 1
    while len(times) < repeats or (sum(times) < LEAST_SECONDS and len(times) < most):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def best_times(
    works: Sequence[Call], repeats: int, clock: Clock = time.perf_counter
) -> list[float]:
    """Return the seconds of each call's fastest run; they run in turn, in the same conditions."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, seconds in zip(works, times, strict=True):
            start = clock()
            work()
            seconds.append(clock() - start)
    return [min(seconds) for seconds in times]


def in_kernel(kernel: KernelName, work: Call) -> Call:
    """Return a call that runs with one of the kernels."""

    def run() -> Any:
        with use_kernel(kernel):
            return work()

    return run


def check_equal(name: str, ours: Any, theirs: Any) -> None:
    """Stop unless two results are equal."""
    # The results of some libraries hold arrays, whose == is no bool.
    if repr(ours) != repr(theirs) and ours != theirs:
        sys.exit(f"{name}: the results differ.")


class Row(NamedTuple):
    """Our call, of ``units`` pairs or texts, and those of others, of ``few`` if it is given."""

    name: str
    ours: Call
    theirs: Mapping[str, Call]
    units: int = 1
    few: int | None = None


class Table(NamedTuple):
    """A table; its head has the names of the columns, with ``" | "`` between them."""

    title: str
    head: str
    rows: Iterable[Sequence[str]]


def compare(
    title: str, rows: Iterable[Row], repeats: int, clock: Clock = time.perf_counter, calls: int = 1
) -> Table:
    """Time each row in turn; ``calls`` repeats calls that take microseconds."""

    def run(work: Call) -> None:
        for _ in repeat(None, calls):
            work()

    def lines() -> Iterable[Sequence[str]]:
        for name, ours, theirs, units, few in rows:
            works = [lambda work=work: run(work) for work in (ours, *theirs.values())]
            own, *others = best_times(works, repeats, clock)
            own *= 1e6 / units / calls
            for peer, seconds in zip(theirs, others, strict=True):
                other = seconds * 1e6 / (few or units) / calls
                yield name, f"{own:,.2f}", peer, f"{other:,.2f}", f"{other / own:,.1f}"

    return Table(title, "call | ours, µs | compared with | theirs, µs | ×", lines())


def describe_run() -> str:
    """Say which versions of all packages are installed, and where the texts come from."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    texts = "corpora" if DATA.is_dir() else "generated, as ../shared/data has no corpora"
    return f"{', '.join(found)}; texts: {texts}"


def run(*programs: Callable[..., Iterable[Table]]) -> None:
    """Run the program that the command line names, and print its tables as they are made.

    The keywords of a program are its flags. A single program needs no name.
    """
    if native_kernel.import_error is not None:
        sys.exit("The compiled kernel is not installed; there is little to compare.")
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    names = parser.add_subparsers(required=True) if len(programs) > 1 else None
    for program in programs:
        flags = parser if names is None else names.add_parser(program.__name__)
        flags.set_defaults(program=program)
        for name, parameter in inspect.signature(program).parameters.items():
            kind, flag = type(parameter.default), f"--{name.replace('_', '-')}"
            flags.add_argument(flag, type=kind, default=parameter.default, help="%(default)s")
    options = vars(parser.parse_args())
    system = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    print(f"python {' '.join(sys.argv)}, {system}\n{describe_run()}", flush=True)
    for title, head, rows in options.pop("program")(**options):
        print(f"\n{title}\n\n| {head} |\n|{'---|' * len(head.split(' | '))}", flush=True)
        for row in rows:
            print(f"| {' | '.join(row)} |", flush=True)
