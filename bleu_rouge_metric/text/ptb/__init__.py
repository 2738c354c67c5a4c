"""The tokenizer ``ptb``: the tokens of pycocoevalcap's ``PTBTokenizer``, without Java."""
