"""Score a text of every language of the table, without the network and without NLTK's data.

    python scripts/score_languages.py

``language=`` chooses nothing that is downloaded at run time: after ``pip install ".[all]"`` every
language has scores. The signature of each names what was chosen, and can be parsed back.
"""

import sys
import warnings
from pathlib import Path
from typing import Any, Final

from bleu_rouge_metric import Options, Scorer
from bleu_rouge_metric.text.languages import LANGUAGES

# Two lines, and two others with some of their words.
_SPACED: Final = (
    "Yesterday a small cat slept on the red mat.\nIt was warm there, and nobody came in.",
    "Yesterday a small cat slept on the old mat.\nIt was warm there, and nobody saw it.",
)
_TEXTS: Final = {
    "zh": (
        "我们昨天在图书馆里看书。\n今天去公园玩。",
        "他们昨天在图书馆里学习。\n今天去公园跑步。",
    ),
    "ja": (
        "私は昨日図書館で本を読みました。\n今日は公園へ行きます。",
        "彼は昨日図書館で本を借りました。\n今日は学校へ行きます。",
    ),
    "ko": (
        "나는 어제 도서관에서 책을 읽었다.\n오늘은 공원에 갑니다.",
        "그는 어제 도서관에서 책을 빌렸다.\n오늘은 학교에 갑니다.",
    ),
    "th": (
        "เด็กไปโรงเรียนตอนเช้า\nวันนี้อากาศดีมาก",
        "เด็กไปตลาดตอนเช้า\nวันนี้อากาศร้อนมาก",
    ),
    "my": ("ကလေးကျောင်းသွားသည်\nဒီနေ့ရာသီဥတုကောင်းသည်", "ကလေးဈေးသွားသည်\nဒီနေ့ရာသီဥတုပူသည်"),
    "km": ("ក្មេងប្រុសទៅសាលារៀន\nថ្ងៃនេះអាកាសធាតុល្អ", "ក្មេងប្រុសទៅផ្សារ\nថ្ងៃនេះអាកាសធាតុក្តៅ"),
    "lo": ("ເດັກໄປໂຮງຮຽນ\nມື້ນີ້ອາກາດດີ", "ເດັກໄປຕະຫຼາດ\nມື້ນີ້ອາກາດຮ້ອນ"),
    "bo": ("ང་དེ་རིང་སློབ་གྲྭར་འགྲོ་གི་ཡིན།", "ཁོང་དེ་རིང་སློབ་གྲྭར་འགྲོ་གི་རེད།"),
    "hi": (
        "लड़के कल सुबह अपने स्कूल गए थे।\nआज मौसम बहुत अच्छा है।",
        "लड़का कल सुबह अपने स्कूल गया था।\nआज मौसम बहुत ठंडा है।",
    ),
    "ru": (
        "Вчера маленькая кошка спала на красном диване.\nСегодня она гуляла в саду.",
        "Вчера маленькая кошка спала на старом диване.\nСегодня она играла в саду.",
    ),
}
# Languages that are written as others are.
_LIKE: Final = {"yue": "zh", "dz": "bo", "shn": "my", "uk": "ru", "be": "ru", "mr": "hi"}


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise an error if something connects to the network or opens NLTK's data."""
    is_network = event in ("socket.connect", "socket.getaddrinfo", "urllib.Request")
    if is_network or (event == "open" and "nltk_data" in Path(str(arguments[0])).parts):
        raise RuntimeError(f"language= needs {event} {arguments[:1]}.")


def score_language(code: str) -> str:
    """Score the texts of a language, and return the signature."""
    prediction, reference = _TEXTS.get(_LIKE.get(code, code), _SPACED)
    scorer = Scorer(language=code)
    scorer.update([prediction], [reference])
    scores: dict[str, Any] = scorer.result()
    if not all(scores[name] for name in ("bleu", "rouge1", "rouge2", "rougeL", "rougeLsum")):
        raise RuntimeError(f"language={code!r}: a score is 0: {scores}")
    signature = scorer.signature()
    if Options.from_signature(signature) != Options(language=code):
        raise RuntimeError(f"language={code!r} is not what its signature says: {signature}")
    return signature


def main() -> None:
    """Score every language; the first that fails ends the script."""
    sys.addaudithook(_refuse)
    warnings.simplefilter("error", UserWarning)
    for language in LANGUAGES:
        print(f"{language.codes[0]:4}", score_language(language.codes[0]))


if __name__ == "__main__":
    main()
