"""Rules of ``ptb`` for full stops that belong to a token: abbreviations and acronyms."""

from typing import Final

from .rules import (
    DIGITS,
    WHITE_SPACE,
    Rule,
    any_of,
    capitalized,
)
from .web import SHORT_TAG

# Before a name.
_TITLES: Final = """
    adj adm adv alex asst assoc atty attys ave brig capt cf cmdr col comdr cpl dept det dr drs elec
    ens ft gen gov govs hon insp invt jos lieut lt maj mfg mlle mme mr mrs ms msgr mt mtg natl oct
    pfc ph pres prof profs pvt rep reps rev sen sens sfc sgt spc st ste supt supts treas vs wm
"""
# Of companies, months, states and others.
_OTHERS: Final = """
    al ala apr ariz assn aug bhd bldg blvd bros calif cie co colo conn corp cos ct dak dec esq est
    etc ext feb fla fri ga inc ind intl jan jr jul jun kan kans ky ltd mar md mich minn mo mon mont
    neb nev nov okla penn plc ppte pptes ppty pptys pte ptes pty ptys rd rt sep sept seq sq sr sys
    tel tenn thu thurs tue tues univ va vt wed wis wisc wyo
"""
# States that are also words: abbreviations only if capitalized.
_STATES: Final = "ark az del ill la mass miss ore pa tex wash"
# Before a number.
_NUMBERED: Final = "art ca fig figs no nos op p pp prop"

# Words that begin a sentence.
_STARTERS: Final = """
    a about according additionally after an as at but earlier he her here however if in it last many
    more now once one other our she since so some such that the their then there these they this we
    what when while yet you
"""


_OTHER: Final = rf"(?:(?i:{any_of(_OTHERS)}|(?:ph|ed)\.d)|{any_of(capitalized(_STATES))})"

_STARTER: Final = any_of([*capitalized(_STARTERS), "Mr.", "MR.", "Ms.", "MS."])
_START: Final = rf"[{WHITE_SPACE}]+(?:{_STARTER}|{SHORT_TAG})[{WHITE_SPACE}]"

# Parity: the program also adds a full stop to some abbreviations and acronyms at the end of a
# sentence, which pycocoevalcap removes. These rules leave that out.
ABBREVIATIONS: Final = (
    Rule("A-Za-z", rf"(?:{_OTHER}|(?i:{any_of(_TITLES)}))\."),
    Rule("acfnopACFNOP", rf"((?i:{any_of(_NUMBERED)})\.)(?=[{WHITE_SPACE}]?[{DIGITS}])"),
    # Parity: before a word that begins a sentence, a single letter loses its full stop.
    Rule("A-Za-z", rf"([A-Za-z])\.{_START}"),
    Rule("A-Za-z", r"[A-Za-z]\."),
    Rule("A-Za-z", r"(?:[A-Za-z]\.){2,}"),
)

# Parity: two characters behind an abbreviation count for its length. So "Inc.-x" begins with an
# abbreviation, and "Inc.x" with a plain word, which comes first.
LOOKING_ABBREVIATIONS: Final = (Rule("A-Za-z", rf"({_OTHER}\.)[\s\S]{{2}}"),)


def list_abbreviations() -> list[str]:
    """Return the abbreviations that need no number behind them, in lower case."""
    return f"{_TITLES} {_OTHERS} {_STATES}".split()
