"""A fleet: books that are shipped to PostgreSQL beside `COPY`, and questions about many of them.

The servers are those of tools/fleet. They write to the disk like servers that keep their data.
"""

import concurrent.futures
import json
import os
import shutil
import subprocess
import time

from .figures import Figure
from .programs import ROOT, run

PROCESSES = 8
# The partitioned tables of a fleet; the last one has what the fleet refused.
TABLES = ["branch", "program", "event", "checkpoint", "past", "state", "tally", "total",
          "pseudonym", "erased", "notice"]
EVENT = ("book, branch, version, position, revision, at, cause, process, program, withheld, id, "
         "account, session, kind, data, sealed, leaf")


class Servers:
    """Throw-away PostgreSQL servers."""

    def __init__(self, count):
        subprocess.run([os.path.join(ROOT, "tools/install"), "fleet"], check=True)
        self.process = subprocess.Popen(
            [os.path.join(ROOT, "tools/fleet"), "--servers", str(count), "--for-figures"],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.urls = []
        for line in self.process.stdout:
            if line.strip() == "ready":
                return
            server = json.loads(line)
            self.urls.append(server["url"])
            os.environ["PGPASSFILE"] = server["passfile"]
        raise subprocess.CalledProcessError(self.process.wait(), self.process.args)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def psql(url, *statements):
    """Runs each statement in its own transaction; returns what they print."""
    words = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", url]
    for statement in statements:
        words += ["-c", statement]
    done = subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE)
    return done.stdout.strip()


def seconds(work, *arguments):
    begin = time.monotonic()
    work(*arguments)
    return time.monotonic() - begin


class Place:
    """A fleet in a database of its own."""

    def __init__(self, programs, url, database, shards=()):
        self.programs = programs
        psql(url, f"CREATE DATABASE {database}")
        self.url = f"{url.rpartition('/')[0]}/{database}"
        self.holders = shards or [self.url]
        options = ["--shards", ",".join(shards)] if shards else []
        run([programs.command, "fleet", "init", self.url, *options])

    def ship(self, book, *options):
        """What the kernel counted of a shipment."""
        return self.programs.launch(1, self.programs.command, "ship", "--to", self.url, *options,
                                    book=book)

    def empty(self):
        for url in self.holders:
            psql(url, "TRUNCATE " + ", ".join(f"gatebook.{table}" for table in TABLES))

    def size(self):
        return int(psql(self.url, "SELECT coalesce(sum(size), 0) FROM gatebook.branch"))


class Fleet:
    """A fleet on one server, another one on two shards, and a book that is shipped to them."""

    def __init__(self, programs, servers, book, events):
        self.book = book
        self.events = events
        first, *others = servers.urls
        self.single = Place(programs, first, "single")
        shards = []
        for url in others:
            psql(url, "CREATE DATABASE shard")
            shards.append(f"{url.rpartition('/')[0]}/shard")
        self.sharded = Place(programs, first, "coordinator", shards)
        self.rows = os.path.join(programs.folder, "events")
        # Write-ahead logs are made once and then used again, and so are these tables.
        self.single.ship(book)
        self.copy = self._beside(self.single.url)
        psql(self.single.url, f"\\copy (SELECT {EVENT} FROM gatebook.event) TO '{self.rows}'")
        self.sharded.ship(book)
        self.shard = psql(
            self.sharded.url,
            "SELECT s.url FROM gatebook.server s JOIN gatebook.part p ON p.server = s.name, "
            "gatebook.branch b WHERE p.number = gatebook.part_of(b.book)")
        user = first.partition("//")[2].partition("@")[0]
        self.shard = f"postgresql://{user}@{self.shard}"
        self.shard_copy = self._beside(self.shard)
        psql(self.sharded.url, "CREATE UNLOGGED TABLE staged AS SELECT * FROM gatebook.event",
             "IMPORT FOREIGN SCHEMA public LIMIT TO (plain) FROM SERVER "
             + psql(self.sharded.url,
                    "SELECT server FROM gatebook.part, gatebook.branch "
                    "WHERE number = gatebook.part_of(book)") + " INTO public",
             "ALTER FOREIGN TABLE plain OPTIONS (ADD batch_size '1000')")
        self.fill(self.single.url)
        self.fill(self.shard)
        self.single.empty()
        self.sharded.empty()

    @staticmethod
    def _beside(url):
        """A table with the keys and indexes of the part that has the book."""
        part = psql(url, "SELECT gatebook.part_of(book) FROM gatebook.branch")
        psql(url, f"CREATE TABLE plain (LIKE gatebook_part.event_{part} INCLUDING ALL)",
             "GRANT ALL ON plain TO PUBLIC")

    def fill(self, url):
        """Copies the rows into the plain table of a server; in how many seconds."""
        psql(url, "TRUNCATE plain")
        return seconds(psql, url, f"\\copy plain ({EVENT}) FROM '{self.rows}'")


class Shipping:
    """A book that is shipped, beside `COPY` of the same rows."""

    def __init__(self, fleet):
        self.fleet = fleet
        self.single = Figure("ship to one server", "events/s", 0.7, "\\copy")
        self.direct = Figure("ship straight to a shard", "events/s", 0.7, "\\copy")
        self.through = Figure("ship through a coordinator", "events/s", 0.5, "INSERT ... SELECT")
        self.memory = Figure("memory of a shipper", "MiB", 32, is_cost=True)
        self.figures = [self.single, self.direct, self.through, self.memory]

    def round(self, number):
        fleet = self.fleet

        def insert():
            psql(fleet.shard, "TRUNCATE plain")
            return seconds(psql, fleet.sharded.url, "INSERT INTO plain SELECT * FROM staged")

        for figure, place, options, anchor in (
                (self.single, fleet.single, [], lambda: fleet.fill(fleet.single.url)),
                (self.direct, fleet.sharded, ["--direct"], lambda: fleet.fill(fleet.shard)),
                (self.through, fleet.sharded, [], insert)):
            theirs = anchor() if number % 2 else None
            counted = place.ship(fleet.book, *options)
            if place.size() != fleet.events:
                raise AssertionError("The fleet does not have all events.")
            figure.add(fleet.events / counted["p50us"] * 1e6, fleet.events / (theirs or anchor()))
            self.memory.add(counted["kib"] / 1024)
            place.empty()


class VerifyingFleet:
    """`fleet verify`, beside `COPY` of the same rows to standard output."""

    def __init__(self, fleet):
        self.fleet = fleet
        self.rate = Figure("fleet verify", "events/s", 0.7, "COPY TO STDOUT")
        self.figures = [self.rate]

    def round(self, number):
        fleet = self.fleet
        fleet.single.ship(fleet.book)
        command = fleet.single.programs.command

        def verify():
            counted = fleet.single.programs.launch(
                1, command, "fleet", "verify", "--fleet", fleet.single.url)
            return counted["p50us"] / 1e6

        def copy():
            begin = time.monotonic()
            with open(os.devnull, "w", encoding="utf-8") as nothing:
                subprocess.run(
                    ["psql", "-X", "-q", fleet.single.url, "-c",
                     f"COPY (SELECT {EVENT} FROM gatebook.event ORDER BY position) TO STDOUT"],
                    check=True, stdout=nothing)
            return time.monotonic() - begin

        first, second = (verify, copy) if number % 2 == 0 else (copy, verify)
        times = {first: first(), second: second()}
        self.rate.add(fleet.events / times[verify], fleet.events / times[copy])
        fleet.single.empty()


class ManyShippers:
    """Many small books, which some processes ship at once."""

    most_rounds = 3

    def __init__(self, fleet, books, events):
        self.fleet = fleet
        self.books = books
        programs = fleet.single.programs
        self.folder = os.path.join(programs.folder, "small-books")
        os.mkdir(self.folder)
        run([programs.gatebook, "make-small-books", self.folder, books, events])
        self.total = books * events
        self.rate = Figure(
            f"{books:,} books from {PROCESSES} processes at once", "events/s", None, "\\copy")
        self.figures = [self.rate]

    def round(self, number):
        place = self.fleet.single
        books = [os.path.join(self.folder, str(book + 1)) for book in range(self.books)]
        with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
            duration = seconds(lambda: list(pool.map(place.ship, books)))
        if place.size() != self.total:
            raise AssertionError("The fleet does not have all events.")
        place.empty()
        self.rate.add(
            self.total / duration, self.fleet.events / self.fleet.fill(place.url))


class Following:
    """How long it takes until an event is in the fleet that was appended while `--follow` runs."""

    EVENTS = 5

    def __init__(self, fleet):
        self.fleet = fleet
        programs = fleet.single.programs
        self.book = os.path.join(programs.folder, "followed")
        shutil.copyfile(fleet.book, self.book)
        shutil.copy(f"{fleet.book}.key", f"{self.book}.key")
        self.delay = Figure("an event is in the fleet after", "ms", 1000, is_cost=True)
        self.figures = [self.delay]

    def round(self, number):
        place = self.fleet.single
        programs = place.programs
        follower = subprocess.Popen(
            [programs.command, "ship", "--book", self.book, "--key", f"file:{self.book}.key",
             "--to", place.url, "--follow"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self._wait(place, 1)
            for _ in range(self.EVENTS):
                size = self._settled(place)
                run([programs.gatebook, "writer", self.book, 1, 1], told="\n")
                self.delay.add(seconds(self._wait, place, size + 1) * 1000)
        finally:
            follower.terminate()
            follower.wait()
        place.empty()

    @staticmethod
    def _wait(place, size):
        """Waits on the server, a hundredth of a second at a time."""
        psql(place.url, f"""DO $$ BEGIN
            WHILE coalesce((SELECT sum(size) FROM gatebook.branch), 0) < {size} LOOP
              COMMIT; PERFORM pg_sleep(0.01);
            END LOOP;
          END $$""")

    @staticmethod
    def _settled(place):
        size = -1
        while (now := place.size()) != size:
            size = now
            time.sleep(0.3)
        return size


class AskingFleet:
    """Questions about many books: copies of one, by identities and times of their own."""

    def __init__(self, programs, servers, book, copies):
        self.place = Place(programs, servers.urls[0], "many")
        self.place.ship(book)
        self._multiply(copies)
        size = self.place.size()
        self.parts = {
            "newest100us": Figure("newest 100 events of a book", "ms", 5, is_cost=True, size=size),
            "kindInWindowus": Figure("a kind in a window", "ms", 100, is_cost=True, size=size),
            "statisticsus": Figure("fleet stats", "ms", 10, is_cost=True, size=size),
            "findingsus": Figure("fleet findings", "ms", 5000, is_cost=True, size=size)}
        self.room = Figure("room of an event on the disk", "bytes", None, is_cost=True, size=size)
        self.room.add(int(psql(
            self.place.url, "SELECT sum(pg_total_relation_size(oid)) FROM pg_class "
            "WHERE relnamespace = 'gatebook_part'::regnamespace AND relkind = 'r'")) / size)
        self.figures = [*self.parts.values(), self.room]

    def _multiply(self, copies):
        """Each copy begins some days later, so that a day has events of some of them."""
        days = "(n % 30)"
        moved = {"day": f"day + {days}", "book": "md5(n::text)::uuid"}
        moved |= {name: f"{name} + {days} * 86400000000" for name in ("at", "first_at", "last_at")}
        for table in TABLES[:-1]:
            columns = psql(
                self.place.url, "SELECT string_agg(attname, ',' ORDER BY attnum) "
                f"FROM pg_attribute WHERE attrelid = 'gatebook.{table}'::regclass AND attnum > 0")
            values = ", ".join(moved.get(name, name) for name in columns.split(","))
            psql(self.place.url,
                 f"INSERT INTO gatebook.{table} ({columns}) "
                 f"SELECT {values} FROM gatebook.{table}, generate_series(2, {copies}) n")
        psql(self.place.url, "VACUUM ANALYZE")

    def round(self, number):
        programs = self.place.programs
        answer = run([programs.gatebook, "fleet", self.place.url,
                      psql(self.place.url, "SELECT md5('2')"), 20])
        for name, figure in self.parts.items():
            figure.add(answer[name] / 1000)
