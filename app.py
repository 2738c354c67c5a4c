"""The web page of the metric, and its API: explain a pair, score systems, compare profiles, learn.

It runs from the repository (``python app.py``) and from a Space. Gradio serves the API; the page is
the HTML of ``space/``.
"""

from typing import Any, Final

from bleu_rouge_metric.extras import describe_missing

try:
    import gradio as gr
except ModuleNotFoundError as error:
    if error.name != "gradio":
        raise
    message = describe_missing("The page", "the package gradio", '".[app]"')
    raise SystemExit(message) from error

from space.api import score_file, score_pair
from space.samples import MAX_MEGABYTES
from space.server import list_middleware, list_routes


def build_page() -> gr.Blocks:
    """Build the API; uploads are deleted after an hour."""
    api: gr.Blocks
    with gr.Blocks(
        title="BLEU and ROUGE", analytics_enabled=False, delete_cache=(3600, 3600)
    ) as api:
        # Workers limit how much runs at the same time.
        limits: Any = {"concurrency_limit": None}
        gr.events.api(score_pair, api_name="score_pair", **limits)
        # The components name and type the endpoint; nobody clicks the button.
        inputs = [
            gr.File(label="file"),
            gr.File(label="reference_files", file_count="multiple"),
            gr.Textbox("", label="prediction_column"),
            gr.Textbox("", label="reference_column"),
            gr.JSON({}, label="options"),
        ]
        scores = gr.JSON(label="scores")
        gr.Button(visible=False).click(score_file, inputs, scores, api_name="score_file", **limits)
    return api


LAUNCH: Final[dict[str, Any]] = {
    "ssr_mode": False,
    "max_file_size": f"{MAX_MEGABYTES}mb",
    # Gradio keeps the last inputs and outputs of this many callers.
    "state_session_capacity": 32,
    # Errors of the page are shown; those of Gradio may name paths of the server.
    "show_error": False,
    "footer_links": ["api"],
    "app_kwargs": {"routes": list_routes(), "middleware": list_middleware()},
}

if __name__ == "__main__":
    build_page().launch(**LAUNCH)
