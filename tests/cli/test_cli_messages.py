"""What the command says about its options: missing packages, warnings, and the help."""

import subprocess
import sys

import pytest

from bleu_rouge_metric.cli.messages import Words, use_words, write_flags
from bleu_rouge_metric.messages import format_message
from bleu_rouge_metric.options.table import OPTIONS

pytestmark = pytest.mark.usefixtures("examples_folder")


def error_of_process(preparation: str, flags: list[str]) -> str:
    """Run some lines of Python and then the command in a new process; return its one line."""
    arguments = ["bleu-rouge", "score", "samples.jsonl", "samples.jsonl", *flags]
    code = f"import sys\n{preparation}\nfrom bleu_rouge_metric.cli import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv = {arguments!r}\n{code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


# A finder that hides a package, as if it were not installed.
HIDE = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {module!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Finder())
"""


THAI = "the BLEU tokenizer of --language th is 1"
NAMED = "--bleu-tokenizer is 1"
LANGUAGES = 'pip install "bleu-rouge-metric[languages]"'


@pytest.mark.parametrize(
    ("flags", "module", "message"),
    [
        (["--stemmer", "english"], "nltk", LANGUAGES),
        (["--stop-words", "english"], "nltk", LANGUAGES),
        (["--sentence-splitter", "punkt"], "nltk", LANGUAGES),
        (["--tokenizer", "unicode"], "regex", LANGUAGES),
        (["--sentence-splitter", "pysbd"], "pysbd", LANGUAGES),
        (["--tokenizer", "flores200"], "sacrebleu", "pip install sacrebleu sentencepiece"),
    ],
)
def test_a_missing_package_is_one_line_that_names_it(
    flags: list[str], module: str, message: str
) -> None:
    line = error_of_process(HIDE.format(module=module), flags)
    assert line.startswith("bleu-rouge: ")
    assert message in line


@pytest.mark.parametrize("flags", [["--stop-words", "english"], ["--sentence-splitter", "punkt"]])
def test_missing_data_of_nltk_is_one_line_that_says_how_to_get_it(flags: list[str]) -> None:
    line = error_of_process("import nltk.data\nnltk.data.path[:] = []", flags)
    assert line.startswith("bleu-rouge: ")
    assert "python -m nltk.downloader" in line


@pytest.mark.parametrize(
    ("words", "template", "expected"),
    [
        (Words({}, OPTIONS, {"--language"}, "th"), "{bleu_tokenizer} is 1", THAI),
        (Words({}, OPTIONS, {"--language", "--tokenizer"}, "th"), "{bleu_tokenizer} is 1", NAMED),
        (Words({}, OPTIONS), "{use_stemmer} is 1", "--use-stemmer is 1"),
        (Words({}, OPTIONS, {"--stemmer"}), "{use_stemmer} is 1", "--stemmer is 1"),
        (Words({"n_resamples": "--resamples"}, ()), "{n_resamples} is 1", "--resamples is 1"),
        # The command has no such flag.
        (Words({}, {"smooth"}), "{max_order} or {smooth='exp'}", "max_order or --smooth exp"),
    ],
)  # fmt: skip
def test_a_message_names_the_flag_that_was_typed(
    words: Words, template: str, expected: str
) -> None:
    with use_words(words):
        assert write_flags(format_message(template)) == expected
