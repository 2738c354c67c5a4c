"""The nine commands of ``bleu-rouge``, and every flag that they have: one table.

``command.py`` makes the command line of it, ``values.py`` turns what was typed into values, and
``scripts/reference_tables.py`` writes the manual. A flag has the name of the argument in Python that
it sets, so that errors of Python can be told in flags. Flags of the metric's options are not here:
they are made from the table of options.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final, Literal

from ..families.registry import list_groups
from ..files.encodings import UTF8
from ..files.lines import FileFormat
from ..options.table import INTERVALS, OPTIONS

# What the command tells a shell, beside faults of the program.
EXIT_CODES: Final = {
    0: "the scores were printed",
    2: "a file or an option is wrong",
    130: "interrupted by Ctrl-C",
    141: "the reader of the output closed the pipe",
}


@dataclass(frozen=True, kw_only=True)
class Flag:
    """A flag or an argument of a command.

    Attributes:
        name: of the argument in Python, and of the flag unless ``flag`` is another.
        text: what the help says.
        panel: the heading of the help that it is below.
        flag: on the command line; a name without dashes is an argument without a flag.
        metavar: what its value is called; empty for a switch.
        default: the value if it is not given.
        choices: the names that it may have, in capitals or not.
        kind: what its text is read as.
        is_list: whether it may be given several times.
        is_needed: whether it must be given.
    """

    name: str
    text: str
    panel: str = ""
    flag: str = ""
    metavar: str = "NAME"
    default: str | None = None
    choices: tuple[str, ...] = ()
    kind: Literal["text", "int", "number", "seed"] = "text"
    is_list: bool = False
    is_needed: bool = False

    @property
    def shown(self) -> str:
        """Return what the command line calls it."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def is_argument(self) -> bool:
        """Return whether it is an argument without a flag."""
        return self.flag.isupper()


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command.

    Attributes:
        work: the module and the function that do it, imported when the command runs.
        text: its help, in paragraphs.
        examples: command lines.
        flags: in the order of the help.
        options: the metric's options that it has.
    """

    work: str
    text: str
    flags: tuple[Flag, ...]
    options: tuple[str, ...]
    examples: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """Return the flags by the arguments of Python."""
        return {flag.name: flag.shown for flag in self.flags}

    def load(self) -> Callable[..., None]:
        """Import and return the function that does the work."""
        module, name = self.work.split(":")
        work: Callable[..., None] = getattr(import_module(module, __package__), name)
        return work


def _format(*names: str, text: str = "; json and csv are not rounded.") -> Flag:
    listed = f"{', '.join(names[:-1])} or {names[-1]}"
    return Flag(
        name="report_format", flag="--format", metavar="FORMAT", panel="Output", default=names[0],
        choices=names, text=f"{listed}{text}",
    )  # fmt: skip


def _file(name: str, text: str, **others: Any) -> Flag:
    return Flag(name=name, text=text, panel="Files", **others)


def _output(name: str, text: str, **others: Any) -> Flag:
    return Flag(name=name, text=text, panel="Output", **others)


def _test(name: str, text: str, **others: Any) -> Flag:
    return Flag(name=name, text=text, panel="Test", **others)


def _number(name: str, text: str, panel: str, kind: Any = "int", **others: Any) -> Flag:
    metavar = "FLOAT" if kind == "number" else "INT"
    return Flag(name=name, text=text, panel=panel, kind=kind, metavar=metavar, **others)


def _switch(name: str, text: str, panel: str = "Output") -> Flag:
    return Flag(name=name, text=text, panel=panel, metavar="")


def _argument(name: str, text: str, **others: Any) -> Flag:
    return Flag(name=name, text=text, flag=others.pop("shown", name.upper()), **others)


_FORMATS: Final = tuple(str(choice.value) for choice in FileFormat)
TEXT_FILES: Final = (
    _file("stdin_format", f"Format of standard input: {', '.join(_FORMATS)}.", metavar="FORMAT",
          default="text", choices=_FORMATS),
    _file("encoding", "Encoding of text files: utf-8, utf-16, latin-1, cp1252, gb18030, "
          "shift_jis, ...", default=UTF8),
    _file("delimiter", "Character between the fields of CSV and TSV, such as ; or tab. Default: a "
          "comma in .csv, a tab in .tsv.", metavar="CHAR"),
)  # fmt: skip
FILES: Final = (
    _file("prediction_column", "Column of the predictions. Default: prediction, predictions, or "
          "the only one."),
    _file("reference_column", "Column of the references. Default: reference, references, or the "
          "only one."),
    *TEXT_FILES,
)  # fmt: skip
FAMILY: Final = _output(
    "family", f"{' or '.join(list_groups())}, to compute only one family. Default: all.",
    metavar="FAMILY", choices=tuple(list_groups()),
)  # fmt: skip
PERCENT: Final = _switch(
    "percent", "Scores from 0 to 100, also in --per-sample; lengths, counts and the brevity "
    "penalty are unchanged.",
)  # fmt: skip
PER_SAMPLE: Final = _output(
    "per_sample", "Write one row of scores per sample to a .csv, .tsv, .jsonl (these also with "
    ".gz) or .parquet file.", metavar="FILE",
)  # fmt: skip
PAIR: Final = (
    _argument("predictions", "File or folder of generated texts, or -.", is_needed=True),
    _argument("references", "Files of reference texts, or -. Omit them if PREDICTIONS has a column "
              "of references.", is_list=True),
)  # fmt: skip
_OUTPUT: Final = _output(
    "output", "Write to this file. Default: standard output.", metavar="FILE"
)  # fmt: skip

# What every command that compares systems has.
SYSTEMS: Final = (
    _argument("systems", "One file per system, or -; or one file with columns.", is_list=True,
              is_needed=True),
    _file("references", "Files of reference texts, or -; all arguments up to the next flag. Omit "
          "it if the file of --systems has a column of references.", metavar="FILE...",
          is_list=True),
    _file("columns", "Columns of the only file of SYSTEMS, one per system. A name with a comma is "
          "quoted as in CSV.", flag="--systems", metavar="A,B", is_list=True),
)  # fmt: skip
HARNESS_FILTER: Final = _file(
    "harness_filter", "Filter of lm-evaluation-harness whose responses are compared, if its files "
    "have those of several.",
)  # fmt: skip
SCORES: Final = _file(
    "scores", "Also test scores of other metrics, one per sample, from a JSON file such as "
    '{"comet": {"a": [0.5, 0.7], "b": [0.6, 0.7]}} with the names of the systems; or sums, such as '
    '{"ter": {"sums": {"a": [[1, 9], [0, 7]], ...}, "score": "ratio"}}; or a file of COMET.',
    metavar="FILE",
)  # fmt: skip
BASELINE: Final = _test(
    "baseline", "The system that the others are compared with. Default: the first."
)
TEST: Final = _test(
    "test", "approximate_randomization, bootstrap or bootstrap_t; all are paired. Default: the "
    "first; the last for --alternative noninferior.",
)  # fmt: skip
RESAMPLES: Final = _number(
    "n_resamples", "Number of resamples. Default: 10000; 1000 for the bootstraps.", "Test",
    flag="--resamples",
)  # fmt: skip
CONFIDENCE: Final = _number(
    "confidence", "Confidence level of the intervals; 1 minus this is the significance level.",
    "Test", "number", default="0.95",
)  # fmt: skip
SEED: Final = _number("seed", "Seed of the resamples.", "Test", "seed", default="12345")
BETTER: Final = _test(
    "alternative", "two-sided; greater to test only whether a score is better than the "
    "baseline's.", default="two-sided",
)  # fmt: skip
CORRECTION: Final = _test(
    "correction", "Correct p for the number of tests: holm, bonferroni or fdr_bh. Default: none."
)
CLUSTERS: Final = _test(
    "clusters", "Resample clusters of related samples, such as the sentences of a document. NAME "
    "is a column of the references or systems; for plain text, a file with one label per line.",
)  # fmt: skip
_PICKED_SYSTEM: Final = "The system that is compared with the baseline. Default: the only other one."

# The options of scores. A comparison has resamples of its own.
COMPARED_OPTIONS: Final = tuple(
    name for name, option in OPTIONS.items() if option.effect != "output" and name != "n_resamples"
)
# The options that change scores of one sample; of a score of two texts, which --score names; and
# without the weights, which are those of texts for ``select_consensus``.
EXPLAINED_OPTIONS: Final = tuple(
    name for name, option in OPTIONS.items() if option.effect not in ("output", "aggregation")
)
PAIR_OPTIONS: Final = tuple(name for name in EXPLAINED_OPTIONS if name != "rouge_types")
PICK_OPTIONS: Final = tuple(name for name in PAIR_OPTIONS if name != "weights")


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
* .json: also one JSON array of such values
* .csv .tsv: a header, then rows; quoted fields may hold line breaks
* .parquet: columns of strings
* any other suffix, and - for standard input: plain text, one sample per line

Text is UTF-8 unless --encoding is given; compressed text files have the additional suffix .gz. \
In a file with columns, a value may be a list of several references; a CSV or TSV cell holds the \
list as JSON: ["one", "another"].

Scores range from 0 to 1, or from 0 to 100 with the profile sacrebleu or --percent. An error is \
one line on standard error, with the line number (in Parquet, the row number).""",
        examples=(
            "bleu-rouge score predictions.txt references.txt",
            "bleu-rouge score predictions.txt first.txt second.txt --family bleu",
            "bleu-rouge score samples.jsonl --use-stemmer --format json",
            "bleu-rouge score samples.jsonl --profile sacrebleu --signature",
            "bleu-rouge score folder --percent",
            "generate | bleu-rouge score - references.csv --per-sample scores.csv",
        ),
        flags=(
            *PAIR,
            *FILES,
            _format("table", "json", "csv", "markdown"),
            PER_SAMPLE,
            _output("group_by", "Add the scores of each group of samples. NAME is a column of the "
                    "references or predictions; for plain text, a file with one label per line."),
            PERCENT,
            _file("engine", "ray: count a folder of Parquet or JSON Lines files with Ray, on this "
                  "machine or a cluster.", metavar="ENGINE", choices=("ray",)),
            FAMILY,
            _number("seed", "Seed of resampling, which --signature prints. Default: a new random "
                    "seed each run.", INTERVALS, "seed"),
        ),
        options=tuple(OPTIONS),
    ),
    "compare": Command(
        work=".compare:run_compare",
        text="""\
Compare SYSTEMS on the same samples: scores with intervals, and tests of the differences.

Each file of SYSTEMS contains the texts of one system; alternatively, one file has a column for \
each of --systems. The first system is the baseline. Files are read as by bleu-rouge score; the \
name of a system is the name of its file without the suffix.

The samples that lm-evaluation-harness logs and the JSON of COMET are recognised by their content, \
and bring texts, references and scores.

The output names the test, the number of resamples, the seed and the correction, and describes \
each difference in a sentence.""",
        examples=(
            "bleu-rouge compare baseline.txt new.txt --references references.txt --family rouge",
            "bleu-rouge compare a.txt b.txt --references first.txt second.txt --profile sacrebleu",
            "bleu-rouge compare systems.jsonl --systems old,new --reference-column references "
            "--clusters topic",
        ),
        flags=(
            *SYSTEMS,
            *FILES,
            HARNESS_FILTER,
            SCORES,
            _test("lower_is_better", "A score of --scores of which a lower one is better; repeat "
                  "for several.", is_list=True),
            BASELINE,
            _test("pairs", "all: test each system against each other one, and rank them; p is "
                  "corrected with Holm's method unless --correction names another. Differences are "
                  "in --format json."),
            _file("runs", "SYSTEMS are runs, such as trainings with several seeds: so many of each "
                  "system, one after the other. A system is named by what the names of its files "
                  "begin with.", metavar="INT", kind="int"),
            TEST,
            RESAMPLES,
            CONFIDENCE,
            SEED,
            _test("alternative", "two-sided; greater to test only whether a score is better than "
                  "the baseline's; noninferior to test whether it is not worse by more than "
                  "--margin.", default="two-sided"),
            _number("margin", "By how much a score may be worse, in the units of the output.",
                    "Test", "number"),
            CORRECTION,
            CLUSTERS,
            _test("convention", "sacrebleu: compute p-values and intervals as sacrebleu does, for "
                  "BLEU only."),
            _format("table", "json", "csv", "markdown", "latex"),
            _output("groups", "Also compare each group of samples alone. A column or a file, as "
                    "for --clusters.", flag="--group-by"),
            _test("test_sets", "Each label is a test set: compare on each, and print means over "
                  "sets and how many sets are won. A column or a file, as for --clusters."),
            PER_SAMPLE,
            PERCENT,
            _switch("signature", "Add one line that records how scores and tests were computed; "
                    "JSON always has it."),
            FAMILY,
        ),
        options=COMPARED_OPTIONS,
    ),
    "buckets": Command(
        work=".buckets:run_buckets",
        text="""\
Compare SYSTEMS on parts of the same samples: by length, label, frequency of words or n-grams.

Buckets of samples have BLEU and ROUGE; buckets of words or n-grams have F-measure, precision and \
recall of their matches. Each bucket has intervals and tests as bleu-rouge compare has them, from \
which files and flags are taken. --by ngram lists the n-grams that one system gets right and the \
other does not.""",
        examples=(
            "bleu-rouge buckets baseline.txt new.txt --references references.txt --by length "
            "--edges 10,20,40",
            "bleu-rouge buckets a.txt b.txt --references r.txt --by frequency --text training.txt",
            "bleu-rouge buckets a.txt b.txt --references r.txt --by ngram --limit 20",
        ),
        flags=(
            *SYSTEMS,
            *FILES,
            HARNESS_FILTER,
            Flag(name="by", panel="Buckets", default="length", text="length (tokens of the "
                 "references), label, frequency (of words), order (of n-grams), or ngram to list "
                 "single n-grams.", choices=("length", "label", "frequency", "order", "ngram")),
            Flag(name="edges", panel="Buckets", metavar="N,N", text="Where the second and the "
                 "following buckets begin. Default: 10,20,30,40,50,60 tokens, or frequencies of "
                 "1,2,3,4,5,10,100,1000; none for labels."),
            Flag(name="labels", flag="--label", panel="Buckets", text="Labels for --by label: a "
                 "column of the references or systems; for plain text, a file with one label per "
                 "line. With --edges, labels are numbers."),
            _file("text", "File of texts in which words are counted for --by frequency. Default: "
                  "the references.", metavar="FILE"),
            Flag(name="system", panel="Buckets", text=f"For --by ngram. {_PICKED_SYSTEM}"),
            Flag(name="kind", panel="Buckets", text="For --by ngram: matched, novel (not in the "
                 "references) or missed (only in the references). Default: matched."),
            _number("lowest_order", "For --by ngram, the lowest order; --max-order is the highest. "
                    "Default: 1.", "Buckets"),
            _number("limit", "For --by ngram, how many n-grams each list has. Default: 10.",
                    "Buckets"),
            BASELINE,
            replace(TEST, text="approximate_randomization, bootstrap or bootstrap_t; all are "
                    "paired. Default: the first."),
            RESAMPLES,
            CONFIDENCE,
            SEED,
            BETTER,
            CORRECTION,
            CLUSTERS,
            _format("table", "json", "csv", "markdown", "latex"),
            PERCENT,
            FAMILY,
        ),
        options=COMPARED_OPTIONS,
    ),
    "compare-profiles": Command(
        work=".profiles:run_compare_profiles",
        text="Score files under several profiles, and explain the differences.",
        flags=(
            *PAIR,
            *FILES,
            _format("table", "json", "csv", "markdown"),
            Flag(name="profiles", flag="--profile", is_list=True, text="Compare this profile; "
                 "repeat for several profiles. Default: all."),
        ),
        options=("language", "tokenizer", "rouge_types", "use_stemmer", "sentence_splitter"),
    ),
    "explain": Command(
        work=".explanations:run_explain",
        text="""\
Explain the scores of PREDICTION with its REFERENCES: matching n-grams and LCS, BLEU and ROUGE.

PREDICTION and REFERENCES are texts. With --row they are files, read as by bleu-rouge score.

The number after a bracket is the order of the longest matching n-gram at this token; × marks a \
match that is clipped. "w log p" is the term that each n-gram order adds to log BLEU. A star marks \
the reference whose ROUGE is used.""",
        examples=(
            'bleu-rouge explain "the cat sat" "a cat sat down" "the dog sat"',
            "bleu-rouge explain --row 3 predictions.txt references.txt --family rouge",
            'bleu-rouge explain "the cat sat" "a cat sat down" --format html > explanation.html',
        ),
        flags=(
            _argument("prediction", "Generated text; with --row its file, or -.", is_needed=True),
            _argument("references", "Reference texts; with --row their files. Omit them if the "
                      "file of the prediction has a column of references.", is_list=True),
            *FILES,
            _file("row", "Index of the sample in the files; the first is 0, as in --per-sample.",
                  metavar="INT", kind="int"),
            _format("text", "json", "html", text="; json is not rounded."),
            FAMILY,
        ),
        options=EXPLAINED_OPTIONS,
    ),
    "dedup": Command(
        work=".duplicates:run_dedup",
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
            "generate | bleu-rouge dedup - --threshold 0.5 --use-stemmer > kept.txt",
        ),
        flags=(
            _argument("path", "File of texts, or -.", shown="FILE", is_needed=True),
            *TEXT_FILES,
            _file("column", "Column of the texts. Default: text, instruction, prediction, or the "
                  "only one."),
            _file("against", "Compare with the texts of this file only, such as a test set, and "
                  "not with each other.", metavar="FILE"),
            Flag(name="score", panel="Decision", default="rougeL", text="Score of two texts: a "
                 "ROUGE type, bleu or google_bleu; rougeL_recall and the like are one part of it."),
            _number("threshold", "Reject a text with a higher score: from 0 to 1, or to 100 for "
                    "the BLEU of sacrebleu.", "Decision", "number", default="0.7"),
            _switch("inclusive", "Reject a text with exactly this score too.", "Decision"),
            Flag(name="groups", flag="--group-by", panel="Decision", text="Compare only texts of "
                 "the same group. NAME is a column; for plain text, a file with one label per "
                 "line."),
            replace(_OUTPUT, text="Write the kept records to this file, in the format of FILE. "
                    "Default: standard output."),
            _output("rejected", "Write the rejected records to this file as JSON Lines; line, "
                    "score, nearest_line and nearest say what each was near to. Lines count from "
                    "1.", metavar="FILE"),
        ),
        options=PAIR_OPTIONS,
    ),
    "pick": Command(
        work=".candidates:run_pick",
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
            "bleu-rouge pick samples.jsonl --method best --reference-column answers",
        ),
        flags=(
            _argument("path", "File with a column of lists of candidates, or -.", shown="FILE",
                      is_needed=True),
            *TEXT_FILES,
            _file("column", "Column of the candidates. Default: candidates, or the only one."),
            _file("reference_column", "Column of the references. Default: reference or references, "
                  "if FILE has one."),
            Flag(name="method", panel="Choice", choices=("consensus", "best"), text="consensus or "
                 "best. Default: best if FILE has references, else consensus."),
            Flag(name="score", panel="Choice", default="bleu", text="Score that decides: bleu, "
                 "google_bleu or a ROUGE type. bleu is that of sacrebleu unless --profile is "
                 "given."),
            _format("jsonl", "text", text=": index, text and score, or the texts alone, one per "
                    "line."),
            _OUTPUT,
        ),
        options=PICK_OPTIONS,
    ),
    "meta-evaluate": Command(
        work=".meta_evaluation:run_meta_evaluation",
        text="""\
Measure how far metrics agree with ratings by people, with intervals and tests between metrics.

SYSTEMS are the texts of the rated systems, as for bleu-rouge compare; their BLEU and ROUGE are \
compared with the ratings of --human, and so are the scores of other metrics in --scores. Without \
SYSTEMS, only those scores are compared. The name of a system is the name of its file without the \
suffix.""",
        examples=(
            "bleu-rouge meta-evaluate a.txt b.txt c.txt --references references.txt --human "
            "ratings.json",
            "bleu-rouge meta-evaluate --human ratings.json --scores scores.json --level segment "
            "--grouping none",
        ),
        flags=(
            replace(SYSTEMS[0], is_needed=False, text=f"{SYSTEMS[0].text} Omit them if --scores "
                    "has all scores."),
            *SYSTEMS[1:],
            *FILES,
            _file("human", "JSON file of the ratings of each system, one per sample: "
                  '{"a": [4, 2.5], "b": [3, 5]}.', metavar="FILE", is_needed=True),
            SCORES,
            Flag(name="level", panel="Agreement", default="both",
                 text="segment, system or both."),
            Flag(name="grouping", panel="Agreement", default="item", text="Correlate texts within "
                 "each item, within each system, or all together: item, system, none."),
            Flag(name="coefficients", flag="--coefficient", panel="Agreement", is_list=True,
                 text="pearson, spearman, kendall_b, kendall_c, accuracy or calibrated_accuracy; may be "
                 "given several times. Default: the first three and an accuracy."),
            _test("baseline", "Metric that the others are compared with. Default: all pairs are "
                  "compared."),
            _test("resampled", "What the bootstrap draws: both, items, systems.", default="both"),
            _test("swapped", "What the test of texts swaps: items or systems. Default: items."),
            replace(RESAMPLES, text="Resamples of intervals and tests.", default="1000"),
            CONFIDENCE,
            SEED,
            CORRECTION,
            _format("table", "json", "csv", "markdown", "latex", text="; json and csv are not "
                    "rounded. csv has the agreement, but not the differences between metrics."),
            FAMILY,
        ),
        options=COMPARED_OPTIONS,
    ),
    "required-samples": Command(
        work=".sample_sizes:run_required_samples",
        text="""\
Estimate how many samples a test set needs, so that a difference between two SYSTEMS is found.

SYSTEMS are a pilot: two systems on 20 samples or more of the same kind, read as by bleu-rouge \
compare. Studies are simulated from the pilot (Card et al. 2020). The difference of the pilot \
itself is not used.""",
        examples=(
            "bleu-rouge required-samples a.txt b.txt --references r.txt --profile sacrebleu "
            "--difference 0.5",
            "bleu-rouge required-samples a.txt b.txt --references r.txt --score rougeL "
            "--difference 1 --percent",
        ),
        flags=(
            *SYSTEMS,
            *FILES,
            _number("difference", "Smallest difference that is to be found, in the units of the "
                    "score; with --percent, in points of 100.", "Study", "number", is_needed=True),
            _number("power", "Probability to find it.", "Study", "number", default="0.8"),
            Flag(name="score", panel="Study", text="bleu, or a ROUGE type. Default: the first."),
            Flag(name="system", panel="Study", text=_PICKED_SYSTEM),
            BASELINE,
            CLUSTERS,
            CONFIDENCE,
            BETTER,
            _number("n_tests", "How many p-values will be corrected together.", "Study",
                    flag="--tests", default="1"),
            _number("n_resamples", "Simulated studies of each size.", "Study", flag="--studies",
                    default="4000"),
            SEED,
            _format("table", "json", "markdown", text="."),
            PERCENT,
            FAMILY,
        ),
        options=COMPARED_OPTIONS,
    ),
}  # fmt: skip
