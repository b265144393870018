"""Event format, "A past in an archive": where a book goes on that has not all of its events."""

import hashlib
import json

from .leaf import COLUMNS, Unreadable, leaf
from .tree import Tree

LOST = hashlib.sha256(b"\x00").digest()


class Opening:
    """The state that a book begins with, and the tree up to there."""

    @classmethod
    def read(cls, book, verdict):
        """Nothing for a book that has all of its past."""
        if not book.execute("SELECT 1 FROM sqlite_schema WHERE name = 'opening'").fetchone():
            return None
        rows = book.execute(
            "SELECT floor, first, root, frontier, state, recovered, proven FROM opening").fetchall()
        lost = book.execute("SELECT first, last FROM lost ORDER BY first").fetchall()
        if lost and not (rows and rows[0][5]):
            verdict.blame("only a recovery loses events, and says so")
        if not rows:
            return None
        opening = cls(*rows[0])
        opening.lost = lost
        if len(opening.frontier) != opening.floor.bit_count() or not 1 <= opening.first <= opening.floor + 1:
            verdict.blame("what says where the book begins is damaged")
            return None
        last = 0
        for first, end in opening.lost:
            if not last < first <= end <= opening.floor:
                verdict.blame("what says which events are lost is damaged")
                return None
            last = end
        return opening

    def __init__(self, floor, first, root, frontier, state, recovered, proven):
        self.floor, self.first, self.root, self.state = floor, first, root, state
        self.frontier = [frontier[start:start + 32] for start in range(0, len(frontier), 32)]
        self.recovered, self.proven, self.lost = recovered != 0, proven != 0, []
        self.kept = None  # the tree over the leaves of the events up to the floor, once they were read

    def tree(self):
        """The tree that the events behind the floor are added to."""
        tree = Tree()
        tree.size, tree.frontier = self.floor, list(self.frontier)
        return tree

    def root_of(self, book, size):
        """The root over the first `size` events, which end before the floor or at it; nothing where a
        stored part of it is missing."""
        if size == self.floor:
            return self.root
        blocks = Tree()
        for (root,) in book.execute("SELECT root FROM subtree WHERE level = 8 AND number < ?"
                                    " ORDER BY number", (size >> 8,)):
            blocks.grow(root)
        if blocks.size != size >> 8:
            return None
        done, nodes = size & ~0xFF, []
        leaves = leaves_of(book, done, size)
        if len(leaves) != size - done and done == self.floor & ~0xFF:
            # What is in the archive, or was lost, stands as the subtrees that the book goes on from.
            levels = [level for level in range(7, -1, -1) if self.floor >> level & 1]
            for level, root in zip(levels, self.frontier[(self.floor >> 8).bit_count():]):
                if done + (1 << level) > size:
                    break
                nodes.append(root)
                done += 1 << level
            leaves = leaves_of(book, done, size)
        if len(leaves) != size - done:
            return None
        tail, whole = Tree(), Tree()
        for leaf_there in leaves:
            tail.grow(leaf_there)
        whole.frontier = blocks.frontier + nodes + tail.frontier
        return whole.root()

    def leaves_covered(self, size):
        """Whether a checkpoint of `size` events covers one that is here: after a recovery only those
        that stand in a run of 256 without a lost or an archived one."""
        if not (self.recovered and self.proven and self.first <= size <= self.floor):
            return True
        broken = {(self.first - 1) >> 8} if (self.first - 1) & 0xFF else set()
        for first, last in self.lost:
            if first > size:
                break
            broken.update(range((first - 1) >> 8, ((min(last, size) - 1) >> 8) + 1))
        runs = range((self.first - 1) >> 8, ((size - 1) >> 8) + 1)
        return any(number not in broken for number in runs)

    def revisions(self, book):
        """The last revision of each stream, by the numbers of `event.account`."""
        numbers = dict(book.execute("SELECT id, number FROM account"))
        return {numbers.get(name, 0): json.loads(state).get("revision") for name, state in book.execute(
            "SELECT name, state FROM opening_row WHERE part = 'stream'")}

    def check(self, book, names, key, verdict):
        if self.tree().root() != self.root:
            verdict.blame("the tree that the book goes on from does not make its root")
        rows = book.execute("SELECT part, name, state FROM opening_row ORDER BY part, name").fetchall()
        if state_root(rows) != self.state:
            verdict.blame("the state that the book goes on from was changed")
        self._check_events(book, names, rows, verdict)
        facts = self._check_first(book, key, verdict)
        # Older versions left damaged ones of archived runs where the tree began anew.
        if self.proven or "kept" in facts:
            self._check_subtrees(book, verdict)

    def _check_events(self, book, names, rows, verdict):
        named = {int.from_bytes(name, "big"): json.loads(state).get("leaf")
                 for part, name, state in rows if part == b"event"}
        for row in book.execute(f"SELECT {', '.join(COLUMNS)} FROM opening_event"):
            try:
                computed = leaf(row, names).hex()
            except Unreadable:
                computed = None
            if computed is None or named.pop(row[0], None) != computed:
                verdict.blame(f"event {row[0]}, which the state names, was changed", row[0])
        if named:
            verdict.blame(f"event {min(named)}, which the state names, is missing", min(named))

    def _check_subtrees(self, book, verdict):
        """The stored subtrees up to the floor make the tree that the book goes on from."""
        tree = Tree()
        for (root,) in book.execute("SELECT root FROM subtree WHERE level = 8 AND number < ?"
                                    " ORDER BY number", (self.floor >> 8,)):
            # A tree over blocks of 256: its level 0 is the book's level 8.
            tree.grow(root)
        stored = {(level, number): root for level, number, root in book.execute(
            "SELECT level, number, root FROM subtree WHERE level > 8")}
        large = all(stored.get((level + 8, number)) == root
                    for (level, number), root in tree.subtrees.items())
        upper = self.frontier[:(self.floor >> 8).bit_count()]
        if tree.size != self.floor >> 8 or not large or tree.frontier != upper:
            verdict.blame("the stored subtrees are not those of the tree that the book goes on from")

    def _check_first(self, book, key, verdict):
        if self._is_of_fleet(book):
            return {}
        row = book.execute("SELECT kind.name, event.data FROM event JOIN kind"
                           " ON kind.number = event.kind WHERE event.position = ?",
                           (self.floor + 1,)).fetchone()
        try:
            facts = json.loads(row[1]) if row else {}
        except ValueError:
            facts = {}
        kind = b"book.recovered" if self.recovered else b"book.continued"
        expected = {"from": self.floor, "root": self.root.hex(), "state": self.state.hex(),
                    "checkpointKey": key.hex()}
        if self.recovered and isinstance(facts, dict):
            self._check_kept(facts, verdict)
        if (not row or row[0] != kind or not isinstance(facts, dict)
                or any(facts.get(name) != value for name, value in expected.items())):
            verdict.blame(f"event {self.floor + 1} does not say what the book goes on from",
                          self.floor + 1)
        return facts if isinstance(facts, dict) else {}

    def _is_of_fleet(self, book):
        """Whether a fleet made the state, which then no event of the book names: it forgot the events
        before it."""
        source, description = book.execute("SELECT key_source, key_description FROM book").fetchone()
        return source == b"none" and json.loads(description).get("forgotten") == self.floor

    def _check_kept(self, facts, verdict):
        """What the recovery recorded of what it kept and lost."""
        lost = sum(last - first + 1 for first, last in self.lost)
        if "lost" in facts and facts["lost"] != lost:
            verdict.blame(f"{lost} events are said to be lost, and the recovery lost {facts['lost']}",
                          self.first)
        if "kept" in facts and self.kept is not None and facts["kept"] != self.kept.root().hex():
            verdict.blame("the events before the recovery are not those that it kept")


def leaves_of(book, start, end):
    return [stored for (stored,) in book.execute(
        "SELECT leaf FROM event WHERE position > ? AND position <= ? ORDER BY position", (start, end))]


def state_root(rows):
    """The root over the rows of an opening state, in the order of their parts and names."""
    tree = Tree()
    for part, name, state in rows:
        tree.grow(hashlib.sha256(
            b"\x00" + len(part).to_bytes(2, "big") + part + len(name).to_bytes(2, "big") + name
            + len(state).to_bytes(4, "big") + state).digest())
    return tree.root()


class RecoveredLog:
    """The events up to the floor of a recovered book: each by itself, and the tree where it is whole."""

    def __init__(self, book, opening, names, verdict):
        self._opening, self._verdict, opening.kept = opening, verdict, Tree()
        self._roots = dict(book.execute("SELECT number, root FROM subtree WHERE level = 8"))
        self._block, self._leaves = (opening.first - 1) >> 8, []
        self._is_whole = (opening.first - 1) & 0xFF == 0
        expected = opening.first
        lost = iter(opening.lost + [(opening.floor + 1, opening.floor + 1)])
        gap = next(lost)
        for row in book.execute(f"SELECT {', '.join(COLUMNS)} FROM event WHERE position <= ?"
                                " ORDER BY position", (opening.floor,)):
            while expected == gap[0] and expected <= opening.floor:
                self._take_lost(gap)
                expected, gap = gap[1] + 1, next(lost)
            if row[0] != expected:
                verdict.blame(f"event {expected} is missing, and not among those that were lost", expected)
                return
            self._take(row, names)
            expected += 1
        while expected == gap[0] and expected <= opening.floor:
            self._take_lost(gap)
            expected, gap = gap[1] + 1, next(lost)
        if expected != opening.floor + 1:
            verdict.blame(f"event {expected} is missing, and not among those that were lost", expected)
        self._check_tail()

    def _take(self, row, names):
        try:
            computed = leaf(row, names)
        except Unreadable as error:
            self._verdict.blame(f"event {row[0]}: {error}", row[0])
            self._is_whole = False
            computed = LOST
        else:
            if computed != row[COLUMNS.index("leaf")]:
                self._verdict.blame(f"event {row[0]} does not match its leaf", row[0])
            self._opening.kept.grow(computed)
        self._add(row[0], computed)

    def _take_lost(self, gap):
        for position in range(gap[0], gap[1] + 1):
            if self._opening.proven:
                self._is_whole = False
            self._add(position, LOST)

    def _add(self, position, computed):
        self._leaves.append(computed)
        if position % 256:
            return
        if self._is_whole and len(self._leaves) == 256:
            tree = Tree()
            for each in self._leaves:
                tree.grow(each)
            if tree.root() != self._roots.get(self._block):
                self._verdict.blame(
                    f"the subtree of events {position - 255} to {position} does not match them",
                    position - 255)
        self._block, self._leaves, self._is_whole = self._block + 1, [], True

    def _check_tail(self):
        if not self._is_whole or len(self._leaves) != self._opening.floor & 0xFF:
            return
        tree = Tree()
        for each in self._leaves:
            tree.grow(each)
        if tree.frontier != self._opening.frontier[(self._opening.floor >> 8).bit_count():]:
            self._verdict.blame("the events before the recovery do not make the tree they stood in")
