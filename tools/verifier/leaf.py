"""Event format, "Canonical bytes and the leaf"."""

import hashlib
import struct

# The order in which `leaf` takes them; the stored leaf comes last.
COLUMNS = (
    "position", "id", "account", "revision", "session", "kind", "version", "at", "cause", "writer",
    "process", "data", "sealed", "leaf")


class Unreadable(Exception):
    """A stored value is not what its column may hold."""


class Names:
    """The dictionaries of the book: the leaf covers names, never their numbers."""

    def __init__(self, book):
        self._accounts = dict(book.execute("SELECT number, id FROM account"))
        self._sessions = dict(book.execute("SELECT number, id FROM session"))
        self._kinds = dict(book.execute("SELECT number, name FROM kind"))
        self._writers = {number: rest for number, *rest in book.execute(
            "SELECT number, program, version, installation FROM writer")}

    def account(self, number):
        if number == 0:  # the book's own stream
            return None
        return octets(find(self._accounts, number, "account"), "account id", 16)

    def session(self, number):
        return octets(find(self._sessions, number, "session"), "session id", 16)

    def kind(self, number):
        return find(self._kinds, number, "kind")

    def writer(self, number):
        return find(self._writers, number, "writer")


def find(dictionary, number, what):
    if number not in dictionary:
        raise Unreadable(f"its {what} {number!r} is missing")
    return dictionary[number]


def integer(value, what, least=-(2**63), most=2**63 - 1):
    if not isinstance(value, int) or not least <= value <= most:
        raise Unreadable(f"its {what} is no number from {least} to {most}")
    return value


def octets(value, what, length=None):
    if not isinstance(value, bytes) or length not in (None, len(value)):
        raise Unreadable(f"its {what} is missing or has a wrong length")
    return value


def i64(value, what):
    return struct.pack(">q", integer(value, what))


def short(value, what):
    return struct.pack(">H", integer(len(octets(value, what)), f"length of {what}", 0, 65535)) + value


def long(value, what):
    return struct.pack(">I", len(octets(value, what))) + value


def optional(value, encode):
    return b"\x00" if value is None else b"\x01" + encode(value)


def leaf(row, names):
    """The leaf that belongs to a row of COLUMNS."""
    (position, id_, account, revision, session, kind, version, at, cause, writer, process, data,
     sealed, _) = row
    program, program_version, installation = names.writer(writer)
    canonical = (
        b"\x01"
        + i64(position, "position")
        + octets(id_, "id", 16)
        + optional(names.account(account), bytes)
        + i64(revision, "revision")
        + optional(session, names.session)
        + short(names.kind(kind), "kind")
        + struct.pack(">H", integer(version, "version", 0, 65535))
        + i64(at, "time")
        + optional(cause, lambda value: i64(value, "cause"))
        + short(program, "program")
        + short(program_version, "program version")
        + octets(installation, "installation", 16)
        + i64(process, "process")
        + long(data, "data")
        + optional(sealed, lambda value: long(value, "sealed facts")))
    return hashlib.sha256(b"\x00" + canonical).digest()
