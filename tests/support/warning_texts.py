"""The texts of warnings."""

import re
import warnings
from collections.abc import Callable


def list_warnings(*calls: Callable[[], object], pattern: str = "") -> list[str]:
    """Return the texts of the warnings of all calls, in order.

    Args:
        *calls: called one after the other.
        pattern: a regular expression that is searched in each text; others are left out.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for call in calls:
            call()
    return [text for warning in caught if re.search(pattern, text := str(warning.message))]
