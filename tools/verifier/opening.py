"""Opens a book without ever writing to it, and has it checked."""

import os
import shutil
import sqlite3
import tempfile
import urllib.parse

from .checkpoint import Checkpoint
from .facts import is_canonical
from .log import Log, check_first_event, check_head, check_subtrees
from .past import Opening
from .verdict import SHOWN_PROBLEMS, Refusal, Verdict

APPLICATION_ID = 0x47415445  # "GATE"
NEWEST_FORMAT = 9
TABLES = {b"book", b"kind", b"writer", b"account", b"session", b"event", b"head", b"subtree"}
DAMAGED, CANNOT_OPEN = 5, 7


def verify(path, against=None, archive=None):
    """The verdict on the book at `path`, compared with the checkpoint in the file `against`, and with
    the archive that it goes on from."""
    checkpoint = Checkpoint.read(against) if against else None
    try:
        try:
            verdict, is_older = verify_file(path, checkpoint), False
        except InArchive:
            if not archive:
                raise
            verdict, is_older = verify_file(path, None), True
        if archive:
            past = verify_file(archive, checkpoint if is_older else None)
            if is_older:
                verdict.level = past.level
            verdict.archive = past
            compare(verdict, past)
        return verdict
    except sqlite3.Error as error:
        raise refusal(error) from error
    except OSError as error:
        raise Refusal(CANNOT_OPEN, "storage.unreadable",
                      f"The book cannot be read: {error.strerror}.", "Check the path.") from error


def compare(verdict, archive):
    """Says where a book does not go on where its archive ends."""
    for problem in archive.problems:
        verdict.blame("the archive: " + problem)
    opening = verdict.opening
    if opening is None or verdict.identity != archive.identity:
        verdict.blame("the archive is another book's, or the book goes on from none")
    elif archive.size != opening.first - 1:
        verdict.blame(f"the archive ends at {archive.size}, the log begins at {opening.first}")
    elif not opening.recovered and archive.root != opening.root.hex():
        verdict.blame("the archive has another root than the book goes on from")


def verify_file(path, checkpoint):
    # With nothing pending the file alone is the book, and SQLite need not put its files beside it.
    # If somebody wrote meanwhile, it is read again, as a book that is in use.
    before = state(path)
    if before["size"] == 0 and not before["pending"]:
        raise Refusal(DAMAGED, "storage.damaged", "The file is empty: no book is in it.",
                      "Check the path; if a book stood here, bring it back from a backup.")
    if not before["pending"]:
        try:
            verdict = verify_opened(path, checkpoint, "&immutable=1")
            if state(path) == before:
                return verdict
        except (sqlite3.Error, Refusal):
            if state(path) == before:
                raise
    try:
        return verify_opened(path, checkpoint)
    except sqlite3.OperationalError:
        if os.access(os.path.dirname(os.path.abspath(path)), os.W_OK):
            raise
    # What is pending needs an index beside it, which cannot be written here: judge a copy.
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "book")
        shutil.copyfile(path, copy)
        shutil.copyfile(path + "-wal", copy + "-wal")
        return verify_opened(copy, checkpoint)


def state(path):
    """What changes when somebody writes: `pending` bytes wait in the write-ahead log."""
    stat, pending = os.stat(path), 0
    if os.path.exists(path + "-wal"):
        pending = os.stat(path + "-wal").st_size
    return {"size": stat.st_size, "written": stat.st_mtime_ns, "pending": pending}


def verify_opened(path, checkpoint, options=""):
    address = f"file:{urllib.parse.quote(os.path.abspath(path))}?mode=ro{options}"
    book = sqlite3.connect(address, uri=True, isolation_level=None, timeout=10)
    try:
        book.text_factory = bytes  # hashed as stored, also where a flipped bit left no UTF-8
        book.execute("BEGIN")  # one snapshot for everything that follows
        check_format(book)
        verdict = Verdict()
        check_file(book, verdict)
        check_log(book, checkpoint, verdict)
        return verdict
    finally:
        book.close()


def check_format(book):
    (application,) = book.execute("PRAGMA application_id").fetchone()
    (version,) = book.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise Refusal(DAMAGED, "storage.damaged", "This is not a Gatebook book.",
                      "Check the path; if it was a book, bring it back from a backup.")
    if version < 1:
        raise Refusal(DAMAGED, "storage.damaged", "The book's schema is incomplete.",
                      "Keep the file as it is, and go on with a backup that verifies.")
    if version > NEWEST_FORMAT:
        raise Refusal(CANNOT_OPEN, "storage.newer",
                      f"The book has format {version}, this program knows {NEWEST_FORMAT}.",
                      "Use the verifier that came with the program that wrote it.")


def check_file(book, verdict):
    """What SQLite itself finds, also in indexes and tables that hold no events."""
    try:
        for (text,) in book.execute(f"PRAGMA integrity_check({SHOWN_PROBLEMS})"):
            if text != b"ok":
                verdict.blame("SQLite: " + text.decode("utf-8", "replace").replace("\n", " "))
    except sqlite3.DatabaseError as error:
        verdict.blame(f"SQLite: {error}")
    # A view can show other events to each who asks.
    found = {name for (name,) in book.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for name in sorted(TABLES - found):
        verdict.blame(f"there is no table {name.decode()}")


def check_log(book, checkpoint, verdict):
    try:
        opening = verdict.opening = Opening.read(book, verdict)
        if checkpoint and opening:
            accept(checkpoint, opening)
        log = Log(book, verdict, checkpoint.size if checkpoint else None, opening)
        if checkpoint and opening and checkpoint.size <= opening.floor:
            log.root_there = opening.root_of(book, checkpoint.size)
            if log.root_there is None and checkpoint.size < opening.first:
                raise in_archive(checkpoint)
        verdict.size = log.last
        verdict.root = log.tree.root().hex() if log.is_whole else None
        check_head(book, log, verdict)
        check_subtrees(book, log, verdict, opening)
        rows = book.execute("SELECT id, checkpoint_key, key_description FROM book").fetchall()
        if (len(rows) != 1 or [isinstance(v, bytes) and len(v) for v in rows[0][:2]] != [16, 32]
                or not is_canonical(rows[0][2])):
            verdict.blame("the row of the book itself is missing or damaged")
            return
        identity, key, _ = rows[0]
        verdict.identity = identity
        if opening:
            opening.check(book, log.names, key, verdict)
        else:
            check_first_event(book, key, verdict)
        if checkpoint:
            checkpoint.compare(identity, key, log, verdict)
        log.blocks.check(log.last, verdict)
    except sqlite3.DatabaseError as error:
        if verdict.ok or not is_damage(error):
            raise
        verdict.blame(f"SQLite: {error}")


class InArchive(Refusal):
    """What the checkpoint saw is all in the archive."""


def accept(checkpoint, opening):
    """Refuses a checkpoint that nothing here can be compared with."""
    if not opening.proven and checkpoint.size <= opening.floor:
        raise Refusal(DAMAGED, "storage.damaged",
                      "The checkpoint is of the book before it was recovered, and what was readable then no"
                      " longer made the root that was kept of it: nothing here agrees with the checkpoint.",
                      "Keep the checkpoint, and compare it with the damaged file that was kept.")
    if checkpoint.size < opening.first - 1:
        raise in_archive(checkpoint)


def in_archive(checkpoint):
    return InArchive(2, "configuration.invalid",
                     f"The checkpoint covers {checkpoint.size} events, which are all in the archive.",
                     "Give the archive too, with --archive, or verify the archive itself.")


def is_damage(error):
    # SQLite's NOTADB and CORRUPT come as DatabaseError itself, a missing table as its ERROR (1).
    return (not isinstance(error, sqlite3.OperationalError)
            or getattr(error, "sqlite_errorcode", None) == 1)


def refusal(error):
    if is_damage(error):
        return Refusal(DAMAGED, "storage.damaged", f"The book is damaged: {error}.",
                       "Keep the file as it is, and go on with a backup that verifies.")
    return Refusal(CANNOT_OPEN, "storage.unreadable", f"The book cannot be read: {error}.",
                   "Check the path, its permissions and who uses it.")
