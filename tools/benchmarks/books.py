"""Books of given sizes: made once, then kept in a folder from run to run.

Each is the same whenever it is made. A small one is made in every run, and the hash of all that is
in it names the folder of the others: a change of the schema or of the events makes new ones. The
folder can be removed at any time.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ACCOUNTS = 20
PROBE = 3000
# With its write-ahead log and two copies, and some room to spare.
BYTES_PER_EVENT = 900


def usual_folder():
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(caches, "gatebook-bench")


class Books:
    """The books in a folder."""

    def __init__(self, programs, folder=None):
        self.programs = programs
        self.root = os.path.abspath(folder or usual_folder())
        os.makedirs(self.root, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="probe.", dir=programs.folder) as place:
            self._make(place, PROBE, ACCOUNTS)
            with contextlib.closing(read(os.path.join(place, "book"))) as probe:
                content = hashlib.sha256()
                for line in probe.iterdump():
                    content.update(line.encode())
        self.folder = os.path.join(self.root, content.hexdigest()[:16])

    def sized(self, events, accounts=ACCOUNTS):
        """The path of a book of so many events; its key file is `PATH.key`."""
        place = os.path.join(self.folder, f"{events}-events-of-{accounts}")
        path = os.path.join(place, "book")
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(self.root, "lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self._is_whole(path, events):
                return path
            print(f"bench: making a book of {events:,} events in {place}", file=sys.stderr)
            shutil.rmtree(place, ignore_errors=True)
            # Nobody else makes one now: what is there was left by a run that was killed.
            unfinished = os.path.join(self.folder, "unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            os.mkdir(unfinished)
            self._make(unfinished, events, accounts)
            os.rename(unfinished, place)
        return path

    def has_room_for(self, events):
        """Whether the disk has room for a book of so many events, or has the book already."""
        return (os.path.exists(os.path.join(self.folder, f"{events}-events-of-{ACCOUNTS}"))
                or shutil.disk_usage(self.root).free > events * BYTES_PER_EVENT)

    def _make(self, place, events, accounts):
        # Its path is in the book: it is the same one each time.
        subprocess.run(
            [self.programs.gatebook, "make-sized-book", "book", str(accounts), str(events)],
            check=True, cwd=place, stdout=subprocess.DEVNULL)

    @staticmethod
    def _is_whole(path, events):
        """Whether it is there, and nobody has written to it since it was made."""
        if not os.path.exists(path):
            return False
        try:
            with contextlib.closing(read(path)) as book:
                return book.execute("SELECT size FROM head").fetchone() == (events,)
        except sqlite3.Error:
            return False


def read(path):
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def events_in(path):
    """How many events a book has."""
    with contextlib.closing(read(path)) as book:
        return book.execute("SELECT size FROM head").fetchone()[0]


def drop_from_memory(path):
    """Has the next read of a book come from the disk, as far as the file system can."""
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path}-lock", f"{path}.key"):
        with contextlib.suppress(FileNotFoundError):
            file = os.open(name, os.O_RDONLY)
            try:
                os.fsync(file)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(file)
