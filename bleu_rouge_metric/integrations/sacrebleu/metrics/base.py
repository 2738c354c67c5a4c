"""A score and its text, and the signature: ``sacrebleu.metrics.base``."""

import json
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ....options.sacrebleu_signature import SACREBLEU_VERSION
from ....resampling.sacrebleu import find_half_width


class Score:
    """A score with its name; after resampling with a mean and half the width of an interval."""

    _verbose = ""

    def __init__(self, name: str, score: float) -> None:
        self.name, self.score = name, score
        # Parity: -1 means that nothing was resampled.
        self._mean = self._ci = -1.0

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """Return the score as text; JSON needs a signature, ``name:value|…``."""
        number = f"{self.score:.{width}f}"
        facts: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        # Parity: a mean of 0 is not shown.
        if self._mean > 0:
            mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            facts |= {"confidence_mean": float(mean), "confidence_var": float(half_width)}
            facts["confidence"] = f"μ = {mean} ± {half_width}"
            number += f" ({facts['confidence']})"
        if score_only:
            return number
        details = f" {self._verbose}" if self._verbose else ""
        if is_json:
            facts |= {"verbose_score": self._verbose} if details else {}
            facts.update(item.partition(":")[::2] for item in signature.split("|"))
            return json.dumps(facts, indent=1, ensure_ascii=False)
        return f"{self.name}{signature and '|'}{signature} = {number}{details}"

    def estimate_ci(self, scores: Sequence["Score"]) -> None:
        """Store the mean and the interval of 95% of the scores of resamples."""
        self._store_interval([score.score for score in scores])

    def _store_interval(self, scores: Sequence[float]) -> None:
        ordered = sorted(scores)
        # Parity: statistics.mean is exact, and differs from NumPy's mean in the last bit.
        self._mean, self._ci = statistics.mean(ordered), find_half_width(ordered)

    __repr__ = __str__ = format  # noqa: A003 - the method


class Signature:
    """What a score depends on: ``info``, and its text."""

    _abbr: ClassVar[dict[str, str]] = {
        "version": "v",
        "nrefs": "#",
        "test": "t",
        "lang": "l",
        "subset": "S",
        "origlang": "o",
        "seed": "rs",
        "case": "c",
        "eff": "e",
        "smooth": "s",
    }

    def __init__(self, args: Mapping[str, Any]) -> None:
        """Read the attributes of a metric; raise ValueError if nothing was scored yet."""
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        self.info: dict[str, Any] = {
            "version": SACREBLEU_VERSION,
            # Parity: -1 stands for samples with different numbers of references.
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            **dict.fromkeys(("test", "lang", "origlang", "subset")),
        }

    def format(self, short: bool = False) -> str:
        """Return the items as one text, the version last; None is left out."""
        items = sorted(self.info.items(), key=lambda item: item[0] == "version")
        return "|".join(
            f"{self._abbr.get(name, name) if short else name}:{value}"
            for name, value in items
            if value is not None
        )

    def update(self, key: str, value: Any) -> None:
        """Set an item."""
        self.info[key] = value

    __repr__ = __str__ = format  # noqa: A003 - the method
