"""Rules of ``ptb`` for markup and the web: tags, entities, addresses, users, topics and files."""

from typing import Final

from .characters import BREAK
from .rules import WHITE_SPACE, WORD_CHARACTERS, WORD_LETTERS, Rule, any_of, join_blanks
from .words import LETTER_ENTITY

_NAME: Final = r"[A-Za-z][A-Za-z0-9_:.\-]*"
_VALUE: Final = "(?:\"[^\"\n]*\"|'[^'\n]*')"
_TAG: Final = rf"</{_NAME}[ ]*>|<{_NAME}(?:[ ]+{_NAME}(?:[ ]*=[ ]*{_VALUE})?)*[ ]*(?:/[ ]*)?>"
_DECLARATION: Final = "<[!?][A-Za-z-][^>\n]*"
# A tag that is looked at behind a full stop: the bound keeps the time linear.
SHORT_TAG: Final = f"(?:{_TAG}|{_DECLARATION[:-1]}{{0,200}}>)"

# What entities become; the others that are known are kept. All other entities are not tokens.
_WRITTEN: Final = {
    "&amp;": "&",
    "&gt;": ">",
    "&lt;": "<",
    "&md;": "--",
    "&mdash;": "--",
    "&nbsp;": "",
    "&ndash;": "--",
}


def _write_entity(entity: str) -> str:
    return _WRITTEN[entity.lower()]


TAGS: Final = (
    Rule("<", _TAG, join_blanks),
    Rule("<", f"{_DECLARATION}>", join_blanks, run=_DECLARATION),
)

ENTITIES: Final = (
    Rule("&", "&(?i:ht|tl|ur|lr|qc|ql|qr|odq|cdq|#[0-9]+);"),
    Rule("&", "(?i:&(?:amp|lt|gt|mdash|ndash|md|nbsp);)", _write_entity),
)

# What ends an address, and what is in it but not at its end. Spaces that are not ASCII are letters
# of an address.
_ENDS: Final = rf' \t{BREAK}"<>|()'
_PATH: Final = rf"/[^{_ENDS}]+[^{_ENDS}{{}}.,!?\-]"
_LABEL: Final = rf"[^{_ENDS}{{}}.,!?/]+\."
# Parity: the name of a host without "www." has neither capitals nor digits nor hyphens.
_HOST: Final = r"#%&*+a-z~\u0080-\uffff"
_MAIL_ENDS: Final = rf"{_ENDS}{{}}\u00a0"

_EXTENSIONS: Final = """
    bat bmp c cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov pdf php pl png ppt ps
    py sql tar txt wav x xml zip
"""

ADDRESSES: Final = (
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
    Rule("#", f"#(?:[{WORD_LETTERS}]|{LETTER_ENTITY})+", str),
)

FILES: Final = (
    Rule(
        WORD_CHARACTERS,
        rf"([{WORD_CHARACTERS}]+(?:\.[{WORD_CHARACTERS}]+)*\.(?i:{any_of(_EXTENSIONS)}))"
        rf"[{WHITE_SPACE}.,?!]",
        str,
        run=rf"(?:[{WORD_CHARACTERS}]+\.)*[{WORD_CHARACTERS}]*",
    ),
)
