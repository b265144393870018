-- F0001 fleet. Why: the events of many books in one place, with all that proves them.
-- Size: about 500 bytes an event, indexes included. Undo: drop the schemas gatebook and gatebook_part.
--
-- Every table begins with the book and is partitioned by its hash into 64 parts. Parts may lie on other
-- servers, and PostgreSQL 15 allows no unique index on a table with such parts: so keys belong to the
-- parts, and gatebook.make_part makes both. The owner of all of it is the role that runs this file.

-- One row. version: the last of these files that was applied. pseudonym_key: tells the key of the
-- pseudonyms from another one; NULL: there are none.
CREATE TABLE gatebook.fleet (
  one integer PRIMARY KEY DEFAULT 1 CHECK (one = 1),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  version integer NOT NULL,
  pseudonym_key bytea,
  made timestamptz NOT NULL DEFAULT now()
);
INSERT INTO gatebook.fleet (version) VALUES (0);

-- The servers of a fleet that is spread over many; none for a fleet on one server. name: as postgres_fdw
-- knows it. url: without a user and without secrets, for shippers that go straight there.
CREATE TABLE gatebook.server (
  name text PRIMARY KEY,
  url text NOT NULL
);

-- Where each part lies. server: NULL is this one. state: open; closed while it moves, or after it has moved
-- away. target: where it moves to.
CREATE TABLE gatebook.part (
  number integer PRIMARY KEY CHECK (number BETWEEN 0 AND 63),
  server text REFERENCES gatebook.server,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  target text REFERENCES gatebook.server
);

-- A history of a book. Branch 0 is the first that arrived. A copy of the book that wrote events of its own
-- has another branch: its events up to `base` are those of `parent`.
-- first: the first event that the fleet expects; those before it are in an archive that was not at hand.
-- floor: what gatebook.past holds is the state after this event; 0: it holds nothing.
-- lost: positions whose events a recovery did not find. size, root: the newest head that was shipped; the
-- root is NULL among events that a recovery kept.
-- checkpoint: the signed checkpoint of that head; NULL: it was shipped without the book's key.
-- forgotten: the last event that gatebook.forget dropped; 0: none was. The history then begins after it, and
-- needs none of the history that it left.
-- owner: the role that ships the book. machine: the name of the machine; NULL: not told.
-- withheld: how many events came without their encrypted facts.
-- named: the last event whose names have pseudonyms.
-- first_at, last_at: the times of its first and of its last event; those of a parent do not count.
-- heard: when it was last shipped, also without new events. days: on how many days of UTC that was.
-- folded: the head that gatebook.state belongs to. folds: the version of the folds that made it.
-- accounts, usable: how many accounts are in gatebook.state, and how many of them have a usable session.
CREATE TABLE gatebook.branch (
  book uuid NOT NULL,
  branch integer NOT NULL,
  parent integer,
  base bigint NOT NULL,
  first bigint NOT NULL,
  floor bigint NOT NULL DEFAULT 0,
  forgotten bigint NOT NULL DEFAULT 0,
  lost int8multirange NOT NULL,
  size bigint NOT NULL,
  root bytea CHECK (octet_length(root) = 32),
  checkpoint text,
  owner text NOT NULL,
  machine text,
  withheld bigint NOT NULL DEFAULT 0,
  named bigint NOT NULL DEFAULT 0,
  first_at bigint,
  last_at bigint,
  folded bigint NOT NULL DEFAULT 0,
  folds bigint NOT NULL DEFAULT 0,
  accounts bigint NOT NULL DEFAULT 0,
  usable bigint NOT NULL DEFAULT 0,
  begun timestamptz NOT NULL DEFAULT now(),
  heard timestamptz NOT NULL DEFAULT now(),
  days integer NOT NULL DEFAULT 1
) PARTITION BY HASH (book);

-- The programs that wrote the events of a book. described: what a leaf says of them.
CREATE TABLE gatebook.program (
  book uuid NOT NULL,
  number integer NOT NULL,
  described bytea NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  installation uuid NOT NULL
) PARTITION BY HASH (book);

-- The events, as the books have them: see "Event format". account: NULL is the book's own stream.
-- withheld: the encrypted facts stayed at home, and the leaf is the shipper's word.
CREATE TABLE gatebook.event (
  book uuid NOT NULL,
  branch integer NOT NULL,
  version integer NOT NULL,
  position bigint NOT NULL,
  revision bigint NOT NULL,
  at bigint NOT NULL,
  cause bigint,
  process bigint NOT NULL,
  program integer NOT NULL,
  withheld boolean NOT NULL,
  id uuid NOT NULL,
  account uuid,
  session uuid,
  kind text COLLATE "C" NOT NULL,
  data text COLLATE "C" NOT NULL,
  sealed bytea,
  leaf bytea NOT NULL
) PARTITION BY HASH (book);

-- The heads of a branch over time. checkpoint: signed by the book's key; NULL: unsigned.
CREATE TABLE gatebook.checkpoint (
  book uuid NOT NULL,
  branch integer NOT NULL,
  size bigint NOT NULL,
  root bytea,
  checkpoint text,
  received timestamptz NOT NULL DEFAULT now()
) PARTITION BY HASH (book);

-- What a branch begins with that has not all of its past: see "A past in an archive" in "Event format".
-- part: that of a row of `opening_row`; `opening` for the row of that table, `opening_event` for an event,
-- `subtree` for roots of the tree (name: level and number of the first one, each an i64), `accounts` for all
-- ids in their order. Those that begin with `start.` are the fleet's: what the branch begins with since events
-- were dropped. Two of them hold counters of the dropped events: `start.counted.day` by day (an i32) and kind,
-- `start.counted.account` by account (00 for the book's own, or 01 and its id) and kind.
CREATE TABLE gatebook.past (
  book uuid NOT NULL,
  branch integer NOT NULL,
  part text COLLATE "C" NOT NULL,
  name bytea NOT NULL,
  content bytea NOT NULL
) PARTITION BY HASH (book);

-- The present of accounts and sessions as the book folded it. part: account, session or roster.
CREATE TABLE gatebook.state (
  book uuid NOT NULL,
  branch integer NOT NULL,
  part text COLLATE "C" NOT NULL,
  name bytea NOT NULL,
  state text COLLATE "C" NOT NULL
) PARTITION BY HASH (book);

-- How many events of a kind there are on each day, counted from 1970-01-01 UTC.
CREATE TABLE gatebook.tally (
  book uuid NOT NULL,
  branch integer NOT NULL,
  day integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  events bigint NOT NULL
) PARTITION BY HASH (book);

-- How many events of a kind there are: what gatebook.tally has of all days. A question about all books
-- would read too many rows there.
CREATE TABLE gatebook.total (
  book uuid NOT NULL,
  branch integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  events bigint NOT NULL
) PARTITION BY HASH (book);

-- Keyed hashes of the names that an account has in its events: the server's user id, its user name, the typed
-- name. They go when the account is erased.
CREATE TABLE gatebook.pseudonym (
  book uuid NOT NULL,
  account uuid NOT NULL,
  value bytea NOT NULL
) PARTITION BY HASH (book);

-- Accounts that were erased in a branch: nothing brings their pseudonyms back.
CREATE TABLE gatebook.erased (
  book uuid NOT NULL,
  account uuid NOT NULL
) PARTITION BY HASH (book);

-- What the fleet refused, and what it found. role: whose connection it was.
CREATE TABLE gatebook.notice (
  book uuid NOT NULL,
  branch integer,
  code text NOT NULL,
  position bigint,
  detail text NOT NULL,
  role text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
) PARTITION BY HASH (book);

-- Where a batch arrives before it is checked. A shipper may insert here and do nothing else: the columns
-- for the role and the transaction are filled in by the server. program: its number in the batch, from 1.
CREATE UNLOGGED TABLE gatebook.staging (
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  version integer NOT NULL,
  position bigint NOT NULL,
  revision bigint NOT NULL,
  at bigint NOT NULL,
  cause bigint,
  process bigint NOT NULL,
  program integer NOT NULL,
  withheld boolean NOT NULL,
  id uuid NOT NULL,
  account uuid,
  session uuid,
  shipper name NOT NULL DEFAULT session_user,
  kind text COLLATE "C" NOT NULL,
  data text COLLATE "C" NOT NULL,
  sealed bytea,
  leaf bytea NOT NULL
);
CREATE INDEX staging_transaction ON gatebook.staging (transaction);

-- A batch that is in the book, and that its branch does not count yet: gatebook.accept does that in the
-- same transaction, and takes the row out. after: the last position before it; last: the one at its end.
-- events: how many it has; withheld: how many of them came without their encrypted facts. days, kinds,
-- counts: how many of a kind on a day, side by side. first_at, last_at: the times of its first and of its
-- last event; NULL: it has none. erases: whether it erases accounts.
CREATE UNLOGGED TABLE gatebook.prepared (
  transaction xid8 PRIMARY KEY DEFAULT pg_current_xact_id(),
  book uuid NOT NULL,
  branch integer NOT NULL,
  after bigint NOT NULL,
  last bigint NOT NULL,
  events bigint NOT NULL,
  withheld bigint NOT NULL,
  days integer[] NOT NULL,
  kinds text[] NOT NULL,
  counts bigint[] NOT NULL,
  first_at bigint,
  last_at bigint,
  erases boolean NOT NULL
);

-- The day of a time in microseconds, both counted from 1970-01-01 UTC.
CREATE FUNCTION gatebook.day_of(at bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT (at / 86400000000 - CASE WHEN at % 86400000000 < 0 THEN 1 ELSE 0 END)::integer
$$;

-- Whether a row of gatebook.state is that of an account with a usable session. Within a text of canonical
-- JSON no quote comes without a backslash: what is looked for is a member.
CREATE FUNCTION gatebook.is_usable(part text, state text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT part = 'account' AND state ~ ',"state":"(active|offline|challenged|uncertain)"'
$$;

-- Whether time alone may end the session of such a row: nothing renews it.
CREATE FUNCTION gatebook.may_end(part text, state text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT part = 'account' AND state ~ ',"state":"(active|offline|challenged|uncertain)"'
    AND strpos(state, ',"renewable":false') > 0 AND strpos(state, ',"expires":') > 0
$$;

-- The partitioned tables and the keys of their parts; NULL: no key.
CREATE TABLE gatebook.partitioned (name text PRIMARY KEY, key text);
INSERT INTO gatebook.partitioned VALUES
  ('branch', 'book, branch'), ('program', 'book, number'), ('event', 'book, branch, position'),
  ('checkpoint', 'book, branch, size'), ('past', 'book, branch, part, name'),
  ('state', 'book, branch, part, name'), ('tally', 'book, branch, day, kind'), ('total', 'book, branch, kind'),
  ('pseudonym', 'book, account, value'), ('erased', 'book, account'), ('notice', NULL);

-- Makes a part of the fleet on this server.
CREATE FUNCTION gatebook.make_part(part integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM gatebook.make_tables(part);
  PERFORM gatebook.attach_part(part);
  INSERT INTO gatebook.part (number) VALUES (part);
END
$$;

-- Makes the tables of a part on this server, with their keys: `incoming` until the part is attached.
-- What an interrupted move left of them is dropped.
CREATE FUNCTION gatebook.make_tables(part integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent record;
  named text;
BEGIN
  FOR parent IN SELECT * FROM gatebook.partitioned LOOP
    named := 'incoming_' || parent.name || '_' || part;
    IF to_regclass(format('gatebook_part.%I', named)) IS NOT NULL THEN
      EXECUTE format('DROP TABLE gatebook_part.%I', named);
    END IF;
    EXECUTE format(
      'CREATE TABLE gatebook_part.%I (LIKE gatebook.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
      named, parent.name);
    IF parent.key IS NOT NULL THEN
      EXECUTE format('ALTER TABLE gatebook_part.%I ADD PRIMARY KEY (%s)', named, parent.key);
    END IF;
  END LOOP;
  EXECUTE format('CREATE INDEX ON gatebook_part.%I (kind, at)', 'incoming_event_' || part);
  EXECUTE format('CREATE INDEX ON gatebook_part.%I (book, at)', 'incoming_notice_' || part);
  EXECUTE format('CREATE INDEX ON gatebook_part.%I (day)', 'incoming_tally_' || part);
  EXECUTE format(
    'CREATE INDEX ON gatebook_part.%I (book, branch) WHERE gatebook.may_end(part, state)',
    'incoming_state_' || part);
  EXECUTE format('CREATE INDEX ON gatebook_part.%I (value)', 'incoming_pseudonym_' || part);
END
$$;

-- Makes incoming tables a part of the fleet.
CREATE FUNCTION gatebook.attach_part(part integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent record;
  named text;
  key text;
BEGIN
  FOR parent IN SELECT * FROM gatebook.partitioned LOOP
    named := parent.name || '_' || part;
    EXECUTE format('ALTER TABLE gatebook_part.%I RENAME TO %I', 'incoming_' || named, named);
    FOR key IN SELECT indexrelid::regclass::text FROM pg_index
      WHERE indrelid = format('gatebook_part.%I', named)::regclass LOOP
      EXECUTE format('ALTER INDEX %s RENAME TO %I', key, replace(split_part(key, '.', 2), 'incoming_', ''));
    END LOOP;
    EXECUTE format(
      'ALTER TABLE gatebook.%I ATTACH PARTITION gatebook_part.%I '
      'FOR VALUES WITH (MODULUS 64, REMAINDER %s)', parent.name, named, part);
  END LOOP;
END
$$;

-- Drops the tables of a part. A foreign table takes nothing with it.
CREATE FUNCTION gatebook.drop_part(part integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent record;
  kind "char";
BEGIN
  FOR parent IN SELECT * FROM gatebook.partitioned LOOP
    SELECT relkind INTO kind FROM pg_class
    WHERE oid = to_regclass(format('gatebook_part.%I', parent.name || '_' || part));
    IF kind IS NOT NULL THEN
      EXECUTE format('DROP %s gatebook_part.%I',
        CASE kind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, parent.name || '_' || part);
    END IF;
  END LOOP;
END
$$;

-- Makes a part of the fleet that lies on another server.
CREATE FUNCTION gatebook.make_foreign_part(part integer, in_server text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  parent record;
BEGIN
  FOR parent IN SELECT * FROM gatebook.partitioned LOOP
    EXECUTE format(
      'CREATE FOREIGN TABLE gatebook_part.%I PARTITION OF gatebook.%I '
      'FOR VALUES WITH (MODULUS 64, REMAINDER %s) SERVER %I '
      'OPTIONS (schema_name ''gatebook_part'', table_name %L)',
      parent.name || '_' || part, parent.name, part, in_server, parent.name || '_' || part);
  END LOOP;
END
$$;

-- The part that a book belongs to.
CREATE FUNCTION gatebook.part_of(in_book uuid) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT number FROM generate_series(0, 63) number
  WHERE satisfies_hash_partition('gatebook.branch'::regclass, 64, number, in_book)
$$;
