"""Gradio page of the metric: explain a pair, compare systems and profiles, score a file, learn.

It runs from the repository (``python app.py``) and from a Space. ``space/`` has a module for each
tab; this file puts them together. The server keeps nothing between two clicks.
"""

import json
from pathlib import Path
from typing import Any, Final

from bleu_rouge_metric import __version__
from bleu_rouge_metric.counting.kernels import current_kernel
from bleu_rouge_metric.extras import describe_missing

try:
    import gradio as gr
except ModuleNotFoundError as error:
    if error.name != "gradio":
        raise
    message = describe_missing("The page", "the package gradio", '".[app]"')
    raise SystemExit(message) from error

from space import compare_tab, explain_tab, file_tab, learn_tab, profiles_tab
from space.limits import MAX_MEGABYTES
from space.serving import ICON, list_middleware

FOLDER: Final = Path(__file__).resolve().parent / "space"
TITLE: Final = "BLEU and ROUGE"
SUBTITLE: Final = "What a score is, why, and whether a difference is real."
DESCRIPTION: Final = (
    "See why a text has its BLEU and ROUGE, compare systems with a test, and score files: exactly "
    "the numbers of the reference libraries."
)
TABS: Final = {
    "explain": ("Explain", explain_tab.build),
    "compare": ("Compare", compare_tab.build),
    "profiles": ("Profiles", profiles_tab.build),
    "learn": ("Learn", learn_tab.build),
    "file": ("Files", file_tab.build),
}


def describe_kernel() -> str:
    """Say which kernel counts."""
    kernel = "compiled kernel" if current_kernel() == "native" else "Python kernel, which is slower"
    return f"Version {__version__}. The {kernel} counts; all numbers are the same."


def build_page() -> gr.Blocks:
    """Build the whole page; uploads are deleted after an hour."""
    page: gr.Blocks
    with gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(3600, 3600)) as page:
        gr.HTML(
            '<a class="skip" href="#explain-results" data-skip>Skip to the results</a>'
            f"<h1>{TITLE}</h1><p>{SUBTITLE}</p>",
            elem_classes="title",
        )
        with gr.Tabs():
            for name, (title, build) in TABS.items():
                with gr.Tab(title, id=name, elem_id=f"{name}-tab") as tab:
                    build(page, tab)
        gr.HTML(f'<p class="kernel">{describe_kernel()}</p>')
    return page


# Blue from 600 up has the contrast of WCAG AA with white.
THEME: Final = gr.themes.Default(
    primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["monospace"]
).set(
    body_background_fill="#fbfbfa",
    body_background_fill_dark="#111214",
    block_background_fill="#ffffff",
    block_background_fill_dark="#18191c",
    border_color_primary="#e2e4e8",
    border_color_primary_dark="#33363d",
    body_text_color_subdued="*neutral_600",
    body_text_color_subdued_dark="*neutral_300",
    button_primary_background_fill="*primary_600",
    button_primary_background_fill_hover="*primary_700",
)
TITLES: Final = json.dumps({name: title for name, (title, _) in TABS.items()})
SCRIPT: Final = (FOLDER / "page.js").read_text("utf-8")
LAUNCH: Final[dict[str, Any]] = {
    "ssr_mode": False,  # else Node would render the page on a Space, but not in the tests
    # Gradio drops a larger file without a message; up to this size the page says what is wrong.
    "max_file_size": f"{10 * MAX_MEGABYTES}mb",
    # Gradio keeps the last inputs and outputs of this many visitors and calls.
    "state_session_capacity": 32,
    "show_error": True,
    "footer_links": ["api"],
    "allowed_paths": [str(compare_tab.EXAMPLE), str(file_tab.EXAMPLE)],
    "favicon_path": ICON,
    "app_kwargs": {"middleware": list_middleware(TITLE, DESCRIPTION)},
    "theme": THEME,
    "css_paths": [FOLDER / "page.css"],
    "head": f"<script>const tabTitles = {TITLES};\n{SCRIPT}</script>",
}

if __name__ == "__main__":
    build_page().launch(**LAUNCH)
