"""Rules of ``ptb`` for markup: tags and entities."""

from typing import Final

from .rules import Rule, join_blanks

_NAME: Final = r"[A-Za-z][A-Za-z0-9_:.\-]*"
_VALUE: Final = "(?:\"[^\"\n]*\"|'[^'\n]*')"
_TAG: Final = rf"</{_NAME}[ ]*>|<{_NAME}(?:[ ]+{_NAME}(?:[ ]*=[ ]*{_VALUE})?)*[ ]*(?:/[ ]*)?>"
_DECLARATION: Final = "<[!?][A-Za-z-][^>\n]*"
# A tag that is looked at behind a full stop: the bound keeps the time linear.
SHORT_TAG: Final = f"(?:{_TAG}|{_DECLARATION[:-1]}{{0,200}}>)"

# What entities become; the others that are known are kept. All other entities are no token.
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
