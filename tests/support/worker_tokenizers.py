"""What happens to a worker; a worker imports this module, and not the tests with all they need."""

import os
import signal
import time
from pathlib import Path

from bleu_rouge_metric.text.warnings import warn_caller


class OddError(ImportError):
    """An error that can be pickled, but not unpickled."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


class Tokenizer:
    """A tokenizer that does something at a text whose last word is ``100``, some times."""

    def __init__(self, act: str, times: int = 1000) -> None:
        self.act = act
        self.times = times
        self.folder = Path("acts").absolute()
        self.folder.mkdir()

    def __call__(self, text: str) -> list[str]:
        words = text.split()
        if words[-1:] != ["100"] or len(list(self.folder.iterdir())) >= self.times:
            return words
        (self.folder / f"{time.time_ns()}").touch()
        match self.act:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "import":
                raise ImportError("no such library")
            case "odd error":
                raise OddError("a library", "odd")
            case "fault":
                raise KeyError("a fault")
            case "warn":
                warn_caller("this is odd")
        return words
