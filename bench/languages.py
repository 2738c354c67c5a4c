"""Time the tokenizers of other languages, with the compiled kernel and with the one in Python.

For each tokenizer and a language that it is for: the ratio of the two kernels for a whole call, and
the time per byte of UTF-8 as a ratio to the default tokenizer of the same family on English. Both
kernels are first compared (``==``).
"""

import random
from functools import partial
from typing import Annotated, Any, Final

import numpy as np
import typer
from workloads import DATA, Corpus, Workload, best_time, make_table, print_tables, read_texts

from bleu_rouge_metric import bleu_score, rouge_scores, use_kernel
from bleu_rouge_metric.counting.kernels import KernelName

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


def score(family: str, tokenizer: str, workload: Workload, kernel: KernelName) -> Any:
    """Score one family with a kernel."""
    with use_kernel(kernel):
        if family == "BLEU":
            return bleu_score(workload.predictions, workload.references, bleu_tokenizer=tokenizer)
        return rouge_scores(workload.predictions, workload.references, rouge_tokenizer=tokenizer)


def time_per_byte(work: partial[Any], workload: Workload, repeats: int) -> float:
    """Return the nanoseconds per byte."""
    texts = workload.predictions + workload.references
    return best_time(work, repeats) / sum(len(text.encode()) for text in texts) * 1e9


def main(
    pairs: Annotated[int, typer.Option(help="Pairs per call.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Runs, of which the fastest counts.")] = 5,
) -> None:
    """Print a table."""
    table = make_table(
        f"{pairs:,} pairs",
        *("family", "tokenizer", "language", "ns per byte", "Python / ours", "per byte / English"),
    )
    for family, tokenizers, default in (("ROUGE", ROUGE, "rouge"), ("BLEU", BLEU, "13a")):
        english = read_language("English", pairs)
        fewer = english.head(max(1, pairs // 10))
        base = time_per_byte(partial(score, family, default, english, "native"), english, repeats)
        slow = time_per_byte(partial(score, family, default, fewer, "python"), fewer, 1)
        table.add_row(family, default, "English", f"{base:.1f}", f"{slow / base:.0f}", "1.0")
        for tokenizer, names in tokenizers.items():
            for name in names:
                workload = read_language(name, pairs)
                few = workload.head(max(1, pairs // 10))
                work = partial(score, family, tokenizer)
                np.testing.assert_equal(work(few, "native"), work(few, "python"))
                ours = time_per_byte(partial(work, workload, "native"), workload, repeats)
                python = time_per_byte(partial(work, few, "python"), few, max(1, repeats // 2))
                table.add_row(
                    *(family, tokenizer, name, f"{ours:.1f}"),
                    *(f"{python / ours:.0f}", f"{ours / base:.1f}"),
                )
    print_tables([table])


if __name__ == "__main__":
    typer.run(main)
