"""Start ``bleu-rouge score`` and ``bleu-rouge --version`` without typer.

Importing typer, and making its objects of a hundred flags, takes longer than scoring small files.
Whatever is not plainly correct goes to typer: help, completion, errors.
"""

import os
from collections.abc import Sequence
from functools import cache
from inspect import Parameter, signature
from typing import Any, Final, NamedTuple

# What a shell sets that asks for completions.
_COMPLETION: Final = "_BLEU_ROUGE_COMPLETE"


class _Flags(NamedTuple):
    """The flags of ``bleu-rouge score``.

    Attributes:
        switches: parameter and value by flag without a value.
        valued: parameter by flag with a value, and whether it may be given several times.
    """

    switches: dict[str, tuple[str, bool]]
    valued: dict[str, tuple[str, bool]]


def run_fast(arguments: Sequence[str]) -> bool:
    """Run the command if typer is not needed; return whether it ran."""
    is_version = list(arguments) == ["--version"]
    if _COMPLETION in os.environ or not (is_version or list(arguments[:1]) == ["score"]):
        return False
    if "--confidence" not in arguments:
        # Fast path: NumPy starts a thread per processor for products of matrices, which only
        # resampling computes; this takes 0.04 s.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from .messages import one_line_errors

    if is_version:
        from .checks import print_version

        with one_line_errors():
            print_version()
        return True
    from .score import run_score

    parameters = parse_score(arguments[1:])
    if parameters is None:
        return False
    with one_line_errors():
        run_score(**parameters)
    return True


def parse_score(arguments: Sequence[str]) -> dict[str, Any] | None:
    """Return the parameters of ``run_score``, as typer does; None if typer has to read them.

    >>> parse_score(["a.txt", "--max-order=2", "b.txt", "--percent"])
    {'predictions': 'a.txt', 'references': ['b.txt'], 'max_order': '2', 'percent': True}
    >>> parse_score(["a.txt", "--help"])
    """
    flags = list_flags()
    parameters: dict[str, Any] = {}
    files = []
    rest = iter(arguments)
    for argument in rest:
        flag, equals, value = argument.partition("=")
        if argument == "-" or not argument.startswith("-"):
            files.append(argument)
        elif argument in flags.switches:
            name, is_on = flags.switches[argument]
            parameters[name] = is_on
        elif flag in flags.valued:
            name, is_list = flags.valued[flag]
            if not equals:
                value = next(rest, "-")
                if value.startswith("-"):
                    return None
            parameters[name] = [*parameters.get(name, []), value] if is_list else value
        else:
            return None
    if not files:
        return None
    return {"predictions": files[0], "references": files[1:], **parameters}


@cache
def list_flags() -> _Flags:
    """List the flags of files and output, and those of the options of the metric."""
    from ..options.table import OPTIONS
    from .checks import check_file_flags
    from .option_flags import name_flags, name_parameter, to_flag
    from .score import run_score

    flags = _Flags({}, {})
    declared = {**signature(check_file_flags).parameters, **signature(run_score).parameters}
    for name, parameter in declared.items():
        if parameter.kind is Parameter.KEYWORD_ONLY:
            flag = "--format" if name == "report_format" else to_flag(name)
            if parameter.default is False:
                flags.switches[flag] = name, True
            else:
                flags.valued[flag] = name, False
    for option in OPTIONS.values():
        for row in option.flags:
            name = name_parameter(option, row)
            names = name_flags(option, row)
            if row.metavar:
                flags.valued[names[0]] = name, row.is_list
            else:
                flags.switches.update({flag: (name, flag == names[0]) for flag in names})
    return flags
