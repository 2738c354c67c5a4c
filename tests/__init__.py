"""Tests of the package; an assertion of the helpers in support shows its values too."""

import pytest

pytest.register_assert_rewrite("tests.support")
