"""One run of tools/browser/login: a command, its page, and the steps of a person."""

import json
import os
import re
import time

from . import accessibility, keyboard, login_page
from .chromium import PageError
from .login_process import LoginProcess

RUN = {"name", "command", "url", "environment", "input", "width", "height", "scheme", "motion", "forced", "language",
       "axe", "script", "shown", "seconds", "steps", "exit", "says", "silent", "prints", "leave"}
STEP = {"visit", "reload", "back", "signal", "type", "reveal", "press", "times", "expect", "console", "axe", "also", "picture"}
EXPECTED = {"heading", "title", "lang", "dir", "focus", "buttons", "fields", "types", "values", "errors", "hints",
            "alert", "notice", "accounts", "facts", "texts", "absent"}
LOOK = {"width", "height", "scheme", "picture"}


class WrongPlan(Exception):
    """The plan has something that is not understood."""


def read_plan(lines):
    """The runs of a plan, as they are read: a misspelled name must not make a check disappear."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            run = json.loads(line)
        except ValueError as error:
            raise WrongPlan(f"line {number}: {error}") from error
        _known(run, RUN, number)
        if ("command" in run) == ("url" in run) or not run.get("steps"):
            raise WrongPlan(f"line {number}: a run has steps, and a command or a url")
        for step in run["steps"]:
            _known(step, STEP, number)
            _known(step.get("expect", {}), EXPECTED, number)
            for look in step.get("also", []):
                _known(look, LOOK, number)
        yield {"name": f"line {number}", **run}


def _known(members, names, number):
    unknown = sorted(set(members) - names)
    if unknown:
        raise WrongPlan(f"line {number}: unknown: {', '.join(unknown)}")


class LoginRun:
    def __init__(self, browser, run, failures=None):
        self._browser = browser
        self._run = run
        self._failures = failures
        self._limit = run.get("seconds", 20)
        self._process = None
        self._typed = set()
        self._addresses = []

    def go(self):
        """Does all steps and prints what came of each; whether all of it was as expected."""
        result = {"run": self._run["name"], "end": True, "passed": False, "problems": []}
        try:
            if "command" in self._run:
                self._process = LoginProcess(
                    self._run["command"], self._run.get("environment", {}), self._run.get("input"))
                self._address = self._process.address(self._limit)
            else:
                self._address = self._run["url"]
            with self._browser.stranger():
                self._prepare()
                result["passed"] = all(list(self._steps()))
                if self._process and result["passed"] and not self._run.get("leave"):
                    result["problems"] += self._end()
        except (PageError, OSError) as error:
            result["problems"].append(str(error))
        finally:
            if self._process:
                self._process.end()
                result["output"], result["errors"] = self._process.output, self._process.errors
        result["problems"] += self._leaks()
        result["passed"] = result["passed"] and not result["problems"]
        print(json.dumps(result, ensure_ascii=False), flush=True)
        return result["passed"]

    def _prepare(self):
        self._look({})
        if "language" in self._run:
            self._browser.call("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": self._run["language"]}})

    def _look(self, look):
        chosen = {**self._run, **look}
        width = chosen.get("width", 1440)
        height = (look if "width" in look else chosen).get("height") or (640 if width < 600 else 900)
        self._browser.look(
            width, height, scheme=chosen.get("scheme", "light"),
            motion=chosen.get("motion", "no-preference"), forced=chosen.get("forced", "none"))

    # One step

    def _steps(self):
        """Whether each step passed, up to the first one whose screen is not the expected one."""
        for number, step in enumerate(self._run["steps"]):
            result = self._step(number, step)
            yield result["passed"]
            if not result["arrived"]:
                return

    def _step(self, number, step):
        began = time.monotonic()
        result = {"run": self._run["name"], "step": number, "passed": False, "arrived": False, "problems": []}
        if step.get("visit") == "stranger":
            with self._browser.stranger():
                self._prepare()
                self._try(number, step, result)
        else:
            self._try(number, step, result)
        result["passed"] = not result["problems"]
        result["milliseconds"] = round((time.monotonic() - began) * 1000)
        print(json.dumps(result, ensure_ascii=False), flush=True)
        return result

    def _try(self, number, step, result):
        try:
            before, changes = self._act(number, step)
            screen = self._wait(step.get("expect", {}), before if changes else None)
            result["screen"] = {name: value for name, value in screen.items() if name != "text"}
            result["problems"] += login_page.compare(screen, step.get("expect", {}))
            result["arrived"] = not result["problems"]
            result["problems"] += self._judge(screen, step)
            for look in step.get("also", []):
                result["problems"] += self._look_again(look, step)
            if "picture" in step:
                self._browser.picture(step["picture"])
        except PageError as error:
            result["problems"].append(str(error))
        if result["problems"] and self._failures:
            os.makedirs(self._failures, exist_ok=True)
            name = re.sub(r"[^\w-]+", "-", self._run["name"])
            self._browser.picture(os.path.join(self._failures, f"{name}-{number}.png"))

    def _act(self, number, step):
        """Does what the step names. Gives when the page before it was made, and whether another one comes."""
        if number == 0 or "visit" in step:
            self._browser.open(self._address, script=self._run.get("script", True))
            if not step.keys() & {"reload", "back", "signal", "type", "reveal", "press"}:
                return None, False
            # Before the page has put the focus where it belongs, Enter goes to nobody.
            self._settle()
        before = (login_page.read(self._browser) or {}).get("made")
        if step.get("reload"):
            self._browser.call("Page.reload")
        if step.get("back"):
            self._browser.ask("history.back()")
        if "signal" in step:
            self._process.signal(step["signal"])
        for name, value in step.get("type", {}).items():
            keyboard.fill(self._browser, name, value)
            if isinstance(value, str) and value and self._browser.ask(f"{keyboard.field(name)}.type") == "password":
                self._typed.add(value)
        if "reveal" in step:
            keyboard.reveal(self._browser, step["reveal"])
        if "press" in step:
            keyboard.press(self._browser, step["press"], step.get("times", 1))
        another = step.get("reload") or step.get("back") or step.get("press", "details") != "details"
        return before, another

    def _settle(self):
        until = time.monotonic() + self._limit
        while not login_page.read(self._browser, settled=True):
            if time.monotonic() > until:
                raise PageError("the page does not come to rest")
            self._browser.listen(0.02)

    def _wait(self, expected, before):
        """The screen that is expected, or what there is when the time is over."""
        until = time.monotonic() + self._limit
        while True:
            screen = login_page.read(self._browser)
            if screen and screen["complete"] and screen["made"] != before \
                    and not login_page.compare(screen, expected):
                settled = login_page.read(self._browser, settled=True)
                if settled and settled["made"] == screen["made"]:
                    return settled
            if time.monotonic() > until:
                if screen and screen["made"] != before:
                    return screen
                raise PageError(f"the page did not change; it shows `{screen and screen['heading']}`")
            self._browser.listen(0.02)

    def _judge(self, screen, step):
        found = [one for check in login_page.ALWAYS for one in check(self._browser, screen)]
        if "focus" not in step.get("expect", {}) and step.get("press") != "details":
            found += login_page.has_the_focus_right(self._browser, screen)
        if screen["code"] and self._process and screen["code"] not in self._process.errors:
            found.append(f"the command does not show the code {screen['code']}")
        found += [f"the console says: {text}" for text in self._browser.complaints()
                  if not any(part in text for part in step.get("console", []))]
        self._addresses += self._browser.requests()
        self._browser.events.clear()
        if step.get("axe", self._run.get("axe")):
            found += login_page.is_accessible(self._browser, screen)
        return found

    def _look_again(self, look, step):
        self._look(look)
        screen = login_page.read(self._browser, settled=True)
        found = [f"{look}: {one}" for check in (login_page.fits_its_width, login_page.is_easy_to_hit)
                 for one in check(self._browser, screen)]
        if step.get("axe", self._run.get("axe")):
            found += [f"{look}: {one}" for one in accessibility.violations(self._browser)]
        if "picture" in look:
            self._browser.picture(look["picture"])
        self._look({})
        return found

    # The end

    def _end(self):
        status = self._process.wait(self._limit)
        if status is None:
            return ["the command still runs"]
        found = []
        if "exit" in self._run and status != self._run["exit"]:
            found.append(f"the command exits with {status} instead of {self._run['exit']}")
        # Messages are wrapped to the width of the terminal.
        errors, output = (" ".join(text.split()) for text in (self._process.errors, self._process.output))
        found += [f"the command does not say {text!r}" for text in self._run.get("says", []) if text not in errors]
        found += [f"the command says {text!r}" for text in self._run.get("silent", []) if text in errors]
        found += [f"the command does not print {text!r}" for text in self._run.get("prints", []) if text not in output]
        return found

    def _leaks(self):
        places = {"an address": "\n".join(self._addresses)}
        if self._process:
            places["what the command prints"] = self._process.output + self._process.errors
        return [f"a password is in {place}" for place, text in places.items()
                if any(password in text for password in self._typed
                       if len(password) >= 8 and password not in self._run.get("shown", []))]
