"""The tabs PROFILES and LEARN in a real browser."""

from functools import partial

from bleu_rouge_metric import compare_profiles

from ..support.browser import Page

PREDICTION = "The ferry goes at noon."
REFERENCE = "The ferry leaves the island at noon."


def test_profiles_have_their_scores_and_steps(browser: Page) -> None:
    browser.open_tab("profiles")
    browser.fill("profiles-prediction", PREDICTION)
    browser.fill("profiles-reference", REFERENCE)
    browser.expect(lambda: browser.read_state("profiles"), "new")
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    comparison = compare_profiles([PREDICTION], [REFERENCE], rouge_types=types)
    from space.scores import PAGE_PROFILES

    # Those of coco are behind the others.
    names = dict.fromkeys(name for scores in comparison.scores.values() for name in scores)
    assert [*names] == ["bleu", *types, "Bleu_1", "Bleu_2", "Bleu_3"]
    browser.expect_table(
        "#profiles-table",
        [
            [
                f"{profile} explain" if profile in PAGE_PROFILES else profile,
                *(f"{scores[name]:.4f}" if name in scores else "" for name in names),
            ]
            for profile, scores in comparison.scores.items()
        ],
    )
    # The third row is sacrebleu.
    browser.click("#profiles-table tbody tr:nth-of-type(3) td button")
    steps = [step for step in comparison.differences if step.profile == "sacrebleu"]
    lines = browser.find("#profiles-table .steps:not([hidden])").text.splitlines()
    assert lines[0] == "From hf to sacrebleu: BLEU"
    assert lines[1].endswith(f"smooth: none → exp: 0.0000 → {steps[0].after:.4f}")
    assert len(lines) == 1 + len(steps)
    # Another number takes its place, and a second click hides it.
    button = "#profiles-table tbody tr:nth-of-type(5) td button"
    browser.click(button)
    shown = browser.find_all("#profiles-table .steps:not([hidden])")
    assert [one.text.splitlines()[0] for one in shown] == ["From hf to google_bleu: BLEU"]
    browser.click(button)
    assert not browser.find_all("#profiles-table .steps:not([hidden])")


def test_a_link_to_profiles_opens_the_tab(browser: Page) -> None:
    browser.open_tab("profiles")
    browser.fill("profiles-prediction", "one two three")
    browser.wait_for(lambda: "one%20two%20three" in browser.driver.current_url)
    link = browser.driver.current_url
    browser.driver.get("about:blank")
    browser.driver.get(link)
    box = browser.find("#profiles-prediction textarea")
    browser.expect(lambda: box.get_property("value"), "one two three")


def test_a_link_of_a_stranger_is_not_taken_on_trust(browser: Page, address: str) -> None:
    own = browser.find("#explain-prediction textarea").get_property("value")
    # The first is as long as the inputs of its tab, whose values are of other kinds.
    wrong = f"explain={[0] * 15}".replace(" ", "")
    for hash_ in (wrong, "profiles=[1,2,3]", "profiles=%7B%7D", "explain=%", "profiles", "x=[]"):
        browser.driver.get("about:blank")
        browser.driver.get(f"{address}#{hash_}")
        browser.expect(lambda: browser.read_state("explain"), "new")
        # The page opens with its own texts.
        assert float(browser.find("#explain-tiles .n").text) > 0
        assert browser.find("#explain-prediction textarea").get_property("value") == own


def test_every_step_has_a_live_example(browser: Page) -> None:
    browser.open_tab("learn")
    # All lessons come with one answer; the last one is shown last.
    for number in (1, 6):
        browser.wait_for(partial(lambda css: browser.find(css).text, f"#learn-{number}-shown"))
    shown = {number: browser.find(f"#learn-{number}-shown").text for number in range(1, 7)}
    assert "BLEU: 9 tokens" in shown[1]
    assert "2 of 4 words count: precision 0.5000." in shown[2]
    assert "Brevity penalty = exp(1 - 8/4) = 0.3679" in shown[3]
    assert "BLEU is 0: no 4-gram of the prediction occurs in a reference." in shown[4]
    assert browser.read_table("#learn-5-shown .rouge")[0][4:7] == ["1.0000", "0.5000", "0.6667"]
    assert browser.read_table("#learn-6-shown .words") == [
        ["Line 1 of the reference", "the match goes on tomorrow"],
        ["Line 2 of the reference", "rain stopped it"],
    ]
    browser.fill("learn-1-prediction", "One. Two.")
    browser.wait_for(lambda: "BLEU: 4 tokens" in browser.find("#learn-1-shown").text)
    browser.fill("learn-1-prediction", "")
    browser.wait_for(lambda: "BLEU: 0 tokens" in browser.find("#learn-1-shown").text)
    browser.fill("learn-2-prediction", "tea")
    browser.wait_for(lambda: "1 of 1 words count" in browser.find("#learn-2-shown").text)
    browser.fill("learn-4-prediction", "The ferry leaves the island.")
    browser.wait_for(lambda: "BLEU is 0" not in browser.find("#learn-4-shown").text)


def test_a_reference_without_text_is_said_in_a_lesson(browser: Page) -> None:
    browser.open_tab("learn")
    browser.fill("learn-2-reference", "")
    message = "Reference 1 is empty; type a text."
    browser.expect(lambda: browser.find("#learn-2-shown").text, message)
    # The others stay.
    assert "BLEU: 9 tokens" in browser.find("#learn-1-shown").text


def test_lessons_have_the_numbers_of_a_profile_and_a_language(browser: Page) -> None:
    browser.open_tab("learn")
    browser.choose("learn-profile", "sacrebleu")
    message = "sacrebleu has no ROUGE; choose another under Numbers of."
    browser.expect(lambda: browser.find("#learn-6-shown").text, message)
    assert "smoothed from 0.0" in browser.find("#learn-4-shown").text
    browser.choose("learn-profile", "rouge_score")
    browser.choose("learn-language", "German")
    # "Müller's" is not cut into pieces.
    browser.wait_for(lambda: "ROUGE: 7 tokens" in browser.find("#learn-1-shown").text)
    browser.fill("learn-5-prediction", "At noon the ferry departs.")
    browser.expect(lambda: browser.read_state("learn"), "new")
    link = browser.driver.current_url
    browser.driver.get("about:blank")
    browser.driver.get(link)
    browser.wait_for(lambda: "ROUGE: 7 tokens" in browser.find("#learn-1-shown").text)
    browser.click("#learn-5-shown [data-set]")
    box = browser.find("#explain-profile input")
    browser.expect(lambda: box.get_property("value"), "rouge_score")
    browser.expect(
        lambda: browser.find("#explain-prediction textarea").get_property("value"),
        "At noon the ferry departs.",
    )


def test_what_scores_cannot_tell_is_shown(browser: Page) -> None:
    browser.open_tab("learn")
    negated, other_words = browser.read_table("#learn-limits")
    assert float(negated[3]) > 0.9
    assert float(other_words[3]) < 0.5


def test_a_profile_and_a_lesson_open_in_explain(browser: Page) -> None:
    browser.open_tab("profiles")
    browser.fill("profiles-prediction", PREDICTION)
    browser.fill("profiles-reference", REFERENCE)
    browser.expect(lambda: browser.read_state("profiles"), "new")
    browser.click("#profiles-table tbody tr:nth-of-type(3) th button")
    browser.find("#explain-tab")
    box = browser.find("#explain-profile input")
    browser.expect(lambda: box.get_property("value"), "sacrebleu")
    browser.expect(
        lambda: browser.find("#explain-prediction textarea").get_property("value"), PREDICTION
    )
    browser.open_tab("learn")
    assert len(browser.find_all("#learn-index a")) == 6
    browser.click("#learn-6-shown [data-set]")
    browser.find("#explain-tab")
    head = "#explain-scores h2"
    browser.expect(lambda: browser.find(head).text, "How ROUGE-L is computed")


def test_the_language_of_profiles_is_in_its_link(browser: Page) -> None:
    browser.open_tab("profiles")
    browser.choose("profiles-language", "German")
    browser.wait_for(lambda: "language" in browser.driver.current_url)
    browser.expect(lambda: browser.read_state("profiles"), "new")
    assert "#profiles=" in browser.driver.current_url
