"""Event format, "Checkpoints": signed notes (C2SP tlog-checkpoint and signed-note)."""

import base64
import hashlib
import re

from . import ed25519
from .verdict import Refusal


#: C2SP signed-note: so many are to be accepted, and there has to be a limit.
MAXIMUM_SIGNATURES = 16


class Checkpoint:
    """What somebody kept elsewhere about the book."""

    @classmethod
    def read(cls, path):
        try:
            with open(path, "rb") as file:
                content = file.read((1 << 20) + 1)
        except OSError as error:
            raise Refusal(2, "configuration.invalid", f"{path}: {error.strerror}.",
                          "Name a checkpoint that can be read.") from error
        return cls.of(content, path)

    @classmethod
    def of(cls, content, path):
        """The checkpoint in bytes or in a text that stand in the file at `path`."""
        try:
            if isinstance(content, bytes):
                content = content.decode("utf-8")
            return cls(content)
        except ValueError as error:
            raise Refusal(2, "configuration.invalid", f"{path} is not a checkpoint.",
                          "Name a file that `gatebook checkpoint` wrote.") from error

    def __init__(self, content):
        # No control characters but the line feed, in extension lines neither.
        if len(content) > 1 << 20 or any(each < " " and each != "\n" for each in content):
            raise ValueError
        text, separator, signatures = content.partition("\n\n")
        self.origin, size, root, *_ = text.split("\n")
        self.size, self.root = int(size), decode(root)
        if not separator or str(self.size) != size or not 0 <= self.size < 2**63 or len(self.root) != 32:
            raise ValueError
        if not re.fullmatch("gatebook/[0-9a-f]{32}", self.origin):
            raise ValueError
        self._text = (text + "\n").encode("utf-8")
        *lines, rest = signatures.split("\n")
        if rest or not 1 <= len(lines) <= MAXIMUM_SIGNATURES:
            raise ValueError
        self._signatures = [signature(line) for line in lines]

    def is_signed(self, key):
        """Whether the book's own key signed it; notes may carry other signatures too."""
        key_hash = hashlib.sha256(self.origin.encode("utf-8") + b"\n\x01" + key).digest()[:4]
        own = [signed for name, signed in self._signatures
               if name == self.origin and signed[:4] == key_hash]
        # One that fails refuses the note, whatever stands beside it.
        return bool(own) and all(ed25519.is_signed(self._text, each[4:], key) for each in own)

    def compare(self, identity, key, log, verdict):
        """Says what does not agree; else the verdict reaches the level of a checkpoint."""
        if self.origin != f"gatebook/{identity.hex()}":
            verdict.blame("the checkpoint belongs to another book")
        elif not self.is_signed(key):
            verdict.blame("the checkpoint is not signed by this book's key")
        elif self.size > log.last:
            verdict.blame(f"the checkpoint covers {self.size} events, the log ends at {log.last}",
                          log.last + 1)
        elif log.is_whole and log.root_there is None:
            if verdict.ok:
                raise Refusal(2, "configuration.invalid",
                              "The checkpoint ends among events of which some were lost before the book"
                              f" was recovered: whether the first {self.size} are the ones that it saw"
                              " cannot be told.", "Give a checkpoint that was made since.")
        elif log.is_whole and self.root != log.root_there:
            verdict.blame(f"the first {self.size} events are not those of the checkpoint")
        elif log.is_whole and (verdict.opening is None or verdict.opening.leaves_covered(self.size)):
            verdict.level = "checkpoint"
        elif log.is_whole:
            verdict.blame("the checkpoint covers none of the events that are left")


def signature(line):
    """The name and the bytes of a line of a signed note."""
    dash, name, encoded = line.split(" ")
    signed = decode(encoded)
    if dash != "—" or not name or "+" in name or any(map(str.isspace, name)) or len(signed) < 5:
        raise ValueError
    return name, signed


def decode(text):
    """Base64, written in the only allowed way."""
    decoded = base64.b64decode(text, validate=True)
    if base64.b64encode(decoded).decode("ascii") != text:
        raise ValueError
    return decoded
