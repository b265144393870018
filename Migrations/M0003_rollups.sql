-- M0003 rollups. Why: figures without a scan of the log, questions by kind and time without an index
-- on events, the past of an account without a fold of all of it. Size: about 8 bytes an event.
-- Undo: drop the tables; they are a cache of what the log says.

-- One row for each full block of 256 (level 8) and 65,536 (level 16) events, numbered as subtrees are.
-- kinds: bit (number - 1) % 63 of each kind in it.
CREATE TABLE block (
  level INTEGER NOT NULL,
  number INTEGER NOT NULL,
  earliest INTEGER NOT NULL,
  latest INTEGER NOT NULL,
  kinds INTEGER NOT NULL,
  PRIMARY KEY (level, number)
) STRICT, WITHOUT ROWID;

-- How many events the full blocks hold. part: 0 the whole book (number 0), 1 a day (counted from
-- 1970-01-01 UTC), 2 a stream (its account's number).
CREATE TABLE tally (
  part INTEGER NOT NULL,
  number INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (part, number, kind)
) STRICT, WITHOUT ROWID;

-- The projection of an account after each 64th event of its stream, that of the roster (account 0)
-- after each switch. The index stands apart so that rows are only ever added behind the last one.
CREATE TABLE snapshot (
  account INTEGER NOT NULL, position INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX snapshot_of_account ON snapshot (account, position);

-- An older book is counted when it is opened next: no code has folded version 0.
UPDATE head SET folds = 0;
