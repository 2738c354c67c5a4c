"""Links to the page: what they hold, what brings them back, and what other sites show of them."""

import gzip
import json
import re
import urllib.request
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from ..conftest import ROOT
from ..support.browser import Page

MOST_BYTES = 60_000  # of the page's own HTML, compressed


def read_link(browser: Page, tab: str) -> dict[str, object]:
    """The inputs that the address holds."""
    _, _, text = unquote(str(browser.driver.current_url)).partition(f"#{tab}=")
    values: dict[str, object] = json.loads(text or "{}")
    return values


def open_again(browser: Page) -> None:
    link = browser.driver.current_url
    browser.driver.get("about:blank")
    browser.driver.get(link)


def test_the_tabs_of_a_fresh_page_have_no_errors(browser: Page) -> None:
    browser.expect(lambda: browser.read_state("explain"), "new")
    for tab in ("compare", "profiles", "learn", "file"):
        browser.open_tab(tab)
        # Gradio marks what a failed event should have changed.
        assert browser.find_all(f"#{tab}-panel .error") == []


def test_a_page_that_was_only_opened_keeps_its_address(browser: Page, address: str) -> None:
    browser.expect(lambda: browser.read_state("explain"), "new")
    assert browser.driver.current_url == address
    # A link holds what was changed, and nothing else.
    browser.fill("explain-prediction", "a b")
    browser.expect(lambda: read_link(browser, "explain"), {"prediction": "a b"})


def test_a_link_to_a_comparison_waits_for_its_file(browser: Page) -> None:
    browser.open_tab("compare")
    browser.choose("compare-profile", "sacrebleu")
    browser.upload("compare-upload", ROOT / "examples" / "systems.csv")
    browser.wait_for(lambda: "words15" in browser.find("#compare-columns").text)
    browser.click("#compare-design button")
    browser.choose("compare-baseline", "words12")
    browser.choose("compare-correction", "Benjamini-Hochberg")
    browser.wait_for(lambda: read_link(browser, "compare").get("correction") == "fdr_bh")
    link = read_link(browser, "compare")
    assert link["upload"] == {"files": ["systems.csv"]}
    assert (link["profile"], link["baseline"]) == ("sacrebleu", "words12")
    open_again(browser)
    browser.find("#compare-tab")
    line = "This link was made with systems.csv. Upload it again."
    browser.expect(lambda: browser.find("#compare-panel .files").text, line)
    browser.upload("compare-upload", ROOT / "examples" / "systems.csv")
    browser.click("#compare-design button")
    for name, value in {
        "profile": "sacrebleu",
        "baseline": "words12",
        "correction": "Benjamini-Hochberg",
    }.items():
        box = browser.find(f"#compare-{name} input")
        browser.expect(partial(box.get_property, "value"), value)
    browser.click("#compare-score")
    browser.wait_for(lambda: "words12" in browser.find(".say bdi").text)


def test_a_link_to_a_file_has_its_columns(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("prediction,second,reference\na b c,x y z,x y z\n")
    browser.open_tab("file")
    browser.upload("file-upload", path)
    browser.choose("file-prediction-column", "second")
    browser.wait_for(lambda: read_link(browser, "file").get("prediction-column") == "second")
    open_again(browser)
    browser.find("#file-panel .files")
    browser.upload("file-upload", path)
    box = browser.find("#file-prediction-column input")
    browser.expect(lambda: box.get_property("value"), "second")
    browser.click("#file-score")
    # ROUGE-1.
    browser.expect(lambda: browser.find("#file-scores .tile:nth-child(2) .n").text, "1.0000")


def test_the_link_is_that_of_the_open_tab_and_a_reload_keeps_all(browser: Page) -> None:
    browser.fill("explain-prediction", "a b c")
    browser.wait_for(lambda: read_link(browser, "explain"))
    link = browser.driver.current_url
    browser.open_tab("profiles")
    assert "#" not in browser.driver.current_url
    browser.fill("profiles-prediction", "d e f")
    browser.wait_for(lambda: read_link(browser, "profiles"))
    browser.open_tab("explain")
    assert browser.driver.current_url == link
    for tab, text in (("explain", "a b c"), ("profiles", "d e f"), ("explain", "a b c")):
        browser.open_tab(tab)
        browser.driver.refresh()
        box = f"#{tab}-prediction textarea"
        browser.expect(partial(lambda css: browser.find(css).get_property("value"), box), text)
        assert browser.driver.current_url.partition("#")[2].startswith(f"{tab}=")


def test_a_link_can_be_pasted_into_the_open_page(browser: Page) -> None:
    browser.expect(lambda: browser.read_state("explain"), "new")
    # As the address bar does: only what is behind "#" is another one.
    browser.driver.execute_script("location.hash = arguments[0]", 'explain={"prediction":"a b c"}')
    browser.expect(
        lambda: browser.find("#explain-prediction textarea").get_property("value"), "a b c"
    )
    # A choice that this server has not is left out.
    hash_ = (
        'explain={"prediction":"a","language":"tlh","profile":"sacrebleu","max-order":99,'
        '"view":"none"}'
    )
    browser.driver.execute_script("location.hash = arguments[0]", hash_)
    box = browser.find("#explain-profile input")
    browser.expect(lambda: box.get_property("value"), "sacrebleu")
    browser.expect(lambda: browser.read_state("explain"), "new")


def test_a_link_to_a_file_has_its_options(browser: Page) -> None:
    browser.open_tab("file")
    browser.choose("file-language", "German")
    browser.expect(lambda: read_link(browser, "file"), {"language": "de"})
    open_again(browser)
    browser.find("#file-tab")
    box = browser.find("#file-language input")
    browser.expect(lambda: box.get_property("value"), "German")


def test_the_link_and_the_signature_are_copied(browser: Page) -> None:
    browser.driver.execute_script(
        "navigator.clipboard.writeText = async (text) => { window.copied = text; }"
    )
    browser.fill("explain-prediction", "a b c")
    browser.wait_for(lambda: read_link(browser, "explain"))
    browser.click(".heading [data-copy]")

    def read() -> str:
        return str(browser.driver.execute_script("return window.copied"))

    browser.expect(read, browser.driver.current_url)
    browser.click("#explain-scores summary")
    browser.click("#explain-scores .copy button")
    browser.wait_for(lambda: read().startswith("profile:hf|"))


def test_texts_that_are_too_long_for_a_link_are_said(browser: Page) -> None:
    browser.fill("explain-prediction", "a b c")
    browser.wait_for(lambda: read_link(browser, "explain"))
    browser.paste("explain-prediction", "да нет " * 300)
    browser.expect(lambda: read_link(browser, "explain"), {})
    browser.click(".heading [data-copy]")
    browser.expect(
        lambda: browser.find(".heading [data-copy]").text, "The texts are too long for a link"
    )


def fetch(address: str, encoding: str) -> tuple[bytes, str | None]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(address, headers={"Accept-Encoding": encoding})
    with opener.open(request) as response:
        return response.read(), response.headers.get("Content-Encoding")


def test_other_sites_show_our_title_and_the_page_is_small(address: str) -> None:
    body, encoding = fetch(address, "gzip")
    assert encoding == "gzip"
    assert len(body) < MOST_BYTES
    html = gzip.decompress(body).decode()
    assert html == fetch(address, "identity")[0].decode()
    head = html.partition("</head>")[0]
    assert re.findall("<title>(.*?)</title>", head) == ["BLEU and ROUGE"]
    tags = dict(
        re.findall(r'<meta (?:property|name)="((?:og|twitter):\w+)" content="([^"]*)">', head)
    )
    assert tags["og:title"] == "BLEU and ROUGE"
    assert tags["og:description"].startswith("See why a text has its BLEU")
    assert 'content="Gradio"' not in head
    icon, _ = fetch(f"{address}favicon.ico", "identity")
    assert icon == (ROOT / "space" / "icon.svg").read_bytes()


def test_nothing_is_loaded_twice(browser: Page) -> None:
    browser.expect(lambda: browser.read_state("explain"), "new")
    script = "return performance.getEntriesByType('resource').map(entry => entry.name)"
    names = [
        name for name in browser.driver.execute_script(script) if "gradio_api/queue" not in name
    ]
    assert len(names) == len(set(names))
