"""The most memory that work on whole books takes, and what an open book takes."""

import os
import shutil

from .figures import Figure
from .programs import run

MIB = 1024
# The memory for larger books is compared with that for one of so many events.
BASE = 100_000


class WholeBooks:
    """Work on all of a book; once a run, because it is the same each time."""

    most_rounds = 1

    def __init__(self, programs, books):
        self.programs = programs
        # By the number of events, the smallest first.
        self.books = books
        # Where none is larger, with the smallest one.
        self.base = BASE if max(books) > BASE else min(books)
        # The sessions of these books have no secrets, and with the key a verification says so.
        self.commands = {
            "scan": [programs.gatebook, "scan"], "verify": ["verify", "--key", "none"],
            "rebuild": ["rebuild"], "export": ["export", "--format", "jsonl"],
            "report": ["report", "-o", "-"]}
        self.parts = {
            (name, size): Figure(f"memory of {name}", "MiB", 32, is_cost=True, size=size)
            for name in self.commands for size in books}
        self.grown = {
            name: Figure(f"memory of {name}, largest book", "MiB", 1.1, f"{self.base:,} events",
                         is_cost=True)
            for name in self.commands}
        self.figures = [*self.parts.values(), *self.grown.values()]

    def round(self, number):
        sizes = list(self.books)
        for name in self.commands:
            for size in sizes:
                self.parts[name, size].add(self._most(name, self.books[size]))
            self.grown[name].add(
                self.parts[name, sizes[-1]].value, self.parts[name, self.base].value)

    def _most(self, name, book):
        """The most memory that a command had, in MiB."""
        words = self.commands[name]
        if name == "scan":
            return self.programs.launch(1, *words, book)["kib"] / MIB
        if name != "rebuild":
            return self.programs.launch(1, self.programs.command, *words, book=book)["kib"] / MIB
        # It writes.
        place = os.path.join(self.programs.folder, "rebuilt")
        os.mkdir(place)
        try:
            copy = os.path.join(place, "book")
            shutil.copyfile(book, copy)
            shutil.copy(f"{book}.key", f"{copy}.key")
            return self.programs.launch(1, self.programs.command, *words, book=copy)["kib"] / MIB
        finally:
            shutil.rmtree(place)


class Idling:
    """An app that does nothing but keep a book open."""

    def __init__(self, programs, book, size, crowd, accounts):
        self.commands = {
            "book": [programs.gatebook, "idle", book],
            "crowd": [programs.gatebook, "idle", crowd, "all"]}
        self.book = Figure("memory of an open book", "MiB", 12, is_cost=True, size=size)
        # Without the code of programs and libraries, which processes share.
        self.own = Figure("own memory of an open book", "MiB", 12, is_cost=True, size=size)
        self.crowd = Figure(
            f"memory of {accounts:,} open accounts", "MiB", 40, is_cost=True)
        self.figures = [self.book, self.own, self.crowd]

    def round(self, number):
        book = run(self.commands["book"])
        self.book.add(book["kib"] / MIB)
        self.own.add(book["anonymouskib"] / MIB)
        self.crowd.add(run(self.commands["crowd"])["kib"] / MIB)
