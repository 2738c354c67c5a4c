"""Read what trainers hand to a reward: completions and references, as texts or as token ids."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from ..messages import Argument, value_error
from ..options.table import OPTIONS
from ..samples.items import check_count, list_items, read_items
from ..samples.token_ids import IDS

Extract = Callable[[str], str]

_TAG: Final = re.compile(r"[\w-]+")
_REFERENCES: Final = "a list with one item per completion"


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


def read_completions(name: str, completions: Any) -> list[str]:
    """Return the text of each completion."""
    items = read_items(name, completions, "a list with one text per sample")
    return [read_completion(f"{name}[{index}]", item) for index, item in enumerate(items)]


def read_references(name: str, references: Any, count: int) -> list[Any]:
    """Return as many references as there are completions."""
    items = read_items(name, references, _REFERENCES)
    check_count(name, items, "item", count, _REFERENCES)
    return items


def read_column(name: str, columns: Mapping[str, Any], count: int) -> list[Any]:
    """Return the column of the references; None stands for a completion that is not scored."""
    if name not in columns:
        there = [column for column, items in columns.items() if isinstance(items, Sequence)]
        shown = ", ".join(map(repr, there)) or "none"
        raise ValueError(
            f"There is no column {name!r}; the columns are {shown}. "
            "Name the column of the references with make_reward(reference=...)."
        )
    return read_references(name, columns[name], count)


def cut_prompts(queries: list[str], prompts: list[str]) -> list[str]:
    """Return what follows the prompt in each query."""
    check_count("prompts", prompts, "item", len(queries), "one prompt for each query")
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


def tokenize_references(tokenizer: Any, name: str, references: Sequence[Any]) -> list[Any]:
    """Return references with the ids of each text in its place; each text is tokenized once."""
    rows = [[item] if isinstance(item, str) else list_items(item) for item in references]
    places = {
        each: f"{name}[{index}]"
        for index, row in enumerate(rows)
        for each in row or ()
        if isinstance(each, str)
    }
    if not places:
        return list(references)
    if tokenizer is None:
        raise TypeError(
            f"{next(iter(places.values()))} is text, but there is no tokenizer; expected token "
            "ids. Use make_reward(tokenizer=...) with the tokenizer of the model."
        )
    rows_of_ids = tokenizer(list(places), add_special_tokens=False)["input_ids"]
    known = dict(zip(places, rows_of_ids, strict=True))
    return [
        item if row is None else [known[one] if isinstance(one, str) else one for one in row]
        for item, row in zip(references, rows, strict=True)
    ]


def choose_id_options(tokenizer: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of ids; ``eos`` and ``pad`` have precedence over the model's tokenizer."""
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
    if chosen.get("eos") is None:
        chosen["eos"] = tokenizer.eos_token_id
    if chosen.get("pad") is None:
        chosen["pad"] = [i for i in tokenizer.all_special_ids if i != chosen.get("separator")]
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
