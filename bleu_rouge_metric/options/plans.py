"""Plans: what options say to the code that counts and to the code that scores.

A plan is made once, when options are checked. What reads a plan never asks for the name of a
profile or for the text of an option, but to name it in a message.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from ..bleu.rules import BleuRules
from ..rouge.formulas import RougeRules
from ..samples.token_ids import IdRules
from ..text.sentences import SentenceSplitter
from ..text.tokenizers import Tokenizer
from .profiles import FAMILIES, Family

# What a caller chooses a tokenizer by.
Choice = str | Callable[[str], list[str]]


class BleuCountPlan(NamedTuple):
    """What is counted for BLEU.

    Attributes:
        choice: the option ``bleu_tokenizer``, for messages.
        tokenizer: from a text to its tokens.
        max_order: the longest n-gram that is counted.
        lowercase: whether texts are lower-cased first.
        strips_end: whether white space at the end of a text goes first, as in sacrebleu.
        overlaps: whether the n-grams are counted for each pair of a prediction with one of its
            references, which ``google_bleu`` needs, and not clipped by all references.
    """

    choice: Choice
    tokenizer: Tokenizer
    max_order: int
    lowercase: bool
    strips_end: bool
    overlaps: bool


class RougeCountPlan(NamedTuple):
    """What is counted for ROUGE.

    Attributes:
        choice: the option ``rouge_tokenizer``, for messages.
        tokenizer: from a text to its tokens, with limits, stop words and stemmer.
        bare_tokenizer: the tokenizer without these.
        split_sentences: from a text to its sentences, with limits.
        bare_split: the splitter without limits.
        types: what is counted, each once.
        sentence_types: the ``rouge_types`` that look at sentences.
        byte_limit: of ROUGE-1.5.5, which counts the LCS of cut texts in its own way; else None.
        lin2004: whether to count as the paper of ROUGE does.
    """

    choice: Choice
    tokenizer: Tokenizer
    bare_tokenizer: Tokenizer
    split_sentences: SentenceSplitter
    bare_split: SentenceSplitter
    types: tuple[str, ...]
    sentence_types: tuple[str, ...]
    byte_limit: int | None
    lin2004: bool


class CountPlan(NamedTuple):
    """What is counted; None for a family that is not asked for.

    Attributes:
        bleu: for BLEU.
        rouge: for ROUGE.
        ids: which token ids stand for tokens.
    """

    bleu: BleuCountPlan | None
    rouge: RougeCountPlan | None
    ids: IdRules

    @property
    def line_types(self) -> tuple[str, ...]:
        """The ROUGE types that take a line for a sentence."""
        rouge = self.rouge
        return rouge.sentence_types if rouge and rouge.split_sentences.takes_lines else ()


class ScorePlan(NamedTuple):
    """How counts become the scores that are given back.

    Attributes:
        bleu: the rules of BLEU.
        min_order: the shortest n-gram of ``google_bleu``.
        sentence_bleu: add the BLEU of every sample.
        rouge: the rules of ROUGE.
        rouge_types: what is counted for each of the types that are asked for.
        resampling: how the samples are drawn for ROUGE: by ``bootstrap`` (evaluate's), as
            ROUGE-1.5.5 does, or not at all.
        use_aggregator: one score for all samples.
        is_mean: whether that score is the mean; else it comes from the resamples.
        n_resamples: how many resamples are drawn.
        confidence: of the intervals of BLEU and ROUGE; None for no intervals.
        detailed: precision, recall and F-measure.
        signature: add the line that says how the scores were made.
    """

    bleu: BleuRules
    min_order: int
    sentence_bleu: bool
    rouge: RougeRules
    rouge_types: dict[str, str]
    resampling: Literal["bootstrap", "rouge-1.5.5"] | None
    use_aggregator: bool
    is_mean: bool
    n_resamples: int
    confidence: float | None
    detailed: bool
    signature: bool


class Plan(NamedTuple):
    """Both plans, and the families that they are for."""

    families: tuple[Family, ...]
    counting: CountPlan
    scoring: ScorePlan

    @property
    def is_resampled(self) -> bool:
        """Return whether samples are drawn at all."""
        return self.scoring.resampling is not None or self._resamples_bleu

    @property
    def has_stream(self) -> bool:
        """Return whether they are drawn from a stream with a seed, which ROUGE-1.5.5 has not."""
        return self.scoring.resampling == "bootstrap" or self._resamples_bleu

    @property
    def _resamples_bleu(self) -> bool:
        return "bleu" in self.families and self.scoring.confidence is not None

    def of(self, families: Sequence[Family]) -> "Plan":
        """Return the plan of some of the families."""
        chosen = tuple(family for family in FAMILIES if family in families)
        bleu = self.counting.bleu if "bleu" in chosen else None
        rouge = self.counting.rouge if "rouge" in chosen else None
        resampling = self.scoring.resampling if rouge else None
        return Plan(
            chosen,
            self.counting._replace(bleu=bleu, rouge=rouge),
            self.scoring._replace(resampling=resampling),
        )
