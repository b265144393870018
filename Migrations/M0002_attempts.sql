-- M0002 attempts. Why: a login that waits for the person's browser must survive a restart, and its
-- secrets belong to no account yet. Size: one row for each waiting login. Undo: drop the table.

-- key: of this attempt alone, wrapped by the master key; it goes with the row.
CREATE TABLE attempt (
  session BLOB PRIMARY KEY CHECK (length(session) = 16),
  deadline INTEGER NOT NULL,
  key BLOB NOT NULL,
  sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
