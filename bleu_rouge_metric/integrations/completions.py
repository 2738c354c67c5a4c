"""Read what trainers hand to a reward: completions and references, as texts or as token ids."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from ..checks import is_sequence
from ..messages import Argument, value_error
from ..options.options import Options
from ..options.table import OPTIONS
from ..samples.items import list_items
from ..samples.token_ids import IDS, Ids, check_ids, make_id_rules

Extract = Callable[[str], str]

_TAG: Final = re.compile(r"[\w-]+")

# Bound of the cache of references: an id takes about 40 bytes in a tuple, so all take 40 MB.
_MOST_IDS: Final = 1 << 20


def make_extract(choice: object) -> Extract | None:
    """Return the function from a completion to what is scored of it; None for the whole."""
    if isinstance(choice, str):
        if not _TAG.fullmatch(choice):
            raise ValueError(
                f"extract is {choice!r}; expected the name of a tag without its brackets, such as "
                "'answer', or a function."
            )
        return partial(extract_tag, choice)
    if choice is not None and not callable(choice):
        raise TypeError(
            f"extract is of type {type(choice).__name__}; expected the name of a tag, such as "
            "'answer', or a function from the completion to the text that is scored."
        )
    return choice


def extract_tag(tag: str, text: str) -> str:
    """Return what is in the last ``<tag>…</tag>``.

    It is what follows the tag if it is not closed, and the whole text if there is no such tag.

    >>> extract_tag("answer", "I add. <answer> 4 </answer> Done."), extract_tag("answer", "4")
    (' 4 ', '4')
    """
    _, opened, rest = text.rpartition(f"<{tag}>")
    return rest.partition(f"</{tag}>")[0] if opened else text


def read_completion(place: str, completion: object) -> str:
    """Return the text of a completion: a str, or messages, of which the assistant's last counts.

    >>> message = {"role": "assistant", "content": [{"type": "text", "text": "Four."}]}
    >>> read_completion("completions[0]", [message])
    'Four.'
    """
    if isinstance(completion, str):
        return completion
    expected = "expected a str, or a list of messages with role and content."
    messages = _list_parts(place, completion, expected)
    for index, message in reversed(list(enumerate(messages))):
        if not isinstance(message, Mapping):
            raise TypeError(f"{place}[{index}] is of type {type(message).__name__}; {expected}")
        if message.get("role", "assistant") == "assistant":
            return _read_content(f"{place}[{index}]", message)
    return ""


def _read_content(place: str, message: Mapping[Any, Any]) -> str:
    """Return the text of a message; a call of a tool has none."""
    if "content" not in message and not message.get("tool_calls"):
        raise ValueError(
            f"{place} has no 'content'; it has {', '.join(map(repr, message)) or 'nothing'}."
        )
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    expected = "expected a str, or a list of parts with text."
    parts = _list_parts(f"{place}['content']", content, expected)
    # Parts of other kinds, such as images, have no text.
    texts = (part.get("text") if isinstance(part, Mapping) else part for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _list_parts(place: str, value: object, expected: str) -> list[Any]:
    """Return the items of a list of messages or of parts of one."""
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{place} is of type {type(value).__name__}; {expected}")
    return list(value)


def _check_list(name: str, items: Any, expected: str, count: int | None = None) -> list[Any]:
    """Return a list of items, as many as there are completions if their number is given."""
    if not is_sequence(items):
        raise TypeError(f"{name} is of type {type(items).__name__}; expected {expected}")
    if count not in (None, len(items)):
        raise ValueError(
            f"{name} has {len(items)} items, but there are {count} completions; expected one "
            "for each."
        )
    return list(items)


def read_completions(name: str, completions: Any) -> list[str]:
    """Return the text of each completion."""
    items = _check_list(name, completions, "a list with one text per sample.")
    return [read_completion(f"{name}[{index}]", item) for index, item in enumerate(items)]


def read_column(name: str, columns: Mapping[str, Any], count: int) -> list[Any]:
    """Return the column of the references; None stands for a completion that is not scored."""
    if name not in columns:
        there = [column for column, items in columns.items() if isinstance(items, Sequence)]
        shown = ", ".join(map(repr, there)) or "none"
        raise ValueError(
            f"There is no column {name!r}; the columns are {shown}. "
            "Name the column of the references with make_reward(reference=...)."
        )
    return _check_list(name, columns[name], "a list with one item per completion.", count)


def read_references(name: str, references: Any, count: int) -> list[Any]:
    """Return the references for trainers that want all rewards: none of them is None."""
    items = _check_list(name, references, "a list with one item per completion.", count)
    for index, item in enumerate(items):
        if item is None:
            raise ValueError(
                f"{name}[{index}] is None; expected a str or several. Leave samples without a "
                "reference out."
            )
    return items


def cut_prompts(queries: list[str], prompts: list[str]) -> list[str]:
    """Return what follows the prompt in each query."""
    if len(prompts) != len(queries):
        raise ValueError(
            f"prompts has {len(prompts)} items, but there are {len(queries)} queries; expected one "
            "for each."
        )
    texts = []
    for index, (query, prompt) in enumerate(zip(queries, prompts, strict=True)):
        # A token that opens a text may come before the prompt.
        start = query.find(prompt)
        if start < 0:
            raise ValueError(
                f"queries[{index}] does not hold prompts[{index}], so that the completion cannot "
                "be told from it; expected the prompt and what follows it."
            )
        texts.append(query[start + len(prompt) :])
    return texts


class IdReader:
    """Read completions and references as token ids, without special tokens.

    Texts are tokenized once; it can be pickled if the tokenizer can.

    Args:
        tokenizer: of texts; None if all references are ids.
        options: checked; they say which ids are tokens.
    """

    def __init__(self, tokenizer: Any, options: Options) -> None:
        self._tokenizer = tokenizer
        self._rules = make_id_rules(
            options.ignore_index, options.pad, options.eos, options.separator
        )
        self._known: dict[str, Ids] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_known": {}}

    def read_completions(self, completion_ids: Any) -> list[Ids]:
        """Return the ids of each completion."""
        name = "completion_ids"
        if completion_ids is None:
            raise ValueError(
                "completion_ids is missing, which tokens='ids' scores; expected one sequence of "
                "ids per completion, as TRL passes them."
            )
        items = _check_list(name, completion_ids, "one sequence of ids per sample.")
        return [self._keep(f"{name}[{index}]", item) for index, item in enumerate(items)]

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
        if True in kinds and self._tokenizer is None:
            raise TypeError(
                f"{name}[{kinds[True]}] is text, but there is no tokenizer; expected token "
                "ids. Use make_reward(tokenizer=...) with the tokenizer of the model."
            )
        if True in kinds:
            known = self._tokenize({text: place for row in rows for place, text in row or ()})
            return [None if row is None else [known[text] for _, text in row] for row in rows]
        return [
            None if row is None else [self._keep(place, ids) for place, ids in row] for row in rows
        ]

    def _keep(self, place: str, ids: Any) -> Ids:
        """Check ids, and return them without special tokens."""
        if isinstance(ids, str | bytes) or list_items(ids) is None:
            kind = type(ids).__name__
            raise TypeError(f"{place} is of type {kind}; expected a sequence of token ids.")
        return self._rules.keep(check_ids(place, ids), place)

    def _tokenize(self, places: Mapping[str, str]) -> Mapping[str, Ids]:
        """Return the ids of each text; the texts are given with their places."""
        known = self._known
        new = [text for text in places if text not in known]
        if not new:
            return known
        rows = self._tokenizer(new, add_special_tokens=False)["input_ids"]
        found = {text: self._keep(places[text], ids) for text, ids in zip(new, rows, strict=True)}
        cache = {**known, **found}
        # Another thread may read the cache, so that it is replaced and not changed.
        self._known = cache if sum(map(len, cache.values())) <= _MOST_IDS else {}
        return cache


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
    are_texts = {isinstance(each, str) for each in items}
    if len(are_texts) > 1:
        raise TypeError(
            f"{place} has a str and other objects; expected either texts or sequences of token ids."
        )
    if are_texts == {False} and list_items(items[0]) is None:
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
    holder = find_tokenizer(tokenizer)
    if holder is None:
        if options.get("eos") is None:
            raise ValueError(
                "tokens is 'ids', but nothing says which ids are special; expected tokenizer=, the "
                "tokenizer of the model, or eos= and pad=."
            )
        return chosen
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
        raise TypeError(
            f"tokenizer is {shown}; expected the tokenizer or processor of the model, which is "
            "called with texts and has all_special_ids."
        )
    return holder


def check_text_tokenizer(tokenizer: object) -> None:
    """Raise TypeError for the tokenizer of a model, which makes ids and not tokens of a text."""
    if hasattr(tokenizer, "batch_decode"):
        kind = type(tokenizer).__name__
        raise TypeError(
            f"tokenizer is of type {kind}, which makes token ids; expected the name of a tokenizer "
            "of texts, or a function from a text to its tokens. To score ids use tokens='ids'."
        )
