"""``python -m bleu_rouge_metric`` is the command ``bleu-rouge``."""

from .cli import main

if __name__ == "__main__":
    main()
