"""Only the first part of an import path changes: names of the libraries below ``integrations``."""

import importlib
import sys
from importlib import import_module
from typing import Any

import pytest

OURS = "bleu_rouge_metric.integrations."

# Module: names that programs import from it.
NAMES = {
    "nltk": "translate",
    "nltk.bleu_score": "sentence_bleu SmoothingFunction",
    "nltk.gleu_score": "sentence_gleu",
    "nltk.translate": "bleu_score gleu_score bleu gleu",
    "nltk.translate.bleu_score": "Fraction SmoothingFunction brevity_penalty closest_ref_length "
    "corpus_bleu modified_precision sentence_bleu",
    "nltk.translate.gleu_score": "corpus_gleu sentence_gleu",
    "pycocoevalcap": "bleu rouge tokenizer Bleu Rouge PTBTokenizer",
    "pycocoevalcap.bleu.bleu": "Bleu",
    "pycocoevalcap.rouge.rouge": "Rouge",
    "pycocoevalcap.tokenizer.ptbtokenizer": "PTBTokenizer",
    "rouge": "Rouge FilesRouge",
    "rouge.rouge": "Rouge FilesRouge",
    "rouge.rouge_score": "rouge_n rouge_l_summary_level",
    "rouge_chinese": "Rouge FilesRouge",
    "rouge_chinese.rouge": "Rouge FilesRouge",
    "rouge_chinese.rouge_score": "rouge_n rouge_l_summary_level",
    "rouge_score": "io rouge_scorer scoring tokenize tokenizers",
    "rouge_score.io": "compute_scores_and_write_to_csv",
    "rouge_score.rouge_scorer": "RougeScorer _create_ngrams _score_lcs _score_ngrams "
    "_summary_level_lcs",
    "rouge_score.scoring": "AggregateScore BaseScorer BootstrapAggregator Score fmeasure",
    "rouge_score.tokenize": "tokenize",
    "rouge_score.tokenizers": "DefaultTokenizer Tokenizer",
    "sacrebleu": "BLEU corpus_bleu raw_corpus_bleu sentence_bleu metrics compat tokenizers",
    "sacrebleu.compat": "corpus_bleu raw_corpus_bleu sentence_bleu",
    "sacrebleu.metrics": "BLEU BLEUScore METRICS",
    "sacrebleu.metrics.base": "Score Signature",
    "sacrebleu.metrics.bleu": "BLEU BLEUScore BLEUSignature MAX_NGRAM_ORDER _get_tokenizer",
    "sacrebleu.tokenizers": "BaseTokenizer",
    "sacrebleu.tokenizers.tokenizer_13a": "Tokenizer13a",
    "sacrebleu.tokenizers.tokenizer_base": "BaseTokenizer",
    "sacrebleu.tokenizers.tokenizer_char": "TokenizerChar",
    "sacrebleu.tokenizers.tokenizer_intl": "TokenizerV14International",
    "sacrebleu.tokenizers.tokenizer_none": "NoneTokenizer",
    "sacrebleu.tokenizers.tokenizer_re": "TokenizerRegexp",
    "sacrebleu.tokenizers.tokenizer_zh": "TokenizerZh",
}
MISSING = {
    "nltk": "word_tokenize",
    "nltk.translate": "meteor_score",
    "pycocoevalcap": "cider eval meteor",
    "pycocoevalcap.bleu": "bleu_scorer",
    "rouge": "rouge_w",
    "rouge_chinese": "rouge_w",
    "rouge_score": "create_pyrouge_files",
    "sacrebleu": "DATASETS get_reference_files get_source_file dataset significance",
    "sacrebleu.metrics": "WER",
}
GIVEN = {
    "sacrebleu": "CHRF TER corpus_chrf corpus_ter sentence_chrf sentence_ter",
    "sacrebleu.compat": "corpus_chrf",
    "sacrebleu.metrics": "CHRF CHRFScore TER TERScore",
    "sacrebleu.metrics.chrf": "CHRF",
    "sacrebleu.tokenizers.tokenizer_ja_mecab": "TokenizerJaMecab",
}


def list_names(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(module, name) for module, names in table.items() for name in names.split()]


def import_name(module: str, name: str) -> Any:
    found: dict[str, Any] = {}
    exec(f"from {OURS}{module} import {name}", found)
    return found[name]


@pytest.mark.parametrize(("module", "name"), list_names(NAMES))
def test_names_lie_at_the_same_path(module: str, name: str) -> None:
    assert getattr(import_module(f"{OURS}{module}"), name) is import_name(module, name)


@pytest.mark.parametrize(("module", "name"), list_names(MISSING))
def test_missing_names_are_errors_that_say_where_they_are(module: str, name: str) -> None:
    library = module.partition(".")[0]
    message = rf"^'{name}' is not in {OURS}{library}, which has .*; import it from {module}\.$"
    with pytest.raises(ImportError, match=message):
        import_name(module, name)
    with pytest.raises(ImportError, match=message):
        import_module(f"{OURS}{module}.{name}.{name}")
    found = import_module(f"{OURS}{module}")
    if not module.startswith("pycocoevalcap."):
        with pytest.raises(AttributeError, match=message):
            getattr(found, name)
    assert not hasattr(found, name)


@pytest.mark.parametrize(("module", "name"), list_names(GIVEN))
def test_what_sacrebleu_has_beside_bleu_is_its_own(module: str, name: str) -> None:
    assert import_name(module, name) is getattr(import_module(module), name)


def test_without_sacrebleu_its_names_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "sacrebleu"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    message = "^'CHRF' comes from sacrebleu, which is not installed: pip install sacrebleu$"
    for module in ("sacrebleu", "sacrebleu.metrics"):
        with pytest.raises(ImportError, match=message):
            import_name(module, "CHRF")
        with pytest.raises(AttributeError, match=message):
            _ = import_module(f"{OURS}{module}").CHRF
        assert not hasattr(import_module(f"{OURS}{module}"), "CHRF")
    with pytest.raises(ImportError, match="pip install sacrebleu"):
        import_module(f"{OURS}sacrebleu.metrics.ter")


def test_modules_that_are_not_of_a_drop_in_are_not_found() -> None:
    assert importlib.util.find_spec(f"{OURS}rouges") is None
    module = import_module(f"{OURS}sacrebleu")
    assert not hasattr(module, "__wrapped__")
