"""The start: how long it takes until an app has its session, and a person the accounts."""

import os

from .books import drop_from_memory
from .figures import Figure
from .measuring import turned
from .programs import run


class Starting:
    """Opens books of several sizes, in a library and by the whole command."""

    TIMES = 15
    COLD_TIMES = 3

    def __init__(self, programs, books):
        self.programs = programs
        # By the number of events, the smallest first.
        self.books = books
        self.parts = {size: self._figures(size) for size in books}
        sizes = list(books)
        self.grown = Figure(
            "`accounts`, largest book", "us", 1.3, "smallest book", is_cost=True)
        self.version = Figure("`--version`", "us", 3000, "C", is_cost=True, is_absolute=True)
        self.version_ratio = Figure("`--version`", "us", 1.3, "C", is_cost=True)
        self.size = Figure("size of the command", "MB", 20, is_cost=True)
        self.figures = [figure for size in sizes for figure in self.parts[size].values()]
        self.figures += [self.grown, self.version, self.version_ratio, self.size]

    @staticmethod
    def _figures(size):
        return {
            "open": Figure("open, with the session", "us", 500, "C", is_cost=True, size=size,
                           is_absolute=True),
            "cold": Figure("open, with the session, cold", "us", 2000, is_cost=True, size=size),
            "accounts": Figure("`accounts` with a key file", "us", 6000, "C", is_cost=True,
                               size=size, is_absolute=True),
            "ratio": Figure("`accounts` with a key file", "us", 1.3, "C", is_cost=True, size=size)}

    def round(self, number):
        times = {size: self._measure(size, number) for size in self.books}
        sizes = list(self.books)
        self.grown.add(times[sizes[-1]], times[sizes[0]])
        commands = {"ours": [self.programs.command, "--version"],
                    "theirs": [self.programs.reader, "version"]}
        answers = {which: self.programs.launch(self.TIMES, *commands[which])["p50us"]
                   for which in turned(list(commands), number)}
        self.version.add(answers["ours"], answers["theirs"])
        self.version_ratio.add(answers["ours"], answers["theirs"])
        self.size.add(os.path.getsize(self.programs.command) / 1e6)

    def _measure(self, size, number):
        """One book; how long the command takes for it."""
        book, figures = self.books[size], self.parts[size]
        opening = [self.programs.gatebook, "open", book]
        opened = {"ours": [*opening, 50], "theirs": [self.programs.reader, "open", book, 50]}
        answers = {which: run(opened[which])["p50us"] for which in turned(list(opened), number)}
        figures["open"].add(answers["ours"], answers["theirs"])
        commands = {"ours": [self.programs.command, "accounts"],
                    "theirs": [self.programs.reader, "accounts", book, f"{book}.key"]}
        times = {
            which: self.programs.launch(self.TIMES, *commands[which], book=book)["p50us"]
            for which in turned(list(commands), number)}
        figures["accounts"].add(times["ours"], times["theirs"])
        figures["ratio"].add(times["ours"], times["theirs"])
        for _ in range(self.COLD_TIMES):
            drop_from_memory(book)
            # On a file system in memory nothing comes from a disk, and nothing is cold.
            if self.programs.launch(1, *opening, 1)["blocks"] == 0:
                break
            drop_from_memory(book)
            figures["cold"].add(run([*opening, 1])["p50us"])
        return times["ours"]


def count(programs, book):
    """The page faults of a start: the median of some runs, which differ by a few."""
    return {
        "faultsPerAccounts": programs.launch(
            21, programs.command, "accounts", book=book)["faults"],
        "faultsPerVersion": programs.launch(21, programs.command, "--version")["faults"]}
