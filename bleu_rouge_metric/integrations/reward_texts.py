"""The texts of completions, of messages or of an answer in them, and their references."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from ..checks import is_sequence

Extract = Callable[[str], str]

_TAG = re.compile(r"[\w-]+")


def make_extract(choice: object) -> Extract | None:
    """Return the function from a completion to what is scored of it; None for the whole.

    Args:
        choice: the name of a tag, a function, or None.

    Raises:
        TypeError: it is none of these.
        ValueError: it is not the name of a tag.
    """
    if choice is None:
        return None
    if isinstance(choice, str):
        if not _TAG.fullmatch(choice):
            raise ValueError(
                f"extract is {choice!r}; expected the name of a tag without its brackets, such as "
                "'answer', or a function."
            )
        return partial(extract_tag, choice)
    if not callable(choice):
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
    """Return the text of a completion.

    Args:
        place: for errors, such as ``completions[3]``.
        completion: a text, or messages: the content of the last one of the assistant.

    Raises:
        TypeError: it is neither.
        ValueError: a message has no content.

    >>> message = {"role": "assistant", "content": [{"type": "text", "text": "Four."}]}
    >>> read_completion("completions[0]", [message])
    'Four.'
    """
    if isinstance(completion, str):
        return completion
    expected = "expected a str, or a list of messages with role and content."
    if isinstance(completion, bytes | Mapping) or not isinstance(completion, Iterable):
        raise TypeError(f"{place} is of type {type(completion).__name__}; {expected}")
    messages = list(completion)
    for index in reversed(range(len(messages))):
        message = messages[index]
        if not isinstance(message, Mapping):
            raise TypeError(f"{place}[{index}] is of type {type(message).__name__}; {expected}")
        if message.get("role", "assistant") == "assistant":
            return _read_content(f"{place}[{index}]", message)
    return ""


def _read_content(place: str, message: Mapping[Any, Any]) -> str:
    """Return the text of a message; a call of a tool has none."""
    if "content" not in message:
        if message.get("tool_calls"):
            return ""
        raise ValueError(
            f"{place} has no 'content'; it has {', '.join(map(repr, message)) or 'nothing'}."
        )
    content = message["content"]
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, bytes | Mapping) or not isinstance(content, Iterable):
        raise TypeError(
            f"{place}['content'] is of type {type(content).__name__}; expected a str, or a list of "
            "parts with text."
        )
    # Parts of other kinds, such as images, have no text.
    texts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
    return "".join(text for text in texts if isinstance(text, str))


def read_all(name: str, completions: Any) -> list[str]:
    """Return the text of each completion."""
    if not is_sequence(completions):
        kind = type(completions).__name__
        raise TypeError(f"{name} is of type {kind}; expected a list with one text per sample.")
    return [read_completion(f"{name}[{index}]", item) for index, item in enumerate(completions)]


def read_column(name: str, columns: Mapping[str, Any], count: int) -> list[Any]:
    """Return the column of the references, which has as many items as there are completions."""
    if name not in columns:
        there = [column for column, items in columns.items() if isinstance(items, Sequence)]
        shown = ", ".join(map(repr, there)) or "none"
        raise ValueError(
            f"There is no column {name!r}; the columns are {shown}. "
            "Name the column of the references with make_reward(reference=...)."
        )
    return list_references(name, columns[name], count)


def list_references(name: str, references: Any, count: int) -> list[Any]:
    """Return as many references as there are completions."""
    if not is_sequence(references):
        kind = type(references).__name__
        raise TypeError(f"{name} is of type {kind}; expected a list with one item per completion.")
    if len(references) != count:
        raise ValueError(
            f"{name} has {len(references)} items, but there are {count} completions; expected one "
            "for each."
        )
    return list(references)


def check_given(name: str, references: list[Any]) -> None:
    """Raise ValueError if a completion has no reference, for trainers that want all rewards."""
    for index, reference in enumerate(references):
        if reference is None:
            raise ValueError(
                f"{name}[{index}] is None; expected a str or several. Leave samples without a "
                "reference out."
            )


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
