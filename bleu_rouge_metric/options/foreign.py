"""Names that other libraries have for options and arguments, and what to write here.

Nobody can give an option under such a name: the error names ours. The names of an option are in
its row; here are those of the two arguments, of options that nothing here corresponds to, and of
flags of other commands. The flags of this command are written by ``cli/messages.py``.
Source: sacrebleu 2.6, NLTK 3.10, rouge_score 0.1.2, evaluate 0.4.6, torchmetrics 1.9,
PyTorch-Ignite, torchtext, transformers, py-rouge 1.1, rouge-metric 1.0.1, the package rouge, and
ROUGE-1.5.5.
"""

from collections.abc import Iterator
from typing import Final

from ..messages import format_message
from ..schema.kinds import WITH_FLAGS
from ..schema.option import Foreign
from .table import OPTIONS

ARGUMENTS: Final = {
    "predictions": Foreign(
        (
            *("hypotheses", "hypothesis", "hyps", "hyp", "candidates", "candidate"),
            *("candidate_corpus", "preds", "pred", "pred_lns", "sys", "summaries", "summary"),
        ),
        flags=("--predictions", "--prediction-filepattern", "--input", "-i", "-p"),
        command="give predictions as the first argument, without a flag",
    ),
    "references": Foreign(
        (
            *("list_of_references", "refs", "ref", "targets", "target", "tgt_lns", "labels"),
            *("references_corpus", "multi_references"),
        ),
        flags=("--references", "--target-filepattern", "-r"),
        command="give references after the first argument, without a flag",
    ),
}

NOT_NEEDED: Final = {
    "force": "leave it out; it is not needed",
    "num_refs": "leave it out; references are counted automatically",
    "ignore_empty": "drop such samples, or leave it out: an empty text scores 0",
}

# Flags of commands that are not options of a library.
OTHER_FLAGS: Final = {
    ("--metrics", "-m"): "use --family bleu or --family rouge",
    ("-w",): "it is called --width here",
    ("-b", "--quiet", "-q"): "it is called --score-only here",
    ("--short", "-sh"): "use --signature for the line that records how scores were computed",
    ("--detail", "-d"): "use --detailed for precision and recall, or --per-sample FILE",
    ("-f",): "it is called --format here",
    ("-e",): "it is called --encoding here",
    ("--test-set", "-t"): "give files of predictions and references; test sets are not downloaded",
    ("-nr",): NOT_NEEDED["num_refs"],
    ("--output-filename",): "use --format csv > FILE, or --per-sample FILE",
}


def list_foreign() -> Iterator[tuple[str, str]]:
    """Iterate over the foreign names, each with what to do instead."""
    for argument, foreign in ARGUMENTS.items():
        for name in foreign.names:
            yield name, f"it is called {argument!r} here"
    for option in OPTIONS.values():
        for foreign in option.foreign:
            use = format_message("use " + foreign.use)
            remedy = use if foreign.use else f"it is called {option.name!r} here"
            for name in foreign.names:
                yield name, remedy
    yield from NOT_NEEDED.items()


def find_remedy(name: str, value: object = None) -> str | None:
    """Return what to do in place of giving a foreign name; None if it is none.

    Args:
        name: of a keyword.
        value: of the keyword. True and False are carried over to a flag of ours.

    >>> find_remedy("smooth_method"), find_remedy("no_such_name")
    ("it is called 'smooth' here", None)
    >>> find_remedy("aggregate", False), find_remedy("case_sensitive", False)
    ('use use_aggregator=False', 'use lowercase=True')
    """
    flags = (option for option in OPTIONS.values() if option.kind in WITH_FLAGS)
    for option in flags if isinstance(value, bool) else ():
        for foreign in option.foreign:
            if name in foreign.names and (foreign.is_opposite or not foreign.use):
                return f"use {option.name}={value != foreign.is_opposite}"
    return dict(list_foreign()).get(name)
