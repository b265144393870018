"""Libraries and programs that do a part of the same work, beside Gatebook in the same rounds.

- `eventsourcing` on SQLite keeps events; it neither hashes nor encrypts them.
- `msal` keeps tokens in memory.
- `curl` and Foundation's URLSession send requests.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

from .figures import Figure
from .measuring import turned
from .programs import ROOT, SOURCES, run
from .requesting import ACCOUNTS, AT_ONCE, page, time_of_token
from .web import TOKEN

PEERS = os.path.join(SOURCES, "peers")
# The groups of figures that are compared with them.
GROUPS = ["writing", "requests"]


def python():
    """An interpreter with the packages of peers/requirements.txt and no others.

    It lies in the user's cache and not in the checkout, so that a fresh checkout finds it again.
    """
    subprocess.run([os.path.join(ROOT, "tools", "install"), "peers"], check=True)
    requirements = os.path.join(PEERS, "requirements.txt")
    with open(requirements, "rb") as file:
        key = hashlib.sha256(file.read()).hexdigest()[:16]
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    root = os.path.join(cache, "gatebook", "peers")
    place = os.path.join(root, key)
    interpreter = os.path.join(place, "bin", "python")
    os.makedirs(root, exist_ok=True)
    # Two checkouts may want the same one at the same time.
    with open(f"{place}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        complete = os.path.join(place, "complete")
        if not os.path.exists(complete):
            shutil.rmtree(place, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "venv", place], check=True)
            subprocess.run(
                [interpreter, "-m", "pip", "--disable-pip-version-check", "install", "--quiet",
                 "--no-deps", "--only-binary=:all:", "-r", requirements],
                check=True, stdout=sys.stderr)
            with open(complete, "w", encoding="ascii"):
                pass
    return interpreter


class KeepingEvents:
    """Durable events with `eventsourcing`: single ones, batches, and states made of all events."""

    # It takes many times as long: so it is given fewer.
    SHARE = 5

    def __init__(self, programs, interpreter, sizes):
        self.programs = programs
        self.script = [interpreter, os.path.join(PEERS, "log.py")]
        self.sizes = sizes
        self.single = Figure("single append", "events/s", 1, "eventsourcing")
        self.batches = Figure("batches of 1000", "events/s", 1, "eventsourcing")
        self.fold = Figure("fold of the log", "events/s", 1, "eventsourcing")
        self.figures = [self.single, self.batches, self.fold]

    def round(self, number):
        for figure, batch, events in (
                (self.single, 1, self.sizes.singles), (self.batches, 1000, self.sizes.batched)):
            rates = {}
            for name in turned(["theirs", "ours"], number):
                if name == "ours":
                    rates[name] = self.programs.append("gatebook", batch, events)["rate"]
                else:
                    rates[name] = self._append(batch, max(batch, events // self.SHARE))
            figure.add(rates["ours"], rates["theirs"])
        with tempfile.TemporaryDirectory(dir=self.programs.folder) as folder:
            theirs, ours = (os.path.join(folder, name) for name in ("theirs", "ours"))
            events = max(1000, self.sizes.batched // self.SHARE // 1000 * 1000)
            run([*self.script, "append", theirs, 1000, events])
            run([self.programs.gatebook, "append", ours, 1000, events])
            commands = {
                "theirs": [*self.script, "rebuild", theirs],
                "ours": [self.programs.gatebook, "rebuild", ours]}
            rates = {
                name: run(commands[name])["rate"] for name in turned(list(commands), number)}
            self.fold.add(rates["ours"], rates["theirs"])

    def _append(self, batch, events):
        with tempfile.TemporaryDirectory(dir=self.programs.folder) as folder:
            return run([*self.script, "append", os.path.join(folder, "log"), batch,
                        events // batch * batch])["rate"]


class ChoosingTokens:
    """A valid token of one of many accounts: `msal` keeps its tokens in memory, unencrypted."""

    # Its calls take longer.
    CALLS = 2000

    def __init__(self, programs, interpreter, rounds):
        self.most_rounds = rounds
        self.programs = programs
        self.theirs = [interpreter, os.path.join(PEERS, "tokens.py")]
        self.times = {
            accounts: Figure(
                f"token of one of {accounts:,} accounts, p50", "us", 1, "msal", is_cost=True)
            for accounts in ACCOUNTS}
        self.figures = list(self.times.values())

    def round(self, number):
        for accounts, figure in self.times.items():
            times = {}
            for name in turned(["theirs", "ours"], number):
                if name == "ours":
                    times[name] = time_of_token(self.programs, accounts)
                else:
                    times[name] = run([*self.theirs, accounts, self.CALLS])["p50us"]
            figure.add(times["ours"], times["theirs"])


class SendingRequests:
    """Requests with the program `curl`, all in one process, and with Foundation's URLSession."""

    def __init__(self, programs, web, requests):
        self.page = page(web)
        self.folder = programs.folder
        self.gatebook = programs.gatebook
        self.requests = requests
        self.session = os.path.join(programs.folder, "urlsession")
        subprocess.run(
            ["swiftc", "-O", "-parse-as-library", "-o", self.session,
             os.path.join(PEERS, "urlsession.swift")], check=True, stdout=sys.stderr)
        self.rates = {}
        for callers, name, goal in ((1, "in turn", 2), (AT_ONCE, f"{AT_ONCE} at once", 5)):
            self.rates[callers] = {
                "URLSession": Figure(f"requests, {name}", "requests/s", goal, "URLSession"),
                "curl": Figure(f"requests, {name}", "requests/s", 1, "curl")}
        self.figures = [figure for pair in self.rates.values() for figure in pair.values()]

    def round(self, number):
        for callers, figures in self.rates.items():
            words = [self.page, TOKEN, callers, self.requests]
            rates = {}
            for name in turned(["gatebook", "URLSession", "curl"], number):
                if name == "curl":
                    rates[name] = self._curl(callers)
                elif name == "gatebook":
                    rates[name] = run([self.gatebook, "transport", *words])["rate"]
                else:
                    rates[name] = run([self.session, *words])["rate"]
            for name, figure in figures.items():
                figure.add(rates["gatebook"], rates[name])

    def _curl(self, callers):
        """How many requests a second, its start included."""
        settings = os.path.join(self.folder, "curl.conf")
        with open(settings, "w", encoding="ascii") as file:
            file.write(f'url = "{self.page}"\noutput = "/dev/null"\n' * self.requests)
        at_once = ["--parallel", "--parallel-max", str(callers)] if callers > 1 else []
        begin = time.perf_counter()
        subprocess.run(
            ["curl", "--disable", "--silent", "--fail", "--noproxy", "*", *at_once, "--header",
             f"Authorization: Bearer {TOKEN}", "--config", settings],
            check=True, stderr=subprocess.DEVNULL)
        return self.requests / (time.perf_counter() - begin)
