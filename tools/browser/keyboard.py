"""What a person does who has a keyboard and no mouse."""

import json

from .chromium import PageError

# What the Tab key reaches, in its order. No page of ours has a positive tabindex.
STOPS = ("[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]"
         ".filter((stop) => !stop.disabled && stop.getClientRects().length > 0)")
# The whole page has the focus where no element has it.
PLACE = f"{STOPS}.indexOf(document.activeElement)"


def go(browser, element, what):
    """Presses Tab, or Shift and Tab, until an element has the focus.

    - element: an expression of the page; its value is the element.
    - what: its name for an error.
    """
    goal, place, count = browser.ask(
        f"(() => {{ const stops = {STOPS}; return [stops.indexOf({element}), {PLACE}, stops.length]; }})()")
    if goal < 0:
        raise PageError(f"{what}: the page has no such thing that the Tab key reaches")
    back = goal < place
    for _ in range(count + 2):
        if browser.ask(f"document.activeElement === {element}"):
            return
        browser.key("Tab", shift=back)
    raise PageError(f"{what}: the Tab key does not reach it; the focus is on `{focused(browser)}`")


def focused(browser):
    """What has the focus: the text of a button, the name of a field, or else the kind of element."""
    return browser.ask(
        "((one) => one.localName === 'button' ? one.innerText.trim() : one.name || one.localName)"
        "(document.activeElement)")


def field(name):
    return f"document.querySelector('input[name=' + CSS.escape({json.dumps(name)}) + ']:not([type=hidden])')"


def fill(browser, name, value):
    """Goes to a field and types a text, or presses Space where a switch is not as it should be."""
    element = field(name)
    go(browser, element, f"the field `{name}`")
    if isinstance(value, bool):
        if browser.ask(f"{element}.checked") != value:
            browser.key(" ", " ")
        if browser.ask(f"{element}.checked") != value:
            raise PageError(f"the switch `{name}` does not change with the Space key")
    else:
        browser.write(value)
        if browser.ask(f"{element}.value") != value:
            raise PageError(f"the field `{name}` does not hold what was typed")


def reveal(browser, name):
    """Goes to the button that shows or hides a password, and presses Space."""
    go(browser, f"{field(name)}.parentElement.querySelector('button.reveal')", f"the button that shows `{name}`")
    browser.key(" ", " ")


def press(browser, button, times=1):
    """Goes to a button and presses Enter.

    - button: the value of the button, its text, or a part of its text that only it has. `Enter` stays
      where the focus is, `details` is the technical text of an error.
    - times: how often, without waiting for an answer.
    """
    if button == "details":
        go(browser, "document.querySelector('summary')", "the technical text")
    elif button != "Enter":
        go(browser, _button(browser, button), f"the button `{button}`")
    for _ in range(times):
        browser.key("Enter", "\r")


def _button(browser, name):
    found = browser.ask(
        "(() => { const name = %s; const all = [...document.querySelectorAll('button')];"
        " const text = (one) => one.innerText.replace(/[\\u202A-\\u202E]/g, '').trim();"
        " const ways = [(one) => one.value === name, (one) => text(one) === name, (one) => text(one).includes(name)];"
        " const found = ways.map((fits) => all.filter(fits)).find((some) => some.length) ?? [];"
        " return found.map((one) => all.indexOf(one)); })()" % json.dumps(name))
    if len(found) != 1:
        raise PageError(f"{len(found)} buttons are `{name}`")
    return f"document.querySelectorAll('button')[{found[0]}]"


def tour(browser):
    """Goes through the whole page and back with the Tab key, and looks for the ring around the focus.

    Gives the problems that it found.
    """
    start, count = browser.ask(f"(() => [{PLACE}, {STOPS}.length])()")
    problems = []
    # Nothing has the focus: the first Tab goes to the first stop.
    for place in range(start + 1, count):
        browser.key("Tab")
        problems += _stop(browser, place)
    for place in range(count - 2, -1, -1):
        browser.key("Tab", shift=True)
        problems += _stop(browser, place)
    if start > 0:
        go(browser, f"{STOPS}[{start}]", "where the focus was")
    return list(dict.fromkeys(problems))


def _stop(browser, place):
    seen = browser.ask(
        "(() => { for (let one = document.activeElement; one; one = one.parentElement) {"
        " const look = getComputedStyle(one);"
        " if (look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 2) return true; }"
        " return false; })()")
    now = browser.ask(PLACE)
    problems = []
    if now != place:
        problems.append(f"the Tab key went to stop {now} instead of {place} (`{focused(browser)}`)")
    if not seen:
        problems.append(f"nothing shows that `{focused(browser)}` has the focus")
    return problems
