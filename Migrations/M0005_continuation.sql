-- M0005 continuation. Why: a book whose past became an archive, or was recovered from damage, begins
-- with a state instead of its first event. Size: a row for each account, session and day, for as long
-- as the book goes on from there; nothing in a book that was never archived. Undo: none.

-- floor: the last event that the state below counts. first: the first event that `event` has from
-- there; the ones before it are in the archive. root, frontier: the tree over the events up to floor.
-- latest: the greatest `at` of them. state: the root over the rows of opening_row.
-- recovered: 1 where events may be lost. proven: 0 where the tree of the lost book could not go on.
CREATE TABLE opening (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  floor INTEGER NOT NULL CHECK (floor >= 0),
  first INTEGER NOT NULL CHECK (first > 0),
  root BLOB NOT NULL CHECK (length(root) = 32),
  frontier BLOB NOT NULL,
  latest INTEGER NOT NULL,
  state BLOB NOT NULL CHECK (length(state) = 32),
  recovered INTEGER NOT NULL,
  proven INTEGER NOT NULL
) STRICT;

-- The state after floor, by names and identities instead of numbers: see "Event format".
CREATE TABLE opening_row (
  part TEXT NOT NULL,
  name BLOB NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (part, name)
) STRICT, WITHOUT ROWID;

-- Events up to floor that the state names, such as that whose sealed facts are an account's label.
CREATE TABLE opening_event (
  position INTEGER PRIMARY KEY CHECK (position > 0),
  id BLOB NOT NULL CHECK (length(id) = 16),
  account INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  session INTEGER,
  kind INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  at INTEGER NOT NULL,
  cause INTEGER,
  writer INTEGER NOT NULL,
  process INTEGER NOT NULL,
  data TEXT NOT NULL,
  sealed BLOB,
  leaf BLOB NOT NULL CHECK (length(leaf) = 32)
) STRICT;

-- Positions whose events a recovery did not find.
CREATE TABLE lost (first INTEGER PRIMARY KEY, last INTEGER NOT NULL CHECK (last >= first)) STRICT;

-- Has a row in an archive, which never changes again.
CREATE TABLE archive (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  size INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32)
) STRICT;
