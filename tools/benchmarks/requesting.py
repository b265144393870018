"""What the transport costs beside libcurl in C, and what a token of one of many accounts costs."""

import os
import tempfile

from .figures import Figure
from .measuring import turned
from .programs import run
from .web import TOKEN

AT_ONCE = 16
ACCOUNTS = [1, 10, 100, 1000]
CALLS = 20_000
# After so many requests nothing may have grown.
MANY = 10_000


def page(web):
    return f"http://127.0.0.1:{web.port}/page"


class Requesting:
    """The same requests to the same server, in turn and many at once."""

    def __init__(self, programs, web, requests):
        self.page = page(web)
        self.requests = requests
        self.commands = {
            "C": [programs.requests], "gatebook": [programs.gatebook, "transport"],
            "apart": [programs.requests]}
        self.rates = {
            callers: Figure(f"requests, {name}", "requests/s", 0.85, "C on libcurl")
            for callers, name in ((1, "in turn"), (AT_ONCE, f"{AT_ONCE} at once"))}
        # No goal: it tells how much of the distance to C two threads are.
        self.apart = {
            callers: Figure(f"requests, {name}", "requests/s", None, "C on libcurl, apart")
            for callers, name in ((1, "in turn"), (AT_ONCE, f"{AT_ONCE} at once"))}
        self.p99 = Figure("requests, in turn, p99", "us", 1.3, "C on libcurl", is_cost=True)
        self.figures = [*self.rates.values(), *self.apart.values(), self.p99]

    def round(self, number):
        for callers, figure in self.rates.items():
            answers = {
                name: self.send(name, callers)
                for name in turned(list(self.commands), number)}
            ours = answers["gatebook"]["rate"]
            figure.add(ours, answers["C"]["rate"])
            self.apart[callers].add(ours, answers["apart"]["rate"])
            if callers == 1:
                self.p99.add(answers["gatebook"]["p99us"], answers["C"]["p99us"])

    def send(self, name, callers):
        """What a program says of so many requests."""
        command = [*self.commands[name], self.page, TOKEN, callers, self.requests]
        return run([*command, "apart"] if name == "apart" else command)


class Choosing:
    """A valid token of one of so many accounts of a book: no server is asked."""

    def __init__(self, programs, rounds):
        self.most_rounds = rounds
        self.programs = programs
        self.times = {
            accounts: Figure(
                f"token of one of {accounts:,} accounts, p50", "us", 1, is_cost=True)
            for accounts in ACCOUNTS}
        self.figures = list(self.times.values())

    def round(self, _):
        for accounts, figure in self.times.items():
            figure.add(time_of_token(self.programs, accounts))


def time_of_token(programs, accounts):
    """The p50 of a new book of so many accounts, in microseconds."""
    with tempfile.TemporaryDirectory(dir=programs.folder) as folder:
        book = os.path.join(folder, "book")
        return run([programs.gatebook, "tokens", book, accounts, CALLS])["p50us"]


def count(programs, web):
    """What many requests leave behind, in turn and many at once."""
    answers = [
        run([programs.gatebook, "transport", page(web), TOKEN, callers, MANY])
        for callers in (1, AT_ONCE)]
    return {
        "handlesMoreAfterRequests": max(answer["grownHandles"] for answer in answers),
        "kibibytesMoreAfterRequests": max(answer["grownKiB"] for answer in answers)}
