"""Checked options of the metric, and the signature that names them.

``metric.compute``, ``bleu_score``, ``rouge_scores``, ``Scorer`` and the command all make
``Options`` of what they are given, so that a bad value is the same clear error everywhere, before
any work.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..checks import check_seed
from ..counting.kernels import current_kernel
from ..families import registry
from ..families.registry import find_tokenizer_option, list_tokenizers
from ..families.score import Score, Values
from ..schema import Option
from ..text.tokenizer import find_tokenizer
from ..text.unicode import VERSIONS
from ..text.warnings import collect_warnings, warn_caller
from ..version import __version__
from .errors import check_known, check_relevance
from .keywords import NAMES, OptionRecord
from .language import CHOSEN, apply_language
from .plans import Plan, make_plan, resolve
from .profiles import (
    BOTH,
    DEFAULTS,
    PROFILES,
    Family,
    Profile,
    choose_families,
    find_profile,
    profile_of,
)
from .signature import read_signature, write_signature
from .table import OPTIONS, is_relevant, is_used, option_names

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .keywords import OptionKeywords

# Types whose values can be compared by what they are, so that equal options are checked once.
_PLAIN: Final = (str, bool, int, float, type(None))

_MOST_KEPT: Final = 128


class Options(OptionRecord):
    """Checked, immutable options of one computation.

    Every option is an attribute. Its value is the one that was given, or that of the profile; the
    tokenizer of both families is kept as ``bleu_tokenizer`` and ``rouge_tokenizer``. The manual
    and ``metric.compute`` list the options.

    >>> options = Options(profile="sacrebleu", tokenizer="char")
    >>> options.smooth, options.bleu_tokenizer
    ('exp', 'char')
    """

    # What is made of the options once: plans, a signature, fast paths. It is bounded: there are few
    # kinds of these, with one entry per combination of families. It is not a field of the record,
    # so that it is not compared, printed or pickled. Equal options do not share it: 1 and 1.0 are
    # equal, but NLTK's formula is exact for one of them.
    _made: dict[Hashable, Any]

    def __init__(self, **options: "Unpack[OptionKeywords]") -> None:
        """Check the options; None selects the default of the profile.

        Args:
            **options: the options of ``metric.compute``.

        Raises:
            TypeError: an option is unknown or has no effect under the profile, or a value is of a
                wrong type.
            ValueError: a value is out of range, or a name is unknown.
        """
        check_known(options)
        _check_effect(options)
        families = find_profile(profile_of(options)).families
        given: Mapping[str, Any] = apply_language(options, families)
        with collect_warnings() as warnings:
            values, plan = resolve(given)
        for warning in warnings:
            warn_caller(warning)
        # Equal options have an equal record, whenever a family was added.
        self.__setstate__(
            {
                name: value
                for name, value in values.items()
                if name in NAMES or value != OPTIONS[name].default
            }
        )
        self._made["plan"] = plan

    if not TYPE_CHECKING:  # Type checkers know from the record what cannot be changed.

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(
                f"Options cannot be changed; use replace({name}=...) for new ones."
            )

    def __repr__(self) -> str:
        changed = {"profile": self.profile, **self._changes(OPTIONS)}
        return f"Options({write_keywords(changed)})"

    def __getstate__(self) -> Values:
        """Return the options alone: what was made from them may be no function of a module."""
        values = self.values().items()
        return {name: value for name, value in values if name in NAMES or name in self.further}

    def __setstate__(self, values: Values) -> None:
        further = {name: value for name, value in values.items() if name not in NAMES}
        vars(self).update({name: values[name] for name in NAMES}, further=further, _made={})

    @classmethod
    def from_keywords(
        cls, keywords: Mapping[str, Any], families: Sequence[Family] = BOTH
    ) -> "Options":
        """Return options from keyword arguments; None selects the default of the profile.

        Args:
            keywords: by name.
            families: the families that are asked for.

        Raises:
            TypeError: a keyword is not an option of these families, or of the profile.
            ValueError: the profile has none of these families.
        """
        key = _make_key(keywords)
        if key is None:
            return cls._from_keywords(keywords, families)
        # Fast path: equals the line above.
        options, warnings = _find_options(key, tuple(families))
        for warning in warnings:
            warn_caller(warning)
        return options

    @classmethod
    def _from_keywords(cls, keywords: Mapping[str, Any], families: Sequence[Family]) -> "Options":
        check_known(keywords)
        profile = profile_of(keywords)
        scored = choose_families(profile, families)
        check_relevance(keywords, profile, scored)
        return cls(**apply_language(keywords, scored))

    @classmethod
    def from_signature(cls, text: str, **keywords: "Unpack[OptionKeywords]") -> "Options":
        """Parse a signature into options.

        Args:
            text: a line of ``signature`` or of ``compute(..., signature=True)``.
            **keywords: options that override the line, such as functions, which a line can only
                name.

        Raises:
            TypeError: the text is not a str, or a keyword is not an option.
            ValueError: the line cannot be read.

        >>> Options.from_signature("profile:sacrebleu|smooth:floor|smooth_value:0.5").smooth_value
        0.5
        """
        given: Mapping[str, Any] = keywords
        return cls.from_keywords({**read_signature(text, {*given, *_list_chosen(given)}), **given})

    def replace(self, **changes: "Unpack[OptionKeywords]") -> "Options":
        """Return the same options with some changed.

        >>> Options(max_order=2).replace(lowercase=True)
        Options(profile='hf', max_order=2, lowercase=True)
        """
        profile = profile_of({"profile": self.profile, **changes})
        families = find_profile(profile).families
        chosen = _list_chosen(changes)
        own = self._changes(name for name in OPTIONS if name not in chosen)
        # What the profile of these options chose stays, unless a new one does not have the option.
        kept = {
            name: value
            for name, value in self.values().items()
            if name in own or (name not in chosen and is_relevant(name, profile, families))
        }
        return Options(**{**kept, **changes})

    def to_keywords(self, families: Sequence[Family] = BOTH) -> dict[str, Any]:
        """Return the keyword arguments of ``metric.compute`` for these options.

        Args:
            families: the families that are asked for; options of others are left out.

        >>> Options.from_signature("profile:sacrebleu|smooth:floor|smooth_value:1").to_keywords()
        {'profile': 'sacrebleu', 'smooth': 'floor', 'smooth_value': 1}
        """
        scored = choose_families(self.profile, families)
        used = (option.name for option in self._list_used(scored))
        return {"profile": self.profile, **self._changes(used)}

    def _list_used(self, families: Sequence[Family]) -> Iterator[Option]:
        """Iterate over the options that have an effect on families of the profile."""
        values = self.values()
        tokenizers = [values[find_tokenizer_option(family)] for family in families]
        return (
            option
            for name, option in OPTIONS.items()
            if is_relevant(name, self.profile, families) and is_used(option, tokenizers)
        )

    def _changes(self, names: Iterable[str]) -> Values:
        """Return the options whose values are not the profile's."""
        mine, theirs = self.values(), find_defaults(self.profile)
        return {name: mine[name] for name in names if mine[name] != theirs[name]}

    def _sign(self, options: Iterable[Option]) -> Values:
        """Return what a signature says of some options."""
        named = {option.name: option for option in options if option.signed != "never"}
        changed, values = self._changes(named), self.values()
        shown = (name for name in named if named[name].signed == "always" or name in changed)
        return {name: values[name] for name in shown}

    def plan(self, families: Sequence[Family] = BOTH) -> Plan:
        """Return what is counted and scored for the families that the profile has.

        Args:
            families: the families that are asked for.

        Returns:
            The plan; the same one for the same families.

        Raises:
            ValueError: the profile has none of them.
        """
        key = tuple(families)
        plan: Plan | None = self._made.get(key)
        if plan is None:
            chosen = choose_families(self.profile, families)
            whole: Plan = self.keep("plan", lambda: make_plan(self.values()))
            plan = whole.select(find_profile(self.profile).find_names(chosen))
            self._made[key] = plan
        return plan

    def keep(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return what ``make`` gives, made once: for what is prepared from the options."""
        made = self._made
        if key not in made:
            made[key] = make()
        return made[key]

    def write_signature(
        self,
        families: Sequence[Family] = BOTH,
        *,
        reference_counts: Sequence[int] | NDArray[np.int64] = (),
        seed: int | None = None,
    ) -> str:
        """Return the signature: one line that records how scores were computed.

        Args:
            families: the families that are asked for.
            reference_counts: how many references the samples have; empty if it is unknown.
            seed: of the random stream of resampling; None if it is not known.

        Raises:
            TypeError: the seed is not an int.
            ValueError: the seed is out of range.
        """
        plan = self.plan(families)
        items = [write_signature({"profile": self.profile})]
        if len(reference_counts):
            fewest, most = int(np.min(reference_counts)), int(np.max(reference_counts))
            items.append(f"nrefs:{fewest}" if fewest == most else f"nrefs:{fewest}-{most}")
        items.append(
            self.keep(
                ("signature", *plan.families),
                lambda: write_signature(
                    {**self._sign(self._list_used(plan.families)), "profile": None}
                ),
            )
        )
        if "seeded" in plan.streams and (checked := check_seed(seed)) is not None:
            items.append(f"seed:{checked}")
        values = self.values()
        used = (find_tokenizer(values[find_tokenizer_option(family)]) for family in plan.families)
        # What the characters of the tokenizers depend on.
        tables = {name for row in used if row is not None for name in row.tables}
        items += [f"{name}:{VERSIONS[name]()}" for name in VERSIONS if name in tables]
        items += [f"kernel:{current_kernel()}", f"version:{__version__}"]
        return "|".join(filter(None, items))

    def counting_signature(self, families: Sequence[Family] = BOTH) -> str:
        """Return the part of the signature that decides what is counted; written once."""

        def write() -> str:
            scored = choose_families(self.profile, families)
            rows = (option for option in self._list_used(scored) if option.effect == "counts")
            return write_signature({"profile": self.profile, **self._sign(rows)})

        line: str = self.keep(("counting signature", *families), write)
        return line


def _check_effect(given: Mapping[str, Any]) -> None:
    """Raise TypeError for an option that has no effect under the profile."""
    profile = profile_of(given)
    families = find_profile(profile).families
    unused = {
        name: value
        for name, value in given.items()
        if value is not None and not is_relevant(name, profile, families)
    }
    if unused:
        plain = find_defaults(profile)
        changed = {
            name: value
            for name, value in unused.items()
            if type(value) is not type(plain[name]) or value != plain[name]
        }
        check_relevance(changed, profile, families)


def find_defaults(profile: str) -> Values:
    """Return the values of all options under a profile."""
    options, _ = _find_options((("profile", str, profile),), BOTH)
    return options.values()


def _list_chosen(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the options whose values a given tokenizer or language replaces."""
    if given.get("language") is not None:
        return CHOSEN
    return list_tokenizers() if given.get("tokenizer") is not None else ()


def write_keywords(values: Mapping[str, object]) -> str:
    """Write values as keyword arguments."""
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def _make_key(keywords: Mapping[str, Any]) -> tuple[tuple[str, type, Any], ...] | None:
    """Return what equal keywords share; None if a value cannot be compared by what it is."""
    if keywords.get("stemmer_exceptions") is not None:
        return None
    key: list[tuple[str, type, Any]] = []
    for name, value in keywords.items():
        if type(value) in _PLAIN:
            key.append((name, type(value), value))
        elif isinstance(value, list | tuple) and all(type(item) is str for item in value):
            key.append((name, tuple, tuple(value)))
        else:
            return None
    return tuple(key)


@lru_cache(maxsize=_MOST_KEPT)
def _find_options(
    key: tuple[tuple[str, type, Any], ...], families: tuple[Family, ...]
) -> tuple[Options, Sequence[str]]:
    """Return the options of keywords, the same for the same key, and what they warn of."""
    with collect_warnings() as warnings:
        keywords = {name: value for name, _, value in key}
        options = Options._from_keywords(keywords, families)  # noqa: SLF001 - of this module
    return options, warnings


def add_family(family: type[Score], convention: str, profiles: Mapping[str, Profile]) -> None:
    """Make a family known to everything that scores."""
    registry.FAMILIES[family.name] = family
    DEFAULTS[family.name] = convention
    OPTIONS.update({option.name: option for option in family.options})
    PROFILES.update(profiles)
    option_names.cache_clear()
    _find_options.cache_clear()
