"""Questions to books of several sizes: what was, and lists of accounts."""

import contextlib

from .books import drop_from_memory, read
from .figures import Figure
from .measuring import turned
from .programs import run

# Events of the account that `why` explains.
LONG_STREAM = 100_000
MANY_ACCOUNTS = 1000


class Questions:
    """What audits ask of one book, beside C that reads the rows that an answer needs."""

    # By the name that GatebookBench knows: what is asked, the goal in microseconds, how often, and
    # the anchor's name for it.
    ASKED = {
        "newest100": ("newest 100 of an account", 500, 100, "newest"),
        "kindInWindow": ("a kind in a window of time", 3000, 100, "window"),
        "asOf": ("as of a position, p50", 50, 2000, "past"),
        "totals": ("totals", 100, 300, "totals"),
        "proof": ("proof of an event against a checkpoint", 200, 100, "proof")}

    def __init__(self, programs, book, size):
        self.programs = programs
        self.book = book
        self.asked = {
            name: Figure(what, "us", goal, "C, reading alone", is_cost=True, size=size,
                         is_absolute=True)
            for name, (what, goal, _, _) in self.ASKED.items()}
        self.as_of = Figure(
            "as of a position, p50", "us", 2, "C, reading alone", is_cost=True, size=size)
        self.cold = Figure(
            "newest 100 of an account, cold", "us", 10_000, is_cost=True, size=size)
        self.figures = [*self.asked.values(), self.as_of, self.cold]

    def round(self, number):
        for name, (_, _, times, words) in self.ASKED.items():
            anchor = self.programs.whole if words == "past" else self.programs.reader
            commands = {
                "ours": [self.programs.gatebook, "query", self.book, name, times],
                "theirs": [anchor, words, self.book, times]}
            # Into memory comes what the last round has dropped: neither side reads for the other.
            run(commands["ours"])
            answers = {which: run(commands[which])["p50us"]
                       for which in turned(list(commands), number)}
            self.asked[name].add(answers["ours"], answers["theirs"])
            if name == "asOf":
                self.as_of.add(answers["ours"], answers["theirs"])
        drop_from_memory(self.book)
        answer = self.programs.launch(1, self.programs.gatebook, "query", self.book, "newest100", 1)
        # Nothing came from a disk on a file system that is in memory: then it was not cold.
        if answer["blocks"] > 0:
            drop_from_memory(self.book)
            answer = run([self.programs.gatebook, "query", self.book, "newest100", 1])
            self.cold.add(answer["p50us"])


class Lists:
    """`why` of an account with many events, and the list of many accounts."""

    TIMES = 3

    def __init__(self, programs, book, crowd):
        self.programs = programs
        self.book = book
        self.crowd = crowd
        with contextlib.closing(read(book)) as rows:
            account, = rows.execute("SELECT lower(hex(id)) FROM account LIMIT 1").fetchone()
        self.commands = {
            "why": (["why", account], book), "accounts": (["accounts"], crowd),
            "sealed": (["accounts", "--key", "none"], crowd)}
        long, many = f"{LONG_STREAM:,} events", f"{MANY_ACCOUNTS:,}"
        self.library = Figure(f"why of an account of {long}, library", "us", 50_000, is_cost=True)
        self.process = {
            "why": Figure(f"`why` of an account of {long}", "us", 50_000, is_cost=True),
            "accounts": Figure(f"`accounts` of {many}", "us", 10_000, "C, reading alone",
                               is_cost=True, is_absolute=True),
            "sealed": Figure(f"`accounts` of {many}, without key", "us", 5000, "C, reading alone",
                             is_cost=True, is_absolute=True)}
        self.figures = [self.library, *self.process.values()]

    def round(self, number):
        self.library.add(run([self.programs.gatebook, "query", self.book, "why", 5])["p50us"])
        reader = [self.programs.reader, "accounts", self.crowd]
        anchors = {"accounts": [*reader, f"{self.crowd}.key"], "sealed": reader}
        for name in turned(list(self.commands), number):
            words, book = self.commands[name]
            commands = {"ours": [self.programs.command, *words]}
            if name in anchors:
                commands["theirs"] = anchors[name]
            times = {which: self.programs.launch(self.TIMES, *commands[which], book=book)["p50us"]
                     for which in turned(list(commands), number)}
            self.process[name].add(times["ours"], times.get("theirs"))


class Switching:
    """From one account of a book to the next, in books of few and of many accounts."""

    ACCOUNTS = [1, 10, 100, MANY_ACCOUNTS]
    TIMES = {"memory": 3000, "projection": 2000, "event": 150}

    def __init__(self, programs, crowds):
        self.programs = programs
        self.crowds = crowds
        memory, projection, event = (
            f"{what} one of" for what in (
                "password from memory of", "context from the projection of", "switch to"))
        self.kinds = {}
        for count in self.ACCOUNTS:
            self.kinds["memory", count] = Figure(f"{memory} {count:,}", "us", 1, is_cost=True)
            self.kinds["projection", count] = Figure(
                f"{projection} {count:,}", "us", 10, is_cost=True)
            # The only account is the current one already.
            if count > 1:
                self.kinds["event", count] = Figure(
                    f"{event} {count:,}", "us", 1.2, "one append", is_cost=True)
        self.flat = {
            "memory": Figure(f"{memory} {MANY_ACCOUNTS:,}", "us", 1.2, "one of 1", is_cost=True),
            "projection": Figure(
                f"{projection} {MANY_ACCOUNTS:,}", "us", 1.2, "one of 1", is_cost=True),
            "event": Figure(f"{event} {MANY_ACCOUNTS:,}", "us", 1.2, "one of 10", is_cost=True)}
        self.figures = [*self.kinds.values(), *self.flat.values()]

    def round(self, number):
        times = {}
        for way, count in turned(list(self.kinds), number):
            commands = {"ours": [self.programs.gatebook, "switch", self.crowds[count], way,
                                 self.TIMES[way]]}
            answers = {
                which: run(commands[which])["p50us"] if which in commands
                else self.programs.append("gatebook", 1, self.TIMES["event"])["p50us"]
                for which in turned(["ours", "append"] if way == "event" else ["ours"], number)}
            times[way, count] = answers["ours"]
            self.kinds[way, count].add(answers["ours"], answers.get("append"))
        for way, figure in self.flat.items():
            few = min(count for kind, count in self.kinds if kind == way)
            figure.add(times[way, MANY_ACCOUNTS], times[way, few])
