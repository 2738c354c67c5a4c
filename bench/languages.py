"""Time the tokenizers of other languages, with the compiled kernel and with the one in Python.

For each tokenizer and a language that it is for: the ratio of the two kernels for a whole call, and
the time per byte of UTF-8 as a ratio to the default tokenizer of the same family on English. Both
kernels are first compared (``==``).
"""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np
from workloads import DATA, Call, Corpus, Table, Workload, best_time, in_kernel, read_texts, run

from bleu_rouge_metric import bleu_score, rouge_scores

# The corpora, and some words for a clone that has no corpora.
LANGUAGES: Final = {
    "English": ("xsum_convs2s", "The house at the old river has been sold for 3.5 million euros."),
    "German": ("wmt17_en_de", "Das Haus am alten Fluss wurde für 3,5 Millionen Euro verkauft."),
    "Russian": ("flores_en_ru", "Дом у старой реки продали за 3,5 миллиона евро, это много."),
    "Hindi": ("flores_en_hi", "पुरानी नदी के पास का घर 35 लाख यूरो में बेचा गया है।"),
    "Arabic": ("flores_en_ar", "بيع المنزل القريب من النهر القديم بمبلغ 3,5 مليون يورو."),
    "Thai": ("flores_en_th", "บ้านริมแม่น้ำเก่า ถูกขายไป ในราคา 3.5 ล้านยูโร"),
    "Chinese": ("wmt21_en_zh_2refs", "老河边的 房子 以350万欧元的 价格 售出。"),
    "Japanese": ("wmt22_en_ja", "古い川のそばの 家が 350万ユーロで 売られました。"),
}

ROUGE: Final = {
    "unicode": ("German", "Russian", "Hindi", "Arabic", "Thai", "Chinese", "Japanese"),
    "grapheme": ("Hindi", "Thai"),
    "xlsum": ("Russian", "Hindi", "Arabic"),
}
BLEU: Final = {
    "intl": ("German", "Russian", "Hindi", "Arabic"),
    "zh": ("Chinese",),
    "char": ("Chinese", "Thai"),
    "unicode": ("Russian", "Thai"),
}


def read_language(name: str, pairs: int) -> Workload:
    """Read pairs of sentences of a language."""
    file, words = LANGUAGES[name]
    if DATA.is_dir():
        predictions, references = read_texts(Corpus(file, 1, 0))
    else:
        draw = random.Random(name)  # noqa: S311 - any texts will do
        predictions, references = (
            [" ".join(draw.choices(words.split(), k=20)) for _ in range(pairs)] for _ in range(2)
        )
    times = -(-pairs // len(predictions))
    both = (predictions * times)[:pairs], (references * times)[:pairs]
    return Workload(name, *both, min(pairs, len(predictions)))


def score(family: str, tokenizer: str, workload: Workload) -> Call:
    """Return a call that scores one family."""
    texts = workload.predictions, workload.references
    if family == "BLEU":
        return partial(bleu_score, *texts, bleu_tokenizer=tokenizer)
    return partial(rouge_scores, *texts, rouge_tokenizer=tokenizer)


def time_kernels(
    family: str, tokenizer: str, workload: Workload, repeats: int
) -> tuple[float, float]:
    """Return the nanoseconds per byte of both kernels; Python scores a tenth of the pairs."""

    def count_bytes(texts: Workload) -> int:
        return sum(len(text.encode()) for text in (*texts.predictions, *texts.references))

    few = workload.head(max(1, len(workload.predictions) // 10))
    native, python = (
        in_kernel("native", score(family, tokenizer, workload)),
        in_kernel("python", score(family, tokenizer, few)),
    )
    np.testing.assert_equal(in_kernel("native", score(family, tokenizer, few))(), python())
    ours = best_time(native, repeats) / count_bytes(workload) * 1e9
    return ours, best_time(python, max(1, repeats // 2)) / count_bytes(few) * 1e9


def time_languages(pairs: int, repeats: int) -> Iterator[Sequence[str]]:
    """Time each tokenizer on each of its languages."""
    for family, tokenizers, default in (("ROUGE", ROUGE, "rouge"), ("BLEU", BLEU, "13a")):
        base = 0.0
        for tokenizer, names in ({default: ("English",)} | tokenizers).items():
            for name in names:
                texts = read_language(name, pairs)
                ours, python = time_kernels(family, tokenizer, texts, repeats)
                base = base or ours
                ratios = f"{python / ours:.0f}", f"{ours / base:.1f}"
                yield family, tokenizer, name, f"{ours:.1f}", *ratios


def main(pairs: int = 10_000, repeats: int = 5) -> Iterator[Table]:
    """Time ``pairs`` pairs per call."""
    head = "family | tokenizer | language | ns per byte | Python / ours | per byte / English"
    yield Table(f"{pairs:,} pairs", head, time_languages(pairs, repeats))


if __name__ == "__main__":
    run(main)
