"""A headless Chromium of its own, driven over a pipe by the DevTools protocol.

No port is opened and nothing is waited for by the clock: every step waits for what it needs to see,
within a limit. The browser, its children and its profile go when the context ends.
"""

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time


class PageError(Exception):
    """The page did not do what was expected of it."""


class Silence(PageError):
    """The browser did not answer in time."""


class Chromium:
    """One browser with one page, or for a while with another one that has cookies of its own."""

    PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

    def __init__(self, limit=20):
        self._limit = limit
        self._number = 0
        self._buffer = b""
        self.events = []
        self.runs_scripts = True

    def __enter__(self):
        program = next(filter(None, map(shutil.which, self.PROGRAMS)), None)
        if program is None:
            raise PageError("there is no chromium; tools/install test")
        self._profile = tempfile.mkdtemp(prefix="gatebook-chromium.")
        commands, self._write = os.pipe()
        self._read, answers = os.pipe()
        # The browser reads commands from descriptor 3 and answers on 4: first out of the way, as one
        # of ours may be one of these.
        commands, answers = (self._above(end) for end in (commands, answers))

        def place():
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe",
             f"--user-data-dir={self._profile}", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--no-default-browser-check", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-default-apps", "--no-proxy-server", "--hide-scrollbars",
             "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(3, 4), preexec_fn=place, start_new_session=True,
            env={**os.environ, "HOME": self._profile})
        os.close(commands)
        os.close(answers)
        os.set_blocking(self._write, False)
        self._session = self._page({})
        return self

    def _page(self, where):
        """Opens an empty page and gives its session."""
        target = self._call("Target.createTarget", {"url": "about:blank", **where}, None)["targetId"]
        attached = self._call("Target.attachToTarget", {"targetId": target, "flatten": True}, None)
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable", {}, attached["sessionId"])
        self._call("Emulation.setFocusEmulationEnabled", {"enabled": True}, attached["sessionId"])
        return attached["sessionId"]

    def __exit__(self, *_):
        os.close(self._write)
        os.close(self._read)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            pass
        # Its own children, in a session of their own.
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)

    @staticmethod
    def _above(descriptor):
        import fcntl
        copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
        os.close(descriptor)
        return copy

    @contextlib.contextmanager
    def stranger(self):
        """A page without the cookies of the others, which is the one that is driven until this ends."""
        context = self._call("Target.createBrowserContext", {}, None)["browserContextId"]
        before, heard = self._session, self.events
        self._session, self.events = self._page({"browserContextId": context}), []
        try:
            yield self
        finally:
            self._session, self.events = before, heard
            self._call("Target.disposeBrowserContext", {"browserContextId": context}, None)
            self.call("Page.bringToFront")

    # The protocol

    def call(self, method, parameters=None):
        """Gives the page a command and waits for its answer."""
        return self._call(method, parameters or {}, self._session)

    def _call(self, method, parameters, session):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._send(json.dumps(message).encode() + b"\0")
        until = time.monotonic() + self._limit
        while True:
            answer = self._next(until)
            if answer.get("id") != self._number:
                self.events.append(answer)
                continue
            if "error" in answer:
                raise PageError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def _send(self, message):
        while message:
            select.select([], [self._write], [], self._limit)
            message = message[os.write(self._write, message):]

    def _next(self, until):
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], max(0, until - time.monotonic()))[0]:
                raise Silence("the browser did not answer in time")
            part = os.read(self._read, 1 << 20)
            if not part:
                raise PageError("the browser ended")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    # What people do

    def open(self, path, script=True):
        """Opens a file or an address and waits until it is loaded."""
        self.call("Emulation.setScriptExecutionDisabled", {"value": not script})
        self.runs_scripts = script
        self.events.clear()
        address = path if "://" in path else f"file://{os.path.abspath(path)}"
        answer = self.call("Page.navigate", {"url": address})
        if "errorText" in answer:
            raise PageError(f"{address}: {answer['errorText']}")
        until = time.monotonic() + self._limit
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next(until))

    def ask(self, expression, world=None):
        """The value of an expression in the page; one that throws is an error.

        A world of `world()` keeps what the expression makes out of the page's sight.
        """
        answer = self.call("Runtime.evaluate", {
            "expression": expression, "returnByValue": True, "awaitPromise": True,
            **({"contextId": world} if world else {})})
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(details.get("exception", details).get("description", str(details)))
        return answer["result"].get("value")

    def world(self):
        """A world of scripts beside the page's, which the page's policy does not reach."""
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        return self.call("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]

    def wait(self, expression):
        """Waits until an expression holds, looking at each of the page's frames."""
        held = self.ask(
            "new Promise((done) => { const end = performance.now() + %d; const look = () => {"
            " if (%s) done(true); else if (performance.now() > end) done(false);"
            " else setTimeout(look, 10); }; look(); })" % (self._limit * 500, expression))
        if not held:
            raise PageError(f"did not come true: {expression}")

    def listen(self, seconds):
        """Takes what the browser reports, until it is silent for this long."""
        try:
            while True:
                self.events.append(self._next(time.monotonic() + seconds))
        except Silence:
            pass

    def look(self, width, height=900, scheme="light", media="", phone=False, motion="no-preference",
             forced="none"):
        """Chooses the screen, the colours, the medium, and what the user prefers."""
        self.call("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone})
        self.call("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": scheme},
                                         {"name": "prefers-reduced-motion", "value": motion},
                                         {"name": "forced-colors", "value": forced}]})

    def mouse(self, kind, x, y, **more):
        """Moves, presses or releases the mouse."""
        self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def key(self, name, text=None, shift=False):
        """Presses a key and lets it go."""
        parameters = {"key": name, "code": name, **({"modifiers": 8} if shift else {})}
        codes = {"ArrowRight": 39, "ArrowLeft": 37, "Enter": 13, "Tab": 9, "Home": 36, "End": 35,
                 " ": 32, "Backspace": 8}
        if name in codes:
            parameters["windowsVirtualKeyCode"] = codes[name]
        if text:
            parameters["text"] = text
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", **parameters})
        released = {**parameters, "type": "keyUp"}
        released.pop("text", None)
        self.call("Input.dispatchKeyEvent", released)

    def write(self, text):
        """Replaces what the focused field holds, as by selecting all of it and typing."""
        self.call("Input.dispatchKeyEvent", {
            "type": "rawKeyDown", "key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65,
            "modifiers": 2, "commands": ["selectAll"]})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", "key": "a", "code": "KeyA"})
        if text:
            self.call("Input.insertText", {"text": text})
        else:
            self.key("Backspace")

    def picture(self, path, whole=True):
        """Writes what the page looks like, as PNG."""
        answer = self.call("Page.captureScreenshot", {"captureBeyondViewport": whole, **(
            {"clip": {**self._size(), "scale": 1}} if whole else {})})
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))

    def _size(self):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {name: size[name] for name in ("x", "y", "width", "height")}

    def paper(self, path):
        """Writes the page as PDF, as it would be printed."""
        answer = self.call("Page.printToPDF", {"printBackground": False, "preferCSSPageSize": True})
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))

    # What it did

    def complaints(self):
        """Errors and warnings of the console, uncaught exceptions, refusals of the policy."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", details).get("description", str(details)))
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(f"{parameters['type']}: {parameters['args']}")
            elif event["method"] == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
        return found

    def requests(self):
        """The addresses that were asked for."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]
