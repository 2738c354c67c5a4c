"""The texts that are timed, repeated or joined to the requested size.

They are real system outputs if the corpora are at ``../shared/data`` beside the clone. Otherwise
they are generated from the words of ``examples/news.jsonl``, as long as the texts of the corpora.
"""

import json
import random
import subprocess
import sys
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
DATA: Final = ROOT.parent / "shared" / "data"
EXAMPLES: Final = ROOT / "examples"


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
