"""What a user says of text files: their encoding, and the delimiter of CSV."""

import codecs
from typing import Final

UTF8: Final = "utf-8"


def check_encoding(name: str) -> str:
    """Return the name of an encoding of Python.

    Raises:
        ValueError: there is no such encoding of texts.

    >>> check_encoding("UTF8"), check_encoding("latin-1")
    ('utf-8', 'iso8859-1')
    """
    try:
        "".encode(name)
        found = codecs.lookup(name).name
    except (LookupError, ValueError) as error:
        raise ValueError(
            f"Unknown encoding {name!r}; expected one of Python's, such as utf-8, utf-16, latin-1, "
            "cp1252, gb18030 or shift_jis."
        ) from error
    # Every file of UTF-8 may begin with a byte order mark.
    return UTF8 if found == "utf-8-sig" else found


def check_delimiter(text: str) -> str:
    r"""Return the character between the fields of CSV; ``tab`` and ``\t`` stand for a tab.

    Raises:
        ValueError: it is not one character, or cannot separate fields.

    >>> check_delimiter(";"), check_delimiter(r"\t")
    (';', '\t')
    """
    delimiter = "\t" if text in (r"\t", "tab") else text
    if len(delimiter) != 1 or delimiter in '"\r\n\0':
        raise ValueError(f"delimiter is {text!r}; expected one character, such as ';', or tab.")
    return delimiter
