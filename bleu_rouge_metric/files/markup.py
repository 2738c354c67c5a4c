"""Read the test sets of WMT and NIST: SGM and XML with documents of numbered segments.

SGM has ``<srcset>``, ``<refset>`` or ``<tstset>`` with ``<doc>`` and ``<seg>``; it is not XML:
tags may be in upper case or not closed. XML has ``<dataset>`` with ``<src>``,
``<ref translator=...>`` and ``<hyp system=...>`` in each ``<doc>``. Entities that a file declares
are not expanded. Any other file that begins like markup is an error that says what it is.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple
from xml.parsers import expat

from .input import UTF8, FileError, InputFile, check_encoding
from .lines import read_lines
from .tables import Table

SGM: Final = "SGM"
WMT: Final = "WMT XML"

# What comes before the first element.
_PROLOG: Final = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!doctype[^<>\[]*(?:\[.*?\]\s*)?>)*", re.IGNORECASE | re.DOTALL
)
_PROLOG_LENGTH: Final = 1000
_ENCODING: Final = re.compile(r"""<\?xml[^>]*?\sencoding=["']([\w.-]+)["']""")
_TAG: Final = re.compile(r"<([a-z][\w:.-]*)((?:\s[^<>]*)?)>", re.IGNORECASE)
_SETS: Final = ("srcset", "refset", "tstset", "mteval", "docset", "doc", "seg")
_OTHERS: Final = {
    "html": "HTML",
    "head": "HTML",
    "body": "HTML",
    "tmx": "TMX, a translation memory",
    "xliff": "XLIFF",
    "tei": "TEI",
    "teicorpus": "TEI",
    "svg": "SVG",
    "rss": "RSS",
    "rouge-eval": "a configuration of ROUGE-1.5.5",
    "rouge_eval": "a configuration of ROUGE-1.5.5",
}
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


class _Segment(NamedTuple):
    """A segment of a document.

    Attributes:
        kind: "source", "reference" or "system".
        name: of the system or the translator; empty if the file has none.
        document: attributes of the document.
        number: its id in the document.
        text: with entities decoded, in one line.
    """

    kind: str
    name: str
    document: Mapping[str, str]
    number: str
    text: str


def find_markup(file: InputFile, head: bytes) -> tuple[InputFile, str | None]:
    """Find out whether a file is a test set.

    Args:
        file: any file.
        head: its first bytes.

    Returns:
        The file, with the encoding that its XML declares; and ``SGM`` or ``WMT`` for a test set,
        None for a file that does not begin like markup.

    Raises:
        FileError: the file begins like other markup.
    """
    text = head.decode(file.encoding, "replace").lstrip("\ufeff \t\r\n")
    if text[:1] != "<":
        return file, None
    prolog = _PROLOG.match(text)
    rest = text[prolog.end() :] if prolog else text
    is_declared = len(rest) < len(text)
    tag = _TAG.match(rest)
    root = tag.group(1) if tag else ""
    name = root.lower()
    if not is_declared and not (tag and _is_markup(rest, tag)):
        return file, None
    declared = _ENCODING.match(text)
    if declared and file.encoding == UTF8:
        with suppress(ValueError):
            file = file._replace(encoding=check_encoding(declared.group(1)))
    if name in _SETS:
        return file, SGM
    if name == "dataset":
        return file, WMT
    name = "html" if "<!doctype html" in text[:_PROLOG_LENGTH].lower() else name
    what = _OTHERS.get(name, f"markup that begins with <{root}>" if root else "markup")
    raise FileError(
        file.path,
        f"this is {what}; of markup, only SGM (<tstset>, <refset>, <srcset>) and XML (<dataset>) "
        f"of WMT are read. Else {_TEXT_REMEDY}.",
    )


def _is_markup(text: str, tag: re.Match[str]) -> bool:
    """Return whether a file that begins with a tag is markup, and not texts with tags."""
    name = tag.group(1).lower()
    line, _, rest = text.partition("\n")
    has_attributes = "=" in tag.group(2)
    if name == "seg":
        return has_attributes
    if line.rstrip().lower().endswith(f"</{name}>") and rest.strip():
        return False
    after = text[tag.end() :].lstrip(" \t\r")
    if name in (*_SETS, "dataset", *_OTHERS):
        return after[:1] in ("", "\n", "<")
    return after[:1] in ("", "\n") and (has_attributes or f"</{name}>" in text.lower())


def check_no_markup(file: InputFile, head: bytes) -> None:
    """Raise FileError if a file that is read as rows begins like markup."""
    if find_markup(file, head)[1] is not None:
        message = f"this is a test set in markup, which has no columns; {_TEXT_REMEDY}."
        raise FileError(file.path, message)


def read_markup(file: InputFile, kind: str, translator: str | None = None) -> list[Table]:
    """Read the systems of a test set: one table for each, or one with only references.

    Args:
        file: the file.
        kind: ``SGM`` or ``WMT``.
        translator: whose references are read; None for those of all.

    Raises:
        FileError: the file cannot be read, lacks segments, or has no such translator.
    """
    texts: dict[str, dict[str, dict[tuple[str, str, int], str]]] = {}
    documents: dict[tuple[str, str, int], Mapping[str, str]] = {}
    for segment in _read_sgm(file) if kind == SGM else _read_xml(file):
        own = texts.setdefault(segment.kind, {}).setdefault(segment.name, {})
        document = segment.document.get("docid", segment.document.get("id", ""))
        key = document, segment.number, 0
        while key in own:
            # Files without ids of documents number the segments of each from 1.
            key = *key[:2], key[2] + 1
        own[key] = segment.text
        documents.setdefault(key, segment.document)
    if not documents:
        raise FileError(file.path, "the file has no segments; expected texts in <seg>.")
    return _make_tables(file, kind, translator, texts, documents)


def _make_tables(
    file: InputFile,
    kind: str,
    translator: str | None,
    texts: Mapping[str, Mapping[str, Mapping[Any, str]]],
    documents: Mapping[Any, Mapping[str, str]],
) -> list[Table]:
    """Return the tables of the segments, by kind and name."""
    translations = texts.get("reference", {})
    if translator is not None and translations:
        if translator not in translations:
            names = ", ".join(map(repr, translations))
            message = f"no translator is named {translator!r}; expected one of {names}."
            raise FileError(file.path, message)
        translations = {translator: translations[translator]}
    keys = list(documents)
    references = [[own[key] for own in translations.values() if key in own] for key in keys]
    for key, row in zip(keys, references, strict=True):
        if translations and not row:
            raise FileError(file.path, f"{_name_segment(key)} has no reference.")
    attributes = dict.fromkeys(name for document in documents.values() for name in document)
    table = Table(
        kind,
        file,
        file.path,
        references=references if translations else None,
        columns={
            name: [document.get(name) for document in documents.values()]
            for name in attributes
            if all(name in document for document in documents.values())
        },
        ids=["/".join(filter(None, (key[0], key[1], str(key[2] or "")))) for key in keys],
        id_name="segment",
        translators=list(translations),
    )
    systems = texts.get("system", {} if translations else texts.get("source", {}))
    tables = []
    for name, own in systems.items():
        missing = next((key for key in keys if key not in own), None)
        if missing is not None:
            message = f"the system {name!r} has no text for {_name_segment(missing)}."
            raise FileError(file.path, message)
        predictions = [own[key] for key in keys]
        tables.append(table._replace(path=name or file.path, predictions=predictions))
    return tables or [table]


def _name_segment(key: tuple[str, str, int]) -> str:
    """Name a segment for an error."""
    return f"segment {key[1]!r} of the document {key[0]!r}"


def _read_sgm(file: InputFile) -> Iterator[_Segment]:
    """Iterate over the segments of SGM."""
    text = "".join(line for _, line in read_lines(file))
    if "<!entity" in text.lower():
        raise FileError(file.path, "the file declares entities, which are not expanded.")
    outer: dict[str, str] = {}
    document: dict[str, str] = {}
    kind = "system"
    start, number, count = -1, "", 0
    for tag in _SGM_TAG.finditer(text):
        closes, name = bool(tag.group(1)), tag.group(2).lower()
        if start >= 0:
            # A segment that is not closed ends where the next element begins.
            own = document.get("sysid", outer.get("sysid", ""))
            yield _Segment(kind, own, document, number, _clean(text[start : tag.start()]))
            start = -1
        if closes:
            continue
        attributes = _read_attributes(tag.group(3))
        if name in _KINDS:
            kind, outer, document, count = _KINDS[name], attributes, {}, 0
        elif name == "doc":
            document, count = attributes, 0
        elif name == "seg":
            count += 1
            start, number = tag.end(), attributes.get("id", str(count))
    if start >= 0:
        own = document.get("sysid", outer.get("sysid", ""))
        yield _Segment(kind, own, document, number, _clean(text[start:]))


def _read_attributes(text: str) -> dict[str, str]:
    """Return the attributes of a tag of SGM, by their names in lower case."""
    return {
        name.lower(): _decode_entities("".join(values))
        for name, *values in _ATTRIBUTE.findall(text)
    }


def _clean(text: str) -> str:
    """Return the text of a segment of SGM in one line."""
    return _SPACE.sub(" ", _decode_entities(text)).strip(" ")


def _decode_entities(text: str) -> str:
    """Return a text with its entities decoded; an ampersand without a semicolon stays."""
    return _ENTITY.sub(lambda entity: html.unescape(entity.group()), text) if "&" in text else text


def _read_xml(file: InputFile) -> Iterator[_Segment]:
    """Iterate over the segments of XML of WMT."""
    parser = expat.ParserCreate(UTF8)
    parser.buffer_text = True
    reader = _XmlReader(file, parser)
    try:
        for _, line in read_lines(file):
            parser.Parse(line.encode(), False)  # noqa: FBT003 - has no keyword
            yield from reader.take()
        parser.Parse(b"", True)  # noqa: FBT003 - as above
    except expat.ExpatError as error:
        message = f"not valid XML: {expat.ErrorString(error.code)} (column {error.offset + 1})."
        raise FileError(file.path, message, error.lineno) from error
    yield from reader.take()


class _XmlReader:
    """Collect the segments of XML of WMT from the events of a parser."""

    def __init__(self, file: InputFile, parser: Any) -> None:
        self._file = file
        self._parser = parser
        self._segments: list[_Segment] = []
        self._document: dict[str, str] = {}
        self._kind = self._name = self._number = ""
        self._count = 0
        self._text: list[str] | None = None
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add
        parser.EntityDeclHandler = self._refuse
        # What no other handler takes: also entities of a DTD, which is not read.
        parser.DefaultHandler = self._check

    def take(self) -> Iterable[_Segment]:
        """Return the segments since the last call."""
        segments, self._segments = self._segments, []
        return segments

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "doc":
            self._document = {"docid": attributes.get("id", ""), **attributes}
            self._document.pop("id", None)
        elif name in _KINDS:
            self._kind, self._count = _KINDS[name], 0
            self._name = attributes.get("system", attributes.get("translator", ""))
        elif name == "seg" and self._kind:
            self._count += 1
            self._number, self._text = attributes.get("id", str(self._count)), []

    def _end(self, name: str) -> None:
        if name == "seg" and self._text is not None:
            text = _SPACE.sub(" ", "".join(self._text)).strip(" ")
            values = self._kind, self._name, self._document, self._number, text
            self._segments.append(_Segment(*values))
            self._text = None
        elif name in _KINDS:
            self._kind = ""

    def _add(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _check(self, text: str) -> None:
        if self._text is not None and text.startswith("&"):
            self._refuse()

    def _refuse(self, *_: object) -> None:
        message = "the file declares entities, which are not expanded; write out their texts."
        raise FileError(self._file.path, message, self._parser.CurrentLineNumber)
