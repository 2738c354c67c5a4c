"""Nobody outside ``families/`` asks which family it has, but for those who argue it here."""

import ast
from collections.abc import Iterator
from typing import Final

from bleu_rouge_metric.families.registry import FAMILIES, list_groups

from ..conftest import ROOT

PACKAGE: Final = ROOT / "bleu_rouge_metric"

NAMES: Final = {*FAMILIES, *list_groups()}

# Modules that may name a family, by why they do.
REASONS: Final = {
    "public functions and records that are about one family": {
        "__init__.py",
        "analysis/explain.py",
        "scoring/functional.py",
    },
    "scores between texts that are defined, or chosen by default, as BLEU": {
        "analysis/pairs/candidates.py",
        "analysis/pairs/diversity.py",
        "cli/flags.py",
    },
    "profiles and keywords, which are the names that callers write": {
        "integrations/columns.py",
        "options/keywords.py",
        "options/profiles.py",
    },
    "products: other libraries and their conventions": {
        "analysis/convention.py",
        "integrations/pycocoevalcap/bleu/bleu.py",
        "integrations/pycocoevalcap/rouge/rouge.py",
        "integrations/nltk/translate/__init__.py",
        "integrations/nltk/translate/bleu_score.py",
        "integrations/rouge/rouge.py",
        "integrations/rouge/rouge_score.py",
        "integrations/rewards.py",
        "integrations/rouge_score/rouge_scorer.py",
        "integrations/sacrebleu/metrics/bleu.py",
        "options/sacrebleu_signature.py",
    },
    "the table of languages, which has a tokenizer of BLEU and one of ROUGE in each row": {
        "options/language.py",
        "text/languages.py",
    },
    "the name of a tokenizer, or of types that are counted": {
        "counting/rouge_types.py",
        "text/tokenizer.py",
    },
}


def list_questions(source: str) -> Iterator[str]:
    """Iterate over what names a family in a module: texts, attributes and imports."""
    tree = ast.parse(source)
    # Docstrings are expressions of their own.
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in texts and node.value in NAMES:
            yield repr(node.value)
        elif isinstance(node, ast.Attribute) and node.attr in NAMES:
            yield f".{node.attr}"
        elif isinstance(node, ast.ImportFrom):
            parts = (node.module or "").split(".")
            if "families" in parts and NAMES & {*parts, "gleu"}:
                yield f"from {node.module}"


def find_modules() -> Iterator[tuple[str, list[str]]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith("families/"):
            yield name, list(list_questions(path.read_text("utf-8")))


def test_only_modules_with_a_reason_name_a_family() -> None:
    named = {name: questions for name, questions in find_modules() if questions}
    argued = {name for modules in REASONS.values() for name in modules}
    assert {name: named[name] for name in named if name not in argued} == {}
    # A reason that is needed no longer.
    assert argued - set(named) == set()


def test_the_scan_finds_each_kind_of_question() -> None:
    source = """
from ..families.bleu.formula import corpus_bleu
from ..families import registry
'''bleu'''
if plan.rouge or name == "google_bleu":
    x = "bleu or rouge"
"""
    assert list(list_questions(source)) == ["from families.bleu.formula", ".rouge", "'google_bleu'"]
