"""Event format, "Proofs": a C2SP tlog-proof that holds the event and the key that signed."""

import hashlib

from .checkpoint import Checkpoint, decode
from .event import Event
from .tree import node
from .verdict import Refusal

HEADING = "c2sp.org/tlog-proof@v1"


class Proof:
    """Proof that an event stands in a book, read without the book."""

    def __init__(self, path):
        try:
            with open(path, "rb") as file:
                content = file.read((1 << 20) + 1)
            if len(content) > 1 << 20:
                raise ValueError
            content = content.decode("utf-8")
            head, separator, note = content.partition("\n\n")
            heading, extra, index, *path_lines = head.split("\n")
            if not separator or heading != HEADING or not extra.startswith("extra "):
                raise ValueError
            extra = decode(extra[6:])
            self.index = int(index.removeprefix("index "))
            if f"index {self.index}" != index or self.index < 0 or extra[:1] != b"\x01":
                raise ValueError
            self.key, self.canonical = extra[1:33], extra[33:]
            self.path = [decode(line) for line in path_lines]
            if any(len(sibling) != 32 for sibling in self.path):
                raise ValueError
        except OSError as error:
            raise Refusal(2, "configuration.invalid", f"{path}: {error.strerror}.",
                          "Name a proof that can be read.") from error
        except ValueError as error:
            raise Refusal(2, "configuration.invalid", f"{path} is not a proof.",
                          "Name a file that `gatebook prove` wrote.") from error
        self.checkpoint = Checkpoint.of(note, path)

    def check(self, verdict, against=None):
        """Says what does not hold; `against` names the file of a checkpoint that was kept elsewhere."""
        verdict.size = self.checkpoint.size
        try:
            self.event = Event(self.canonical)
        except ValueError:
            verdict.blame("its event cannot be read")
            return
        verdict.proof = self
        if self.event.position != self.index + 1:
            verdict.blame("the event is not the one at the position that the proof names")
            return
        if not self.checkpoint.is_signed(self.key):
            verdict.blame("the checkpoint is not signed by the key in the proof")
            return
        verdict.root = self.checkpoint.root.hex()
        leaf = hashlib.sha256(b"\x00" + self.canonical).digest()
        if self.root(leaf) != self.checkpoint.root:
            verdict.blame("the event does not lead to the root that was signed", self.index + 1)
        elif against:
            self._compare(Checkpoint.read(against), verdict)

    def _compare(self, kept, verdict):
        if kept.origin != self.checkpoint.origin:
            raise Refusal(5, "storage.damaged", "The checkpoint that was given is another book's.",
                          "The proof itself holds: give a checkpoint of its book.")
        elif not kept.is_signed(self.key):
            verdict.blame("another key has signed the checkpoint that was kept elsewhere")
        elif kept.size == self.checkpoint.size and kept.root != self.checkpoint.root:
            verdict.blame("the checkpoint that was kept elsewhere has another root")
        else:
            verdict.level = "checkpoint"

    def root(self, leaf):
        """RFC 9162 section 2.1.3.2; nothing for a path of a wrong length."""
        number, last = self.index, self.checkpoint.size - 1
        if number > last:
            return None
        for sibling in self.path:
            if last == 0:
                return None
            if number % 2 == 1 or number == last:
                leaf = node(sibling, leaf)
                while number % 2 == 0 and number > 0:
                    number, last = number // 2, last // 2
            else:
                leaf = node(leaf, sibling)
            number, last = number // 2, last // 2
        return leaf if last == 0 else None
