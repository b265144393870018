"""The groups of figures, each made of parts that are measured in every round.

A part is an object with `figures` and `round(number)`.
"""

import os
import subprocess
import sys

from . import counts, fleet, peering, requesting, serving, starting
from .books import Books
from .command import Command
from .measuring import Appending, Batches, Verifying
from .memory import BASE, Idling, WholeBooks
from .parsing import Parsing
from .processes import Growing, Rebuilding, Writers
from .reading import LONG_STREAM, MANY_ACCOUNTS, Lists, Questions, Switching
from .starting import Starting
from .web import Web


class Bench:
    """What the groups share: programs, books, servers. Each is made when a group first needs it.

    `stack` ends what was started.
    """

    def __init__(self, programs, sizes, stack, folder=None, writers=4, with_peers=False):
        self.programs = programs
        self.sizes = sizes
        self.stack = stack
        self.folder = folder
        self.writers = writers
        self.with_peers = with_peers
        self.counts = {}
        self.kept = {}

    def _once(self, name, make):
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]

    @property
    def books(self):
        return self._once("books", lambda: Books(self.programs, self.folder))

    @property
    def grown(self):
        """Books by their numbers of events, the smallest first."""
        def make():
            made = {}
            for size in self.sizes.books:
                if self.books.has_room_for(size):
                    made[size] = self.books.sized(size)
                else:
                    print(f"bench: no room for a book of {size:,} events", file=sys.stderr)
            return made
        return self._once("grown", make)

    @property
    def web(self):
        """A server, and nginx as its proxy."""
        def make():
            place = os.path.join(self.programs.folder, "web")
            os.mkdir(place)
            return self.stack.enter_context(Web(place))
        return self._once("web", make)

    def crowd(self, accounts):
        """A book of so many accounts with sessions."""
        def make():
            path = os.path.join(self.programs.folder, f"crowd-of-{accounts}")
            subprocess.run(
                [self.programs.gatebook, "make-accounts-book", path, str(accounts)], check=True,
                stdout=subprocess.DEVNULL)
            return path
        return self._once(f"crowd {accounts}", make)

    def parts(self, group):
        """The parts of a group; what is only counted is in `counts` then."""
        parts = getattr(self, f"_{group}")()
        return parts + self._peers(group) if self.with_peers else parts

    def _peers(self, group):
        """The parts that compare a group's work with that of libraries."""
        if group not in peering.GROUPS:
            return []
        python = self._once("python", peering.python)
        if group == "writing":
            return [peering.KeepingEvents(self.programs, python, self.sizes)]
        return [peering.ChoosingTokens(self.programs, python, self.sizes.loads),
                peering.SendingRequests(self.programs, self.web, self.sizes.requests)]

    def _writing(self):
        self.counts.update(counts.count(self.programs))
        return [Appending(self.programs, self.sizes), Batches(self.programs, self.sizes),
                Growing(self.programs, self.grown)]

    def _verifying(self):
        return [Verifying(self.programs, self.books.sized(self.sizes.book))]

    def _reading(self):
        return [
            *(Questions(self.programs, book, size) for size, book in self.grown.items()),
            Lists(self.programs, self.books.sized(2 * LONG_STREAM, accounts=2),
                  self.crowd(MANY_ACCOUNTS)),
            Switching(self.programs, {count: self.crowd(count) for count in Switching.ACCOUNTS})]

    def _start(self):
        self.counts.update(starting.count(self.programs, next(iter(self.grown.values()))))
        return [Starting(self.programs, self.grown)]

    def _memory(self):
        size, book = list(self.grown.items())[-1]
        books = {BASE: self.books.sized(BASE), **self.grown}
        return [WholeBooks(self.programs, dict(sorted(books.items()))),
                Idling(self.programs, book, size, self.crowd(MANY_ACCOUNTS), MANY_ACCOUNTS)]

    def _processes(self):
        writers = Writers(self.programs, self.writers, self.sizes.shared)
        self.counts.update(writers.counts())
        return [writers, Rebuilding(self.programs, self.books.sized(self.sizes.book))]

    def _parsing(self):
        return [Parsing(self.programs, self.sizes.text)]

    def _serving(self):
        web = self.web
        command = Command(web.folder, web, self.programs.command)
        self.counts.update(
            serving.count(command, self.programs.counters, min(2, self.sizes.load)))
        proxy = self.stack.enter_context(command.proxy())
        agent = self.stack.enter_context(command.agent())
        return [serving.Proxying(web, proxy, self.sizes.load, self.sizes.loads),
                serving.Helping(command, web, agent)]

    def _requests(self):
        self.counts.update(requesting.count(self.programs, self.web))
        return [requesting.Requesting(self.programs, self.web, self.sizes.requests),
                requesting.Choosing(self.programs, self.sizes.loads)]

    def _fleet(self):
        servers = self.stack.enter_context(fleet.Servers(3))
        events = self.sizes.shipped
        home = fleet.Fleet(self.programs, servers, self.books.sized(events), events)
        return [
            fleet.Shipping(home), fleet.VerifyingFleet(home),
            fleet.ManyShippers(home, self.sizes.fleet, events=300), fleet.Following(home),
            fleet.AskingFleet(
                self.programs, servers, self.books.sized(10_000, accounts=2), self.sizes.fleet)]


GROUPS = [
    "writing", "verifying", "reading", "start", "memory", "processes", "parsing", "serving",
    "requests", "fleet"]
