"""The Penn Treebank tokens of captions, as ``pycocoevalcap.tokenizer.ptbtokenizer`` gives them."""

from collections.abc import Mapping, Sequence
from typing import Any

from ....text.tokenizer import resolve_tokenizer


class PTBTokenizer:
    """Tokenize captions, without Java."""

    def tokenize(
        self, captions_for_image: Mapping[Any, Sequence[Mapping[str, Any]]]
    ) -> dict[Any, list[str]]:
        """Return the captions by id, their tokens joined by spaces.

        Args:
            captions_for_image: by id, a list of ``{"caption": …}``; other keys are ignored.
        """
        tokenize = resolve_tokenizer("tokenizer", "ptb")
        return {
            # Parity: a line of the tokenizer's input is one caption.
            key: [" ".join(tokenize(item["caption"].replace("\n", " "))) for item in items]
            for key, items in captions_for_image.items()
            # Parity: an id without captions is left out.
            if items
        }
