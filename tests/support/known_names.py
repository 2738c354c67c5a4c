"""Names that errors list, so that a new one is not written into the test of every error.

One test of each list writes its names out: ``test_profiles``, ``test_functions`` (those with ROUGE)
and ``test_tokenization``.
"""

from typing import Final

from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

PROFILE_NAMES: Final = ", ".join(map(repr, PROFILES))
ROUGE_PROFILE_NAMES: Final = ", ".join(
    repr(name) for name, profile in PROFILES.items() if "rouge" in profile.families
)
TOKENIZER_NAMES: Final = ", ".join(map(repr, TOKENIZERS))
