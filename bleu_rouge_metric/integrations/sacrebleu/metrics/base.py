"""A score and its text, and the signature: ``sacrebleu.metrics.base``."""

import json
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ....options.sacrebleu_signature import SACREBLEU_VERSION
from ....resampling.sacrebleu import find_half_width

__all__ = ["SACREBLEU_VERSION", "Score", "Signature"]

# The short names of a signature.
_ABBREVIATIONS: Final = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
}


class Score:
    """A score with its name; after resampling with a mean and half the width of an interval."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        # Parity: -1 means that nothing was resampled.
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(
        self,
        width: int = 2,
        score_only: bool = False,
        signature: str = "",
        is_json: bool = False,
    ) -> str:
        """Return the score as text.

        Args:
            width: decimals.
            score_only: whether the text is the number alone.
            signature: items ``name:value`` with ``|`` between them.
            is_json: whether the text is JSON, which needs a signature.

        Raises:
            ValueError: the signature of JSON has an item that is not ``name:value``.
        """
        number = f"{self.score:.{width}f}"
        facts: dict[str, Any] = {
            "name": self.name,
            "score": float(number),
            "signature": signature,
        }
        # Parity: a mean of 0 is not shown.
        if self._mean > 0:
            mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half_width}"
            number += f" ({interval})"
            facts["confidence_mean"] = float(mean)
            facts["confidence_var"] = float(half_width)
            facts["confidence"] = interval
        if score_only:
            return number
        if is_json:
            if self._verbose:
                facts["verbose_score"] = self._verbose
            facts.update(map(_split_item, signature.split("|")))
            return json.dumps(facts, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {number} {self._verbose}" if self._verbose else f"{name} = {number}"

    def estimate_ci(self, scores: Sequence["Score"]) -> None:
        """Store the mean and the interval of 95% of the scores of resamples."""
        self._store_interval([score.score for score in scores])

    def _store_interval(self, scores: Sequence[float]) -> None:
        ordered = sorted(scores)
        self._ci = find_half_width(ordered)
        # Parity: statistics.mean is exact, and differs from NumPy's mean in the last bit.
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


def _split_item(item: str) -> tuple[str, str]:
    """Return the name and the value of an item of a signature."""
    parts = item.split(":")
    if len(parts) != 2:
        raise ValueError(
            f"signature has the item {item!r}; expected name:value. With is_json=True give "
            "signature=metric.get_signature().format()."
        )
    return parts[0], parts[1]


class Signature:
    """What a score depends on: ``info``, and its text."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        """Read the facts.

        Args:
            args: by name, the attributes of a metric.

        Raises:
            ValueError: the number of references is not known yet.
        """
        if "num_refs" not in args:
            # Parity: the text of the error is that of sacrebleu.
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        self._abbr = dict(_ABBREVIATIONS)
        self.info: dict[str, Any] = {
            "version": SACREBLEU_VERSION,
            # Parity: -1 stands for samples with different numbers of references.
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """Return the items as one text, the version last; None is left out."""
        names = [name for name in self.info if name != "version"] + ["version"]
        items = []
        for name in names:
            value = self.info[name]
            if isinstance(value, bool):
                value = "yes" if value else "no"
            if value is not None:
                items.append(f"{self._abbr[name] if short else name}:{value}")
        return "|".join(items)

    def update(self, key: str, value: Any) -> None:
        """Set an item."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()
