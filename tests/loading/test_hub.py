"""The Space's generated file: loaded from a local server as from the Hub, and by its path."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from .conftest import ROOT, Environment, check, install, make_environment, run, set_version


@contextmanager
def serve_hub(space: Path, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve one Space at the Hub's addresses; yield the server's address and what was asked."""
    asked: list[str] = []
    places = folder / "spaces" / "user" / "bleu_rouge_metric" / "resolve"
    places.mkdir(parents=True)
    (places / "main").symlink_to(space)

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("ETag", '"1"')
            super().end_headers()

        def log_request(self, *_: object) -> None:
            asked.append(self.path)

        def log_error(self, *_: object) -> None:
            """Log nothing: on the Hub a Space has no tag for the version of evaluate either."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


SCORES = "show(evaluate.load({path!r}))"


@pytest.fixture(scope="session")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "space"
    script = ROOT / "scripts" / "build_space.py"
    subprocess.run([sys.executable, script, folder], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", ["bare", "installed"])
def test_a_first_load_from_the_hub_takes_few_requests_and_uses_the_installed_package(
    environments: dict[str, Environment], name: str, space: Path, folder: Path
) -> None:
    environment, code = environments[name], SCORES.format(path="user/bleu_rouge_metric")
    with serve_hub(space, folder / "hub") as (address, asked):
        printed = run(environment, code, folder, folder / "cache", endpoint=address)
    check(printed, environment)
    assert Path(printed["file"]).is_relative_to(environment.packages) == (name == "installed")
    wanted = [path for path in asked if "/spaces/" in path]
    assert len(wanted) <= 6, asked
    assert {path.rpartition("/")[2] for path in wanted} == {"bleu_rouge_metric.py"}


def test_the_space_itself_loads_the_package_of_its_tree(
    bare: Environment, space: Path, tmp_path: Path
) -> None:
    code = SCORES.format(path="./bleu_rouge_metric")
    printed = run(bare, code, space, tmp_path / "cache")
    check(printed, bare)
    assert Path(printed["file"]).is_relative_to(space / "bleu_rouge_metric")


def test_tracebacks_show_the_lines_of_the_texts(
    bare: Environment, space: Path, folder: Path
) -> None:
    code = f"""
        metric = evaluate.load({str(space / "bleu_rouge_metric.py")!r})
        metric.compute(predictions=["a"], references=["a"], max_order=0)
    """
    printed = run(bare, code, folder, folder / "cache")
    assert isinstance(printed, str)
    *lines, last = map(str.strip, printed.splitlines())
    assert last.startswith("ValueError: max_order is 0;")
    assert "options = Options.from_keywords(self._choose_options(kwargs), self._families)" in lines


def test_a_metric_from_the_texts_goes_to_a_spawned_worker(
    bare: Environment, space: Path, folder: Path
) -> None:
    code = f"""
        import multiprocessing

        def score(metric):
            return metric.compute(predictions=["the cat sat"], references=["the cat"])["rouge1"]

        if __name__ == "__main__":
            metric = evaluate.load({str(space / "bleu_rouge_metric.py")!r})
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(json.dumps(pool.map(score, [metric])))
    """
    assert run(bare, code, folder, folder / "cache", script=folder / "spawn.py") == [0.8]


def test_an_older_installed_package_is_told_what_to_do(space: Path, tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "venv")
    install(environment, ROOT)
    set_version(environment.packages / "bleu_rouge_metric", "0.0.9")
    code = f"""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            metric = evaluate.load({str(space / "bleu_rouge_metric.py")!r})
        scores = metric.compute(predictions=["the cat sat"], references=["the cat"])
        texts = [str(warning.message) for warning in caught]
        print(json.dumps([scores["rouge1"], [text for text in texts if "Space" in text]]))
    """
    assert run(environment, code, tmp_path, tmp_path / "cache") == [
        0.8,
        [
            "The installed bleu-rouge-metric has version 0.0.9, but this Space holds version "
            "0.1.0. Version 0.1.0 runs now, from the Space's own sources. Install the version of "
            "the Space (pip install -U git+URL, where URL is the address of the Space), or load "
            "the installed version with bleu_rouge_metric.load()."
        ],
    ]


def test_the_command_runs_in_the_space(bare: Environment, space: Path) -> None:
    examples = ["examples/predictions.txt", "examples/references.txt"]
    result = subprocess.run(
        [bare.python, "-m", "bleu_rouge_metric", "score", *examples, "--format", "json"],
        cwd=space,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert '"rouge1"' in result.stdout
