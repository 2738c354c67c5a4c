"""The tokenizer of google-adk, which cannot be imported without models and clients of services.

    pip install --no-deps google-adk==2.13.0
    python -m tests.support.google_adk

writes what it makes of the texts of ``google_adk.json`` to this file.
"""

import ast
import json
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

GOLDENS: Final = Path(__file__).with_suffix(".json")
_NAMES: Final = ("_is_cjk", "_is_non_spaced_script", "_is_word_char", "_UnicodeAwareTokenizer")


def load_original() -> Any:
    """Return the class of the installed google-adk; None if it is not installed."""
    try:
        spec = find_spec("google.adk")
    except ModuleNotFoundError:
        spec = None
    if spec is None or not spec.submodule_search_locations:
        return None
    from rouge_score import tokenizers

    folder = Path(next(iter(spec.submodule_search_locations)))
    tree = ast.parse((folder / "evaluation/final_response_match_v1.py").read_text("utf-8"))
    kinds = ast.FunctionDef | ast.ClassDef
    tree.body = [node for node in tree.body if isinstance(node, kinds) and node.name in _NAMES]
    names: dict[str, Any] = {"tokenizers": tokenizers, "unicodedata": unicodedata}
    exec(compile(tree, "google_adk", "exec"), names)
    return names["_UnicodeAwareTokenizer"]


def main() -> None:
    """Write the tokens of the texts again, without and with stems."""
    original = load_original()
    if original is None:
        sys.exit("google-adk is not installed")
    goldens = json.loads(GOLDENS.read_text("utf-8"))
    for row in goldens["texts"]:
        row["tokens"] = original().tokenize(row["text"])
        row["stems"] = original(use_stemmer=True).tokenize(row["text"])
    GOLDENS.write_text(json.dumps(goldens, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
