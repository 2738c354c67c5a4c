"""Answer the requests of the page: HTML for its tabs, uploads, and what is kept of a session.

The page is our own HTML; Gradio serves the API of ``app.py`` and its description beside it.
"""

import asyncio
import json
import re
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

from starlette.datastructures import MutableHeaders, UploadFile
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Match, Route

from bleu_rouge_metric import __version__
from bleu_rouge_metric.counting.kernels import current_kernel
from bleu_rouge_metric.files.samples import name_systems
from bleu_rouge_metric.matching.texts import join_names

from . import explain
from .options import (
    InputError,
    list_lacking,
    write_bar,
    write_boxes,
    write_language,
    write_menu,
    write_message,
)
from .samples import (
    EXAMPLES,
    MAX_MEGABYTES,
    MAX_ROWS,
    MAX_SYSTEMS,
    Files,
    choose_columns,
    read_names,
)
from .systems import ALTERNATIVES, CORRECTIONS, TESTS, Result, score_files
from .systems_view import FILES, STEP, show_cell, show_result, show_rows, write_file
from .worker import MAX_SECONDS, SMALL, submit

FOLDER: Final = Path(__file__).resolve().parent
KEPT_SECONDS: Final = 3600  # of uploads
MOST_RESULTS: Final = 12
MOST_CHARACTERS: Final = 40_000_000  # of the texts of all kept results
_MOST_JSON: Final = 8_000_000  # bytes of the texts of a pair
_SESSION: Final = re.compile(r"[\w-]{8,40}")
# The examples of the tab Systems, by what the page sends in place of an upload.
_EXAMPLES: Final = {"systems.csv": "three systems", "samples.jsonl": "one system"}
# The number of inputs of the endpoints of the API.
_INPUTS: Final = {"score_pair": 3, "score_file": 5}
_SAFE: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'"
)
# What the description of the API by Gradio needs.
_GRADIO: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' "
    "'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; base-uri 'self'; "
    "object-src 'none'"
)


class Store:
    """The last result of each session: few, and of bounded size."""

    def __init__(self) -> None:
        self._results: OrderedDict[str, Result] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, session: str, result: Result) -> None:
        """Keep the result of a session; the results of the longest unused ones go."""
        with self._lock:
            self._results[session] = result
            self._results.move_to_end(session)
            size = sum(one.characters for one in self._results.values())
            while len(self._results) > MOST_RESULTS or size > MOST_CHARACTERS:
                _, dropped = self._results.popitem(last=False)
                size -= dropped.characters

    def get(self, session: str) -> Result:
        """Return the result of a session; raise InputError if it is not kept any more."""
        with self._lock:
            if session not in self._results:
                raise InputError("The results are no longer on the server; score again.")
            self._results.move_to_end(session)
            return self._results[session]

    def __len__(self) -> int:
        return len(self._results)


STORE: Final = Store()
_FOLDER: Final = tempfile.TemporaryDirectory(prefix="bleu-rouge-page-")
_UPLOADS: Final = Path(_FOLDER.name)


async def answer_call(
    request: Request, size: int, function: Callable[..., Any], *arguments: Any
) -> Any:
    """Return what a worker returns; stop it if the browser does not wait any more."""
    call = submit(size, function, *arguments)
    future = asyncio.wrap_future(call.future)
    while not future.done():
        await asyncio.wait({future}, timeout=0.2)
        if not future.done() and await request.is_disconnected():
            call.cancel()
            break
    return await future


def answer(handler: Callable[[Request], Awaitable[Any]]) -> Callable[..., Awaitable[Response]]:
    """Return an endpoint that answers with JSON, or with the message of an error."""

    async def respond(request: Request) -> Response:
        try:
            found = await handler(request)
        except InputError as reason:
            found = {"error": write_message(reason.args[0], "error")}
        except asyncio.CancelledError:
            return Response(status_code=499)
        return found if isinstance(found, Response) else JSONResponse(found)

    return respond


async def _read_values(request: Request) -> dict[str, Any]:
    await _check_length(request, _MOST_JSON)
    try:
        values = await request.json()
    except ValueError as reason:
        raise InputError("The request is not JSON.") from reason
    if not isinstance(values, dict):
        raise InputError("The request is not an object.")
    return values


async def _check_length(request: Request, most: int) -> None:
    """Raise InputError before a body is read that is too large, or does not say how large it is."""
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > most:
        async for _ in request.stream():
            pass  # else the browser gets no answer
        size = int(length or 0) / 1_000_000
        raise InputError(f"The request has {size:.1f} MB; expected up to {most / 1_000_000:g} MB.")


def _get_session(values: Mapping[str, Any]) -> str:
    session = str(values.get("session"))
    if not _SESSION.fullmatch(session):
        raise InputError("The request names no session; reload the page.")
    return session


async def answer_pair(request: Request, function: Callable[..., Any]) -> Any:
    """Answer with the results of the tabs Explain and Profiles."""
    values = await _read_values(request)
    size = len(json.dumps(values, ensure_ascii=False))
    # pysbd takes a long time for some short texts.
    slow = SMALL * (values.get("sentence_splitter") == "pysbd")
    found = await answer_call(request, size + slow, function, values)
    return {"html": found}


def _list_files(values: Mapping[str, Any]) -> Files:
    """Return the files of a session and the chosen columns."""
    upload = str(values.get("upload"))
    if upload in _EXAMPLES:
        systems, references = [str(EXAMPLES / upload)], []
    else:
        folder = _UPLOADS / _get_session(values)
        systems, references = (
            sorted(map(str, (folder / kind).glob("*"))) for kind in ("systems", "references")
        )
        if upload and not systems:
            raise InputError(
                "The files are no longer on the server, which keeps uploads for an hour; upload "
                "them again."
            )
    columns = values.get("columns")
    labels = {name: str(values[name]) for name in ("clusters", "groups") if values.get(name)}
    return Files(
        systems,
        references,
        [str(name) for name in columns if name] if isinstance(columns, list) else None,
        str(values.get("reference_column") or "") or None,
        labels,
    )


def run_systems(files: Files, values: Mapping[str, Any]) -> tuple[dict[str, str], str, Any]:
    """Return HTML by id, the message of an error, and the result; runs in a worker."""
    html: dict[str, str] = {}
    try:
        if not values.get("read"):
            names, _ = read_names(files)
            html["systems-columns"] = write_columns(names, files)
        result = score_files(files, values)
    except InputError as reason:
        return html, write_message(reason.args[0], "error"), None
    html["systems-results"] = show_result(result)
    return html, "", result


async def answer_systems(request: Request) -> Any:
    """Answer with the results of the tab Systems, and keep them for their session."""
    values = await _read_values(request)
    session, files = _get_session(values), _list_files(values)
    html, error, result = await answer_call(request, SMALL + 1, run_systems, files, values)
    if error:
        return {"html": html, "error": error}
    await asyncio.to_thread(STORE.put, session, result)
    return {"html": html}


def write_columns(names: list[str], files: Files) -> str:
    """Return the menus of a table's columns as HTML."""
    read = '<input type="hidden" name="read" value="1">'
    if not names:
        systems = name_systems(files.systems) if len(files.systems) > 1 else []
        return read + (_write_columns("baseline", "the first", systems, None) if systems else "")
    columns, reference = choose_columns(names)
    menus = [write_boxes("columns", "Systems", names, columns)]
    if not files.references:
        menus.append(_write_columns("reference_column", "", names, reference))
    for name, empty in (("baseline", "the first"), ("clusters", "none"), ("groups", "none")):
        menus.append(_write_columns(name, empty, names, None))
    # Without a box that is checked there is still a list.
    return f'{read}<input type="hidden" name="columns" data-list value="">{"".join(menus)}'


def _write_columns(name: str, empty: str, columns: list[str], chosen: str | None) -> str:
    label = name.partition("_")[0].title()
    return write_menu(name, label, {"": empty, **{one: one for one in columns}}, chosen)


async def answer_upload(request: Request) -> Any:
    """Save the files and the pasted texts of a session in place of its earlier ones."""
    # Up to this size the message names the file.
    await _check_length(request, 5 * MAX_MEGABYTES * 1_000_000)
    async with request.form(max_files=2 * MAX_SYSTEMS + 20, max_part_size=2**25) as form:
        session = _get_session(form)
        folder = _UPLOADS / session
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        names, size = [], 0
        for field, value in form.multi_items():
            kind = field.partition("-")[0]
            if kind not in ("systems", "references") or value == "":
                continue
            if isinstance(value, UploadFile):
                content, given = await value.read(), value.filename or ""
            else:
                content, given = value.encode("utf-8", "replace"), _name_pasted(value, kind)
            name = Path(given).name.lstrip(".")[-200:] or "unnamed.txt"
            size += len(content)
            if size > MAX_MEGABYTES * 1_000_000:
                shutil.rmtree(folder, ignore_errors=True)
                raise InputError(
                    f"{name} has {len(content) / 1_000_000:.1f} MB; this page reads files of up to "
                    f"{MAX_MEGABYTES} MB together."
                )
            (folder / kind).mkdir(parents=True, exist_ok=True)
            (folder / kind / name).write_bytes(content)
            names.append(name)
    return {"upload": join_names(names)[:200]}


def _name_pasted(text: str, kind: str) -> str:
    """Name a pasted text as a file of the format that its first line shows."""
    first = text.lstrip().partition("\n")[0]
    names = {name.strip().strip('"').casefold() for name in re.split("[,;\t]", first)}
    suffix = "jsonl" if first.startswith("{") else "tsv" if "\t" in first else "txt"
    if kind == "systems" and len(names) > 1 and choose_columns(sorted(names))[1]:
        suffix = "tsv" if "\t" in first else "csv"
    return f"pasted.{suffix}"


def _clean_uploads() -> None:
    """Delete the files that are older than an hour, for ever."""
    while True:
        for folder in _UPLOADS.glob("*"):
            with suppress(FileNotFoundError):  # deleted by an upload
                if time.time() - folder.stat().st_mtime > KEPT_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
        time.sleep(KEPT_SECONDS / 6)


async def answer_cell(request: Request) -> Any:
    """Answer with the charts and samples of one difference, or with its samples alone."""
    given = request.query_params
    result = STORE.get(_get_session(given))
    score, system = given.get("score", ""), given.get("system", "")
    comparison = result.comparison
    if comparison is None or score not in comparison.scores or system not in comparison.systems:
        raise InputError("There is no such score; score again.")
    if "winner" not in given:
        return {"html": {"systems-cell": await asyncio.to_thread(show_cell, result, score, system)}}
    most = given.get("most", "")
    rows = partial(
        show_rows,
        winner=given["winner"],
        search=given.get("search", "")[:200],
        most=min(int(most), MAX_ROWS) if most.isdecimal() else STEP,
    )
    return {"html": {"systems-rows": await asyncio.to_thread(rows, result, score, system)}}


async def answer_file(request: Request) -> Response:
    """Answer with a file to save."""
    kind = request.query_params.get("kind", "")
    if kind not in FILES:
        raise InputError("There is no such file.")
    result = STORE.get(_get_session(request.query_params))
    content = await asyncio.to_thread(write_file, result, kind)
    _, name, media = FILES[kind]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content.encode("utf-8", "replace"), headers=headers, media_type=media)


def write_page() -> str:
    """Return the HTML of the page."""
    kernel = "compiled kernel" if current_kernel() == "native" else "Python kernel, which is slower"
    return Template((FOLDER / "page.html").read_text("utf-8")).substitute(
        bar=write_bar(),
        lacks=escape(json.dumps(list_lacking())),
        language=write_language(),
        test=write_menu("test", "Test", TESTS),
        correction=write_menu("correction", "Correction of p", CORRECTIONS),
        alternative=write_menu("alternative", "Alternative", ALTERNATIVES),
        max_systems=MAX_SYSTEMS,
        max_rows=f"{MAX_ROWS:,}",
        max_megabytes=MAX_MEGABYTES,
        max_seconds=MAX_SECONDS,
        learn=(FOLDER / "learn.html").read_text("utf-8"),
        kernel=f"Version {__version__}. The {kernel} counts; all numbers are the same.",
    )


class PageRoute(Route):
    """The page; ``?view=api`` is Gradio's description of the API."""

    def matches(self, scope: Any) -> tuple[Match, Any]:
        """Match the page."""
        if b"view=" in scope.get("query_string", b""):
            return Match.NONE, {}
        return super().matches(scope)


def list_routes() -> list[Route]:
    """Return the routes of the page, which Gradio puts before its own."""
    html = write_page()
    threading.Thread(target=_clean_uploads, daemon=True).start()

    async def show(_: Request) -> Response:
        return HTMLResponse(html)

    def send(name: str) -> Callable[..., Awaitable[Response]]:
        async def respond(_: Request) -> Response:
            return FileResponse(FOLDER / name, headers={"Cache-Control": "no-cache"})

        return respond

    post: dict[str, Any] = {"methods": ["POST"]}
    return [
        PageRoute("/", show),
        Route("/page/page.css", send("page.css")),
        Route("/page/page.js", send("page.js")),
        Route("/page/explain", answer(partial(answer_pair, function=explain.show_pair)), **post),
        Route(
            "/page/profiles", answer(partial(answer_pair, function=explain.show_profiles)), **post
        ),
        Route("/page/systems", answer(answer_systems), **post),
        Route("/page/upload", answer(answer_upload), **post),
        Route("/page/cell", answer(answer_cell)),
        Route("/page/file", answer(answer_file)),
    ]


class Headers:
    """Add the headers that say what a browser may do with an answer."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""

        async def add(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
                is_ours = scope["path"] in ("", "/") or scope["path"].startswith("/page/")
                is_ours &= b"view=" not in scope.get("query_string", b"")
                headers["Content-Security-Policy"] = _SAFE if is_ours else _GRADIO
            await send(message)

        await self.app(scope, receive, add)


class Defaults:
    """Add the inputs that a call of the API leaves out, for which Gradio has no defaults."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        name = str(scope.get("path")).removeprefix("/gradio_api/call/")
        if name not in _INPUTS or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        with suppress(ValueError):
            given = json.loads(body)
            if isinstance(given, dict) and isinstance(given.get("data"), list):
                missing = _INPUTS[name] - len(given["data"])
                body = json.dumps({**given, "data": given["data"] + [None] * missing}).encode()

        async def receive_again() -> Any:
            return {"type": "http.request", "body": body}

        await self.app(scope, receive_again, send)


def list_middleware() -> list[Middleware]:
    """Return what every request passes through, the outermost first."""
    return [
        Middleware(GZipMiddleware, minimum_size=1_000),
        Middleware(Headers),
        Middleware(Defaults),
    ]
