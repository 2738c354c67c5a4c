"""A local server that replaces the Hugging Face Hub, and the Space that it serves."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@contextmanager
def serve_hub(space: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve one Space at the Hub's addresses; yield the server's address and its requests."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer()

        def do_GET(self) -> None:
            self.answer()

        def answer(self) -> None:
            asked.append(f"{self.command} {self.path}")
            prefix = "/spaces/user/bleu_rouge_metric/resolve/main/"
            file = space / self.path.removeprefix(prefix)
            # On the Hub a Space has no tag for the version of evaluate either.
            found = self.path.startswith(prefix) and file.parent == space and file.is_file()
            body = file.read_bytes() if found else b"Entry not found"
            self.send_response(200 if found else 404)
            self.send_header("Content-Length", str(len(body)))
            if found:
                self.send_header("ETag", f'"{hash(body):x}"')
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Log nothing: the test reads ``asked``."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()
