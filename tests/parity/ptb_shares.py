"""Print for how many texts the tokens of ``ptb`` are those of pycocoevalcap's Java program.

python -m tests.parity.ptb_shares

The second share is of texts that follow one another directly, as pycocoevalcap tokenizes them:
there the program looks at the next caption, and ``ptb`` does not.
"""

import sys
from collections.abc import Sequence

from bleu_rouge_metric.text.ptb import tokenize_ptb

from ..support.ptb import SEPARATORS, make_captions, make_hard_lines, tokenize_with_java
from .goldens import CORPORA, read_golden


def list_texts(corpus: str) -> list[str]:
    """Return the texts of a corpus, without those that shift the captions after them."""
    golden = read_golden(corpus)
    texts = [*golden.predictions, *(text for group in golden.references for text in group)]
    return [text for text in texts if not SEPARATORS & {*text}]


def measure_share(texts: Sequence[str], *, apart: bool) -> float:
    """Return the share of texts with equal tokens, in percent."""
    theirs = tokenize_with_java(texts, apart=apart)
    return 100 * sum(map(list.__eq__, map(tokenize_ptb, texts), theirs)) / len(texts)


def main() -> None:
    """Print a table."""
    kinds = {corpus: list_texts(corpus) for corpus in sorted(CORPORA)}
    kinds["generated captions"] = make_captions(20_000)
    kinds["generated hard lines"] = make_hard_lines(20_000)
    write = sys.stdout.write
    write("| texts | number | equal tokens | before the next caption |\n|---|---|---|---|\n")
    for name, texts in kinds.items():
        shares = [f"{measure_share(texts, apart=apart):.2f}%" for apart in (True, False)]
        write(f"| {name} | {len(texts):,} | {' | '.join(shares)} |\n")


if __name__ == "__main__":
    main()
