"""The ``evaluate`` metric of this package, without a path."""

from typing import TYPE_CHECKING, TypedDict

from ..extras import needs
from ..options.errors import find_remedy
from ..options.table import OPTIONS

if TYPE_CHECKING:
    import evaluate
    from typing_extensions import Unpack


class LoadArguments(TypedDict, total=False):
    """Further arguments of ``load``, as ``evaluate.load`` takes them for a local metric."""

    seed: int | None
    num_process: int
    process_id: int
    experiment_id: str | None
    cache_dir: str | None
    keep_in_memory: bool
    timeout: float


def load(config_name: str | None = None, **arguments: "Unpack[LoadArguments]") -> "evaluate.Metric":
    """Return the metric of this package, as ``evaluate.load`` does, without a path.

    Args:
        config_name: ``"bleu"`` or ``"rouge"`` for the scores of one family, or the name of another
            profile, such as ``"sacrebleu"``; None for both families.
        **arguments: ``seed`` of resampling; ``num_process``, ``process_id``, ``experiment_id``,
            ``cache_dir`` and ``timeout`` (seconds) for several processes.

    Returns:
        An ``evaluate.Metric``.

    Raises:
        ImportError: evaluate or datasets is not installed.
        TypeError: an argument is unknown, or is an option of ``compute``.
        ValueError: the configuration is unknown.

    >>> metric = load("bleu")
    >>> metric.compute(predictions=["one two"], references=["one two"], max_order=2)["bleu"]
    1.0
    """
    names = list(LoadArguments.__annotations__)
    for name in arguments:
        # The metric itself refuses options of compute, by our names and by those of other
        # libraries, and would ignore what else it is given.
        if name not in (*names, *OPTIONS, "groups") and find_remedy(name) is None:
            raise TypeError(f"Unknown argument {name!r} of load; expected {', '.join(names)}.")
    # evaluate takes most of a second to import: only those who ask for the metric pay for it.
    with needs("load", "evaluate"):
        from .evaluate_metric import BleuRougeMetric

    return BleuRougeMetric(config_name, **arguments)
