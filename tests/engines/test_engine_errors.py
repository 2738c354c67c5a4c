"""Wrong batches and tables of counts: ``errors.txt`` has each call with its error."""

import doctest
from pathlib import Path

import pytest

ERRORS = Path(__file__).parent / "errors.txt"


def test_every_fault_is_an_error_with_its_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    failed, attempted = doctest.testfile(
        str(ERRORS), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert not failed, capsys.readouterr().out
    assert attempted > 50
