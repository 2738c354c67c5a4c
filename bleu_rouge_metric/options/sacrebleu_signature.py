"""The signature of sacrebleu for a score of the profile ``sacrebleu``.

It says less than ours, and cannot be parsed back: sacrebleu leaves out the order of the n-grams.
"""

from typing import Final, NoReturn, cast

from ..families.bleu.family import Bleu
from ..schema import CALLABLE
from ..text.external import SacrebleuTokenizer
from ..text.tokenizer import find_tokenizer
from .options import Options
from .profiles import PROFILES

# The version whose scores and signatures are reproduced.
SACREBLEU_VERSION: Final = PROFILES["sacrebleu"].reference.split()[-1]

# Names of tokenizers in the signature, by ours; those that sacrebleu does itself name themselves.
_TOKENIZERS: Final = {
    "13a": "13a",
    "intl": "intl",
    "zh": "zh",
    "char": "char",
    "none": "none",
    "whitespace": "none",
}

# The smoothings of sacrebleu, and whether the signature says their value.
_SMOOTHINGS: Final = {"none": False, "exp": False, "floor": True, "add-k": True}


def write_sacrebleu_signature(line: str) -> str:
    """Return what sacrebleu's ``get_signature`` gives for the score of a signature of ours."""
    items = dict(item.partition(":")[::2] for item in line.split("|"))
    if items.get("profile") != "sacrebleu":
        raise ValueError(
            f"sacrebleu has no signature for a score of the profile {items.get('profile')!r}; "
            "expected 'sacrebleu'."
        )
    if "nrefs" not in items:
        raise ValueError(
            "sacrebleu's signature says the number of references, which is not known yet; score "
            "samples first."
        )
    if items.get("bleu_tokenizer", "").startswith(CALLABLE):
        _refuse("bleu_tokenizer", items["bleu_tokenizer"].removeprefix(CALLABLE))
    options = Options.from_signature(line)
    rules = cast("Bleu", options.plan(["bleu"]).scores["bleu"]).rules
    values = options.values()
    for option, value in (
        ("weights", None),
        ("reference_length", "closest"),
        ("auto_reweigh", False),
    ):
        if values[option] != value:
            _refuse(option, values[option])
    if rules.smooth not in _SMOOTHINGS:
        _refuse("smooth", rules.smooth)
    # Parity: sacrebleu says "var" if samples have different numbers of references.
    references = "var" if "-" in items["nrefs"] else items["nrefs"]
    return "|".join(
        (
            f"nrefs:{references}",
            f"case:{'lc' if options.lowercase else 'mixed'}",
            f"eff:{'yes' if rules.leaves_out_orders(is_sentence=False) else 'no'}",
            f"tok:{name_tokenizer(options.bleu_tokenizer)}",
            # Parity: sacrebleu 2.6, BLEUSignature: two decimals, whatever the value is.
            f"smooth:{rules.smooth}"
            + (f"[{rules.parameter:.2f}]" if _SMOOTHINGS[rules.smooth] else ""),
            f"version:{SACREBLEU_VERSION}",
        )
    )


def name_tokenizer(name: object) -> str:
    """Return the name of a tokenizer in the signature."""
    tokenizer = find_tokenizer(name)
    if tokenizer is not None and isinstance(tokenizer.function, SacrebleuTokenizer):
        return tokenizer.function.signature()
    if not isinstance(name, str) or name not in _TOKENIZERS:
        _refuse("bleu_tokenizer", name)
    return _TOKENIZERS[name]


def _refuse(option: str, value: object) -> NoReturn:
    """Raise ValueError for the value of an option that sacrebleu does not have."""
    raise ValueError(
        f"sacrebleu has no signature for {option}={value!r}, which it does not have; use the "
        "signature of this package."
    )
