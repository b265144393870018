"""Event format, "Other tables": what `block` says of the events in it."""

LEVELS = 8, 16
# Nobody believes rows that another version of the folds has made.
FOLDS = 14


class Blocks:
    """The rows of `block` as the events make them, which are read in order."""

    def __init__(self, book):
        self._stored, self._open, self._problems = {}, {}, []
        has_table = book.execute("SELECT 1 FROM sqlite_schema WHERE name = 'block'").fetchone()
        if has_table and book.execute("SELECT 1 FROM head WHERE folds = ?", (FOLDS,)).fetchone():
            self._stored = {(level, number): tuple(rest) for level, number, *rest in book.execute(
                "SELECT level, number, earliest, latest, kinds FROM block")}
        self._counts = {level: max((number + 1 for at, number in self._stored if at == level), default=0)
                        for level in LEVELS}

    def take(self, position, kind, at):
        """Adds the event at `position`, the next one behind the floor."""
        self._add(8, at, at, 1 << (max(0, kind - 1) % 63))
        if position % 2**8 == 0:
            self._add(16, *self._end(8, position))
        if position % 2**16 == 0:
            self._end(16, position)

    def _add(self, level, earliest, latest, kinds):
        first, last, others = self._open.get(level, (earliest, latest, 0))
        self._open[level] = min(first, earliest), max(last, latest), others | kinds

    def _end(self, level, position):
        made, number = self._open.pop(level), (position >> level) - 1
        if number < self._counts[level] and self._stored.get((level, number)) != made:
            self._problems.append(f"the summary of events {(number << level) + 1} to {position} differs"
                                  " from them")
        return made

    def check(self, size, verdict):
        """What is wrong of a log of this size that is right; where it is not, this follows from it."""
        if not verdict.ok:
            return
        if any(count > size >> level for level, count in self._counts.items()):
            verdict.blame("there are summaries of events that the log does not have: its end may have been"
                          " cut off")
        for problem in self._problems:
            verdict.blame(problem)
