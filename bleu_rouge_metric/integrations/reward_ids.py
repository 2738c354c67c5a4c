"""Token ids of completions, and of their references, for rewards that decode nothing."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..checks import is_sequence
from ..messages import Argument, value_error
from ..options.table import OPTIONS
from ..samples.items import list_items
from ..samples.token_ids import IDS, IdRules, Ids, check_ids, make_id_rules
from ..scoring.pair_scorer import PairScorer

# Bound of the cache of references: an id takes about 40 bytes in a tuple, so all take 40 MB.
_MOST_IDS: Final = 1 << 20

_TOKENIZER: Final = (
    "expected the tokenizer or processor of the model, which is called with texts and has "
    "all_special_ids."
)


class IdReader:
    """Read completions and references as token ids, without special tokens.

    Texts are tokenized once; it can be pickled if the tokenizer can.
    """

    def __init__(self, tokenizer: Any, rules: IdRules) -> None:
        """Create a reader.

        Args:
            tokenizer: of texts; None if all references are ids.
            rules: which ids are tokens.
        """
        self._tokenizer = tokenizer
        self._rules = rules
        self._known: dict[str, Ids] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_known": {}}

    def read_completions(self, completion_ids: Any) -> list[Ids]:
        """Return the ids of each completion.

        Raises:
            TypeError: they are not sequences of ids.
            ValueError: they are missing, or an id is out of range.
        """
        name = "completion_ids"
        if completion_ids is None:
            raise ValueError(
                "completion_ids is missing, which tokens='ids' scores; expected one sequence of "
                "ids per completion, as TRL passes them."
            )
        if not is_sequence(completion_ids):
            kind = type(completion_ids).__name__
            raise TypeError(f"{name} is of type {kind}; expected one sequence of ids per sample.")
        return [self._keep(f"{name}[{index}]", item) for index, item in enumerate(completion_ids)]

    def read_references(self, name: str, references: Sequence[Any]) -> list[list[Ids] | None]:
        """Return the ids of the references of each completion; None where there is None.

        Args:
            name: of the column, for errors.
            references: each a text, a sequence of ids, or a sequence of one kind of them.

        Raises:
            TypeError: a reference is neither, or some are texts and others ids.
            ValueError: a completion has no reference, or an id is out of range.
        """
        rows = [
            None if item is None else _list_references(f"{name}[{index}]", item)
            for index, item in enumerate(references)
        ]
        kinds = {isinstance(row[0][1], str): index for index, row in enumerate(rows) if row}
        if len(kinds) > 1:
            raise TypeError(
                f"{name}[{kinds[True]}] is text, but {name}[{kinds[False]}] is token ids; "
                "expected one kind in a column."
            )
        if True not in kinds:
            return [
                None if row is None else [self._keep(place, ids) for place, ids in row]
                for row in rows
            ]
        if self._tokenizer is None:
            raise TypeError(
                f"{name}[{kinds[True]}] is text, but there is no tokenizer; expected token "
                "ids. Use make_reward(tokenizer=...) with the tokenizer of the model."
            )
        known = self._tokenize({text: place for row in rows for place, text in row or ()})
        return [None if row is None else [known[text] for _, text in row] for row in rows]

    def _keep(self, place: str, ids: Any) -> Ids:
        """Check ids, and return them without special tokens."""
        if isinstance(ids, str | bytes) or list_items(ids) is None:
            kind = type(ids).__name__
            raise TypeError(f"{place} is of type {kind}; expected a sequence of token ids.")
        return self._rules.keep(check_ids(place, ids), place)

    def _tokenize(self, needed: Mapping[str, str]) -> dict[str, Ids]:
        """Return the ids of each text; the texts are given with their places."""
        known = self._known
        new = [text for text in needed if text not in known]
        if new:
            rows = self._tokenizer(new, add_special_tokens=False)["input_ids"]
            found = {
                text: self._keep(needed[text], ids) for text, ids in zip(new, rows, strict=True)
            }
            found.update((text, known[text]) for text in needed if text in known)
            kept = {**known, **found}
            is_small = sum(map(len, kept.values())) <= _MOST_IDS
            # Another thread may read the cache, so that it is replaced and not changed.
            self._known = kept if is_small else {}
            return found
        return known


def _list_references(place: str, item: Any) -> list[tuple[str, Any]]:
    """Return the references of a completion, texts or sequences of ids, each after its place."""
    if isinstance(item, str):
        return [(place, item)]
    items = None if isinstance(item, bytes) else list_items(item)
    if items is None:
        kind = type(item).__name__
        raise TypeError(f"{place} is of type {kind}; expected texts or token ids.")
    if not items:
        raise ValueError(
            f"{place} is empty; every completion needs at least one reference. A reference without "
            "tokens is [[]]."
        )
    are_texts = [isinstance(each, str) for each in items]
    if any(are_texts):
        if not all(are_texts):
            raise TypeError(
                f"{place} has a str and other objects; expected either texts or sequences of token "
                "ids."
            )
    elif list_items(items[0]) is None:
        return [(place, items)]
    return [(f"{place}[{index}]", each) for index, each in enumerate(items)]


def choose_id_options(tokenizer: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a ``PairScorer`` of ids, with the special tokens of a tokenizer.

    Args:
        tokenizer: of the model, or its processor, or None. If its ``eos_token_id`` is None and
            there is no ``eos``, no id ends a text.
        options: those that were given; ``pad`` and ``eos`` have precedence over the tokenizer.

    Raises:
        TypeError: the tokenizer is not that of a model.
        ValueError: an option is for texts, or nothing says which ids are special.
    """
    for name, value in options.items():
        if value is not None and name in OPTIONS and OPTIONS[name].samples == "texts":
            raise value_error(
                "{} is {!r}, which is for texts, but tokens is 'ids'",
                *(Argument(name), value),
                remedy="leave it out.",
            )
    chosen = {**options, "tokenizer": IDS}
    if tokenizer is None:
        if options.get("eos") is None:
            raise ValueError(
                "tokens is 'ids', but nothing says which ids are special; expected tokenizer=, the "
                "tokenizer of the model, or eos= and pad=."
            )
        return chosen
    holder = find_tokenizer(tokenizer)
    if chosen.get("eos") is None:
        chosen["eos"] = holder.eos_token_id
    if chosen.get("pad") is None:
        chosen["pad"] = [i for i in holder.all_special_ids if i != chosen.get("separator")]
    return chosen


def find_tokenizer(tokenizer: Any) -> Any:
    """Return the tokenizer of a processor, or the tokenizer itself; None stays None."""
    holder = getattr(tokenizer, "tokenizer", tokenizer)
    if holder is not None and not (callable(holder) and hasattr(holder, "all_special_ids")):
        is_name = isinstance(tokenizer, str)
        shown = repr(tokenizer) if is_name else f"of type {type(tokenizer).__name__}"
        raise TypeError(f"tokenizer is {shown}; {_TOKENIZER}")
    return holder


def check_text_tokenizer(tokenizer: object) -> None:
    """Raise TypeError for the tokenizer of a model, which makes ids and not tokens of a text."""
    if hasattr(tokenizer, "batch_decode"):
        kind = type(tokenizer).__name__
        raise TypeError(
            f"tokenizer is of type {kind}, which makes token ids; expected the name of a tokenizer "
            "of texts, or a function from a text to its tokens. To score ids use tokens='ids'."
        )


def make_id_reader(tokenizer: Any, scorer: PairScorer[Any]) -> IdReader:
    """Return a reader for the options of a scorer of ids."""
    options = scorer.options
    rules = make_id_rules(options.ignore_index, options.pad, options.eos, options.separator)
    return IdReader(find_tokenizer(tokenizer), rules)
