"""Rules of ``ptb`` for numbers, fractions, dates, telephone numbers and amounts of money."""

from typing import Final

from .rules import DIGITS, Rule, join_blanks

# Parity: soft hyphens between digits, and before the first one, are deleted.
_DIGITS: Final = f"[{DIGITS}]+(?:\u00ad[{DIGITS}]+)*"
_FIRST: Final = f"\u00ad?{_DIGITS}"
_NUMBER: Final = rf"(?:(?:{_FIRST})?(?:[.,:\u066b\u066c]{_DIGITS})+|{_FIRST})"
_BLANK: Final = "[ \u00a0]"
_JOINT: Final = "[- \u00a0]"


def _write_telephone(token: str) -> str:
    return join_blanks(token).replace("(", "-LRB-").replace(")", "-RRB-")


NUMBERS: Final = (
    Rule(rf"{DIGITS}\u00ad+.,:\u066b\u066c\-", f"[-+]?{_NUMBER}"),
    # Dates, and fractions with or without a whole number.
    Rule(
        DIGITS,
        rf"[{DIGITS}]{{1,2}}[-/][{DIGITS}]{{1,2}}[-/][{DIGITS}]{{2,4}}"
        rf"|[{DIGITS}]{{1,4}}(?:{_JOINT}[{DIGITS}]{{1,4}})?(?:\\?/|\u2044)[{DIGITS}]{{1,4}}",
        join_blanks,
    ),
    # Parity: three numbers in a row may look like a telephone number, as in "100 200 3000".
    Rule(
        r"0-9(+",
        rf"(?:\([0-9]{{2,3}}\){_BLANK}?|(?:\+?[0-9]{{2,4}}{_JOINT})?[0-9]{{2,4}}{_JOINT})"
        rf"[0-9]{{3,4}}{_JOINT}?[0-9]{{3,5}}",
        _write_telephone,
    ),
)

AMOUNTS: Final = (Rule("A-Z", r"[A-Z]+\$"),)
