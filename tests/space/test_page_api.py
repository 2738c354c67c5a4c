"""The page for programs: named and typed endpoints, and what the server keeps after a call."""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import evaluate
import pytest

from ..conftest import ROOT, require
from ..support.browser import clean_environment
from ..support.pages import OPTIONS


@pytest.fixture(scope="module")
def client(address: str) -> Any:
    return require("gradio_client").Client(address, verbose=False)


def test_the_snippet_of_the_manual_runs(address: str, metric: evaluate.Metric) -> None:
    guide = (ROOT / "docs/guides/space.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    (snippet,) = [block for block in blocks if "gradio_client" in block]
    # Only the address differs: it is that of the test's page.
    assert snippet.count("http://127.0.0.1:7860") == 1
    done = subprocess.run(
        [sys.executable, "-c", snippet.replace("http://127.0.0.1:7860", address)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pair = metric.compute(
        predictions=["the cat sat"], references=[["the cat sat down", "a cat sat"]], max_order=2
    )
    texts = {
        name: (ROOT / "examples" / f"{name}.txt").read_text("utf-8").splitlines()
        for name in ("predictions", "references")
    }
    file = metric.compute(**texts)
    each = metric.compute(**texts, use_aggregator=False)
    *_, second, third = done.stdout.splitlines()
    assert second == f"{pair['bleu']} {pair['rouge1']} []"
    assert third == f"{file['rougeL']} {each['rougeL']}"


def test_the_endpoints_are_named_and_typed(client: Any) -> None:
    api = client.view_api(return_format="dict", print_info=False)
    assert api["unnamed_endpoints"] == {}
    endpoints = {
        name: {
            one["parameter_name"]: (one["python_type"]["type"], one["parameter_has_default"])
            for one in endpoint["parameters"]
        }
        for name, endpoint in api["named_endpoints"].items()
    }
    assert list(endpoints) == ["/score_pair", "/score_file"]
    pair, file = endpoints.values()
    assert pair == {
        "prediction": ("str", False),
        "references": ("list[str]", False),
        "max_order": ("int", True),
        "smooth": ("str", True),
        "bleu_tokenizer": ("str", True),
        "rouge_types": ("list[str]", True),
        "rouge_tokenizer": ("str", True),
        "use_stemmer": ("str", True),
        "effective_order": ("bool", True),
        "sentence_splitter": ("str", True),
        "profile": ("str", True),
        "language": ("str", True),
    }
    assert list(file) == [
        "file",
        "reference_files",
        "prediction_column",
        "reference_column",
        *list(pair)[2:],
    ]
    assert file["file"] == ("filepath", False)
    assert file["reference_files"] == ("list[filepath]", True)
    assert file["prediction_column"][1]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"prediction": None, "references": ["a"]},
            "The prediction: the value is missing; fill it in, or remove the row.",
        ),
        (
            {"prediction": "a", "references": "a"},
            "references is not a list; expected a list of texts.",
        ),
        (
            {"prediction": "a", "references": ["a"], "max_order": 1000},
            "max_order is 1000; expected an int from 1 to 9.",
        ),
        (
            {"prediction": "a", "references": ["a"] * 21},
            "The prediction: there are 21 references; this page scores up to 20 for a sample.",
        ),
    ],
)
def test_a_program_is_told_what_is_wrong(
    client: Any, keywords: dict[str, Any], message: str
) -> None:
    AppError = require("gradio_client.exceptions").AppError  # noqa: N806

    with pytest.raises(AppError, match=f"^{re.escape(message)}$"):
        client.predict(**keywords, api_name="/score_pair")


def call(address: str, name: str, data: list[Any]) -> str:
    """Call the page without the client, in a new session; return its answer."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    url = f"{address}gradio_api/call/{name}"
    body = json.dumps({"data": data}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with opener.open(request) as response:
        event = json.load(response)["event_id"]
    with opener.open(f"{url}/{event}") as response:
        answer: str = response.read().decode()
        return answer


def test_no_file_of_the_server_is_read(address: str, tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("secret\n")
    stolen = {"path": str(path), "meta": {"_type": "gradio.FileData"}}
    columns = ("prediction", "reference")
    answer = call(address, "score_file", [stolen, [stolen], *columns, *OPTIONS])
    assert answer.startswith("event: error")


# Serves the page in this process; prints how many bytes a call leaves in memory.
CALL = """
import tracemalloc
from app import LAUNCH, build_page
from tests.support.pages import OPTIONS
from tests.space.test_page_api import call
page = build_page()
_, address, _ = page.launch(**LAUNCH, prevent_thread_lock=True, quiet=True)
def repeat(times):
    for number in range(times):
        data = [f"{number} " + "a" * 19_000, ["b" * 19_000], *OPTIONS]
        assert call(address, "score_pair", data).startswith("event: complete")
    return tracemalloc.get_traced_memory()[0]
tracemalloc.start()
before = repeat(32 + 8)
print((repeat(16) - before) / 16)
# As Ctrl-C ends app.py. Python would stop the server's threads wherever they are.
page.close(verbose=False)
"""


def test_calls_leave_nothing_in_memory(tmp_path: Path) -> None:
    require("gradio")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CALL],
        cwd=ROOT,
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # A session keeps the texts of its call and the page, together some 200 kB.
    assert float(done.stdout.splitlines()[-1]) < 20_000
