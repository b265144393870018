"""Several processes that write to one book."""

import contextlib
import os
import shutil
import subprocess

from .books import events_in
from .figures import Figure
from .measuring import turned
from .programs import pairs, run

CROWD = 128


class Growing:
    """Single appends to copies of books of several sizes."""

    EVENTS = 300

    def __init__(self, programs, books):
        self.programs = programs
        self.copies = {}
        for size, book in books.items():
            copy = os.path.join(programs.folder, f"grown-{size}")
            shutil.copyfile(book, copy)
            shutil.copy(f"{book}.key", f"{copy}.key")
            self.copies[size] = copy
        self.parts = {
            size: Figure("single append to a book, p50", "us", None, is_cost=True, size=size)
            for size in books}
        self.figures = list(self.parts.values())

    def round(self, number):
        for size in turned(list(self.copies), number):
            command = [self.programs.gatebook, "writer", self.copies[size], 1, self.EVENTS]
            self.parts[size].add(run(command, told="\n")["p50us"])


class Rebuilding:
    """A writer while other processes rebuild the projections, one after the other."""

    EVENTS = 400

    def __init__(self, programs, book):
        self.programs = programs
        self.book = os.path.join(programs.folder, "rebuilt-beside-a-writer")
        shutil.copyfile(book, self.book)
        shutil.copy(f"{book}.key", f"{self.book}.key")
        self.longest = Figure(
            "longest wait of a writer beside a rebuild", "us", 5000, is_cost=True)
        self.figures = [self.longest]

    def round(self, number):
        writer = subprocess.Popen(
            [self.programs.gatebook, "writer", self.book, "1", str(self.EVENTS)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            writer.stdout.readline()
            writer.stdin.write("\n")
            writer.stdin.flush()
            while writer.poll() is None:
                self.programs.launch(1, self.programs.command, "rebuild", book=self.book)
            told, _ = writer.communicate()
            if writer.returncode != 0:
                raise subprocess.CalledProcessError(writer.returncode, writer.args)
            self.longest.add(pairs(told)["longestus"])
        finally:
            if writer.poll() is None:
                writer.kill()
                writer.wait()


class Writers:
    """Some writers at once beside one alone, and many processes that come at the same time."""

    def __init__(self, programs, writers, events):
        self.programs = programs
        self.writers = writers
        self.events = events
        name = f"{writers} writers"
        self.total = Figure(f"{name}, all together", "events/s", 0.75, "one writer")
        self.longest = Figure(f"{name}, longest wait", "us", 50_000, is_cost=True)
        self.between = Figure(
            f"{name}, most of the others' commits in one wait", "commits", 40, is_cost=True)
        self.figures = [self.total, self.longest, self.between]

    def round(self, number):
        rates = {}
        for count in ([1, self.writers] if number % 2 == 0 else [self.writers, 1]):
            answers, _ = self._write(count, self.events // count)
            if len(answers) < count:
                raise subprocess.CalledProcessError(1, [self.programs.gatebook, "writer"])
            duration = max(a["end"] for a in answers) - min(a["begin"] for a in answers)
            rates[count] = self.events // count * count / duration * 1e6
            if count > 1:
                self.longest.add(max(answer["longestus"] for answer in answers))
                self.between.add(max(answer["between"] for answer in answers))
        self.total.add(rates[self.writers], rates[1])

    def counts(self):
        """How many calls of some writers were refused, and what a crowd of processes lost."""
        some, _ = self._write(self.writers, self.events // self.writers)
        crowd, recorded = self._write(CROWD, 2)
        return {
            "refusedOfWriters": sum(answer["refused"] for answer in (*some, *crowd)),
            "failedOfManyProcesses": CROWD - len(crowd),
            "lostOfManyProcesses": CROWD * 2 - recorded}

    def _write(self, writers, events):
        """What each writer says that came to its end, and how many events there are more."""
        place = os.path.join(self.programs.folder, "shared")
        os.mkdir(place)
        book = os.path.join(place, "book")
        subprocess.run(
            [self.programs.gatebook, "make-sized-book", book, str(writers), str(2 + writers * 2)],
            check=True, stdout=subprocess.DEVNULL)
        running = []
        try:
            for number in range(1, writers + 1):
                running.append(subprocess.Popen(
                    [self.programs.gatebook, "writer", book, str(number), str(events)], text=True,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE))
            for process in running:
                process.stdout.readline()
            for process in running:
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write("\n")
                    process.stdin.flush()
            told = [process.communicate()[0] for process in running]
            answers = [
                pairs(text) for process, text in zip(running, told) if process.returncode == 0]
            return answers, events_in(book) - (2 + writers * 2)
        finally:
            for process in running:
                if process.poll() is None:
                    process.kill()
                    process.wait()
            shutil.rmtree(place)
