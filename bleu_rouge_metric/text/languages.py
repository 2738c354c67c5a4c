"""The table of languages: which tokenizers and which stemmer ``language`` chooses for each.

BLEU follows sacrebleu: a tokenizer of its own for Chinese, Japanese and Korean, and ``13a`` for all
others. ``13a`` finds no words where none are separated by spaces, so that such languages have
sacrebleu's ``char``. ROUGE has ``rouge`` for English, XL-Sum's tokenizer and stemmer for the
languages that XL-Sum has published scores of, and ``unicode`` for all others, for which there is no
standard.

Nothing that is chosen depends on what is installed, or is downloaded at run time. Where published
scores need a download, ``published`` has what they were computed with: the SentencePiece model of
FLORES-200 (spBLEU), NLTK's stop words, which XL-Sum's stemmers use, and the dictionary UniDic.
XL-Sum's ``rougeLsum`` compares lines of Chinese, Japanese, Thai and Burmese unsegmented; the
tokenizers here segment lines, too.

A language is known by its English name, its ISO 639 codes, and codes that begin with one of these:
``zh-Hans``, ``pt_BR``, ``deu_Latn``. Not done here: a tokenizer for each script of a language.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..checks import describe_unknown, find_closest
from ..messages import describe_value


class Published(NamedTuple):
    """Tokenizers and stemmer of published scores; empty where ``language`` chooses the same."""

    bleu: str = ""
    rouge: str = ""
    stemmer: str = ""


class Language(NamedTuple):
    """A language: English names and ISO 639 codes, the usual ones first; tokenizers and stemmer."""

    names: tuple[str, ...]
    codes: tuple[str, ...]
    bleu: str = "13a"
    rouge: str = "unicode"
    stemmer: str = ""
    published: Published = Published()

    @property
    def has_spaces(self) -> bool:
        """Whether spaces separate words, and the field tokenizes no further for BLEU."""
        return self.bleu == "13a"


# Who uses each tokenizer.
SOURCES: Final = {
    "13a": "sacrebleu 2.6: the default",
    "zh": "sacrebleu 2.6: for zh",
    "ja-mecab": "sacrebleu 2.6: for ja",
    "ko-mecab": "sacrebleu 2.6: for ko",
    "char": "sacrebleu 2.6: for any language",
    "flores200": "NLLB Team (2022): spBLEU",
    "rouge": "rouge_score 0.1.2",
    "xlsum": "Hasan et al. (2021): XL-Sum",
    "xlsum-burmese": "the same",
    "xlsum-chinese": "the same",
    "xlsum-japanese": "the same",
    "xlsum-thai": "the same",
    "my-syllables": "the same words; `rougeLsum` has them, too",
    "zh-jieba": "likewise",
    "ja-unidic-lite": "likewise, with another dictionary",
    "th-pythainlp": "likewise",
    "unicode": "no standard",
}

# The languages of XL-Sum (Hasan et al., 2021, table 1) that are written with spaces. Each entry has
# the names, and the codes behind them.
_XLSUM: Final = """
Amharic am amh, Arabic/Modern Standard Arabic/Standard Arabic ar ara arb,
Azerbaijani/North Azerbaijani az aze azj, Bengali/Bangla bn ben, French fr fra fre,
Gujarati gu guj, Hausa ha hau, Hindi hi hin, Igbo ig ibo, Indonesian id ind,
Kirundi/Rundi rn run, Kyrgyz/Kirghiz ky kir, Marathi mr mar, Nepali ne nep npi,
Oromo/West Central Oromo om orm gaz, Pashto/Southern Pashto ps pus pbt,
Persian/Western Persian/Farsi fa fas per pes, Nigerian Pidgin/Pidgin pcm, Portuguese pt por,
Punjabi/Panjabi/Eastern Panjabi pa pan, Russian ru rus, Scottish Gaelic/Gaelic gd gla,
Serbian sr srp, Sinhala/Sinhalese si sin, Somali so som, Spanish/Castilian es spa,
Swahili sw swa swh, Tamil ta tam, Telugu te tel, Tigrinya ti tir, Turkish tr tur,
Ukrainian uk ukr, Urdu ur urd, Uzbek/Northern Uzbek uz uzb uzn, Vietnamese vi vie,
Welsh cy cym wel, Yoruba yo yor
"""

# Parity: XL-Sum, seq2seq/utils.py, calculate_rouge: use_stemmer=True with the language of the
# texts, which has an effect on these. The rules of its Bengali stemmer are not in its package.
_STEMMERS: Final = {"Hindi": "hindi", "Turkish": "turkish"}
# Those that need NLTK's lists of stop words.
_SNOWBALL: Final = ("Arabic", "French", "Portuguese", "Russian", "Spanish")

# Languages written with spaces that have no published recipe of ROUGE: those of FLORES-200, of WMT
# and of ISO 639-1 with much text.
_OTHERS: Final = """
Abkhazian ab abk, Acehnese ace, Afrikaans af afr, Akan ak aka,
Albanian/Tosk Albanian sq sqi alb als,
Armenian hy hye arm, Assamese as asm, Asturian ast, Awadhi awa, Aymara/Central Aymara ay aym ayr,
Balinese ban, Bambara bm bam, Banjar bjn, Bashkir ba bak, Basque eu eus baq, Belarusian be bel,
Bemba bem, Bhojpuri bho, Bislama bi bis, Bosnian bs bos, Breton br bre, Buginese bug,
Bulgarian bg bul, Catalan ca cat, Cebuano ceb, Central Atlas Tamazight tzm,
Central Kurdish/Sorani ckb, Chechen ce che, Chhattisgarhi hne, Chokwe cjk, Chuvash cv chv,
Cornish kw cor, Corsican co cos, Crimean Tatar crh, Croatian hr hrv, Czech cs ces cze,
Danish da dan, Dari prs, Dhivehi/Divehi dv div, Dinka/Southwestern Dinka din dik, Dogri doi,
Dutch nl nld dut, Dyula dyu, Egyptian Arabic arz, Esperanto eo epo, Estonian et est ekk,
Ewe ee ewe, Faroese fo fao, Fijian fj fij, Filipino/Tagalog tl tgl fil, Finnish fi fin, Fon fon,
Friulian fur, Fulah/Nigerian Fulfulde ff ful fuv, Galician gl glg, Ganda/Luganda lg lug,
Georgian ka kat geo, German de deu ger, Greek el ell gre, Greenlandic/Kalaallisut kl kal,
Guarani gn grn, Haitian Creole/Haitian ht hat, Hawaiian haw, Hebrew he heb iw, Hmong hmn,
Hungarian hu hun, Icelandic is isl ice, Ilocano/Iloko ilo, Inuktitut iu iku, Irish ga gle,
Italian it ita, Javanese jv jav, Jingpho/Kachin kac, Kabiyè kbp, Kabuverdianu kea, Kabyle kab,
Kamba kam, Kannada kn kan, Kanuri/Central Kanuri kr kau knc, Kashmiri ks kas, Kazakh kk kaz,
Kikongo/Kongo kg kon, Kikuyu ki kik, Kimbundu kmb, Kinyarwanda rw kin, Konkani/Goan Konkani kok gom,
Kurdish/Northern Kurdish/Kurmanji ku kur kmr, Latgalian ltg, Latin la lat,
Latvian/Standard Latvian lv lav lvs, Ligurian lij, Limburgish li lim, Lingala ln lin,
Lithuanian lt lit, Livonian liv, Lombard lmo, Low German nds, Lower Sorbian dsb,
Luba-Kasai/Luba-Lulua lua, Luo luo, Luxembourgish lb ltz, Macedonian mk mkd mac, Magahi mag,
Maithili mai, Malagasy/Plateau Malagasy mg mlg plt, Malay/Standard Malay ms msa may zsm,
Malayalam ml mal, Maltese mt mlt, Manipuri/Meitei mni, Manx gv glv, Maori mi mri mao,
Mesopotamian Arabic acm, Minangkabau min, Mizo lus, Mongolian/Halh Mongolian mn mon khk,
Moroccan Arabic ary, Mossi mos, Najdi Arabic ars, North Levantine Arabic apc, Northern Sami se sme,
Northern Sotho/Sepedi nso, Norwegian no nor, Norwegian Bokmål nb nob, Norwegian Nynorsk nn nno,
Nuer nus, Nyanja/Chichewa ny nya, Occitan oc oci, Odia/Oriya or ori ory, Ossetic os oss,
Pangasinan pag, Papiamento pap, Polish pl pol, Quechua/Ayacucho Quechua qu que quy,
Romanian/Moldovan ro ron rum mo, Romansh rm roh, Samoan sm smo, Sango sg sag, Sanskrit sa san,
Santali sat, Sardinian sc srd, Shona sn sna, Sicilian scn, Silesian szl, Sindhi sd snd,
Slovak sk slk slo, Slovenian/Slovene sl slv, South Azerbaijani azb, South Levantine Arabic ajp,
Southern Sotho/Sesotho st sot, Sundanese su sun, Swati ss ssw, Swedish sv swe, Swiss German gsw,
Ta'izzi-Adeni Arabic acq, Tahitian ty tah, Tajik tg tgk, Tamasheq taq, Tatar tt tat, Tok Pisin tpi,
Tonga/Tongan to ton, Tsonga ts tso, Tswana tn tsn, Tumbuka tum, Tunisian Arabic aeb, Turkmen tk tuk,
Twi tw twi, Umbundu umb, Upper Sorbian hsb, Uyghur/Uighur ug uig, Venda ve ven, Venetian vec,
Waray war, Western Frisian/Frisian fy fry, Wolof wo wol, Xhosa xh xho, Yakut sah,
Yiddish/Eastern Yiddish yi yid ydd, Zulu zu zul
"""

# Languages without spaces, or with spaces between phrases or syllables, of FLORES-200.
_WITHOUT_SPACES: Final = """
Dzongkha dz dzo, Khmer/Cambodian km khm, Lao/Laotian lo lao, Shan shn,
Tibetan/Standard Tibetan bo bod tib
"""

_SPBLEU: Final = Published(bleu="flores200")

_ENTRY: Final = re.compile(r"(?P<names>[^,]+?)(?P<codes>(?:\s[a-z]{2,3})+)(?:,\s|\s*$)")


def _read(text: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Iterate over the entries of a text: names and codes."""
    for entry in _ENTRY.finditer(text):
        yield tuple(entry["names"].strip().split("/")), tuple(entry["codes"].split())


LANGUAGES: Final = tuple(
    sorted(
        (
            Language(
                ("English",), ("en", "eng"), rouge="rouge", published=Published(stemmer="english")
            ),
            Language(
                ("Chinese", "Mandarin", "Mandarin Chinese"),
                ("zh", "zho", "chi", "cmn"),
                "zh",
                "zh-jieba",
                published=Published(rouge="xlsum-chinese"),
            ),
            Language(("Cantonese", "Yue Chinese"), ("yue",), "zh", published=_SPBLEU),
            Language(
                ("Japanese",),
                ("ja", "jpn"),
                "ja-mecab",
                "ja-unidic-lite",
                published=Published(rouge="xlsum-japanese"),
            ),
            Language(("Korean",), ("ko", "kor"), "ko-mecab", "xlsum"),
            Language(
                ("Burmese", "Myanmar"),
                ("my", "mya", "bur"),
                "char",
                "my-syllables",
                published=_SPBLEU._replace(rouge="xlsum-burmese"),
            ),
            Language(
                ("Thai",),
                ("th", "tha"),
                "char",
                "th-pythainlp",
                published=_SPBLEU._replace(rouge="xlsum-thai"),
            ),
            *(
                Language(
                    names,
                    codes,
                    rouge="xlsum",
                    stemmer=_STEMMERS.get(names[0], ""),
                    published=Published(
                        stemmer=names[0].casefold() if names[0] in _SNOWBALL else ""
                    ),
                )
                for names, codes in _read(_XLSUM)
            ),
            *(Language(names, codes) for names, codes in _read(_OTHERS)),
            *(
                Language(names, codes, bleu="char", published=_SPBLEU)
                for names, codes in _read(_WITHOUT_SPACES)
            ),
        )
    )
)

# Words of names that say the script: "Chinese (Simplified)", "serbian_cyrillic".
_SCRIPTS: Final = frozenset({"simplified", "traditional", "cyrillic", "latin", "script"})
# A code, and behind it a script, a region and variants (BCP 47).
_TAG: Final = re.compile(
    r"(?P<code>[a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|[0-9]{3}))?"
    r"(?:[-_](?:[0-9a-z]{5,8}|[0-9][0-9a-z]{3}))*"
)
_WORD: Final = re.compile(r"[^\W_]+")


def _split(text: str) -> tuple[str, ...]:
    """Return the words of a name or a code, in lower case."""
    return tuple(_WORD.findall(text.casefold()))


_BY_CODE: Final = {code: language for language in LANGUAGES for code in language.codes}
_BY_NAME: Final = {_split(name): language for language in LANGUAGES for name in language.names}


def find_language(option: str, choice: object) -> Language:
    """Return the language of an English name, or of an ISO 639 code with any script and region.

    >>> find_language("language", "pt-BR").names
    ('Portuguese',)
    >>> find_language("language", "Chinese (Simplified)").codes
    ('zh', 'zho', 'chi', 'cmn')
    """
    expected = "expected an ISO 639 code or an English name, such as 'de' or 'German'."
    if not isinstance(choice, str):
        raise TypeError(describe_value(option, repr(choice), expected))
    words = _split(choice)
    name = tuple(word for word in words if word not in _SCRIPTS)
    language = _BY_NAME.get(words) or _BY_NAME.get(name)
    if language is None and (tag := _TAG.fullmatch(choice.lower())):
        language = _BY_CODE.get(tag["code"])
    if language is None:
        names = [name for known in LANGUAGES for name in known.names]
        meant = find_closest(choice.strip().title(), names)
        raise ValueError(describe_unknown(option, choice, expected, meant))
    return language


def use_published(language: Language) -> Language:
    """Return a language with what its published scores of ROUGE were computed with.

    >>> use_published(find_language("language", "th")).rouge
    'xlsum-thai'
    """
    _, rouge, stemmer = language.published
    return language._replace(
        rouge=rouge or language.rouge, stemmer=stemmer or language.stemmer, published=Published()
    )
