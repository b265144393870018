"""The library `eventsourcing` on SQLite: the events of tools/benchmarks/book.c, as its own.

Usage: log.py append PATH BATCH EVENTS | rebuild PATH
"""

import sys
import time
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

MEMBERS = 20


class Member(Aggregate):
    """An account with what its last renewal said."""

    @event("Added")
    def __init__(self, method, server, user):
        self.method, self.server, self.user = method, server, user
        self.generation, self.greeting, self.place, self.verified = 0, "", "", ""

    @event("RefreshStarted")
    def start_refresh(self, attempt, deadline, generation, trigger):
        pass

    @event("RefreshSucceeded")
    def refresh(self, boot, generation, greeting, place):
        self.generation, self.greeting, self.place = generation, greeting, place

    @event("SessionVerified")
    def verify(self, by):
        self.verified = by


def open_application(path):
    return Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": path})


def add_event(member, number):
    if number % 3 == 0:
        member.start_refresh(
            attempt=1, deadline=1_800_000_000_000_000 + number, generation=number, trigger="early")
    elif number % 3 == 1:
        member.refresh(
            boot=number, generation=number, greeting="Welcome Ada Example!", place="192.0.2.17")
    else:
        member.verify(by="bench")


def append(path, batch, events):
    application = open_application(path)
    members = [Member("http", "https://bench.example", "bench") for _ in range(MEMBERS)]
    application.save(*members)
    times = []
    start = time.perf_counter()
    for first in range(0, events, batch):
        begun = time.perf_counter()
        touched = {}
        for number in range(first, first + batch):
            member = touched.setdefault(number % MEMBERS, members[number % MEMBERS])
            add_event(member, number)
        application.save(*touched.values())
        times.append(time.perf_counter() - begun)
    tell(events, time.perf_counter() - start, times)
    with open(f"{path}.members", "w", encoding="ascii") as file:
        file.write("\n".join(str(member.id) for member in members))


def rebuild(path):
    """Each account from all of its events."""
    application = open_application(path)
    with open(f"{path}.members", encoding="ascii") as file:
        names = [UUID(line) for line in file.read().split()]
    start = time.perf_counter()
    events = sum(application.repository.get(name).version for name in names)
    tell(events, time.perf_counter() - start, [])


def tell(events, seconds, times):
    print(f"rate={events / seconds:.0f}", end="")
    if times:
        times.sort()
        p50, p99 = (times[int(len(times) * share)] * 1e6 for share in (0.5, 0.99))
        print(f" p50us={p50:.1f} p99us={p99:.1f}", end="")
    print()


if __name__ == "__main__":
    if sys.argv[1] == "append":
        append(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        rebuild(sys.argv[2])
