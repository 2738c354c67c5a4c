"""The tokenizer of google-adk, which cannot be imported without models and clients of services.

    pip install --no-deps google-adk==2.13.0
    python -m tests.support.google_adk

writes what it makes of some texts to ``google_adk.json``.
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

TEXTS: Final = (
    "The cats were running; don't pay 3.5 EUR!",
    "Ｆｕｌｌ ﬁve ½ ² ＣＡＦÉ naïve ÜBERMÄSSIG runningé",
    "北京大学 is in 北京。",
    "㐀𠀀 豈 々〆",
    "東京タワーへ行きました。ｶﾞｷﾞ ー・",
    "오늘은 날씨가 좋네요. ᄒᆞᆫ ㅋㅋ",
    "เด็กไปโรงเรียน ฯลฯ ๑๒๓ ฿5 น้ำ",
    "ເດັກໄປໂຮງຮຽນ ກຳ ໑໒",
    "ក្មេងប្រុសទៅសាលារៀន។",
    "ကျောင်းသား၊ ၁၂ ꩠ",
    "लड़का स्कूल गया। ٣ ذَهَبَ שָׁלוֹם",
    "İstanbul ΟΔΟΣ ΟΔΟΣ-ΑΣ \u212aelvin ǅ",
    "a_b x\u200by \u0301c e\u0301 1\u20de \U0001f600 \ud83d \n\tz",
    " ",
    "",
)


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
    """Write the tokens of the texts, without and with stems."""
    original = load_original()
    if original is None:
        sys.exit("google-adk is not installed")
    rows = [
        {
            "text": text,
            "tokens": original().tokenize(text),
            "stems": original(use_stemmer=True).tokenize(text),
        }
        for text in TEXTS
    ]
    GOLDENS.write_text(
        json.dumps({"google-adk": "2.13.0", "texts": rows}, indent=1) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
