"""Find the word boundaries of Unicode (UAX #29), rule by rule, one position at a time.

The tests compare ``tokenize_unicode`` with this on generated texts; both share only the table of
properties. Both leave out the rules for emoji and flags (WB3c, WB15, WB16): these are not words.
"""

import regex

CLASSES = (
    *("CR", "LF", "Newline", "Extend", "ZWJ", "Format", "Katakana"),
    *("Hebrew_Letter", "ALetter", "Single_Quote", "Double_Quote", "MidNumLet", "MidLetter"),
    *("MidNum", "Numeric", "ExtendNumLet", "WSegSpace"),
)
_PATTERNS = {name: regex.compile(rf"\p{{WB={name}}}") for name in CLASSES}

NEWLINES = {"CR", "LF", "Newline"}
IGNORED = {"Extend", "Format", "ZWJ"}
LETTERS = {"ALetter", "Hebrew_Letter"}


def word_class(character: str) -> str:
    """Return the Word_Break property of a character; "Other" if it has none."""
    return next((name for name in CLASSES if _PATTERNS[name].match(character)), "Other")


def is_boundary(text: str, position: int) -> bool:
    """Whether there is a word boundary before ``text[position]``."""
    classes = [word_class(character) for character in text]
    left, right = classes[position - 1], classes[position]
    if left == "CR" and right == "LF":  # WB3
        return False
    if left in NEWLINES or right in NEWLINES:  # WB3a, WB3b
        return True
    if left == right == "WSegSpace":  # WB3d
        return False
    if right in IGNORED:  # WB4: joined to the character before
        return False

    # WB4: the rules below ignore joined characters, except at the start of a line.
    before = [
        name
        for index, name in enumerate(classes[:position])
        if name not in IGNORED or index == 0 or classes[index - 1] in NEWLINES
    ]
    after = [name for name in classes[position:] if name not in IGNORED]
    a, b = before[-1], after[0]
    a2 = before[-2] if len(before) > 1 else ""
    b2 = after[1] if len(after) > 1 else ""
    middle_letter = {"MidLetter", "MidNumLet", "Single_Quote"}
    middle_number = {"MidNum", "MidNumLet", "Single_Quote"}
    joined = (
        (a in LETTERS and b in LETTERS)  # WB5
        or (a in LETTERS and b in middle_letter and b2 in LETTERS)  # WB6
        or (a2 in LETTERS and a in middle_letter and b in LETTERS)  # WB7
        or (a == "Hebrew_Letter" and b == "Single_Quote")  # WB7a
        or (a == b2 == "Hebrew_Letter" and b == "Double_Quote")  # WB7b
        or (a2 == b == "Hebrew_Letter" and a == "Double_Quote")  # WB7c
        or (a in LETTERS | {"Numeric"} and b in LETTERS | {"Numeric"})  # WB8, WB9, WB10
        or (a2 == b == "Numeric" and a in middle_number)  # WB11
        or (a == b2 == "Numeric" and b in middle_number)  # WB12
        or (a == b == "Katakana")  # WB13
        or (a in LETTERS | {"Numeric", "Katakana", "ExtendNumLet"} and b == "ExtendNumLet")  # WB13a
        or (a == "ExtendNumLet" and b in LETTERS | {"Numeric", "Katakana"})  # WB13b
    )
    return not joined


def split_words(text: str) -> list[str]:
    """Return the segments between word boundaries."""
    starts = [0, *(place for place in range(1, len(text)) if is_boundary(text, place))]
    return [text[start:stop] for start, stop in zip(starts, [*starts[1:], len(text)], strict=True)]
