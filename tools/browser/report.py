"""What a report of Gatebook must do in a browser, each a function of its own.

Every one gets a browser in which the report stands open and raises PageError where it does not do
what is expected. They run in their order in one page.
"""

from .chromium import PageError

READY = "document.documentElement.dataset.ready === 'yes'"
# The lane with the most to see.
LANE = "[...document.querySelectorAll('.lane .plot')].sort((a, b) => b.childElementCount - a.childElementCount)[0]"


def expect(held, what):
    if not held:
        raise PageError(what)


def shown(browser):
    return browser.ask("document.getElementById('timeline-shown').textContent")


def rows(browser):
    return browser.ask("document.querySelectorAll('.events tbody tr').length")


def renders(browser):
    expect(browser.ask("document.querySelector('h1').textContent.startsWith('Gatebook report')"), "no title")
    expect(browser.ask("document.querySelectorAll('.figures dd').length") >= 12, "no head figures")
    expect(browser.ask("document.querySelectorAll('.day').length") > 0, "no days")
    expect(browser.ask(f"{LANE}.querySelectorAll('.span').length") > 0, "no sessions")
    expect(browser.ask(f"{LANE}.querySelectorAll('.mark').length") > 0, "no marks")
    expect(browser.ask("document.getElementById('axis').querySelectorAll('text').length") > 1, "no axis")
    total = browser.ask("JSON.parse(document.getElementById('data').textContent).events.length")
    expect(rows(browser) == min(100, total), "not a hundred rows")
    expect(browser.ask(
        "['header','main','footer','h1','h2'].every((name) => document.querySelector(name))"
        " && [...document.querySelectorAll('table')].every((table) => table.caption)"
        " && [...document.querySelectorAll('section')].every((part) =>"
        " document.getElementById(part.getAttribute('aria-labelledby')))"
        " && [...document.querySelectorAll('input, select')].every((field) => field.labels.length)"
        " && [...document.querySelectorAll('th')].every((head) => head.scope)"),
        "landmarks, captions, labels or scopes are missing")


def bring_to_view(browser):
    browser.ask(f"{LANE}.scrollIntoView({{ block: 'center' }})")
    # The page hears of the scrolling with its next frame; only then it lies still.
    browser.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def place(browser, part, height=24):
    bring_to_view(browser)
    return browser.ask(
        f"(() => {{ const box = {LANE}.getBoundingClientRect();"
        f" return [box.left + box.width * {part}, box.top + {height}]; }})()")


def hovers(browser):
    bring_to_view(browser)
    at = browser.ask(
        f"(() => {{ const mark = {LANE}.querySelector('.mark.refresh, .mark'); const box = mark.getBoundingClientRect();"
        " return [box.left + box.width / 2, box.top + box.height / 2]; })()")
    browser.mouse("mouseMoved", *at)
    browser.wait("!document.getElementById('tip').hidden")
    text = browser.ask("document.getElementById('tip').textContent")
    expect("refresh" in text or "login" in text, f"the tip says: {text}")
    browser.mouse("mouseMoved", 2, 2)
    browser.wait("document.getElementById('tip').hidden")


def zooms(browser):
    whole = shown(browser)
    (left, y), (right, _) = place(browser, 0.3), place(browser, 0.5)
    browser.mouse("mousePressed", left, y, button="left", clickCount=1)
    browser.mouse("mouseMoved", right, y, button="left", buttons=1)
    expect(browser.ask(f"!!{LANE}.querySelector('.brush')"), "no brush")
    browser.mouse("mouseReleased", right, y, button="left", clickCount=1)
    expect(shown(browser) != whole, "dragging did not zoom")
    for name in ("in", "earlier", "later", "out", "all"):
        before = shown(browser)
        browser.ask(f"document.querySelector('[data-do={name}]').click()")
        expect(shown(browser) != before, f"the button `{name}` did nothing")
    expect(shown(browser) == whole, "`All` is not all")
    for name in ("all", "out", "earlier", "later"):
        expect(browser.ask(f"document.querySelector('[data-do={name}]').disabled"), f"`{name}` does nothing, and can be pressed")


def obeys_keys(browser):
    whole = shown(browser)
    bring_to_view(browser)
    browser.ask(f"{LANE}.focus({{ preventScroll: true }})")
    browser.key("ArrowRight")
    text = f"{LANE}.getAttribute('aria-valuetext')"
    first = browser.ask(text)
    browser.key("ArrowRight")
    expect(browser.ask(text) != first, "the arrow did not move on")
    expect(not browser.ask("document.getElementById('tip').hidden"), "the focus shows no tip")
    browser.key("+", "+")
    expect(shown(browser) != whole, "plus did not zoom")
    browser.key("0", "0")
    expect(shown(browser) == whole, "0 did not show all")
    browser.key("Home")
    browser.key("Enter")
    expect(0 < rows(browser) <= 100, "Enter found no events")
    expect(browser.ask("document.activeElement.id") == "events", "Enter did not go to the events")
    expect(browser.ask("document.getElementById('tip').hidden"), "the tip stays")
    browser.ask("document.querySelector('#events-tools [type=reset]').click()")
    browser.wait("!document.getElementById('events-window').checked"
                 " && document.getElementById('events-count').textContent.endsWith(' events')"
                 " && !document.getElementById('events-count').textContent.includes(' of ')")


def fill(browser, field, value):
    browser.ask(
        f"(() => {{ const field = document.getElementById('{field}'); field.value = '{value}';"
        " field.dispatchEvent(new Event('input', { bubbles: true })); })()")


def filters(browser):
    kinds = "[...document.querySelectorAll('.events .kind')].map((cell) => cell.textContent)"
    fill(browser, "events-search", "login.succeeded")
    found = browser.ask(kinds)
    expect(found and set(found) == {"login.succeeded"}, f"the search found {set(found)}")
    fill(browser, "events-search", "no such thing")
    expect(rows(browser) == 0, "the search found what is not there")
    fill(browser, "events-search", "")
    fill(browser, "events-group", "refresh")
    found = browser.ask(kinds)
    expect(all(kind.startswith("refresh.") for kind in found), "not only refreshes")
    fill(browser, "events-group", "")
    fill(browser, "events-account", "0")
    name = browser.ask("document.querySelector('[data-lane=\"0\"] .who b').textContent")
    cells = browser.ask("[...document.querySelectorAll('.events td:nth-child(4)')].map((cell) => cell.textContent)")
    expect(cells and all(cell.startswith(name) for cell in cells), "not only one account's")
    fill(browser, "events-account", "")


def turns_pages(browser):
    many = browser.ask("JSON.parse(document.getElementById('data').textContent).events.length > 100")
    first = "document.querySelector('.events tbody td').textContent"
    before = browser.ask(first)
    if many:
        browser.ask("document.querySelector('[data-page=older]').click()")
        expect(browser.ask(first) != before, "there is no older page")
        browser.ask("document.querySelector('[data-page=last]').click()")
        expect(browser.ask("document.querySelector('[data-page=older]').disabled"), "there is more behind the end")
        browser.ask("document.querySelector('[data-page=first]').click()")
    expect(browser.ask(first) == before, "the newest page has changed")
    link = browser.ask("document.querySelector('.events a[data-position]')?.dataset.position")
    if link:
        browser.ask("document.querySelector('.events a[data-position]').click()")
        expect(browser.ask("document.querySelector('.found td').textContent") == link, "the cause is not shown")


def is_as_large_as_it_looks(browser):
    """Nothing is drawn that is not seen, however long the book is."""
    count = browser.ask("document.querySelectorAll('*').length")
    expect(count < 30_000, f"{count} elements")


def fits_a_phone(browser):
    browser.look(360, 740, phone=True)
    browser.wait(f"{LANE}.clientWidth < 360")
    width = browser.ask("document.documentElement.scrollWidth")
    expect(width <= 360, f"{width} pixels are wanted of a screen of 360")
    browser.look(1280)


def is_dark_when_asked(browser):
    colour = "getComputedStyle(document.body).backgroundColor"
    browser.look(1280, scheme="light")
    light = browser.ask(colour)
    browser.look(1280, scheme="dark")
    expect(browser.ask(colour) != light, "dark looks like light")
    browser.look(1280, scheme="light")


CHECKS = (renders, hovers, zooms, obeys_keys, filters, turns_pages, is_as_large_as_it_looks,
          fits_a_phone, is_dark_when_asked)


def needs_no_script(browser):
    """Opened anew without script: all is there but what moves."""
    for part in (".figures dd", ".day", ".lane .span", ".lane .mark", ".events tbody tr", "#findings-title"):
        expect(browser.ask(f"!!document.querySelector({part!r})"), f"without script there is no {part}")
