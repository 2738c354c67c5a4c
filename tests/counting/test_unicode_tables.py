"""The script that writes the kernel's tables of Unicode ends with one line if they do not fit."""

import importlib.util
import re
from types import ModuleType

import pytest

from ..conftest import ROOT

pytest.importorskip("regex")
SCRIPT = ROOT / "native" / "unicode_tables.py"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="only what was installed is here")


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("unicode_tables", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("_EMPTY", (r"\p{Lu}",), r"breaks.hpp has no class for the characters of \p{Lu}."),
        ("_FIELDS", ((0, ("a", "[ab]")),), "breaks.hpp: U+0061 has two classes: [ab]."),
    ],
)
def test_classes_of_regex_that_do_not_fit(
    tables: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: object,
    message: str,
) -> None:
    monkeypatch.setattr(tables, name, value)
    with pytest.raises(SystemExit, match=f"^{re.escape(message)}$"):
        tables.write_breaks()


def test_characters_of_python_that_do_not_fit(
    tables: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def normalize(form: str, text: str) -> str:
        return "\u0301" if (form, text) == ("NFKD", "c") else text

    monkeypatch.setattr(tables, "normalize", normalize)
    monkeypatch.setattr(tables, "_FOLDINGS", ["c"] * 128)
    message = "fold.hpp: the folding of 'b' can join what precedes it."
    with pytest.raises(SystemExit, match=f"^{message}$"):
        tables.find_fold_kind(ord("b"))
