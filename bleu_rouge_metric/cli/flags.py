"""The commands of ``bleu-rouge`` and all their flags, in one table.

``command.py`` makes the command line from it, ``values.py`` turns what was typed into values, and
``scripts/write_tables.py`` writes the manual. A flag has the name of the Python argument it
sets, so that errors can name the flag. The flags of the metric's options are made from the table
of options.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import Final, Literal

from .. import schema
from ..families.registry import list_groups
from ..files.input import UTF8, FileFormat
from ..options.table import INTERVALS, OPTIONS, describe_default
from ..schema import Flag as OptionFlag
from ..schema import Option

EXIT_CODES: Final = {
    0: "the scores were printed",
    2: "a file or an option is wrong",
    130: "interrupted by Ctrl-C",
    141: "the reader of the output closed the pipe",
}

# Kinds of options whose flags state the default; the others state it in their text, or have none.
_WITH_DEFAULT: Final = (schema.INT, schema.FLOAT, schema.NAMES, schema.WEIGHTS)


@dataclass(frozen=True)
class Flag:
    """A flag or a positional argument of a command."""

    name: str  # of the Python argument
    text: str
    metavar: str = "NAME"  # empty for a switch
    panel: str = "Options"  # the heading of the help
    flag: str = ""  # such as ``--lowercase/--no-lowercase``, if not that of the name
    alias: str = ""  # another name, which the help does not show
    default: str | None = None
    choices: tuple[str, ...] = ()  # all values that it may have, in any case
    completions: tuple[str, ...] = ()  # values for a shell, if something else checks them
    kind: Literal["", "count", "int", "number", "seed"] = ""
    is_list: bool = False
    is_needed: bool = False

    @property
    def shown(self) -> str:
        """Return its name on the command line."""
        return self.flag or (self.name.upper() if self.is_argument else to_flag(self.name))

    def choose_name(self, typed: Container[str]) -> str:
        """Return the name that was typed."""
        return self.alias if self.alias in typed and self.shown not in typed else self.shown

    @property
    def is_argument(self) -> bool:
        """Return whether it is a positional argument."""
        return self.panel == "Arguments"


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command, its own flags, and which options of the metric it has."""

    work: str  # the module and the function that run it
    text: str  # its help, in paragraphs
    flags: tuple[Flag, ...]
    has_option: Callable[[Option], bool]
    examples: tuple[str, ...] = ()

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Return the options of the metric that it has."""
        return tuple(filter(self.has_option, OPTIONS.values()))

    @cached_property
    def all_flags(self) -> tuple[Flag, ...]:
        """Return its flags, then those of the options."""
        return (*self.flags, *(each for option in self.options for each in list_flags(option)))

    def load(self) -> Callable[..., None]:
        """Import and return the function that runs it."""
        module, name = self.work.split(":")
        work: Callable[..., None] = getattr(import_module(module, __package__), name)
        return work


def to_flag(name: str) -> str:
    """Return the flag of a Python argument."""
    return f"--{name.replace('_', '-')}"


def name_flags(option: Option, flag: OptionFlag) -> list[str]:
    """Return the flag, and the flag that turns the option off if there is one."""
    return flag.names.split("/") if flag.names else [to_flag(option.name)]


def name_parameter(option: Option, flag: OptionFlag) -> str:
    """Return the parameter of a flag: the option, or the flag's own name, such as ``stemmer``."""
    names = flag.names.removeprefix("--")
    return option.name if "/" in names or not names else names.replace("-", "_")


def list_flags(option: Option) -> list[Flag]:
    """Return the flags of an option of the metric."""
    return [
        Flag(
            name=name_parameter(option, flag),
            text=_write_help(option, flag),
            panel=flag.panel or "Options",
            flag="/".join(name_flags(option, flag)),
            metavar=flag.metavar,
            completions=flag.completions or option.choices,
            is_list=flag.is_list,
        )
        for flag in option.flags
    ]


def _write_help(option: Option, flag: OptionFlag) -> str:
    """Return the help of an option's flag: what it does, its values, its default."""
    text = flag.text or f"{option.text[0].upper()}{option.text[1:]}."
    names = "" if flag.text or not option.choices else f"One of {', '.join(option.choices)}."
    has_default = flag.metavar and option.kind in _WITH_DEFAULT
    default = f"Default: {describe_default(option)}." if has_default else ""
    return " ".join(part for part in (text, names, flag.more, default) if part)


_argument: Final = partial(Flag, panel="Arguments")
_file: Final = partial(Flag, panel="Files")
_test: Final = partial(Flag, panel="Test")
_output: Final = partial(Flag, panel="Output")
_decision: Final = partial(Flag, panel="Decision")


def _format(*names: str, text: str = "; json and csv are not rounded.") -> Flag:
    listed = f"{', '.join(names[:-1])} or {names[-1]}"
    return _output(
        "report_format", f"{listed}{text}", "FORMAT", flag="--format", default=names[0],
        choices=names,
    )  # fmt: skip


_FORMATS: Final = tuple(str(choice.value) for choice in FileFormat)
_GROUPS: Final = tuple(list_groups())
_REPORTS: Final = ("table", "json", "csv", "markdown", "latex")

# Flags of all files of texts, and of files of samples.
TEXT_FILES: Final = (
    _file("stdin_format", f"Format of standard input: {', '.join(_FORMATS)}.", "FORMAT",
          default="text", choices=_FORMATS),
    _file("encoding", "Encoding of text files, such as utf-16, latin-1 or gb18030.", default=UTF8),
    _file("delimiter", "Character between fields, such as ; or tab. Default: a comma in .csv, a "
          "tab in .tsv.", "CHAR"),
)  # fmt: skip
SAMPLE_FILES: Final = (
    _file("prediction_column", "Column of predictions. Default: prediction(s), or the only one."),
    _file("reference_column", "Column of references. Default: reference(s), or the only one."),
    _file("join", "Column of ids by which the rows of the files are joined. Default: a column "
          "such as id, if the files have the same ids.", "COLUMN"),
    _file("no_join", "Row i of every file is sample i, whatever their ids are.", ""),
    _file("system", "System of a file of WMT with the texts of several."),
    _file("translator", "Translator of a file of WMT with the references of several."),
    _file("filter_name", "Filter of lm-evaluation-harness whose responses are read.",
          flag="--harness-filter"),
)  # fmt: skip
# What is removed from texts before they are scored.
STRIP: Final = (
    _file("strip", "Remove what matches this regular expression of Python from predictions and "
          "references.", "REGEX"),
    _file("strip_thinking", "Remove <think>...</think> from predictions and references.", ""),
)  # fmt: skip
FILES: Final = (*SAMPLE_FILES, *TEXT_FILES)
_READ: Final = (*FILES, *STRIP)

# Names of flags of which a command line has one.
EXCLUSIVE: Final = (
    *(("join", "no_join"), ("strip", "strip_thinking"), ("columns", "prediction_column")),
    *(("against", "groups"), ("score_only", "groups"), ("score_only", "report_format")),
)

_PAIR: Final = (
    _argument("predictions", "File or folder of generated texts, or -.", is_needed=True),
    _argument("references", "Files of reference texts, or -. Omit them if PREDICTIONS has a column "
              "of references.", is_list=True),
)  # fmt: skip
_FAMILY: Final = _output(
    "family", f"Compute only {' or '.join(_GROUPS)}. Default: all.", "FAMILY", choices=_GROUPS
)
_PERCENT: Final = _output("percent", "Scores from 0 to 100, also in --per-sample.", "")
_PER_SAMPLE: Final = _output(
    "per_sample", "Write one row of scores per sample to a .csv, .tsv, .jsonl (these also with "
    ".gz) or .parquet file.", "FILE",
)  # fmt: skip


def _is_of_sample(option: Option) -> bool:
    """Return whether an option changes the scores of one sample."""
    return option.effect not in ("output", "aggregation")


COMMANDS: Final[dict[str, Command]] = {
    "score": Command(
        work=".score:run_score",
        text="""\
Score PREDICTIONS against one or more files of REFERENCES.

Sample i is row i of every file. Several files of references give each sample several references. \
If a file has columns for both, give only this file. A folder of such files (Parquet or JSON \
Lines) may be larger than memory. The suffix of a file determines its format:

\b
* .jsonl .ndjson .json: one JSON value per line, an object or the text itself
* .json: also one JSON array of such values, or an object of columns
* .csv: a header, then rows; quoted fields may hold line breaks
* .tsv: a header, then rows; a quotation mark is a character
* .parquet: columns of strings
* .sgm .xml: test sets of WMT
* any other suffix, and - for standard input: plain text, one sample per line

Text is UTF-8 unless --encoding is given; compressed text files have the additional suffix .gz, \
.xz, .bz2 or .zst. In a file with columns, a value may be a list of several references; a CSV or \
TSV cell holds the list as JSON: ["one", "another"].

Scores range from 0 to 1, or from 0 to 100 with the profile sacrebleu or --percent. An error is \
one line on standard error, with the line number (in Parquet, the row number).""",
        examples=(
            "bleu-rouge score predictions.txt references.txt",
            "bleu-rouge score predictions.txt first.txt second.txt --family bleu",
            "bleu-rouge score samples.jsonl --profile sacrebleu --signature",
            "bleu-rouge score folder --percent",
            "generate | bleu-rouge score - references.csv --per-sample scores.csv",
        ),
        flags=(
            *_PAIR,
            *_READ,
            _format(*_REPORTS),
            _output("width", "Digits after the decimal point. Default: 4, but all in json and csv.",
                    "INT", kind="count"),
            _output("score_only", "Print only one number per line: BLEU, then each ROUGE type.",
                    ""),
            _PER_SAMPLE,
            _output("groups", "Add the scores of each group of samples. NAME is a column; for "
                    "plain text, a file with one label per line.", flag="--group-by"),
            _PERCENT,
            _file("engine", "ray: count a folder with Ray, on this machine or a cluster.",
                  "ENGINE", choices=("ray",)),
            _FAMILY,
            Flag("seed", "Seed of resampling. Default: a new random seed each run.", "INT",
                 INTERVALS, kind="seed"),
        ),
        has_option=lambda _: True,
    ),
    "compare": Command(
        work=".systems:run_compare",
        text="""\
Compare SYSTEMS on the same samples: scores with intervals, and tests of the differences.

Each file of SYSTEMS contains the texts of one system; alternatively, one file has a column for \
each of --system-columns. The first system is the baseline. Files are read as by bleu-rouge score; \
the name of a system is the name of its file without the suffix.

The samples that lm-evaluation-harness logs and the JSON of COMET are recognised by their content, \
and bring texts, references and scores.

The output names the test, the number of resamples, the seed and the correction, and describes \
each difference in a sentence.""",
        examples=(
            "bleu-rouge compare baseline.txt new.txt --references references.txt --family rouge",
            "bleu-rouge compare systems.jsonl --system-columns old,new --reference-column "
            "references --clusters topic",
        ),
        flags=(
            _argument("systems", "One file per system, or -; or one file with columns.",
                      is_list=True, is_needed=True),
            _file("references", "Files of reference texts, or -; all arguments up to the next "
                  "flag. Omit it if the file of --system-columns has a column of references.",
                  "FILE...", is_list=True),
            _file("columns", "Columns of the only file, one per system; quoted as in CSV.", "A,B",
                  flag="--system-columns", alias="--systems", is_list=True),
            *_READ,
            _file("scores", "Also test scores of other metrics, one per sample, from a file of "
                  'COMET, or JSON such as {"comet": {"a": [0.5, 0.7], "b": [0.6, 0.7]}}.', "FILE"),
            _file("runs", "SYSTEMS are so many runs of each system, one system after the other. A "
                  "system is named by what the names of its files begin with.", "INT", kind="int"),
            _test("lower_is_better", "A score of --scores of which less is better; repeatable.",
                  is_list=True),
            _test("baseline", "The system that the others are compared with. Default: the first."),
            _test("pairs", "all: test each system against every other, and rank them; p is "
                  "always corrected. Differences are in --format json.", completions=("all",)),
            _test("test", "approximate_randomization, bootstrap or bootstrap_t; all are paired. "
                  "Default: the first; with --runs only the last.",
                  completions=("approximate_randomization", "bootstrap", "bootstrap_t")),
            _test("n_resamples", "Number of resamples. Default: 10000; 1000 for the bootstraps.",
                  alias="--resamples", metavar="INT", kind="int"),
            _test("confidence", "Confidence level; 1 minus this is the significance level.",
                  metavar="FLOAT", kind="number", default="0.95"),
            _test("seed", "Seed of the resamples.", metavar="INT", kind="seed", default="12345"),
            _test("alternative", "two-sided, or greater: only whether a score is better.",
                  default="two-sided", completions=("two-sided", "greater")),
            _test("correction", "Correct p for the number of tests: holm, bonferroni, fdr_bh or "
                  "none. Default: holm if there are several tests; none for --convention "
                  "sacrebleu.", completions=("holm", "bonferroni", "fdr_bh", "none")),
            _test("clusters", "Resample clusters of related samples, such as the sentences of a "
                  "document. NAME is a column; for plain text, a file with one label per line."),
            _test("convention", "sacrebleu: p-values and intervals of sacrebleu, for BLEU only.",
                  completions=("sacrebleu",)),
            _format(*_REPORTS),
            _output("groups", "Also compare each group of samples alone; NAME as for --clusters.",
                    flag="--group-by"),
            _PER_SAMPLE,
            _PERCENT,
            _output("signature", "Add a line that records how scores and tests were computed, "
                    "which JSON always has.", ""),
            _FAMILY,
        ),
        # A comparison has resamples of its own.
        has_option=lambda option: option.effect != "output" and option.name != "n_resamples",
    ),
    "compare-profiles": Command(
        work=".systems:run_compare_profiles",
        text="Score files under several profiles, and explain the differences.",
        flags=(
            *_PAIR,
            *_READ,
            _format(*_REPORTS),
            Flag("profiles", "Compare this profile; repeat for several profiles. Default: all.",
                 flag="--profile", is_list=True, completions=OPTIONS["profile"].choices),
        ),
        has_option=lambda option: option.name in (
            "language", "tokenizer", "rouge_types", "use_stemmer", "sentence_splitter"
        ),
    ),
    "explain": Command(
        work=".explain:run_explain",
        text="""\
Explain the scores of PREDICTION with its REFERENCES: matching n-grams and LCS, BLEU and ROUGE.

PREDICTION and REFERENCES are texts. With --row they are files, read as by bleu-rouge score.

The number after a bracket is the order of the longest matching n-gram at this token; × marks a \
match that is clipped. "w log p" is the term that each n-gram order adds to log BLEU. A star marks \
the reference whose ROUGE is used.""",
        examples=(
            'bleu-rouge explain "the cat sat" "a cat sat down" "the dog sat"',
            "bleu-rouge explain --row 3 predictions.txt references.txt --family rouge",
        ),
        flags=(
            _argument("prediction", "Generated text; with --row its file, or -.", is_needed=True),
            _argument("references", "Reference texts; with --row their files. Omit them if the "
                      "file of the prediction has a column of references.", is_list=True),
            *_READ,
            _file("row", "Index of the sample in the files; the first is 0, as in --per-sample.",
                  "INT", kind="count"),
            _format("text", "json", "html", text="; json is not rounded."),
            _FAMILY,
        ),
        has_option=_is_of_sample,
    ),
    "dedup": Command(
        work=".pairs:run_dedup",
        text="""\
Remove near duplicates from FILE: texts whose score with a text before them is above a threshold.

The first text is kept. A later text is rejected if its highest score with a text that was kept \
before it is above --threshold; the text before is the reference. Records that are kept are \
written unchanged and in order: lines of plain text or JSON Lines, rows of CSV, TSV or Parquet. \
Files are read as by bleu-rouge score.

Two texts without tokens, such as empty lines, have the score 0. One line on standard error says \
how many texts were kept.""",
        examples=(
            "bleu-rouge dedup instructions.jsonl --output kept.jsonl --rejected rejected.jsonl",
            "bleu-rouge dedup training.jsonl --column prompt --against test.jsonl --output "
            "clean.jsonl",
        ),
        flags=(
            _argument("path", "File of texts, or -.", flag="FILE", is_needed=True),
            *TEXT_FILES,
            _file("column", "Column of texts. Default: text, instruction, prediction, or the only "
                  "one."),
            _file("against", "Compare with the texts of this file, such as a test set, and not "
                  "with each other.", "FILE"),
            _decision("score", "Score of two texts: a ROUGE type, bleu or google_bleu; "
                      "rougeL_recall and the like are one part of it.", default="rougeL"),
            _decision("threshold", "Reject a text with a higher score: from 0 to 1, or to 100 for "
                      "the BLEU of sacrebleu.", "FLOAT", kind="number", default="0.7"),
            _decision("inclusive", "Reject a text with exactly this score too.", ""),
            _decision("groups", "Compare only texts of the same group. NAME is a column; for plain "
                      "text, a file with one label per line.", flag="--group-by"),
            _output("output", "Write the kept records to this file, in the format of FILE. "
                    "Default: standard output.", "FILE"),
            _output("rejected", "Write the rejected records to this file as JSON Lines, with line, "
                    "score, nearest_line and nearest.", "FILE"),
        ),
        has_option=lambda option: _is_of_sample(option) and option.name != "rouge_types",
    ),
    "pick": Command(
        work=".pairs:run_pick",
        text="""\
Pick one of several candidate texts for each row of FILE.

FILE has a column of lists of candidates, and perhaps a column of references. Without references, \
the candidate with the highest mean score against all candidates of its row is picked (minimum \
Bayes risk, consensus). With references, the candidate with the highest score against them is \
picked (best of n, best). The first of equal candidates is picked. Files are read as by bleu-rouge \
score.

The output has one line of JSON per row: index is the place of the candidate in its list, from 0. \
One line on standard error says how the candidates were picked.""",
        examples=(
            "bleu-rouge pick samples.jsonl --output picked.jsonl",
            "bleu-rouge pick samples.jsonl --method consensus --score rougeL --format text > "
            "picked.txt",
        ),
        flags=(
            _argument("path", "File with a column of lists of candidates, or -.", flag="FILE",
                      is_needed=True),
            *TEXT_FILES,
            _file("column", "Column of the candidates. Default: candidates, or the only one."),
            _file("reference_column", "Column of the references. Default: reference or references, "
                  "if FILE has one."),
            _decision("method", "consensus or best. Default: best if FILE has references, else "
                      "consensus.", choices=("consensus", "best")),
            _decision("score", "Score that decides: bleu, google_bleu or a ROUGE type. bleu is "
                      "that of sacrebleu unless --profile is given.", default="bleu"),
            _format("jsonl", "text", text=": index, text and score, or the texts alone."),
            _output("output", "Write to this file. Default: standard output.", "FILE"),
        ),
        # The weights would be those of texts for ``select_consensus``.
        has_option=lambda option: (
            _is_of_sample(option) and option.name not in ("rouge_types", "weights")
        ),
    ),
}  # fmt: skip
