"""Read the test sets of WMT and NIST: SGM and XML with documents of numbered segments.

SGM has ``<srcset>``, ``<refset>`` or ``<tstset>`` with ``<doc>`` and ``<seg>``; it is not XML:
tags may be in upper case or not closed. XML has ``<dataset>`` with ``<src>``,
``<ref translator=...>`` and ``<hyp system=...>`` in each ``<doc>``. Entities that a file declares
are not expanded. Any other file that begins like markup is an error that says what it is.
"""

import html
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final
from xml.etree import ElementTree as ET

from .input import UTF8, FileError, InputFile, check_encoding
from .lines import read_lines
from .rows import Rows, make_rows, share_columns

SGM: Final = "SGM"
WMT: Final = "WMT XML"

# What comes before the first element.
_PROLOG: Final = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!doctype[^<>\[]*(?:\[.*?\]\s*)?>)*", re.IGNORECASE | re.DOTALL
)
_ENCODING: Final = re.compile(r"""<\?xml[^>]*?\sencoding=["']([\w.-]+)["']""")
_TAG: Final = re.compile(r"<([a-z][\w:.-]*)((?:\s[^<>]*)?)>", re.IGNORECASE)
_SETS: Final = ("srcset", "refset", "tstset", "mteval", "docset", "doc", "seg")
_OTHERS: Final = (
    *("dataset", "html", "head", "body", "tmx", "xliff", "tei", "teicorpus", "svg", "rss"),
    *("rouge-eval", "rouge_eval"),
)
_SGM_TAG: Final = re.compile(
    r"<(/?)(srcset|refset|tstset|doc|seg|p|hl|h1|post|poster)(?![\w:.-])([^<>]*)>", re.IGNORECASE
)
_ATTRIBUTE: Final = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITY: Final = re.compile(r"&(?:\w+|#\d+|#x[\da-f]+);", re.IGNORECASE)
_SPACE: Final = re.compile(r"[ \t\r\n]+")
_KINDS: Final = {
    **dict.fromkeys(("srcset", "src"), "source"),
    **dict.fromkeys(("refset", "ref"), "reference"),
    **dict.fromkeys(("tstset", "hyp"), "system"),
}
_TEXT_REMEDY: Final = "give plain text with one text per line"

# A segment: the id of its document, its own id, and how many came before with the same ids.
_Key = tuple[str, str, int]
# Its kind in ``_KINDS``, the name of its system or translator, its document, its id and its text.
_Segment = tuple[str, str, Mapping[str, str], str, str]


def find_markup(file: InputFile, head: str) -> tuple[InputFile, str | None]:
    """Return the file in its encoding, and ``SGM`` or ``WMT`` if it is a test set."""
    prolog = _PROLOG.match(head)
    rest = head[prolog.end() :] if prolog else head
    tag = _TAG.match(rest)
    has_prolog = len(rest) < len(head)
    if head[:1] != "<" or not (has_prolog or (tag and _is_markup(rest, tag))):
        return file, None
    declared = _ENCODING.match(head)
    if declared and file.encoding == UTF8:
        with suppress(ValueError):
            file = file._replace(encoding=check_encoding(declared.group(1)))
    root = tag.group(1) if tag else ""
    if root.lower() in _SETS:
        return file, SGM
    if root.lower() == "dataset":
        return file, WMT
    what = f"markup that begins with <{root}>" if root else "markup"
    message = (
        f"this is {what}; of markup, only SGM (<tstset>, <refset>, <srcset>) and XML (<dataset>) "
        f"of WMT are read. Else {_TEXT_REMEDY}."
    )
    raise FileError(file.path, message)


def _is_markup(text: str, tag: re.Match[str]) -> bool:
    """Return whether a file that begins with a tag is markup, and not texts with tags."""
    name = tag.group(1).lower()
    line, _, rest = text.partition("\n")
    has_attributes = "=" in tag.group(2)
    if name == "seg":
        return has_attributes
    if line.rstrip().lower().endswith(f"</{name}>") and rest.strip():
        return False
    after = text[tag.end() :].lstrip(" \t\r")[:1]
    if name in (*_SETS, *_OTHERS):
        return after in ("", "\n", "<")
    return after in ("", "\n") and (has_attributes or f"</{name}>" in text.lower())


def check_no_markup(file: InputFile, head: str) -> None:
    """Raise FileError if a file that is read as rows begins like markup."""
    if find_markup(file, head)[1] is not None:
        message = f"this is a test set in markup, which has no columns; {_TEXT_REMEDY}."
        raise FileError(file.path, message)


def read_markup(file: InputFile, markup: str, translator: str | None = None) -> list[Rows]:
    """Read the systems of a test set: the rows of each, or those of only references."""
    text = "".join(line for _, line in read_lines(file))
    declaration = text.lower().find("<!entity")
    if declaration >= 0:
        message = "the file declares entities, which are not expanded; write out their texts."
        raise FileError(file.path, message, text.count("\n", 0, declaration) + 1)
    texts: dict[str, dict[str, dict[_Key, str]]] = defaultdict(lambda: defaultdict(dict))
    documents: dict[_Key, Mapping[str, str]] = {}
    for kind, name, attributes, number, segment in (
        _read_sgm(text) if markup == SGM else _read_xml(file, text)
    ):
        own = texts[kind][name]
        key = attributes.get("docid", attributes.get("id", "")), number, 0
        while key in own:
            # Files without ids of documents number the segments of each from 1.
            key = *key[:2], key[2] + 1
        own[key] = segment
        documents.setdefault(key, attributes)
    if not documents:
        raise FileError(file.path, "the file has no segments; expected texts in <seg>.")
    translations = texts["reference"]
    if translator is not None and translations:
        if translator not in translations:
            names = ", ".join(map(repr, translations))
            message = f"no translator is named {translator!r}; expected one of {names}."
            raise FileError(file.path, message)
        translations = {translator: translations[translator]}
    references = [[own[key] for own in translations.values() if key in own] for key in documents]
    if translations and [] in references:
        message = f"{_name_segment([*documents][references.index([])])} has no reference."
        raise FileError(file.path, message)
    keys = ((key[0], key[1], str(key[2] or "")) for key in documents)
    ids = ["/".join(filter(None, key)) for key in keys]
    columns = {"segment": ids, **share_columns(list(documents.values()))}
    given = references if translations else None
    systems = texts["system"] or ({} if translations else texts["source"])
    found = []
    for name, own in systems.items():
        missing = next((key for key in documents if key not in own), None)
        if missing is not None:
            message = f"the system {name!r} has no text for {_name_segment(missing)}."
            raise FileError(file.path, message)
        predictions = [own[key] for key in documents]
        system = name or file.path
        found.append(make_rows(markup, file, predictions, given, columns, system=system))
    return found or [make_rows(markup, file, None, given, columns)]


def _name_segment(key: _Key) -> str:
    """Name a segment for an error."""
    return f"segment {key[1]!r} of the document {key[0]!r}"


def _read_sgm(text: str) -> Iterator[_Segment]:
    """Iterate over the segments of SGM; one that is not closed ends where the next tag begins."""
    kind, count = "system", 0
    outer: dict[str, str] = {}
    document: dict[str, str] = {}
    parts = _SGM_TAG.split(text)[1:]
    for slash, tag, given, content in zip(*(parts[at::4] for at in range(4)), strict=True):
        if slash:
            continue
        name = tag.lower()
        attributes = {
            key.lower(): _decode_entities("".join(values))
            for key, *values in _ATTRIBUTE.findall(given)
        }
        if name in _KINDS:
            kind, outer, document, count = _KINDS[name], attributes, {}, 0
        elif name == "doc":
            document, count = attributes, 0
        elif name == "seg":
            count += 1
            system = document.get("sysid", outer.get("sysid", ""))
            number = attributes.get("id", str(count))
            yield kind, system, document, number, _join_lines(_decode_entities(content))


def _join_lines(text: str) -> str:
    """Return a text in one line."""
    return _SPACE.sub(" ", text).strip(" ")


def _decode_entities(text: str) -> str:
    """Return a text with its entities decoded; an ampersand without a semicolon stays."""
    return _ENTITY.sub(lambda entity: html.unescape(entity.group()), text) if "&" in text else text


def _read_xml(file: InputFile, text: str) -> Iterator[_Segment]:
    """Iterate over the segments of XML of WMT."""
    try:
        root = ET.fromstring(text)  # noqa: S314 - declares no entities
    except ET.ParseError as error:
        reason = str(error).partition(":")[0]
        line, column = error.position
        message = f"not valid XML: {reason} (column {column + 1})."
        raise FileError(file.path, message, line) from error
    for element in root.iter("doc"):
        document = {"docid": element.get("id", ""), **element.attrib}
        document.pop("id", None)
        for part in element.iter():
            if part.tag in _KINDS:
                name = part.get("system", part.get("translator", ""))
                for count, segment in enumerate(part.iter("seg"), 1):
                    number = segment.get("id", str(count))
                    content = _join_lines("".join(segment.itertext()))
                    yield _KINDS[part.tag], name, document, number, content
