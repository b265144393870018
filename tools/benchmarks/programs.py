"""Builds the programs that are compared, and runs them."""

import functools
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = os.path.join(ROOT, "tools", "benchmarks")
MIGRATIONS = os.path.join(ROOT, "Migrations")

COMMON = ["measure.c", "database.c", "hash.c"]
READER = ["read-book.c", *COMMON]
REQUESTS = ["requests.c", "measure.c"]
PLAIN = ["plain-row.c", *COMMON]
WHOLE = ["whole-work.c", "book.c", "verification.c", "past.c", "limits.c", "state.c", "rollup.c",
         "seal.c", "tree.c", "event.c", *COMMON]


def build(product):
    """Builds a program of Gatebook for release; what it says goes to standard error."""
    subprocess.run([os.path.join(ROOT, "tools", "install"), "build", "bench"], check=True)
    swift = ["swift", "build", "-c", "release", "--package-path", ROOT]
    subprocess.run([*swift, "--product", product], check=True, stdout=sys.stderr)
    place = subprocess.run([*swift, "--show-bin-path"], check=True, capture_output=True, text=True)
    return os.path.join(place.stdout.strip(), product)


class Programs:
    """The programs under test, each run in an empty folder of its own."""

    def __init__(self, folder, command=None):
        self.folder = folder
        self.given_command = command
        self.gatebook = build("GatebookBench")
        self.plain = self._compile("plain-row", PLAIN, ["-lsqlite3", "-lcrypto"])
        self.whole = self._compile("whole-work", WHOLE, ["-lsqlite3", "-lcrypto"])
        self.reader = self._compile("read-book", READER, ["-lsqlite3", "-lcrypto"])
        self.requests = self._compile("requests", REQUESTS, ["-lcurl"])
        self.launcher = self._compile("launch", ["launch.c", "measure.c"], [])
        self.counters = self._compile("counters.so", ["counters.c"], ["-shared", "-fPIC", "-ldl"])
        self.schema = self._join_migrations()

    @functools.cached_property
    def command(self):
        """The command `gatebook`."""
        return self.given_command or build("gatebook")

    def launch(self, times, *command, book=None):
        """Runs a program some times, with a book as its own; what the kernel counted of it."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("GATEBOOK_")}
        if book:
            environment |= {"GATEBOOK_BOOK": book, "GATEBOOK_KEY": f"file:{book}.key"}
        # No agent, no settings and no caches of the person who measures.
        environment |= {"GATEBOOK_AGENT": "", "XDG_CONFIG_HOME": self.folder,
                        "XDG_CACHE_HOME": self.folder}
        done = subprocess.run(
            [self.launcher, str(times), *map(str, command)], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            print(done.stderr, file=sys.stderr, end="")
            done.check_returncode()
        return pairs(done.stdout)

    def _join_migrations(self):
        """Writes the migrations into one file, as a new book has seen them."""
        names = sorted(name for name in os.listdir(MIGRATIONS) if name.endswith(".sql"))
        path = os.path.join(self.folder, "schema.sql")
        with open(path, "w", encoding="utf-8") as schema:
            for name in names:
                with open(os.path.join(MIGRATIONS, name), encoding="utf-8") as migration:
                    schema.write(migration.read())
            schema.write(f"PRAGMA user_version = {len(names)};\n")
        return path

    def _compile(self, name, sources, options):
        program = os.path.join(self.folder, name)
        paths = [os.path.join(SOURCES, source) for source in sources]
        compiler = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program]
        subprocess.run([*compiler, *paths, *options], check=True)
        return program

    def append(self, name, batch, events, counting=False):
        """Appends to a new book; what the program printed, and `bytes`, what the book takes."""
        place = os.path.join(self.folder, "run")
        os.mkdir(place)
        try:
            book = os.path.join(place, "book")
            command = {
                "plain": [self.plain, "append", book, batch, events],
                "whole": [self.whole, "append", self.schema, book, batch, events],
                "gatebook": [self.gatebook, "append", book, batch, events],
                "concurrent": [self.gatebook, "concurrent", book, batch, events],
            }[name]
            answer = run(command, preload=self.counters if counting else None)
            answer["bytes"] = os.path.getsize(book)
            return answer
        finally:
            shutil.rmtree(place)


def run(command, cores=None, preload=None, told=None):
    """Runs a program to its end and reads the `name=value` pairs that it prints.

    `told` is its input.
    """
    environment = dict(os.environ)
    if preload:
        environment["LD_PRELOAD"] = preload
    done = subprocess.run(
        [str(word) for word in command], check=True, env=environment, text=True, input=told,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE if preload else None,
        preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None)
    return pairs(f"{done.stdout} {done.stderr or ''}")


def pairs(text):
    """The `name=value` pairs of a text; its other words are left out."""
    parts = (word.partition("=") for word in text.split())
    return {name: float(value) for name, _, value in parts if value}
