-- M0007 packed snapshots. Why: a look into the past of an account folds at most 7 events where it folded
-- 63. Size: about 22 bytes an event, where JSON would take 60. Undo: drop the table, make that of M0003.

-- The projection of an account after each 8th event of its stream, that of the roster (account 0) after
-- each switch, packed. The index stands apart so that rows are only ever added behind the last one.
DROP TABLE snapshot;
CREATE TABLE snapshot (
  account INTEGER NOT NULL, position INTEGER NOT NULL, state BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX snapshot_of_account ON snapshot (account, position);

-- The snapshots are made when the book is opened next: no code has folded version 0.
UPDATE head SET folds = 0;
