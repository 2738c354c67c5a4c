"""Compare systems as sacrebleu does; its flaws are documented in ``resampling/sacrebleu.py``."""

from functools import partial
from typing import Final, cast

from ..families.bleu.counts import read_bleu
from ..families.bleu.family import Bleu
from ..families.bleu.formula import score_rows
from ..families.bleu.statistics import make_columns
from ..messages import Argument, value_error
from ..options.options import Options
from ..resampling.draws import Progress
from ..resampling.sacrebleu import paired_bootstrap, paired_randomization
from .design import Design
from .results import SystemScore
from .systems import CountedSystems

CONVENTION_PROFILE: Final = "sacrebleu"


def check_convention(options: Options, *, clusters: object, scores: object) -> None:
    """Raise ValueError for a profile other than sacrebleu's, clusters or outside scores."""
    if options.profile != CONVENTION_PROFILE:
        raise value_error(
            "{convention} 'sacrebleu' is for the profile 'sacrebleu', but the profile is {!r}",
            options.profile,
            remedy="leave one of the two out.",
        )
    for name, value in (("clusters", clusters), ("scores", scores)):
        if value is not None:
            remedy = "leave it out, or leave the convention out."
            raise value_error("{} is given, but sacrebleu has none", Argument(name), remedy=remedy)


def compare_by_sacrebleu(
    rows: list[SystemScore],
    counted: CountedSystems,
    design: Design,
    progress: Progress | None,
) -> list[SystemScore]:
    """Add what sacrebleu resamples to the rows, one per system."""
    scoring = cast("Bleu", counted.options.plan(counted.families).scores["bleu"])
    rules = scoring.rules
    tables = [make_columns(read_bleu(counts), counts.offsets, rules) for counts in counted.counts]
    score = partial(score_rows, rules=rules)
    if design.swaps:
        # Parity: the swapped sums of sacrebleu are an array of ints, in which what add-k adds to a
        # count is cut to a whole number.
        cut = rules
        if rules.smooth == "add-k":
            cut = rules._replace(smooth_value=int(rules.parameter))
        p_values = paired_randomization(
            tables,
            score,
            partial(score_rows, rules=cut),
            design.n_resamples,
            design.seed,
            progress=progress,
        )
        pairs = zip(rows[1:], p_values, strict=True)
        return [rows[0], *(row._replace(p_value=p_value) for row, p_value in pairs)]
    results = paired_bootstrap(tables, score, design.n_resamples, design.seed, progress)
    return [
        row._replace(
            low=result.mean - result.half_width,
            high=result.mean + result.half_width,
            p_value=result.p_value,
            mean=result.mean,
        )
        for row, result in zip(rows, results, strict=True)
    ]
