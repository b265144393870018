"""Walks the log and compares it with what the book says about it."""

import json
import sqlite3

from .blocks import Blocks
from .facts import is_canonical
from .leaf import COLUMNS, Names, Unreadable, leaf
from .past import RecoveredLog
from .tree import Tree


class Log:
    """The events, read once, in order.

    `root_at` is a size whose root is wanted too; it lands in `root_there`.
    """

    def __init__(self, book, verdict, root_at=None, opening=None):
        self.tree, self.last = opening.tree() if opening else Tree(), opening.floor if opening else 0
        # Without a gap and readable, else there is no tree to compare anything with.
        self.is_whole = True
        self.root_at, self.root_there = root_at, None
        self._verdict, self.names, self.blocks = verdict, Names(book), Blocks(book)
        self._revisions = opening.revisions(book) if opening else {}
        self._keep_wanted_root()
        try:
            if opening and opening.recovered:
                RecoveredLog(book, opening, self.names, verdict)
            past = f" WHERE position > {self.last}" if opening and opening.recovered else ""
            for row in book.execute(f"SELECT {', '.join(COLUMNS)} FROM event{past} ORDER BY position"):
                self._take(row)
        except sqlite3.DatabaseError as error:
            self.is_whole = False
            verdict.blame(f"nothing is readable after event {self.last}: {error}", self.last + 1)

    def _keep_wanted_root(self):
        if self.tree.size == self.root_at:
            self.root_there = self.tree.root()

    def _take(self, row):
        position, account, revision, kind, at, cause, data, stored = (
            row[COLUMNS.index(name)]
            for name in ("position", "account", "revision", "kind", "at", "cause", "data", "leaf"))
        if position != self.last + 1:
            self.is_whole = False
            self._verdict.blame(
                f"event {self.last + 1} is missing, the next is {position}", self.last + 1)
        self.last = position
        try:
            computed = leaf(row, self.names)
        except Unreadable as error:
            self.is_whole = False
            self._revisions[account] = None
            self._verdict.blame(f"event {position}: {error}", position)
            return
        if computed != stored:
            self._verdict.blame(f"event {position} does not match its leaf", position)
        self._check_order(position, account, revision, cause)
        if not is_canonical(data):
            self._verdict.blame(f"event {position}: its data is not canonical JSON", position)
        if self.is_whole:
            self.tree.grow(computed)
            self.blocks.take(position, kind, at)
            self._keep_wanted_root()

    def _check_order(self, position, account, revision, cause):
        before = self._revisions.get(account, 0)  # None: that event could not be read
        if before is not None and revision != before + 1:
            self._verdict.blame(
                f"event {position} has revision {revision} instead of {before + 1}", position)
        self._revisions[account] = revision
        if cause is not None and not 1 <= cause < position:
            self._verdict.blame(f"event {position} names a cause that is not before it", position)


def check_head(book, log, verdict):
    rows = book.execute("SELECT size, root, frontier FROM head").fetchall()
    if len(rows) != 1:
        verdict.blame("the head is missing")
        return
    size, root, frontier = rows[0]
    if size != log.last:
        first = min(number for number in (size, log.last) if isinstance(number, int)) + 1
        verdict.blame(f"the head counts {size} events, the last one is {log.last}", first)
    elif log.is_whole:
        if root != log.tree.root():
            verdict.blame("the root of the head does not match the events")
        if frontier != b"".join(log.tree.frontier):
            verdict.blame("the frontier of the head does not match the events")


def check_subtrees(book, log, verdict, opening=None):
    # Those up to the floor make the tree that the book goes on from: that was checked there.
    floor = opening.floor if opening else 0
    stored = {(level, number): root for level, number, root in book.execute(
        "SELECT level, number, root FROM subtree") if (number + 1) << level > floor}
    if not log.is_whole:
        return
    for (level, number), root in sorted(log.tree.subtrees.items()):
        if stored.pop((level, number), None) != root:
            first, last = number * 2**level + 1, (number + 1) * 2**level
            # An event that is bad by itself tells more than the subtree it lies in.
            known = verdict.first_bad is not None and first <= verdict.first_bad <= last
            verdict.blame(f"the subtree of events {first} to {last} does not match them",
                          None if known else first)
    if stored:
        verdict.blame(f"subtrees that belong to no events: {len(stored)}", log.last + 1)


def check_first_event(book, key, verdict):
    """The key that signs checkpoints stands in the log too: nobody can exchange it alone."""
    row = book.execute("SELECT kind.name, event.data FROM event JOIN kind"
                       " ON kind.number = event.kind WHERE event.position = 1").fetchone()
    try:
        facts = json.loads(row[1]) if row and row[0] == b"book.created" else {}
    except ValueError:
        facts = {}
    if not isinstance(facts, dict) or facts.get("checkpointKey") != key.hex():
        verdict.blame("the first event does not name the book's checkpoint key")
