"""The parsers of what strangers send, and texts whose shapes slow parsers down."""

from .figures import Figure
from .measuring import turned
from .programs import run


class Parsing:
    """Every parser and every shape, with a text and with one of four times its size."""

    # One round of all takes seconds, and differs little from the next.
    most_rounds = 3

    def __init__(self, programs, kibibytes):
        self.programs = programs
        self.sizes = [kibibytes, kibibytes // 4]
        text, part = (f"{size:,} KiB" for size in self.sizes)
        # The goal is about 1 MiB.
        self.worst = Figure(
            f"slowest parser, {text} of any shape", "us", 100_000 * kibibytes / 1024, is_cost=True)
        # Time that is linear in the size, and a fifth for chance.
        self.grown = Figure(f"all parsers, {text}", "us", 4.8, part, is_cost=True)
        self.figures = [self.worst, self.grown]

    def round(self, number):
        found = {size: run([self.programs.gatebook, "parse", size * 1024])
                 for size in turned(self.sizes, number)}
        whole, part = (found[size] for size in self.sizes)
        self.worst.add(whole["worstus"])
        self.grown.add(whole["totalus"], part["totalus"])
