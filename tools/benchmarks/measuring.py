"""The rounds: each program once in each of them, in an order that turns."""

import os
import time
from dataclasses import dataclass

from .figures import Figure
from .programs import run

CALLERS = 32


@dataclass
class Sizes:
    """How much is done in a round."""

    rounds: int
    singles: int
    batched: int
    concurrent: int
    book: int
    # How long each load of the proxy lasts, in seconds.
    load: int
    # In how many rounds at most the proxy is measured, and tokens of many accounts.
    loads: int
    # The events of the books whose growth is shown.
    books: list
    # How many events several processes write together in a round.
    shared: int
    # How many requests are sent in a round.
    requests: int
    # The KiB of the texts that parsers get.
    text: int
    # The events of a book that is shipped to a fleet.
    shipped: int
    # The books of a fleet.
    fleet: int

    @staticmethod
    def full():
        return Sizes(rounds=7, singles=5000, batched=200_000, concurrent=40_000, book=1_000_000,
                     load=3, loads=100, books=[10_000, 1_000_000, 10_000_000], shared=4000,
                     requests=10_000, text=1024, shipped=300_000, fleet=1000)

    @staticmethod
    def quick():
        return Sizes(rounds=3, singles=1000, batched=20_000, concurrent=5000, book=50_000,
                     load=1, loads=1, books=[10_000, 100_000], shared=1000, requests=2000,
                     text=64, shipped=30_000, fleet=50)


def turned(items, number):
    """The items in an order that begins with another one in every round."""
    start = number % len(items)
    return items[start:] + items[:start]


def measure(parts, rounds):
    """Runs all rounds; how many seconds each part took.

    A part that has `most_rounds` is measured no more often: its verdict would be the same.
    """
    seconds = {type(part).__name__: 0.0 for part in parts}
    for number in range(rounds):
        for part in parts:
            if number >= getattr(part, "most_rounds", rounds):
                continue
            begin = time.monotonic()
            part.round(number)
            seconds[type(part).__name__] += time.monotonic() - begin
    return {name: round(value, 1) for name, value in seconds.items()}


class Appending:
    """Single durable appends, by one task and by many at once."""

    def __init__(self, programs, sizes):
        self.programs = programs
        self.sizes = sizes
        self.whole = Figure("single append", "events/s", 0.95, "whole")
        self.plain = Figure("single append", "events/s", 0.85, "plain")
        self.p50 = Figure("single append, p50", "us", 1.15, "whole", is_cost=True)
        self.p99 = Figure("single append, p99", "us", 1.3, "whole", is_cost=True)
        self.many = Figure(f"{CALLERS} callers at once", "events/s", 5, "whole single")
        self.many_p99 = Figure(f"{CALLERS} callers at once, p99", "us", 3000, is_cost=True)
        self.figures = [self.whole, self.plain, self.p50, self.p99, self.many, self.many_p99]

    def round(self, number):
        answers = {
            name: self.programs.append(name, 1, self.sizes.singles)
            for name in turned(["plain", "whole", "gatebook"], number)}
        ours, plain, whole = (answers[name] for name in ("gatebook", "plain", "whole"))
        self.whole.add(ours["rate"], whole["rate"])
        self.plain.add(ours["rate"], plain["rate"])
        self.p50.add(ours["p50us"], whole["p50us"])
        self.p99.add(ours["p99us"], whole["p99us"])
        many = self.programs.append("concurrent", CALLERS, self.sizes.concurrent)
        self.many.add(many["rate"], whole["rate"])
        self.many_p99.add(many["p99us"])


class Batches:
    """Batches of a thousand, each one transaction."""

    def __init__(self, programs, sizes):
        self.programs = programs
        self.sizes = sizes
        self.plain = Figure("batches of 1000", "events/s", 1.15, "plain")
        self.whole = Figure("batches of 1000", "events/s", 0.95, "whole")
        self.figures = [self.plain, self.whole]

    def round(self, number):
        rates = {
            name: self.programs.append(name, 1000, self.sizes.batched)["rate"]
            for name in turned(["plain", "whole", "gatebook"], number)}
        self.plain.add(rates["gatebook"], rates["plain"])
        self.whole.add(rates["gatebook"], rates["whole"])


class Verifying:
    """One and the same book, verified and folded."""

    def __init__(self, programs, book):
        self.commands = {
            "leaves": ([programs.whole, "verify", book], 1),
            "check": ([programs.whole, "check", book], 1),
            "one": ([programs.gatebook, "verify", book], 1),
            "two": ([programs.gatebook, "verify", book], 2),
            "fold": ([programs.gatebook, "rebuild", book], 1)}
        self.check = Figure("verify, one core", "events/s", 0.9, "C, as much")
        self.leaves = Figure("verify, one core", "events/s", 0.9, "C, leaves alone")
        self.absolute = Figure("verify, one core", "events/s", 1_200_000)
        self.two = Figure("verify, two cores", "events/s", 1.8, "one core")
        self.fold = Figure("fold of the log", "events/s", 1_500_000)
        self.figures = [self.check, self.leaves, self.absolute, self.two, self.fold]

    def round(self, number):
        rates = {}
        for name in turned(list(self.commands), number):
            command, cores = self.commands[name]
            available = sorted(os.sched_getaffinity(0))
            rates[name] = run(command, cores=set(available[:cores]))["rate"]
        self.check.add(rates["one"], rates["check"])
        self.leaves.add(rates["one"], rates["leaves"])
        self.absolute.add(rates["one"])
        self.two.add(rates["two"], rates["one"])
        self.fold.add(rates["fold"])
