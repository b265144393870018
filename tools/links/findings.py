"""What was found."""

import re

EXTERNAL = re.compile(r"(https?:)?//|mailto:")


class Findings:
    """The dead links in the order they were found, each once, and the links to other servers."""

    def __init__(self):
        self.count = 0
        self.external = {}  # the pages that name it, by URL
        self._dead = {}

    def see(self, source, target):
        """Counts a link. Says whether it leads to another server."""
        self.count += 1
        if not EXTERNAL.match(target):
            return False
        self.external.setdefault(target, set()).add(source.partition(":")[0])
        return True

    def blame(self, source, target, reason):
        self._dead[(source, target, reason)] = None

    @property
    def dead(self):
        return list(self._dead)
