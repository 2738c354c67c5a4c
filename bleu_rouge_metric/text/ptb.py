"""The tokenizer ``ptb``: the tokens of pycocoevalcap 1.2's ``PTBTokenizer``, without Java.

The rules are matched against the *shape* of a text, in which one character stands for each class
(``ptb_characters.py``); ASCII and the characters that a rule names stand for themselves. The shape
is as long as the text, so that a match in one is a slice of the other.

At every place the rule with the longest match wins; the look-ahead after a token counts for the
length. Of two matches of equal length the earlier rule wins. A character that no rule matches is
skipped.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from .ptb_characters import (
    BREAK,
    CLASSES,
    DIGIT,
    LETTER,
    MARK,
    NONE,
    SPACE,
    SUBSCRIPT,
    SUPERSCRIPT,
    SYMBOL,
)

# Parity: the list in pycocoevalcap 1.2 has brackets in upper case, but tokens are in lower case. So
# brackets stay, and so do "!!" and "/".
PUNCTUATION: Final = frozenset(
    ["''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
)


class Rule(NamedTuple):
    """One kind of token.

    Attributes:
        firsts: the content of a character class: characters that a match may begin with.
        pattern: a regular expression. What its first group matches is the token; what it matches
            after the group is looked at only, but counts for the length of the match. Without a
            group all of it is the token.
        write: from the characters of the token, as given, to the token; None if only soft hyphens
            are deleted.
        run: a regular expression that bounds the failure: if the pattern does not match at a place,
            it matches nowhere before the end of the run from there. Patterns that may look at a
            long text and find nothing have one, so that the time is linear. None if none is needed.
    """

    firsts: str
    pattern: str
    write: Callable[[str], str] | None = None
    run: str | None = None


def _any_of(words: str | Iterable[str]) -> str:
    """Return a pattern of words, separated by spaces if given as one text."""
    # The longest first: an alternative that matches hides those after it.
    each = sorted(words.split() if isinstance(words, str) else words, key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, each))})"


def _capitalize(words: str) -> list[str]:
    """Return the forms ``Word`` and ``WORD`` of words."""
    return sorted({form for word in words.split() for form in (word.capitalize(), word.upper())})


def _straighten(token: str) -> str:
    """Write the apostrophe of a token as ``'``."""
    # Parity: an entity in upper case stays.
    return re.sub("[\u0092\u2019]|&apos;", "'", token)


def _join_blanks(token: str) -> str:
    """Replace spaces by no-break spaces: a token has none."""
    return token.replace(" ", "\u00a0")


def _write_parentheses(token: str) -> str:
    return _join_blanks(token).replace("(", "-LRB-").replace(")", "-RRB-")


def _write_ampersand(token: str) -> str:
    return re.sub("&amp;", "&", token, flags=re.IGNORECASE)


def _always(token: str) -> Callable[[str], str]:
    return lambda _: token


# Contents of character classes. The soft hyphen counts as a letter of words.
_LETTERS: Final = f"A-Za-z{LETTER}"
_WORD_LETTERS: Final = f"{_LETTERS}{MARK}\u00ad"
_DIGITS: Final = f"0-9{DIGIT}"
_ALPHANUMERIC: Final = f"{_LETTERS}{_DIGITS}"
_WORD_CHARACTERS: Final = f"{_WORD_LETTERS}{_DIGITS}"
_BLANKS: Final = f" \t\u00a0{SPACE}"
# Parity: U+0085 ends a line where a rule looks ahead, and is an ellipsis everywhere else.
_WHITE_SPACE: Final = f"{_BLANKS}{BREAK}\u0085"
# What ends an address. Spaces that are not ASCII are letters of an address.
_ENDS: Final = rf' \t{BREAK}"<>|()'

# Apostrophes; inside some words the grave accent is one too.
_QUOTE: Final = "(?:['\u0092\u2019]|&(?i:apos);)"
_INNER_QUOTE: Final = "(?:['\u0092\u2019`]|&(?i:apos);)"
_QUOTES: Final = "'\u0092\u2019&"

# Markup.
_TAG_NAME: Final = r"[A-Za-z][A-Za-z0-9_:.\-]*"
_VALUE: Final = "(?:\"[^\"\n]*\"|'[^'\n]*')"
_TAG: Final = (
    rf"</{_TAG_NAME}[ ]*>|<{_TAG_NAME}(?:[ ]+{_TAG_NAME}(?:[ ]*=[ ]*{_VALUE})?)*[ ]*(?:/[ ]*)?>"
)
_DECLARATION: Final = "<[!?][A-Za-z-][^>\n]*"
# A tag that is looked at behind a full stop: the bound keeps the time linear.
_SHORT_TAG: Final = f"(?:{_TAG}|{_DECLARATION[:-1]}{{0,200}}>)"
# What entities become; the others that are known are kept. All other entities are not tokens.
_ENTITIES: Final = {
    "&amp;": "&",
    "&gt;": ">",
    "&lt;": "<",
    "&nbsp;": "",
    **dict.fromkeys(("&md;", "&mdash;", "&ndash;"), "--"),
}
# Vowels with accents, written as entities, are letters of plain words.
_LETTER_ENTITY: Final = "&(?i:[aeiou](?:acute|grave|uml));"

# Plain words. Full stops and other ends of sentences glue them together.
_PLAIN: Final = (
    f"(?:[{_WORD_LETTERS}]|{_LETTER_ENTITY})[{_WORD_CHARACTERS}]*"
    f"(?:{_LETTER_ENTITY}[{_WORD_CHARACTERS}]*)*"
)
_PLAIN_WORD: Final = f"{_PLAIN}(?:[.!?]{_PLAIN})*"
_SUFFIX: Final = "(?i:[smd]|ll|re|ve)"
_NOT: Final = f"(?i:n{_INNER_QUOTE}t)"
# Words of two tokens, and their first halves with what follows them.
_DOUBLE_WORDS: Final = "cannot gimme gonna gotta lemme wanna"
_HALF: Final = "can(?=not)|(?:gon|wan)(?=na)|got(?=ta)|(?:lem|gim)(?=me)"

# Abbreviations before a name.
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
_OTHER: Final = rf"(?:(?i:{_any_of(_OTHERS)}|(?:ph|ed)\.d)|{_any_of(_capitalize(_STATES))})"
_STARTER: Final = _any_of([*_capitalize(_STARTERS), "Mr.", "MR.", "Ms.", "MS."])
_START: Final = rf"[{_WHITE_SPACE}]+(?:{_STARTER}|{_SHORT_TAG})[{_WHITE_SPACE}]"

# Addresses.
_PATH: Final = rf"/[^{_ENDS}]+[^{_ENDS}{{}}.,!?\-]"
_LABEL: Final = rf"[^{_ENDS}{{}}.,!?/]+\."
# Parity: the name of a host without "www." has neither capitals nor digits nor hyphens.
_HOST: Final = r"#%&*+a-z~\u0080-\uffff"
_MAIL_ENDS: Final = rf"{_ENDS}{{}}\u00a0"
_EXTENSIONS: Final = """
    bat bmp c cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov pdf php pl png ppt ps
    py sql tar txt wav x xml zip
"""

# Words of several parts. A part may have an apostrophe, as in d'Artagnan-like.
_PART: Final = f"(?:[dDlLoO]{_INNER_QUOTE}[{_ALPHANUMERIC}])?[{_ALPHANUMERIC}]+"
_HYPHENATED: Final = f"{_PART}(?:[-_\u058a\u2010\u2011]{_PART})*"
# Parity: full stops and commas in any number do not end the first part: "dog...well-known".
_ASCII_HYPHENATED: Final = (
    r"[A-Za-z0-9][A-Za-z0-9.,\u00ad]*(?:-(?:(?:[A-Za-z]\.){2,}|[A-Za-z0-9\u00ad]+))+"
)
_ASCII_RUN: Final = "[A-Za-z0-9.,\u00ad]*"
_SLASHED: Final = "[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"
# As in AT&T.
_NAME: Final = "[A-Z]+(?:(?:&(?i:amp);|[&+])[A-Z]+)+"
# Before one of these the full stop stays with the word.
_BEFORE: Final = "[,;:\u3001]"

# Numbers. Parity: soft hyphens between digits, and before the first one, are deleted.
_RUN_OF_DIGITS: Final = f"[{_DIGITS}]+(?:\u00ad[{_DIGITS}]+)*"
_FIRST: Final = f"\u00ad?{_RUN_OF_DIGITS}"
_NUMBER: Final = rf"(?:(?:{_FIRST})?(?:[.,:\u066b\u066c]{_RUN_OF_DIGITS})+|{_FIRST})"
_BLANK: Final = "[ \u00a0]"
_JOINT: Final = "[- \u00a0]"

# Single characters that are written in ASCII.
_WRITTEN: Final = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
    **dict.fromkeys("\u0080\u00a4\u20a0\u20ac", "$"),
    "\u00a2": "cents",
    "\u00a3": "#",
    "\u00bc": "1/4",
    "\u00bd": "1/2",
    "\u00be": "3/4",
    "\u2153": "1/3",
    "\u2154": "2/3",
    **dict.fromkeys("\u0085\u2026", "..."),
    **dict.fromkeys("\u0096\u0097\u2013\u2014\u2015", "--"),
}
_WRITTEN_CLASS: Final = re.escape("".join(_WRITTEN))
_QUOTATION_MARKS: Final = str.maketrans(
    {
        **dict.fromkeys("\u0091\u2018\u201b\u2039", "`"),
        **dict.fromkeys("\u0092\u2019\u203a", "'"),
        **dict.fromkeys("\u0093\u00ab\u201c", "``"),
        **dict.fromkeys("\u0094\u00bb\u201d", "''"),
        **{mark: mark for mark in "\u201a\u201e\u201f"},
    }
)
_MARK_CLASS: Final = "`" + "".join(map(chr, _QUOTATION_MARKS))
_SUPERSCRIPT_SIGNS: Final = r"\u207a\u207b\u208a\u208b"
_SYMBOL_CLASS: Final = rf"{SYMBOL}{_SUPERSCRIPT_SIGNS}\u2044\u3001!-/:-@\\^_`|~"
_EYES: Final = "[-^x=~<>']"

# Parity: of two equally long matches, the earlier one wins.
RULES: Final[tuple[Rule, ...]] = (
    # White space is not a token.
    Rule(_BLANKS, f"[{_BLANKS}]+", lambda _: ""),
    # Tags and entities.
    Rule("<", _TAG, _join_blanks),
    Rule("<", f"{_DECLARATION}>", _join_blanks, run=_DECLARATION),
    Rule("&", "&(?i:ht|tl|ur|lr|qc|ql|qr|odq|cdq|#[0-9]+);"),
    Rule(
        "&",
        "(?i:&(?:amp|lt|gt|mdash|ndash|md|nbsp);)",
        lambda entity: _ENTITIES[entity.lower()],
    ),
    # Contractions.
    Rule("cClLgGwW", f"((?i:{_HALF}))(?i:not|na|ta|me)(?![{_ALPHANUMERIC}])"),
    # Parity: 'tis and 'twas have no boundary at the right.
    Rule("'", "('[tT])(?i:is|was)"),
    # Parity: the word before "n't" has only letters of ASCII, the last of which is not "n"; "n't"
    # has no boundary at the right.
    Rule("A-Za-z\u00ad", f"([A-Za-z\u00ad]*?[A-MO-Za-mo-z]\u00ad*){_NOT}"),
    Rule("nN", _NOT, _straighten),
    Rule(_QUOTES, f"{_QUOTE}{_SUFFIX}(?![A-Za-z])", _straighten),
    # Parity: a letter may follow the suffix, unless the apostrophe is straight.
    Rule("\u0092\u2019&", f"(?:[\u0092\u2019]|&apos;){_SUFFIX}", _straighten),
    Rule(_QUOTES, f"{_QUOTE}(?i:em|till?|cause)"),
    Rule(_QUOTES, f"{_QUOTE}[nN](?:{_QUOTE}|(?=[ \t\u00a0{BREAK}]))"),
    Rule("\u0092\u2019&", "(?:[\u0092\u2019]|&(?i:apos);)[nN]"),
    # Decades and years.
    Rule(_QUOTES, f"{_QUOTE}(?:[2-9]0[sS]|[0-9][0-9](?=[{_WHITE_SPACE}]))"),
    Rule("jJdDlLoO", f"(?i:[jdl]|ol){_QUOTE}(?!{_SUFFIX})"),
    Rule("yY", f"[yY]{_QUOTE}(?!{_SUFFIX})(?=[{_LETTERS}])"),
    # Abbreviations and acronyms.
    # Parity: the program also adds a full stop to some of them at the end of a sentence, which
    # pycocoevalcap removes. These rules leave that out.
    Rule("A-Za-z", rf"(?:{_OTHER}|(?i:{_any_of(_TITLES)}))\."),
    Rule("acfnopACFNOP", rf"((?i:{_any_of(_NUMBERED)})\.)(?=[{_WHITE_SPACE}]?[{_DIGITS}])"),
    # Parity: before a word that begins a sentence, a single letter loses its full stop.
    Rule("A-Za-z", rf"([A-Za-z])\.{_START}"),
    Rule("A-Za-z", r"[A-Za-z]\."),
    Rule("A-Za-z", r"(?:[A-Za-z]\.){2,}"),
    # Plain words.
    # Parity: before a suffix, "cannot" is one token, because the suffix counts for the length.
    # Letters may follow it, as in "Inc.c'mon".
    Rule(f"{_WORD_LETTERS}&", f"({_PLAIN_WORD}){_QUOTE}{_SUFFIX}"),
    Rule(f"{_WORD_LETTERS}&", _PLAIN_WORD),
    # Addresses, users and topics.
    Rule("hH", rf"(?i:https?)://[^{_ENDS}{{}}]+[^{_ENDS}{{}}.,!?\-]", str),
    Rule(
        "wW",
        rf"[wW]{{3}}\.(?:{_LABEL})+[A-Za-z]{{2,4}}(?:{_PATH})?",
        str,
        run=rf"[wW]{{3}}\.(?:{_LABEL})*|[wW]*",
    ),
    # Parity: a colon and slashes are part of a host's name if another label follows.
    Rule(
        "wW",
        rf"[wW]{{3}}\.(?:[^{_ENDS}{{}}.,!?]+\.)+[A-Za-z]{{2,4}}(?:{_PATH})?",
        str,
        run=rf"[wW]{{3}}\.(?:[^{_ENDS}{{}}.,!?]+\.)*|[wW]*",
    ),
    Rule(
        _HOST,
        rf"(?:[{_HOST}]+\.)+(?i:com|net|org|edu)(?:{_PATH})?",
        str,
        run=rf"(?:[{_HOST}]+\.)*[{_HOST}]*",
    ),
    Rule(
        "<&A-Za-z0-9",
        rf"(?:<|&(?i:lt);)?[A-Za-z0-9][^{_MAIL_ENDS}]*@(?:[^{_MAIL_ENDS}.]+\.)*[^{_MAIL_ENDS}.]+"
        "(?:>|&(?i:gt);)?",
        str,
        run=rf"(?:<|&(?i:lt);)?[A-Za-z0-9][^{_MAIL_ENDS}]*",
    ),
    Rule("@", "@[A-Za-z_][A-Za-z0-9_]*"),
    Rule("#", f"#(?:[{_WORD_LETTERS}]|{_LETTER_ENTITY})+", str),
    # Parity: two characters behind an abbreviation count for its length. So "Inc.-x" begins with an
    # abbreviation, and "Inc.x" with a plain word, which comes first.
    Rule("A-Za-z", rf"({_OTHER}\.)[\s\S]{{2}}"),
    # Words that an apostrophe joins, as in O'Brien, ma'am and e'er.
    Rule("dlnoA-HJ-XZ", f"[dlnoA-HJ-XZ]{_INNER_QUOTE}[{_LETTERS}]{{2,}}"),
    # Parity: a capital behind the apostrophe may be any letter, as in "HE'Sx".
    Rule(_LETTERS, f"[{_LETTERS}]+[aeiouyAEIOUY]{_INNER_QUOTE}[aeiouA-Z][{_LETTERS}]*"),
    Rule("oO", f"[oO]{_INNER_QUOTE}[oO]"),
    Rule("eElLcC", "(?i:e'er|ev'ry|li'l|c'mon|c'est)"),
    # Words that hyphens join.
    Rule("A-Za-z0-9", _ASCII_HYPHENATED, run=_ASCII_RUN),
    Rule(_ALPHANUMERIC, _HYPHENATED),
    # Parity: two prefixes keep a hyphen that nothing follows.
    Rule("aApP", "(?i:anti|pro)-"),
    # Words that keep their full stop.
    Rule(f"{_WORD_LETTERS}&", rf"({_PLAIN_WORD}\.){_BEFORE}"),
    Rule("A-Za-z0-9", rf"({_ASCII_HYPHENATED}\.){_BEFORE}", run=_ASCII_RUN),
    Rule(_ALPHANUMERIC, rf"({_HYPHENATED}\.){_BEFORE}"),
    Rule("A-Z", rf"({_NAME}\.){_BEFORE}", _write_ampersand),
    # Words that slashes join, names of files, names, and programming languages.
    Rule("A-Za-z0-9", rf"{_SLASHED}(?:\\?/{_SLASHED}){{1,2}}"),
    Rule(
        _WORD_CHARACTERS,
        rf"([{_WORD_CHARACTERS}]+(?:\.[{_WORD_CHARACTERS}]+)*\.(?i:{_any_of(_EXTENSIONS)}))"
        rf"[{_WHITE_SPACE}.,?!]",
        str,
        run=rf"(?:[{_WORD_CHARACTERS}]+\.)*[{_WORD_CHARACTERS}]*",
    ),
    Rule("A-Z", _NAME, _write_ampersand),
    Rule("cCfF", r"(?i:c\+\+|[cf]#)"),
    # Numbers; dates, and fractions with or without a whole number.
    Rule(rf"{_DIGITS}\u00ad+.,:\u066b\u066c\-", f"[-+]?{_NUMBER}"),
    Rule(
        _DIGITS,
        rf"[{_DIGITS}]{{1,2}}[-/][{_DIGITS}]{{1,2}}[-/][{_DIGITS}]{{2,4}}"
        rf"|[{_DIGITS}]{{1,4}}(?:{_JOINT}[{_DIGITS}]{{1,4}})?(?:\\?/|\u2044)[{_DIGITS}]{{1,4}}",
        _join_blanks,
    ),
    # Parity: three numbers in a row may look like a telephone number, as in "100 200 3000".
    Rule(
        r"0-9(+",
        rf"(?:\([0-9]{{2,3}}\){_BLANK}?|(?:\+?[0-9]{{2,4}}{_JOINT})?[0-9]{{2,4}}{_JOINT})"
        rf"[0-9]{{3,4}}{_JOINT}?[0-9]{{3,5}}",
        _write_parentheses,
    ),
    # Smileys, amounts of money and brackets.
    Rule("<>:;=", r"[<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]](?![A-Za-z0-9])", _write_parentheses),
    Rule(r"(", rf"\([-=>^'<]{{2}}\)|\({_EYES}[_.]?{_EYES}\)", _write_parentheses),
    Rule(_EYES[1:-1], f"{_EYES}_{_EYES}"),
    Rule("A-Z", r"[A-Z]+\$"),
    Rule(r"\-", "(?i:-[lr][rcs]b-)"),
    # Marks. Most are removed, but what remains depends on where they end: "!!" is kept, "!" is not.
    Rule(".", r"\.{3,}|\.(?:[ \u00a0]\.){2,}", _always("...")),
    # Parity: the direction of a straight quotation mark depends on what follows it.
    Rule('"&', '(?:"|&quot;)(?=[A-Za-z0-9$])', _always("``")),
    Rule('"&', '"|&quot;', _always("''")),
    Rule("&", "&apos;", _always("'")),
    # Parity: in upper case these entities are kept.
    Rule("&", "&(?i:quot|apos);"),
    Rule("'", "''"),
    Rule("'", r"'(?=[A-Za-z]\S)", _always("`")),
    Rule("'", "'"),
    # Parity: two quotation marks in a row are one token, whatever they are.
    Rule(_MARK_CLASS, f"[{_MARK_CLASS}]{{1,2}}", lambda token: token.translate(_QUOTATION_MARKS)),
    Rule(r"\-", "-{5,}|-"),
    Rule(r"\-", "-{2,4}", _always("--")),
    Rule(r"?!*_#@\\<>", r"[?!]+|\*+|_+|#+|@+|(?:\\\*)+|<<|>>"),
    Rule(_WRITTEN_CLASS, f"[{_WRITTEN_CLASS}]", _WRITTEN.__getitem__),
    Rule(
        f"{SUPERSCRIPT}{SUBSCRIPT}{_SUPERSCRIPT_SIGNS}",
        f"[\u207a\u207b]?{SUPERSCRIPT}+|[\u208a\u208b]?{SUBSCRIPT}+",
    ),
    Rule(_SYMBOL_CLASS, f"[{_SYMBOL_CLASS}]"),
)

# A word before white space, perhaps with a comma or a full stop.
_COMMON: Final = (
    rf"[{_LETTERS}{MARK}][{_ALPHANUMERIC}{MARK}]*(?=[ {BREAK}])"
    rf"|([{_LETTERS}{MARK}][{_ALPHANUMERIC}{MARK}]+)[.,](?={BREAK}| [A-Za-z])"
)
# Words that are not one token where a space, or a full stop, follows.
_UNCOMMON: Final = frozenset(f"{_DOUBLE_WORDS} {_TITLES} {_OTHERS} {_STATES}".split())


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of a rule; there are fewer than a hundred."""
    return re.compile(pattern)


class _Shapes(dict[int, str]):
    """The shape of each code point; of those above U+FFFF none is kept, so that it is bounded."""

    def __missing__(self, code_point: int) -> str:
        if code_point > 0xFFFF:
            return NONE
        firsts, ranges = _read_classes()
        first, last, shape = ranges[bisect_right(firsts, code_point) - 1]
        found = (shape or chr(code_point)) if first <= code_point <= last else NONE
        self[code_point] = found
        return found


@cache
def _read_classes() -> tuple[list[int], list[tuple[int, int, str]]]:
    """Return the sorted ranges of all classes, and where each begins; it takes 1 ms."""
    pairs = ((part.split("-"), shape) for shape in CLASSES for part in CLASSES[shape].split())
    ranges = sorted((int(ends[0], 16), int(ends[-1], 16), shape) for ends, shape in pairs)
    return [first for first, _, _ in ranges], ranges


_SHAPES: Final = _Shapes({ord("\n"): " "})


def write_shape(text: str) -> str:
    r"""Return the shape of a text, which has as many characters.

    >>> write_shape("Ωmega\n5€")
    'àmega 5€'
    """
    # Fast path: equals the translation, which takes twice as long as all of this for a caption.
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_SHAPES)


class _Compiled(NamedTuple):
    """A rule with its patterns compiled."""

    match: Callable[[str, int], re.Match[str] | None]
    run: Callable[[str, int], re.Match[str] | None] | None
    rule: Rule


@cache
def _list_rules(first: str) -> tuple[_Compiled, ...]:
    """Return the rules that may match from a character of a shape: there are fewer than 200."""
    return tuple(
        _Compiled(
            compile_pattern(rule.pattern).match,
            None if rule.run is None else compile_pattern(rule.run).match,
            rule,
        )
        for rule in RULES
        if compile_pattern(f"[{rule.firsts}]").match(first)
    )


def find_longest(shape: str, at: int, failed: dict[str, int]) -> tuple[Rule | None, int]:
    """Return the rule with the longest match at a place, and the end of its token.

    ``failed`` has up to where the patterns of rules with a run do not match; it is updated.
    """
    best, longest, end = None, at, at
    for match, run, rule in _list_rules(shape[at]):
        if run is not None and at < failed.get(rule.pattern, 0):
            continue
        found = match(shape, at)
        if found is None:
            if run is not None:
                bound = run(shape, at)
                failed[rule.pattern] = bound.end() if bound else at
        elif found.end() > longest:
            best, longest = rule, found.end()
            end = found.end(1) if found.re.groups else longest
    return best, end


def _scan(text: str) -> Iterator[tuple[str, int, int]]:
    """Iterate over the tokens of a text, in lower case: token, start and end."""
    shape = write_shape(text)
    match_common = compile_pattern(_COMMON).match
    failed: dict[str, int] = {}
    at, length = 0, len(text)
    while at < length:
        if shape[at] == " ":
            # Parity: all white space is one match, so that a no-break space after a space does not
            # begin an address.
            at += 1
            while at < length and shape[at] in _BLANKS:
                at += 1
            continue
        # Fast path: equals the rules, with which a caption takes ten times as long (114 instead of
        # 11 µs for the captions of videos).
        common = match_common(shape, at)
        if common is not None:
            end = common.end()
            stop = common.end(1) if common[1] else end
            token = text[at:stop].lower()
            if token not in _UNCOMMON:
                yield token, at, stop
                if stop < end:
                    yield text[stop:end], stop, end
                at = end
                continue
        rule, end = find_longest(shape, at, failed)
        if rule is None:
            at += 1
            continue
        token = text[at:end]
        # Parity: soft hyphens count as letters of words and are deleted; alone they are a hyphen.
        token = rule.write(token) if rule.write else token.replace("\u00ad", "") or "-"
        if token:
            yield token.lower(), at, end
        at = end


def find_ptb_tokens(text: str) -> list[tuple[str, int, int]]:
    """Return the tokens of a caption that remain: token, start and end in the text."""
    # Parity: every caption is a line of the program's input.
    tokens = [*_scan(text + "\r")]
    if tokens:
        # Parity: pycocoevalcap strips its lines. An address may end with a no-break space.
        token, start, end = tokens[-1]
        tokens[-1] = token.rstrip(), start, end
    return [token for token in tokens if token[0] not in PUNCTUATION]


def tokenize_ptb(text: str) -> list[str]:
    """Return the tokens of pycocoevalcap's ``PTBTokenizer`` without punctuation, in lower case.

    >>> tokenize_ptb("A man (left) can't ride the U.S. team's bike...")
    ['a', 'man', '-lrb-', 'left', '-rrb-', 'ca', "n't", 'ride', 'the', 'u.s.', 'team', "'s", 'bike']
    """
    return [token for token, _, _ in find_ptb_tokens(text)]
