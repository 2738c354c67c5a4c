"""What the benchmarks share: texts, the fastest of several runs, and printed tables.

Texts are repeated or joined to the requested size. They are real system outputs if the corpora are
at ``../shared/data`` beside the clone. Otherwise they are generated from the words of
``examples/news.jsonl``, as long as the texts of the corpora.
"""

import json
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

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


class Corpus(NamedTuple):
    """A corpus.

    Attributes:
        file: name of its file, without the suffix.
        lines: lines of a text, about.
        words: words of a line, about.
        joined: how many of its texts make one text of the workload.
    """

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
    """Pairs of texts.

    Attributes:
        name: kind of the texts.
        predictions: one text per pair.
        references: one text per pair.
        distinct: how many pairs are different; the others repeat them.
    """

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


def describe_texts() -> str:
    """Say where the texts come from."""
    if DATA.is_dir():
        return "texts: corpora"
    return "texts: generated, as long as those of the corpora, which are not at ../shared/data"


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


def run_apart(code: str) -> Any:
    """Run code in a new process in the folder of the benchmarks; return the JSON that it prints."""
    output = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return json.loads(output)


def join(texts: list[str], count: int) -> list[str]:
    """Join texts to documents, one text per line; every text starts one document."""
    return ["\n".join(islice(cycle(texts), at, at + count)) for at in range(len(texts))]


def make_length(tokens: int, pairs: int) -> Workload:
    """Make pairs of texts of one sentence and about ``tokens`` tokens, from news summaries."""
    texts = read_texts(WORKLOADS["CNN/DailyMail, by lines"])
    predicted, expected = ([word for text in side for word in text.split()] for side in texts)
    starts = [(at * 7919) % len(predicted) for at in range(pairs)]
    return Workload(
        f"{tokens:,} tokens",
        [" ".join(islice(cycle(predicted), at, at + tokens)) for at in starts],
        [" ".join(islice(cycle(expected), at, at + tokens)) for at in starts],
        pairs,
    )


def best_time(work: Call, repeats: int) -> float:
    """Return the seconds of the fastest of ``repeats`` runs, or more until a second has passed."""
    times: list[float] = []
    while len(times) < repeats or (sum(times) < LEAST_SECONDS and len(times) < MOST_RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def best_times(
    calls: Sequence[Call], repeats: int, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Return the seconds of each call's fastest run; they run in turn, in the same conditions."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(repeats):
        for call, seconds in zip(calls, times, strict=True):
            start = clock()
            call()
            seconds.append(clock() - start)
    return [min(seconds) for seconds in times]


def check_equal(name: str, ours: Any, theirs: Any) -> None:
    """Stop unless two results are equal."""
    # The results of some libraries hold arrays, whose == is no bool.
    if repr(ours) != repr(theirs) and ours != theirs:
        sys.exit(f"{name}: the results differ.")


def make_table(title: str, *head: str) -> Table:
    """Make a table in Markdown."""
    return Table(*head, title=title, box=MARKDOWN)


def describe_run() -> str:
    """Say which versions of all packages are installed, and where the texts come from."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    return f"{', '.join(found)}; {describe_texts()}"


def print_tables(tables: Iterable[Table]) -> None:
    """Print the command, the machine and the versions, and each table as soon as it is made."""
    console = Console(width=200)
    system = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    print(f"python {' '.join(sys.argv)}, {system}\n{describe_run()}", flush=True)
    for table in tables:
        console.print()
        console.print(table)
