-- M0004 care. Why: an erased account's key must leave every file of the book, and every copy of the
-- book still holds it. Size: one row for each copy ever made, none for an account that is wiped.
-- Undo: drop the tables.

-- Copies of the book with the keys it had then, recorded before their first byte is written.
-- place: where to, sealed under the master key: a path may name a person.
-- begun: how many events the book had then. events: how many the copy holds; NULL: it was never ended,
-- and may be there or not.
CREATE TABLE copy (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  place BLOB NOT NULL,
  begun INTEGER NOT NULL,
  events INTEGER
) STRICT, WITHOUT ROWID;

-- Erased accounts whose destroyed key may still stand in the write-ahead log.
CREATE TABLE unwiped (account INTEGER PRIMARY KEY) STRICT;
