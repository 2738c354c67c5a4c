"""The timed libraries; each is a function from a workload to scores."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

from workloads import Workload, describe_texts

from bleu_rouge_metric import bleu_score, rouge_scores, use_kernel
from bleu_rouge_metric.counting.kernels import KernelName

TYPES: Final = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PACKAGES: Final = (
    "bleu-rouge-metric",
    *("rouge-score", "rouge-score-rs", "rouge-rust", "sacrebleu", "bleuscore", "nltk", "evaluate"),
    *("numpy", "pyarrow"),
)


class Peer(NamedTuple):
    """A library.

    Attributes:
        name: name in the tables.
        score: from a workload to the scores, of any type.
        most_pairs: how many pairs are timed; slow libraries get fewer.
    """

    name: str
    score: Callable[[Workload], Any]
    most_pairs: int


def describe_run() -> str:
    """Say which versions of all packages are installed, and where the texts come from."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    return f"{', '.join(found)}; {describe_texts()}"


def our_rouge(kernel: KernelName, *, stem: bool, types: list[str] | None = None) -> Peer:
    """Score ROUGE with our functional API."""

    def score(workload: Workload) -> Any:
        with use_kernel(kernel):
            return rouge_scores(
                workload.predictions,
                workload.references,
                rouge_types=types or TYPES,
                use_stemmer=stem,
            )

    return Peer(f"ours, {kernel}", score, 10_000 if kernel == "native" else 500)


def rouge_score(*, stem: bool) -> Peer:
    """Score ROUGE with Google's Python package."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(TYPES, use_stemmer=stem)

    def score(workload: Workload) -> Any:
        pairs = zip(workload.references, workload.predictions, strict=True)
        return [scorer.score(reference, prediction) for reference, prediction in pairs]

    return Peer("rouge_score", score, 50)


def rouge_score_rs(*, stem: bool) -> Peer:
    """Score with a Rust package that has the interface of ``rouge_score``."""
    from rouge_score_rs.rouge_scorer import RougeScorer

    scorer: Any = RougeScorer(TYPES, use_stemmer=stem)  # type: ignore[no-untyped-call]
    return Peer(
        "rouge-score-rs",
        lambda workload: scorer.score_batch(workload.references, workload.predictions),
        10_000,
    )


def rouge_rust() -> Peer:
    """Score with a Rust package for ROUGE-1, 2 and L without a stemmer."""
    import fast_rouge

    return Peer(
        "rouge-rust",
        lambda workload: fast_rouge.score_batch_flat(workload.references, workload.predictions),
        10_000,
    )


def our_bleu(kernel: KernelName) -> Peer:
    """Score corpus BLEU with our functional API."""

    def score(workload: Workload) -> Any:
        with use_kernel(kernel):
            return bleu_score(workload.predictions, workload.references)

    return Peer(f"ours, {kernel}", score, 10_000 if kernel == "native" else 500)


def sacrebleu() -> Peer:
    """Score BLEU with the Python package of the WMT."""
    from sacrebleu.metrics.bleu import BLEU

    def score(workload: Workload) -> Any:
        # A new object each time, because sacrebleu caches references in the object.
        return BLEU(smooth_method="none").corpus_score(workload.predictions, [workload.references])

    return Peer("sacrebleu", score, 1_000)


def bleuscore() -> Peer:
    """Score with a Rust package that gives the numbers of evaluate's ``bleu``."""
    import bleuscore as peer

    return Peer(
        "bleuscore",
        lambda workload: peer.compute(
            [[text] for text in workload.references], workload.predictions
        ),
        10_000,
    )


def nltk() -> Peer:
    """Score BLEU with NLTK, which takes tokens; tokenizing with 13a is not timed."""
    from nltk.translate.bleu_score import corpus_bleu

    from bleu_rouge_metric.text.rules import tokenize_13a

    made: dict[str, list[str]] = {}

    def tokens(text: str) -> list[str]:
        if text not in made:
            made[text] = tokenize_13a(text)
        return made[text]

    def score(workload: Workload) -> Any:
        return corpus_bleu(
            [[tokens(text)] for text in workload.references],
            [tokens(text) for text in workload.predictions],
        )

    return Peer("NLTK, without tokenizing", score, 1_000)
