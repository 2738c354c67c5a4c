"""BLEU and ROUGE as one metric of the Hugging Face ``evaluate`` library.

``evaluate.load("./bleu_rouge_metric")`` runs a copy of this file. The metric itself is in the
package around the original; this file finds that package and names its class.

>>> metric = evaluate.load("./bleu_rouge_metric")
>>> scores = metric.compute(predictions=["the cat sat"], references=["the cat"], max_order=2)
>>> scores["precisions"], scores["rouge1"]
([0.6666666666666666, 0.5], 0.8)
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Final

import evaluate

# The version of the package that this file belongs to.
_VERSION: Final = "0.1.0"
_NAME: Final = "bleu_rouge_metric"


def _is_importable() -> bool:
    """Whether Python finds the package, and not only a file or a plain folder of its name."""
    spec = find_spec(_NAME)
    return spec is not None and bool(spec.origin) and spec.submodule_search_locations is not None


def _is_load(frame: FrameType) -> bool:
    """Return whether a frame is that of ``evaluate.load``; a caller may have wrapped its name."""
    is_load = frame.f_code.co_name == "load" and "path" in frame.f_locals
    return is_load and frame.f_globals.get("__name__") == "evaluate.loading"


def _find_package() -> Path | None:
    """The folder of the package, from the path that ``evaluate.load`` was given."""
    # evaluate copies this file into its cache and does not tell the copy where it comes from. The
    # .json beside the copy names the first clone that had the same file, which may be another one.
    frame: FrameType | None = sys._getframe()  # noqa: SLF001
    while frame is not None and not _is_load(frame):
        frame = frame.f_back
    if frame is None:
        return None
    path = Path(frame.f_locals["path"]).resolve()
    folder = path.parent if path.is_file() else path
    return folder if (folder / "__init__.py").is_file() else None


def _import_metric() -> type[evaluate.Metric]:
    """The class of the metric, from the package of this file's version."""
    if not _is_importable():
        package = _find_package()
        if package is None:
            raise ImportError(
                "The package bleu_rouge_metric is not installed, and its folder is not known. "
                "Give evaluate.load the path of the folder bleu_rouge_metric of a clone, or "
                "install the package: pip install . in the clone."
            )
        # At the end of the path nothing else is hidden by what lies in a clone. At its start if the
        # working directory is the package's own folder, where this file has the package's name.
        is_hidden = find_spec(_NAME) is not None
        sys.path.insert(0 if is_hidden else len(sys.path), str(package.parent))
        sys.modules.pop(_NAME, None)
    import bleu_rouge_metric

    if bleu_rouge_metric.__version__ != _VERSION:
        found = Path(str(bleu_rouge_metric.__file__)).parent
        raise ImportError(
            f"This metric has version {_VERSION}, but the package bleu_rouge_metric that Python "
            f"imports has version {bleu_rouge_metric.__version__} ({found}). Install this version "
            "(pip install . in its clone), or remove the other (pip uninstall bleu-rouge-metric)."
        )
    from bleu_rouge_metric.integrations.evaluate_metric import BleuRougeMetric

    return BleuRougeMetric


BleuRougeMetric = _import_metric()
