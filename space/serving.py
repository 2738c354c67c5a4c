"""What the server sends of the page itself: compressed, with our title, description and icon.

Gradio sends its HTML with the whole configuration as it is, and with "Gradio" as the title that
other sites show.
"""

import re
from html import escape
from pathlib import Path
from typing import Any, Final

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

ICON: Final = Path(__file__).resolve().parent / "icon.svg"
_SMALLEST: Final = 1_000  # bytes; compression of a smaller answer gains nothing
# Those of Gradio.
_META: Final = re.compile(r'\s*<meta\s+(?:property="og|name="twitter):[^>]*>')


class Head:
    """Replace the title and the tags for other sites in the HTML of the page.

    Args:
        app: what answers.
        title: of the page.
        description: of the page, in a sentence.
    """

    def __init__(self, app: Any, title: str, description: str) -> None:
        self.app = app
        tags = {
            "og:title": title,
            "og:type": "website",
            "og:description": description,
            "twitter:card": "summary",
            "description": description,
        }
        metas = "".join(
            f'<meta {"property" if name.startswith("og") else "name"}="{name}" '
            f'content="{escape(text)}">'
            for name, text in tags.items()
        )
        self.head = f'<title>{escape(title)}</title>{metas}<link rel="icon" href="favicon.ico">'

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer; only the HTML of the page is held until it is whole."""
        if scope["type"] != "http" or scope["path"] not in ("", "/"):
            await self.app(scope, receive, send)
            return
        start: dict[str, Any] = {}
        body = bytearray()

        async def rewrite(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            content = bytes(body)
            headers = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
            if any(value.startswith(b"text/html") for name, value in headers):
                content = self.write(content.decode("utf-8")).encode("utf-8")
            headers.append((b"content-length", str(len(content)).encode()))
            await send({**start, "headers": headers})
            await send({"type": "http.response.body", "body": content})

        await self.app(scope, receive, rewrite)

    def write(self, html: str) -> str:
        """Return the HTML of the page with our tags."""
        before, end, after = html.partition("</head>")
        return f"{_META.sub('', before)}{self.head}{end}{after}"


def list_middleware(title: str, description: str) -> list[Middleware]:
    """Return what Gradio passes every request through, the outermost first."""
    return [
        Middleware(GZipMiddleware, minimum_size=_SMALLEST),
        Middleware(Head, title=title, description=description),
    ]
