-- M0001 event log. Why: the append-only truth, its tree, the vault and the projections.
-- Size: at most 280 bytes an event, indexes included. Undo: none.

CREATE TABLE book (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id BLOB NOT NULL CHECK (length(id) = 16),
  key_source TEXT NOT NULL,
  key_description TEXT NOT NULL,
  key_check BLOB NOT NULL CHECK (length(key_check) = 16),
  checkpoint_key BLOB NOT NULL CHECK (length(checkpoint_key) = 32)
) STRICT;

CREATE TABLE kind (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE writer (
  number INTEGER PRIMARY KEY,
  program TEXT NOT NULL,
  version TEXT NOT NULL,
  installation BLOB NOT NULL CHECK (length(installation) = 16),
  UNIQUE (program, version, installation)
) STRICT;

-- key: the data key, wrapped by the master key; NULL once the account is erased.
CREATE TABLE account (
  number INTEGER PRIMARY KEY CHECK (number > 0),
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  key BLOB
) STRICT;

-- Finds an account again by a keyed hash of its person; no projection, destroyed with the key.
CREATE TABLE account_lookup (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  account INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16)
) STRICT;

-- account 0 is the book's own stream.
CREATE TABLE event (
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

CREATE UNIQUE INDEX event_id ON event (id);
CREATE UNIQUE INDEX event_stream ON event (account, revision);

CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event
  BEGIN SELECT RAISE(ABORT, 'gatebook: events are never updated'); END;
CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
  BEGIN SELECT RAISE(ABORT, 'gatebook: events are never deleted'); END;

-- folds: the version of the code that folded the projections below. Their position and root are
-- this row's own, for they change in the same transaction.
CREATE TABLE head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  size INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32),
  frontier BLOB NOT NULL,
  folds INTEGER NOT NULL
) STRICT;

CREATE TABLE subtree (
  level INTEGER NOT NULL,
  number INTEGER NOT NULL,
  root BLOB NOT NULL CHECK (length(root) = 32),
  PRIMARY KEY (level, number)
) STRICT, WITHOUT ROWID;

-- Secrets, sealed under the account's data key.
CREATE TABLE vault (
  account INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  generation INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (account, purpose)
) STRICT, WITHOUT ROWID;

-- Projections: a cache of the folds, as canonical JSON.
CREATE TABLE account_state (account INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT;
CREATE TABLE session_state (
  session INTEGER PRIMARY KEY, account INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
CREATE TABLE roster (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL) STRICT;

-- For the stock shell: sqlite3 -readonly BOOK "SELECT * FROM event_log"
CREATE VIEW event_log AS
  SELECT
    e.position,
    strftime('%Y-%m-%dT%H:%M:%S', e.at / 1000000, 'unixepoch')
      || printf('.%06dZ', e.at % 1000000) AS at,
    lower(hex(a.id)) AS account, e.revision, lower(hex(s.id)) AS session,
    k.name AS kind, e.version, e.cause, w.program, w.version AS program_version, e.process,
    e.data, e.sealed IS NOT NULL AS has_sealed
  FROM event e
    JOIN kind k ON k.number = e.kind
    JOIN writer w ON w.number = e.writer
    LEFT JOIN account a ON a.number = e.account
    LEFT JOIN session s ON s.number = e.session;
