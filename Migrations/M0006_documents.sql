-- M0006 documents. Why: what servers publish for everybody serves all programs that use the book, and is
-- there while its server is down. Size: two rows for each server, of at most 64 KiB each; none is needed.
-- Undo: drop the table.

-- name: a keyed hash of the URL and of whom its reader trusts.
-- demanded: when the server was last asked because what was known did not do; NULL: never.
-- fresh: until when the answer serves without asking, by the server's own word.
-- sealed: the newest answer, under the master key; NULL: none came.
CREATE TABLE document (
  name BLOB PRIMARY KEY CHECK (length(name) = 32),
  demanded INTEGER,
  fresh INTEGER NOT NULL,
  sealed BLOB
) STRICT, WITHOUT ROWID;
