"""The server of the page: limits, sessions, headers, uploads, and the API for programs."""

import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

from ..conftest import ROOT, require
from ..support.browser import serve_page
from .conftest import Server

require("gradio")
from space import server as page  # noqa: E402
from space import worker  # noqa: E402
from space.options import Choices, InputError  # noqa: E402
from space.samples import SystemTexts  # noqa: E402
from space.systems import Result  # noqa: E402
from space.systems_view import FILES  # noqa: E402

PAIR: Any = {"prediction": "the cat sat", "references": ["the cat sat down", "a cat sat"]}
# Within all limits, but it takes half a minute: 21 texts of combining marks.
HOSTILE: Any = {
    "prediction": "e" + "\u0301\u0323" * 9_999,
    "references": ["o" + "\u0323\u0301" * 9_999] * 20,
    "rouge_tokenizer": "google-adk",
}


def test_a_small_request_is_answered_beside_four_hostile_ones(server: Server) -> None:
    server.post("explain", **PAIR)
    slow = dict.fromkeys(range(4), "")

    def ask(number: int) -> None:
        slow[number] = str(server.post("explain", **HOSTILE, view=str(number)))

    threads = [threading.Thread(target=ask, args=(number,)) for number in slow]
    for thread in threads:
        thread.start()
    time.sleep(1)
    for _ in range(3):
        assert "explain-results" in server.post("explain", **PAIR)["html"]
    # How long a hostile one takes depends on the machine; those that wait for it take longer.
    assert any(thread.is_alive() for thread in threads), "the small requests waited"
    for thread in threads:
        thread.join()
    for answer in slow.values():
        assert "stopped; score fewer or shorter texts" in answer or "explain-results" in answer


def test_a_call_is_killed_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    worker.submit(1, len, "abc").future.result()  # starts a process
    monkeypatch.setattr(worker, "MAX_SECONDS", 1)
    with pytest.raises(InputError, match="took more than 1 seconds or 1000 MB of memory"):
        worker.submit(1, time.sleep, 600).future.result()
    assert worker.submit(1, len, "abc").future.result() == 3


def test_a_call_is_cancelled() -> None:
    memory = np.ones(100_000_000)  # a server of more memory than a worker may keep
    processes = {worker.submit(10_000, os.getpid).future.result() for _ in range(2)}
    assert len(processes) == 1, "a worker was not kept"
    del memory
    call = worker.submit(10_000, time.sleep, 600)
    while not call.future.running():
        time.sleep(0.01)
    call.cancel()
    with pytest.raises((InputError, CancelledError)):
        call.future.result()


def test_memory_of_a_call_is_limited() -> None:
    with pytest.raises(InputError, match="needs more than 1000 MB of memory"):
        worker.submit(10_000, bytearray, 2_000_000_000).future.result()


def test_an_unexpected_error_names_no_text(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="This page has an error, ValueError") as caught:
        worker.submit(1, int, "a text of somebody").future.result()
    assert "somebody" not in str(caught.value) + capfd.readouterr().err


def make_result(rows: int, size: int) -> Result:
    texts = SystemTexts({"a": ["x" * size] * rows}, [["y"]] * rows, {}, "", [], [])
    scores = {"a": {"rouge1": np.zeros(rows)}}
    return Result(texts, Choices.read({}), {}, {}, "", scores, {}, None, None, [])


def test_results_are_few_and_of_bounded_size() -> None:
    store = page.Store()
    for number in range(30):
        store.put(f"session-{number}", make_result(10, 10))
    assert len(store) == page.MOST_RESULTS
    with pytest.raises(InputError, match="no longer on the server"):
        store.get("session-0")
    for number in range(5):
        store.put(f"large-{number}", make_result(1_000, 12_000))
    assert len(store) == 3
    store.put("large-4", make_result(1, 1))
    assert store.get("large-4").characters == 2


def find_process(server: Server) -> Path:
    """Return the folder in /proc of the server."""
    port = server.address.rsplit(":", 1)[1].strip("/")
    for path in Path("/proc").glob("[0-9]*"):
        try:
            environment = (path / "environ").read_bytes()
            command = (path / "cmdline").read_bytes()
        except OSError:
            continue
        if f"GRADIO_SERVER_PORT={port}".encode() in environment and b"app.py" in command:
            return path
    pytest.skip("This system has no /proc.")


def read_memory(server: Server) -> int:
    """Return the memory of the server in MB."""
    status = (find_process(server) / "status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1000


def count_working(server: Server) -> int:
    """Return how many processes of the server run at this moment."""
    process = find_process(server)
    children = (process / "task" / process.name / "children").read_text().split()
    for task in (process / "task").iterdir():
        children += (task / "children").read_text().split()
    states = [(Path("/proc") / child / "stat").read_text().split()[2] for child in {*children}]
    return states.count("R")


def test_a_browser_that_leaves_stops_its_work(server: Server) -> None:
    body = json.dumps({**HOSTILE, "session": "test-session"})
    host, port = server.address.removeprefix("http://").strip("/").split(":")
    connection = http.client.HTTPConnection(host, int(port))
    connection.request("POST", "/page/explain", body, {"Content-Type": "application/json"})
    while not count_working(server):
        time.sleep(0.1)
    connection.close()
    # Long before the limit of time ends it.
    deadline = time.monotonic() + worker.MAX_SECONDS / 2
    while count_working(server):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_visits_leave_no_memory(server: Server) -> None:
    rows = "".join(f"the cat sat {row}\tthe cat sat\n" for row in range(10_000))
    table = ("systems", "many.tsv", f"prediction\treference\n{rows}".encode())
    sizes = []
    for visit in range(18):
        session = f"visit-{visit:04}"
        server.upload(session, table)
        assert "html" in server.post("systems", session=session, upload="many.tsv")
        sizes.append(read_memory(server))
    # As soon as the kept results are full, a visit takes the place of an earlier one.
    assert sizes[-1] - sizes[page.MOST_RESULTS] < 25


def test_the_tabs_are_answered(server: Server) -> None:
    assert "explain-results" in server.post("explain", **PAIR)["html"]
    assert "profiles-results" in server.post("profiles", **PAIR)["html"]
    shown = server.post("systems", upload="systems.csv")["html"]
    assert set(shown) == {"systems-columns", "systems-results"}
    query = "session=test-session&score=rouge1&system=words12"
    with server.fetch(f"page/cell?{query}") as response:
        assert "words12</bdi>, ROUGE-1" in json.load(response)["html"]["systems-cell"]
    with server.fetch(f"page/cell?{query}&winner=ties&search=the&most=20") as response:
        assert "systems-rows" in json.load(response)["html"]
    for kind, (_, name, media) in FILES.items():
        with server.fetch(f"page/file?session=test-session&kind={kind}") as response:
            assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
            assert response.headers["Content-Type"].startswith(media)
            assert response.read()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"session": "x"}, "The request names no session; reload the page."),
        ({"upload": ""}, "There is no file yet; upload one, or paste texts."),
        ({"upload": "../../README.md"}, "The files are no longer on the server"),
        ({"upload": "systems.csv", "seed": "x"}, "seed is &#x27;x&#x27;; expected a whole"),
    ],
)
def test_an_error_is_a_message(server: Server, values: dict[str, Any], message: str) -> None:
    assert message in server.post("systems", **values)["error"]


def test_uploads_are_read_until_others_take_their_place(server: Server) -> None:
    csv = b"prediction,reference\nthe cat,the cat sat\n"
    assert server.upload("uploads-1", ("systems", "mine.csv", csv)) == {"upload": "mine.csv"}
    for _ in range(2):
        shown = server.post("systems", session="uploads-1", upload="mine.csv")["html"]
        assert "mine.csv, columns prediction against reference: 1 sample." in str(shown)
    # The error of the file stays that of the file.
    server.upload("uploads-1", ("systems", "empty.csv", b""))
    for _ in range(2):
        error = server.post("systems", session="uploads-1", upload="empty.csv")["error"]
        assert "empty.csv is empty; expected one row" in error
    large = ("systems", "large.csv", b"x" * 20_500_000)
    assert "large.csv has 20.5 MB" in server.upload("uploads-1", large)["error"]
    assert server.upload("uploads-1", ("systems", "../..", b"x")) == {"upload": "unnamed.txt"}
    with server.fetch("page/explain", b"x" * 8_000_001) as response:
        assert "The request has 8.0 MB; expected up to 8 MB." in json.load(response)["error"]
    false = ("systems", "false.parquet", b"not Parquet")
    server.upload("uploads-1", false)
    error = server.post("systems", session="uploads-1", upload="false.parquet")["error"]
    assert "not a readable Parquet file" in error
    assert str(page._UPLOADS.parent) not in error


@pytest.mark.parametrize(
    ("texts", "references", "name"),
    [
        ("a b\nc d", "a b\nc", "pasted.txt"),
        ("prediction\treference\na\tb", "", "pasted.tsv"),
        ("mine,reference\na,b", "", "pasted.csv"),
        ('{"prediction": "a", "reference": "b"}', "", "pasted.jsonl"),
    ],
)
def test_texts_are_pasted(server: Server, texts: str, references: str, name: str) -> None:
    given = [("systems", "", texts.encode()), ("references", "", references.encode())]
    found = server.upload("pasted-01", *given)
    assert found["upload"].startswith(name)
    assert "systems-results" in server.post("systems", session="pasted-01", upload="x")["html"]


def test_files_of_systems_have_a_baseline(server: Server) -> None:
    files = [("systems", "b.txt"), ("systems", "a.txt"), ("references", "gold.txt")]
    given = [(kind, name, f"{name} and more\n".encode() * 2) for kind, name in files]
    assert server.upload("files-001", *given) == {"upload": "b.txt, a.txt and gold.txt"}
    shown = server.post("systems", session="files-001", upload="x", baseline="b")["html"]
    assert '<option value="b">b</option>' in shown["systems-columns"]
    assert "bleu-rouge compare a.txt b.txt --references gold.txt" in shown["systems-results"]


def test_headers_are_strict(server: Server) -> None:
    for path, is_ours in (("", True), ("page/page.js", True), ("?view=api", False)):
        with server.fetch(path) as response:
            headers = response.headers
            assert headers["X-Content-Type-Options"] == "nosniff"
            policy = headers["Content-Security-Policy"]
            assert ("script-src 'self'; " in policy) == is_ours
            assert ("unsafe-eval" in policy) != is_ours
    with server.fetch("") as response:
        html = response.read().decode()
    assert "<title>BLEU and ROUGE</title>" in html
    assert re.findall(r"<script(?! src)|\son\w+=|https?://(?!www.w3.org)", html) == []


def test_the_built_space_answers(tmp_path: Path) -> None:
    folder, home = tmp_path / "space", tmp_path / "home"
    home.mkdir()
    build = [sys.executable, str(ROOT / "scripts/build_space.py"), str(folder)]
    subprocess.run(build, check=True, capture_output=True)
    with serve_page(folder / "app.py", home) as address:
        built = Server(address, home)
        assert "explain-results" in built.post("explain", **PAIR)["html"]
        assert "Worse than" in str(built.post("systems", upload="systems.csv"))


def test_the_snippet_of_the_manual_runs(server: Server, metric: evaluate.Metric) -> None:
    guide = (ROOT / "docs/guides/space.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    (snippet,) = [block for block in blocks if "gradio_client" in block]
    # Only the address differs: it is that of the test's page.
    assert snippet.count("http://127.0.0.1:7860") == 1
    code = snippet.replace("http://127.0.0.1:7860", server.address)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    pair = metric.compute(
        predictions=[PAIR["prediction"]], references=[PAIR["references"]], max_order=2
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


def test_the_endpoints_are_named(server: Server) -> None:
    client = require("gradio_client").Client(server.address, verbose=False)
    api = client.view_api(return_format="dict", print_info=False)
    assert api["unnamed_endpoints"] == {}
    names = {
        name: [one["parameter_name"] for one in endpoint["parameters"]]
        for name, endpoint in api["named_endpoints"].items()
    }
    columns = ["prediction_column", "reference_column"]
    assert names == {
        "/score_pair": ["prediction", "references", "options"],
        "/score_file": ["file", "reference_files", *columns, "options"],
    }


def call(server: Server, name: str, data: list[Any]) -> str:
    """Call the API as curl does."""
    body = json.dumps({"data": data}).encode()
    with server.fetch(f"gradio_api/call/{name}", body) as response:
        event = json.load(response)["event_id"]
    with server.fetch(f"gradio_api/call/{name}/{event}") as response:
        answer: str = response.read().decode()
        return answer


def test_curl_needs_only_what_differs_from_the_defaults(server: Server) -> None:
    for data in ([PAIR["prediction"], PAIR["references"]], [*PAIR.values(), {"smooth": "exp"}]):
        answer = call(server, "score_pair", data)
        assert answer.startswith("event: complete"), answer


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (["a", "a"], "references is not a list; expected a list of texts."),
        (["a", ["a"], {"max_order": 1000}], "max_order is 1000; expected one of 1, 2, 3"),
        (["a", ["a"], 7], "options is '7'; expected an object, such as {}."),
    ],
)
def test_a_program_is_told_what_is_wrong(server: Server, data: list[Any], message: str) -> None:
    answer = call(server, "score_pair", data)
    assert answer.startswith("event: error")
    assert message in answer
    log = (server.home / "log.txt").read_text()
    assert "Traceback" not in log


def test_no_file_of_the_server_is_read(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("secret\n")
    stolen = {"path": str(path), "meta": {"_type": "gradio.FileData"}}
    answer = call(server, "score_file", [stolen, [stolen], "", "", {}])
    assert answer.startswith("event: error")
    assert str(tmp_path) not in answer.replace(json.dumps(stolen), "")
    with pytest.raises(urllib.error.HTTPError):
        server.fetch(f"gradio_api/file={path}")
