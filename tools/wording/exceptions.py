"""What is right although a rule says otherwise."""

import fnmatch

from .lists import WrongList, lines


class Exceptions:
    def __init__(self, path):
        self._entries = []
        self._used = set()
        for number, line in lines(path):
            entry, mark, reason = line.partition("   # ")
            place, colon, text = entry.partition(": ")
            if not colon or not text.strip() or not mark or not reason.strip():
                raise WrongList(f"{path}:{number}: a line is `path: exact text   # why`")
            self._entries.append((number, place, " ".join(text.split())))

    def cover(self, finding):
        """Whether an exception's text is in the finding's sentence and, for a phrase, holds the phrase."""
        covered = False
        for number, place, text in self._entries:
            if fnmatch.fnmatch(finding.path, place) and finding.is_within(text):
                self._used.add(number)
                covered = True
        return covered

    @property
    def unused(self):
        return [number for number, _, _ in self._entries if number not in self._used]
