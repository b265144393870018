"""Event format, "Canonical bytes and the leaf": an event that somebody has sent."""

from .facts import is_canonical


class Event:
    """What canonical bytes say; ValueError for anything that is not exactly one event."""

    def __init__(self, canonical):
        self._rest = memoryview(canonical)
        if self._number(1) != 1:
            raise ValueError
        self.position = self._number(8)
        self._take(16)  # id
        self._optional(16)  # account
        self._take(8)  # revision
        self._optional(16)  # session
        self.kind = self._text()
        self._take(2 + 8)  # version, time
        self._optional(8)  # cause
        self._text()  # program
        self._text()  # its version
        self._take(16 + 8)  # installation, process
        data = self._take(self._number(4))
        if self._flag():
            self._take(self._number(4))  # sealed facts
        if self._rest or not 0 < self.position < 2**63 or not is_canonical(data):
            raise ValueError

    def _take(self, count):
        if count > len(self._rest):
            raise ValueError
        taken, self._rest = bytes(self._rest[:count]), self._rest[count:]
        return taken

    def _number(self, count):
        return int.from_bytes(self._take(count), "big")

    def _flag(self):
        flag = self._number(1)
        if flag > 1:
            raise ValueError
        return flag == 1

    def _optional(self, count):
        if self._flag():
            self._take(count)

    def _text(self):
        return self._take(self._number(2)).decode("utf-8")
