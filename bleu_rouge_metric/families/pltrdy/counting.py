"""What ``rouge`` and ``rouge-chinese`` count: sets of n-grams, and the LCS of sentences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...counting.kernels import count_columns
from ...counting.pools import Batch, TextsT
from ...messages import Argument, value_error
from ...samples.inputs import Samples
from ...text.alignment import Token, align_sentences, align_tokens
from ...text.full_stops import SentenceRules
from ...text.mapped_text import MappedText
from ...text.sentences import SentenceSplitter
from ...text.tokenizer import Tokenizer
from ..base import Counting, SearchPlan
from ..counts import Array, Layout, SampleCounts, shrink
from ..laws import check_hits, find_first
from .types import NAMES, plan_types
from .unscorable import warn_of_unscorable

if TYPE_CHECKING:
    from ...matching.texts import FoundTokens

# The name of the array of counts.
ARRAY: Final = "pltrdy"

# The tokenizers that split at white space alone.
_WHITESPACE: Final = ("whitespace", "none")


@dataclass(frozen=True, kw_only=True)
class PltrdyCounting(Counting):
    """What is counted.

    Attributes:
        profile: its name, for errors.
        types: that are counted, each once.
        exclusive: whether each n-gram of a text counts once, and for ``rougeL`` each word.
        pairs: whether ``rougeL`` is counted by pairs of sentences; else it is the LCS of the texts.
        line_tokenizer: the tokenizer of one line.
        rules: how a text is split into sentences; None for token ids.
        split_sentences: splits what is counted: the lines that the rules write, or token ids.
    """

    profile: str
    types: tuple[str, ...]
    exclusive: bool
    pairs: bool
    line_tokenizer: Tokenizer
    rules: SentenceRules | None
    split_sentences: SentenceSplitter

    @property
    def word_remedies(self) -> Mapping[str, str]:
        """Return what those who publish scores of Chinese do."""
        return {"Chinese": 'pass words with spaces between them: " ".join(jieba.cut(text)).'}

    @property
    def keeps_blank(self) -> bool:
        """Return whether a sentence of white space has a word, the empty one."""
        # Parity: the libraries split " ".join(sentence.split()) at blanks, which gives [""].
        return self.choice in _WHITESPACE

    def layout(self) -> Mapping[str, Layout]:
        """Return the layout of hits and totals, with an Arrow column per type."""
        columns = tuple(NAMES[name] for name in self.types)
        return {ARRAY: Layout(("i4", "i8"), (len(self.types), 3), "reference", columns)}

    def count(self, samples: Batch) -> Mapping[str, Array]:
        """Count samples."""
        plan, columns = plan_types(self.types, once=self.exclusive, pairs=self.pairs)
        counts = count_columns(samples, plan, self.tokenizer, self.split_sentences)
        return {ARRAY: shrink(counts[:, columns])}

    def prepare(self, samples: TextsT) -> TextsT:
        """Return texts with one sentence per line; token ids are as they are."""
        if self.rules is None:
            return samples
        return samples.map_texts(partial(self.rules.write_lines, keeps_blank=self.keeps_blank))

    def plan_search(self) -> SearchPlan | None:
        """Return the search of ``rouge-1`` and ``rouge-l``, of which each word counts once."""
        if not self.exclusive or self.types not in {("rouge1",), ("rougeL",)}:
            return None
        plan, _ = plan_types(self.types, once=True, pairs=self.pairs)
        if plan.lcs:
            return None  # a word counts as often as the LCS has it
        return SearchPlan(ARRAY, plan, self.split_sentences)

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        """Return the totals of the first type."""
        triples = counts[ARRAY][:, 0]
        return triples[counts.offsets[:-1], 1], triples[:, 2]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        """List the totals of references."""
        return [counts[ARRAY][..., 2]]

    def map_steps(self, wrap: Any) -> "PltrdyCounting":
        """Return the same with a function applied to the tokenizer and the splitter."""
        return replace(
            self, tokenizer=wrap(self.tokenizer), split_sentences=wrap(self.split_sentences)
        )

    def check(self, counts: SampleCounts) -> None:
        """Raise ValueError if there are more hits than anything that could be hit."""
        for place, name in enumerate(self.types):
            triples = counts[ARRAY][:, place]
            if name != "rougeL" or self.exclusive or not self.pairs:
                check_hits(ARRAY, NAMES[name], triples)
                continue
            # A word of the prediction is hit at most by each word of the reference.
            most = triples[:, 1].astype(np.int64) * triples[:, 2]
            row = find_first((triples[:, 0] > most)[:, np.newaxis])
            if row is not None:
                raise ValueError(
                    f"{ARRAY}[{row}] has {triples[row, 0]} hits of {NAMES[name]}; expected at most "
                    f"{most[row]}, the product of both totals."
                )

    def prepare_check(self) -> Callable[[Samples], None]:
        """Return what refuses several references, and warns of what the library cannot score."""
        return self._check_samples

    def find_unfit(self, samples: Samples) -> int | None:
        """Return the index of the first sample with several references."""
        return find_first(np.diff(samples.offsets) > 1)

    def _check_samples(self, samples: Samples) -> None:
        index = self.find_unfit(samples)
        if index is not None:
            count = int(samples.offsets[index + 1] - samples.offsets[index])
            raise value_error(
                "{} has {} texts, but {profile} {!r} compares with one reference",
                *(Argument(f"references[{index}]"), count, self.profile),
                remedy="give one reference per prediction, or choose another profile.",
            )
        if self.rules is not None:
            warn_of_unscorable(
                samples,
                self.rules.split,
                profile=self.profile,
                recurses=self.pairs and "rougeL" in self.types,
            )

    def find_tokens(self, text: str) -> "FoundTokens":
        """Return the tokens of a text by sentence."""
        from ...matching.texts import FoundTokens

        mapped = MappedText.of(text)
        split = self.split_sentences.function if self.rules is None else self.rules.split
        places = align_sentences(mapped, split(text))
        sentences = [self._find_words(text, place) for place in places]
        tokens = list(chain.from_iterable(sentences))
        kept = [sentence for sentence in sentences if sentence]
        inside = {at for place in places for at in place.starts}
        marks = [at for at, sign in enumerate(text) if at not in inside and not sign.isspace()]
        return FoundTokens(text, tokens, [token.form for token in tokens], [], mapped, kept, marks)

    def _find_words(self, text: str, sentence: MappedText) -> list[Token]:
        found = align_tokens(text, sentence, self.line_tokenizer)
        if found or not self.keeps_blank:
            return found
        start = sentence.starts[0]
        return [Token("", start, start, "")]

    def check_explained(self, texts: Sequence[str]) -> None:
        """Raise ValueError if texts have too many tokens or sentences to be explained."""
        super().check_explained(texts)
        from .explanation import check_sentences

        if self.pairs and self.rules is not None:
            check_sentences([len(self.rules.split(text)) for text in texts])
