"""Event format, "Checkpoints": signed notes (C2SP tlog-checkpoint and signed-note)."""

import base64
import hashlib

from . import ed25519
from .verdict import Refusal


class Checkpoint:
    """What somebody kept elsewhere about the book."""

    @classmethod
    def read(cls, path):
        try:
            with open(path, "rb") as file:
                return cls.of(file.read(1 << 20).decode("utf-8", "replace"), path)
        except OSError as error:
            raise Refusal(2, "configuration.invalid", f"{path}: {error.strerror}.",
                          "Name a checkpoint that can be read.") from error

    @classmethod
    def of(cls, content, path):
        """The checkpoint in a text that stands in the file at `path`."""
        try:
            return cls(content)
        except ValueError as error:
            raise Refusal(2, "configuration.invalid", f"{path} is not a checkpoint.",
                          "Name a file that `gatebook checkpoint` wrote.") from error

    def __init__(self, content):
        text, separator, signatures = content.rpartition("\n\n")
        self.origin, size, root, *_ = text.split("\n")
        self.size, self.root = int(size), base64.b64decode(root, validate=True)
        if not separator or str(self.size) != size or self.size < 0 or len(self.root) != 32:
            raise ValueError
        self._text = (text + "\n").encode("utf-8")
        self._lines = [line[2:].split(" ") for line in signatures.split("\n")
                       if line.startswith("— ")]

    def is_signed(self, key):
        """Whether the book's own key signed it; notes may carry other signatures too."""
        key_hash = hashlib.sha256(self.origin.encode("utf-8") + b"\n\x01" + key).digest()[:4]
        for words in self._lines:
            try:
                name, encoded = words
                signature = base64.b64decode(encoded, validate=True)
            except ValueError:
                continue
            if name == self.origin and signature[:4] == key_hash:
                return ed25519.is_signed(self._text, signature[4:], key)
        return False

    def compare(self, identity, key, log, verdict):
        """Says what does not agree; else the verdict reaches the level of a checkpoint."""
        if self.origin != f"gatebook/{identity.hex()}":
            verdict.blame("the checkpoint belongs to another book")
        elif not self.is_signed(key):
            verdict.blame("the checkpoint is not signed by this book's key")
        elif self.size > log.last:
            verdict.blame(f"the checkpoint covers {self.size} events, the log ends at {log.last}",
                          log.last + 1)
        elif log.is_whole and self.root != log.root_there:
            verdict.blame(f"the first {self.size} events are not those of the checkpoint")
        elif log.is_whole:
            verdict.level = "checkpoint"
