"""The tokens that BLEU and ROUGE compare, each with its place in the text as it was given."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from ..counting.byte_limit import cut_sentences
from ..counting.rouge_types import parse_rouge_type
from ..families.bleu.counting import NgramCounting
from ..families.rouge.counting import RougeCounting
from ..options.options import Options
from ..options.plans import CountPlan
from ..samples.inputs import Samples
from ..text.alignment import Token, align_sentences, align_tokens, align_truncation
from ..text.mapped_text import MappedText
from ..text.sentences import SplitError
from ..text.truncation import make_truncation
from ..text.word_lists import resolve_stop_words

Tokens = tuple[Token, ...]

# The most tokens of a text: the LCS of two such texts takes 13 MB. The lists of n-grams of longer
# texts are not for readers.
MOST_TOKENS: Final = 10_000

# The LCS of so many pairs of sentences, of one of the prediction with one of a reference, takes
# seconds.
MOST_SENTENCE_PAIRS: Final = 200_000


@dataclass(frozen=True)
class ExplainedText:
    """A text and its tokens.

    BLEU and ROUGE may have different tokenizers and options, so each has tokens of its own.

    Attributes:
        text: as it was given.
        tokens: those of ROUGE; those of BLEU if ROUGE is not scored.
        bleu_tokens: those of BLEU; empty if BLEU is not scored.
        sentences: the tokens of each sentence, as ``rougeLsum`` and ``rougeW`` compare them; empty
            if no type looks at sentences.
    """

    text: str
    tokens: Tokens
    bleu_tokens: Tokens = ()
    sentences: tuple[Tokens, ...] = ()


class FoundTokens(NamedTuple):
    """What a tokenizer and the steps before and after it leave of a text.

    Attributes:
        text: as it was given.
        tokens: what is compared.
        stopped: tokens that are left out as stop words.
        kept: what a limit leaves of the text.
        sentences: tokens by sentence; empty if they are not needed.
    """

    text: str
    tokens: list[Token]
    stopped: list[Token]
    kept: MappedText
    sentences: list[list[Token]]


def find_tokens(
    samples: Samples, counting: CountPlan, options: Options
) -> tuple[list[FoundTokens], list[FoundTokens]]:
    """Return what BLEU and ROUGE compare of the prediction and of each reference, in this order."""
    ((prediction, references),) = samples.by_sample()
    bleu: list[FoundTokens] = []
    rouge: list[FoundTokens] = []
    for part in counting.parts.values():
        if isinstance(part, NgramCounting):
            bleu = [_find_bleu(text, part) for text in (prediction, *references)]
            continue
        assert isinstance(part, RougeCounting)
        tokens = _RougeTokens(part, options)
        by_sentence = _looks_at_sentences(part)
        rouge = [tokens.find(text, by_sentence=by_sentence) for text in (prediction, *references)]
    return bleu, rouge


def check_lengths(samples: Samples, counting: CountPlan) -> None:
    """Raise ValueError if a text is too long to be explained, before anything is counted."""
    ((prediction, references),) = samples.by_sample()
    texts = (prediction, *references)
    for tokenize in [part.tokenizer for part in counting.parts.values()]:
        for index, text in enumerate(texts):
            tokens = len(tokenize(text))
            if tokens > MOST_TOKENS:
                raise ValueError(
                    f"{name_text(index)} has {tokens:,} tokens; explain takes at most "
                    f"{MOST_TOKENS:,}. Explain a part of the text."
                )
    plan = counting.parts.get("rouge")
    if isinstance(plan, RougeCounting) and _looks_at_sentences(plan):
        ours, *others = (
            _count_sentences(text, name_text(index), plan) for index, text in enumerate(texts)
        )
        for index, theirs in enumerate(others, 1):
            if ours * theirs > MOST_SENTENCE_PAIRS:
                raise ValueError(
                    f"The prediction has {ours:,} sentences and {name_text(index)} {theirs:,}; "
                    f"explain compares at most {MOST_SENTENCE_PAIRS:,} pairs of them. Leave out "
                    "'rougeLsum' and 'rougeW', or explain a part of the text."
                )


def _count_sentences(text: str, name: str, plan: RougeCounting) -> int:
    try:
        return len(plan.split_sentences(text))
    except SplitError as error:
        raise ValueError(f"{name}: {error}") from error


def _looks_at_sentences(plan: RougeCounting) -> bool:
    """Return whether a type compares the texts sentence by sentence."""
    kinds = {parse_rouge_type(name).kind for name in plan.types}
    return "lsum" in kinds or ("w" in kinds and not plan.lin2004)


def name_text(index: int) -> str:
    """Return the name of a text for errors: of the prediction, or of a reference behind it."""
    return f"references[{index - 1}]" if index else "prediction"


def _find_bleu(text: str, plan: NgramCounting) -> FoundTokens:
    """Return the tokens of a text that BLEU compares."""
    mapped = MappedText.of(text)
    if plan.lowercase:
        mapped = mapped.map_characters(str.lower)
    if plan.strips_end:
        mapped = mapped.strip_end()
    return FoundTokens(text, align_tokens(text, mapped, plan.tokenizer), [], mapped, [])


class _RougeTokens:
    """Finds the tokens that ROUGE compares."""

    def __init__(self, plan: RougeCounting, options: Options) -> None:
        self._plan = plan
        self._truncate = make_truncation(options.word_limit, options.byte_limit)
        self._stop_words = resolve_stop_words(options.stop_words)

    def find(self, text: str, *, by_sentence: bool) -> FoundTokens:
        """Return the tokens of a text, and those of its sentences if they are asked for."""
        mapped = MappedText.of(text)
        kept, tokens, stopped = self._tokenize(text, mapped)
        sentences = self._split(mapped, kept) if by_sentence else []
        tokenized = [self._tokenize(text, sentence)[1] for sentence in sentences]
        return FoundTokens(text, tokens, stopped, kept, tokenized)

    def _tokenize(
        self, text: str, mapped: MappedText
    ) -> tuple[MappedText, list[Token], list[Token]]:
        """Return what a limit leaves, the tokens of it, and the stop words of it."""
        kept = mapped if self._truncate is None else align_truncation(mapped, self._truncate)
        tokens = align_tokens(text, kept, self._plan.bare_tokenizer)
        left = [token for token in tokens if token.form not in self._stop_words]
        forms = self._plan.tokenizer(mapped.text)
        found = [replace(token, form=form) for token, form in zip(left, forms, strict=True)]
        return kept, found, [token for token in tokens if token.form in self._stop_words]

    def _split(self, mapped: MappedText, kept: MappedText) -> list[MappedText]:
        """Return the sentences of a text."""
        split, limit = self._plan.bare_split, self._plan.byte_limit
        if limit is None:
            return align_sentences(kept, split(kept.text))
        # Parity: ROUGE-1.5.5 cuts each sentence of the whole text (counting/byte_limit.py).
        sentences = split(mapped.text)
        whole = align_sentences(mapped, sentences)
        cut = cut_sentences(sentences, limit)
        return [sentence.slice(0, len(part)) for sentence, part in zip(whole, cut, strict=False)]
