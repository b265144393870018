"""What operations cost in things that can be counted: the same in every run."""

import os
import subprocess
import tempfile

from .programs import build, run

# Two runs of different length: their difference leaves out what opening and closing cost.
FEW, MANY = 500, 1500
FEW_QUESTIONS, MANY_QUESTIONS = 20, 120
EVENTS = 20_000
QUESTIONS = {"asOf": "AsOf", "newest100": "Newest100", "totals": "Totals"}


def count(programs):
    """All counts, of a release build."""
    work = Work(programs.gatebook, build("gatebook"), programs.counters, programs.folder)
    return work.count() | {"allocationsPerAppend": work.per_append("allocations")}


class Work:
    """Operations of the programs of one build.

    `count` has what the sources alone decide: it is the same for a debug build and a release build.
    """

    def __init__(self, bench, command, counters, folder):
        self.bench = bench
        self.command = command
        self.counters = counters
        with tempfile.TemporaryDirectory(dir=folder) as place:
            self.few, self.many = (self._append(place, 1, events) for events in (FEW, MANY))
            self.batched = self._append(place, 1000, EVENTS)
            self._ask(self.batched["book"])

    def _append(self, place, batch, events):
        book = os.path.join(place, f"{batch}-{events}")
        answer = self._run(self.bench, "append", book, batch, events)
        return answer | {"book": book, "bytes": os.path.getsize(book)}

    def _ask(self, book):
        self.answers = {
            (name, times): self._run(self.bench, "query", book, name, times)
            for name in QUESTIONS for times in (FEW_QUESTIONS, MANY_QUESTIONS)}
        self.verified = self._run(self.bench, "verify", book)
        self.compared = self._run(self.bench, "verify", book, int(self.verified["events"]) - 1)
        self.accounts = self._run(
            self.command, "accounts", "--book", book, "--key", f"file:{book}.key")

    def _run(self, *command):
        return run(command, preload=self.counters)

    def per_append(self, name):
        return round((self.many[name] - self.few[name]) / (MANY - FEW), 2)

    def per_question(self, question, name):
        few, many = (self.answers[question, times] for times in (FEW_QUESTIONS, MANY_QUESTIONS))
        return round((many[name] - few[name]) / (MANY_QUESTIONS - FEW_QUESTIONS), 2)

    def count(self):
        counts = {"bytesPerEvent": round(self.batched["bytes"] / EVENTS, 2)}
        for name in ("syncs", "writes", "written", "statements", "steps"):
            counts[f"{name}PerAppend"] = self.per_append(name)
        for name in ("syncs", "writes", "written", "steps"):
            counts[f"{name}PerBatchedEvent"] = round(self.batched[name] / EVENTS, 4)
        for question, name in QUESTIONS.items():
            for unit in ("statements", "steps"):
                counts[f"{unit}Per{name}"] = self.per_question(question, unit)
        counts["stepsPerVerifiedEvent"] = round(self.verified["steps"] / EVENTS, 2)
        counts["stepsToCompareCheckpoint"] = self.compared["steps"]
        for name in ("syncs", "writes", "statements", "steps"):
            counts[f"{name}PerAccounts"] = self.accounts[name]
        return counts


def compile_counters(folder):
    """Compiles what counts, for programs that are built already."""
    library = os.path.join(folder, "counters.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counters.c")
    subprocess.run(
        ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source,
         "-ldl"], check=True)
    return library
