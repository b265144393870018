"""What the login page shows, and what must hold for each of its screens.

Every check gets the browser and the screen that `read` gave, and gives the problems it finds.
"""

import urllib.parse

from . import accessibility, keyboard
from .chromium import PageError

# Bidirectional marks are no part of a text: the right-to-left pseudo-language has them everywhere.
READ = r"""
(() => {
  const clean = (text) => (text ?? '').replace(/[\u202A-\u202E\u2066-\u2069]/g, '').replace(/\s+/g, ' ').trim();
  const text = (selector) => { const one = document.querySelector(selector); return one && clean(one.textContent); };
  const seen = (one) => one.getClientRects().length > 0;
  const inputs = [...document.querySelectorAll('input:not([type=hidden])')];
  const active = document.activeElement;
  return {
    made: performance.timeOrigin, complete: document.readyState === 'complete', address: location.href,
    heading: text('h1'), headings: document.querySelectorAll('h1').length, title: clean(document.title),
    lang: document.documentElement.lang, dir: document.documentElement.dir,
    mains: document.querySelectorAll('main').length,
    alert: text('[role=alert]'), notice: text('[role=status]'), code: text('.code bdi'),
    text: clean(document.body?.innerText),
    fields: inputs.map((one) => ({
      name: one.name, type: one.type, label: clean([...one.labels].map((label) => label.textContent).join(' ')),
      value: one.type === 'password' ? '' : one.value, isEmpty: one.value === '', isChecked: one.checked,
      isInvalid: one.getAttribute('aria-invalid') === 'true', isSeen: seen(one),
      says: (one.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
        .map((id) => clean(document.getElementById(id)?.textContent ?? `[no element ${id}]`)).join(' '),
    })),
    accounts: [...document.querySelectorAll('button[name=account]')].map((one) => clean(one.innerText)),
    buttons: [...document.querySelectorAll('button:not([name=account], .reveal)')].map((one) => clean(one.textContent)),
    facts: Object.fromEntries([...document.querySelectorAll('dt')].map((one) =>
      [clean(one.textContent), clean(one.nextElementSibling?.textContent)])),
    focus: active === document.body || !active ? null : active.name || active.localName,
    width: document.documentElement.scrollWidth, room: innerWidth, cookies: document.cookie,
    low: [...document.querySelectorAll('button, summary, input:not([type=hidden])')].filter(seen).filter((one) =>
      (one.type === 'checkbox' && one.labels.length ? one.labels[0] : one).getBoundingClientRect().height < 43.5)
      .map((one) => clean(one.textContent) || one.name),
  };
})()
"""


# A page puts the focus where it belongs with its first frame, and some colors change in steps.
SETTLED = r"""
Promise.race([
  new Promise((done) => setTimeout(done, 1000)),
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))),
]).then(() => null)
"""


def read(browser, settled=False):
    """What the page shows now, or as soon as it is settled; None while it changes."""
    try:
        # Without scripts no promise of a page is kept.
        if settled and browser.runs_scripts:
            browser.ask(SETTLED)
        elif settled:
            browser.listen(0.1)
        return browser.ask(READ)
    except PageError as error:
        if any(part in str(error) for part in ("context", "navigated", "Cannot read properties of null")):
            return None
        raise


def is_well_formed(browser, screen):
    found = []
    if screen["headings"] != 1 or not screen["heading"]:
        found.append(f"{screen['headings']} headings of the first level")
    if screen["mains"] != 1:
        found.append(f"{screen['mains']} main parts")
    if not (screen["title"] and screen["lang"] and screen["dir"] in ("ltr", "rtl")):
        found.append("no title, language or direction")
    found += [f"the field `{one['name']}` has no label" for one in screen["fields"] if not one["label"]]
    found += [f"the field `{one['name']}` is wrong and does not say why" for one in screen["fields"]
              if one["isInvalid"] and not one["says"]]
    found += [f"the field `{one['name']}`: {one['says']}" for one in screen["fields"] if "[no element" in one["says"]]
    return found


def fits_its_width(browser, screen):
    if screen["width"] > screen["room"]:
        return [f"{screen['width']} pixels are wanted of a screen of {screen['room']}"]
    return []


def is_easy_to_hit(browser, screen):
    return [f"`{name}` is lower than 44 pixels" for name in screen["low"]]


def keeps_secrets(browser, screen):
    found = [f"the password field `{one['name']}` is filled" for one in screen["fields"]
             if one["type"] == "password" and not one["isEmpty"]]
    if screen["cookies"]:
        found.append("scripts see the cookie")
    return found


def asks_only_its_server(browser, screen):
    home = urllib.parse.urlsplit(screen["address"])
    origins = {(parts.scheme, parts.netloc) for parts in map(urllib.parse.urlsplit, browser.requests())}
    return [f"the page asked {scheme}://{place}" for scheme, place in origins
            if scheme != "data" and (scheme, place) != (home.scheme, home.netloc)]


def has_the_focus_right(browser, screen):
    """The first field that is wrong has the focus, or else the first empty one."""
    seen = [one for one in screen["fields"] if one["isSeen"]]
    wanted = [one for one in seen if one["isInvalid"]] or \
             [one for one in seen if one["type"] != "checkbox" and one["isEmpty"]]
    if wanted and screen["focus"] != wanted[0]["name"]:
        return [f"the focus is on `{screen['focus']}` instead of `{wanted[0]['name']}`"]
    return []


def is_accessible(browser, screen):
    return accessibility.violations(browser) + keyboard.tour(browser)


ALWAYS = (is_well_formed, fits_its_width, is_easy_to_hit, keeps_secrets, asks_only_its_server)


def compare(screen, expected):
    """What differs from a step's `expect`, whose members tools/browser/login explains."""
    found = []

    def differs(what, shown, wanted):
        found.append(f"{what}: the page has {shown!r} instead of {wanted!r}")

    fields = {one["name"]: one for one in screen["fields"]}
    for name in ("heading", "title", "lang", "dir", "buttons", "focus"):
        if name in expected and screen[name] != expected[name]:
            differs(name, screen[name], expected[name])
    for name in ("alert", "notice"):
        if name in expected:
            shown, wanted = screen[name], expected[name]
            if (shown is None) != (wanted is None) or wanted and wanted not in shown:
                differs(name, shown, wanted)
    if "errors" in expected:
        shown = {name: one["says"] for name, one in fields.items() if one["isInvalid"]}
        wanted = expected["errors"]
        if set(shown) != set(wanted) or any(text not in shown[name] for name, text in wanted.items()):
            differs("errors", shown, wanted)
    if "fields" in expected and list(fields) != expected["fields"]:
        differs("fields", list(fields), expected["fields"])
    for name, wanted in expected.get("types", {}).items():
        shown = name in fields and fields[name]["type"]
        if shown != wanted:
            differs(f"type of `{name}`", shown, wanted)
    for name, wanted in expected.get("values", {}).items():
        one = fields.get(name)
        shown = one and (one["isChecked"] if one["type"] == "checkbox" else one["value"])
        if shown != wanted:
            differs(f"value of `{name}`", shown, wanted)
    for name, wanted in expected.get("hints", {}).items():
        shown = name in fields and fields[name]["says"] or ""
        if wanted not in shown:
            differs(f"hint of `{name}`", shown, wanted)
    if "accounts" in expected:
        shown, wanted = screen["accounts"], expected["accounts"]
        if len(shown) != len(wanted) or any(text not in one for one, text in zip(shown, wanted)):
            differs("accounts", shown, wanted)
    for name, wanted in expected.get("facts", {}).items():
        if wanted not in (screen["facts"].get(name) or ""):
            differs(f"fact `{name}`", screen["facts"].get(name), wanted)
    found += [f"the page does not say {text!r}" for text in expected.get("texts", []) if text not in screen["text"]]
    found += [f"the page says {text!r}" for text in expected.get("absent", []) if text in screen["text"]]
    return found
