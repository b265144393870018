"""The process of Gatebook whose login page is tried."""

import os
import re
import signal
import subprocess
import threading

from .chromium import PageError


class LoginProcess:
    """A running `gatebook login --page --no-browser`, or another command that shows a page."""

    ADDRESS = re.compile(r"\bopen '?(http://127\.0\.0\.1:\d+/[^\s']+)")

    def __init__(self, command, environment, text):
        """Starts it.

        - command: its words.
        - environment: variables besides those of this process; one with None is left out.
        - text: what its standard input holds; None for nothing.
        """
        merged = {**os.environ, **environment}
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL if text is None else subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={name: value for name, value in merged.items() if value is not None})
        self._heard = threading.Condition()
        self._parts = {"stdout": b"", "stderr": b""}
        self._open = 2
        self._readers = [threading.Thread(target=self._read, args=(name,), daemon=True) for name in self._parts]
        for reader in self._readers:
            reader.start()
        if text is not None:
            try:
                self._process.stdin.write(text.encode())
                self._process.stdin.close()
            except BrokenPipeError:
                pass

    def _read(self, name):
        stream = getattr(self._process, name)
        while True:
            part = os.read(stream.fileno(), 1 << 16)
            with self._heard:
                self._parts[name] += part
                self._open -= not part
                self._heard.notify_all()
            if not part:
                return

    @property
    def output(self):
        return self._parts["stdout"].decode(errors="replace")

    @property
    def errors(self):
        return self._parts["stderr"].decode(errors="replace")

    def address(self, limit):
        """The address of its page, as soon as the process shows it."""
        with self._heard:
            self._heard.wait_for(lambda: self.ADDRESS.search(self.errors) or not self._open, limit)
        found = self.ADDRESS.search(self.errors)
        if not found:
            raise PageError(f"the process shows no address: {self.errors.strip() or 'it says nothing'}")
        return found[1]

    def signal(self, name):
        """Sends it a signal such as `TERM`."""
        self._process.send_signal(getattr(signal, f"SIG{name}"))

    def wait(self, limit):
        """Its exit status, minus the signal where one ended it; None if it still runs."""
        try:
            status = self._process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        for reader in self._readers:
            reader.join(limit)
        return status

    def end(self):
        """Ends it if it still runs."""
        if self._process.poll() is None:
            self._process.terminate()
            if self.wait(5) is None:
                self._process.kill()
        self.wait(5)
