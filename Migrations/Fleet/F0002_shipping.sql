-- F0002 shipping. Why: a shipper executes these functions and may do nothing else.
-- Size: none. Undo: drop the functions.
--
-- Each one runs with the rights of the schema's owner, so it trusts no name that its caller could have
-- made: search_path ends with pg_temp. Statements name one book and are planned for it, so that they
-- reach one part and no other server.

-- The bytes that an event's leaf covers: see "Event format". described: of the program.
CREATE FUNCTION gatebook.canonical(
  place bigint, id uuid, account uuid, revision bigint, session uuid, kind text, version integer,
  at bigint, cause bigint, described bytea, process bigint, data text, sealed bytea
) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT '\x01'::bytea || int8send(place) || uuid_send(id)
    || coalesce('\x01'::bytea || uuid_send(account), '\x00'::bytea)
    || int8send(revision)
    || coalesce('\x01'::bytea || uuid_send(session), '\x00'::bytea)
    || substring(int4send(octet_length(kind)) FROM 3) || convert_to(kind, 'UTF8')
    || substring(int4send(version) FROM 3)
    || int8send(at)
    || coalesce('\x01'::bytea || int8send(cause), '\x00'::bytea)
    || described || int8send(process)
    || int4send(octet_length(data)) || convert_to(data, 'UTF8')
    || coalesce('\x01'::bytea || int4send(octet_length(sealed)) || sealed, '\x00'::bytea)
$$;

-- What a leaf says of a program.
CREATE FUNCTION gatebook.described(name bytea, version bytea, installation uuid) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(int4send(octet_length(name)) FROM 3) || name
    || substring(int4send(octet_length(version)) FROM 3) || version || uuid_send(installation)
$$;

-- A name as text, which cannot hold U+0000.
CREATE FUNCTION gatebook.shown(name bytea) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    convert_from(string_agg(substring(name FROM i FOR 1), ''::bytea ORDER BY i), 'UTF8'), '')
  FROM generate_series(1, octet_length(name)) i WHERE get_byte(name, i - 1) <> 0
$$;

-- How many positions of some ranges are after one and not after another.
CREATE FUNCTION gatebook.count_of(ranges int8multirange, after bigint, last bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(upper(r) - lower(r)), 0)::bigint
  FROM unnest(ranges * int8multirange(int8range(after, greatest(after, last), '(]'))) r
$$;

-- 1 if today is another day of UTC than that of a moment, else 0.
CREATE FUNCTION gatebook.new_days(former timestamptz) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT ((former AT TIME ZONE 'UTC')::date <> (now() AT TIME ZONE 'UTC')::date)::integer
$$;

-- Whether the part of a book takes events. It does until the end of this transaction, because who moves
-- the part waits for that.
CREATE FUNCTION gatebook.holds_open(in_book uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  place integer := gatebook.part_of(in_book);
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1195463763, place);
  RETURN EXISTS (SELECT 1 FROM gatebook.part WHERE number = place AND state = 'open');
END
$$;

-- Where the part of a book lies; NULL: on this server.
CREATE FUNCTION gatebook.place(in_book uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp AS $$
  SELECT s.url FROM gatebook.part p JOIN gatebook.server s ON s.name = p.server
  WHERE p.number = gatebook.part_of(in_book)
$$;

-- Records what the fleet refused or found: once for each kind of it, and at most a thousand times for a book
-- and a role, so that no role uses up the room of another one.
CREATE FUNCTION gatebook.record(
  in_book uuid, in_branch integer, in_code text, in_position bigint, in_detail text
) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  UPDATE gatebook.notice SET at = now()
  WHERE book = in_book AND branch IS NOT DISTINCT FROM in_branch AND code = in_code
    AND position IS NOT DISTINCT FROM in_position AND role = session_user;
  IF NOT FOUND AND (SELECT count(*) FROM gatebook.notice
    WHERE book = in_book AND role = session_user) < 1000 THEN
    INSERT INTO gatebook.notice (book, branch, code, position, detail, role)
    VALUES (in_book, in_branch, in_code, in_position, left(in_detail, 1000), session_user);
  END IF;
END
$$;

-- Where the fleet stands with a book. No row: it does not know the book. Of another role's book there is
-- nothing but that it is there.
-- start: what is known of the tree after the event at `forgotten`, with its root.
CREATE FUNCTION gatebook.standing(in_book uuid) RETURNS TABLE (
  is_own boolean, branch integer, parent integer, base bigint, first bigint, floor bigint,
  size bigint, root bytea, named bigint, forgotten bigint, start bytea
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
  SELECT true, b.branch, b.parent, b.base, b.first, b.floor, b.size, b.root, b.named, b.forgotten,
    CASE WHEN b.forgotten > 0 THEN (SELECT p.content FROM gatebook.past p
      WHERE p.book = in_book AND p.branch = b.branch AND p.part = 'start.opening') END
  FROM gatebook.branch b WHERE b.book = in_book AND b.owner = session_user
  UNION ALL
  SELECT false, b.branch, NULL, 0, 0, 0, 0, NULL, 0, 0, NULL
  FROM gatebook.branch b WHERE b.book = in_book AND b.owner <> session_user
  ORDER BY branch
$$;

-- The leaf of an event of a branch or of the branches that it left; NULL: the fleet does not have it.
CREATE FUNCTION gatebook.leaf(in_book uuid, in_branch integer, in_position bigint) RETURNS bytea
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  b record;
  place integer := in_branch;
BEGIN
  LOOP
    SELECT parent, base, owner INTO b FROM gatebook.branch WHERE book = in_book AND branch = place;
    IF NOT FOUND OR b.owner <> session_user THEN RETURN NULL; END IF;
    EXIT WHEN in_position > b.base OR b.parent IS NULL;
    place := b.parent;
  END LOOP;
  RETURN (SELECT leaf FROM gatebook.event
    WHERE book = in_book AND branch = place AND position = in_position);
END
$$;

-- Begins a history: that of a new book (no parent), or one that leaves a branch after `base`.
-- known: how many histories the caller has seen. Returns the branch; NULL where the book is another
-- role's; -1 where another shipper has begun a history meanwhile, or the events up to `base` were
-- forgotten: the caller asks for the standing again; -2 where the part moves.
CREATE FUNCTION gatebook.begin_branch(
  in_book uuid, in_parent integer, in_base bigint, in_first bigint, in_root bytea, in_machine text,
  in_known integer
) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  known record;
  home record;
  place integer := in_parent;
BEGIN
  IF NOT gatebook.holds_open(in_book) THEN RETURN -2; END IF;
  SELECT count(*)::integer AS branches, bool_and(owner = session_user) AS is_own INTO known
  FROM gatebook.branch WHERE book = in_book;
  IF NOT known.is_own THEN
    PERFORM gatebook.record(in_book, NULL, 'fleet.refused', NULL,
      'A role that does not own the book wanted to begin a history of it.');
    RETURN NULL;
  END IF;
  IF known.branches <> in_known THEN RETURN -1; END IF;
  IF (in_parent IS NULL) <> (known.branches = 0) THEN RETURN NULL; END IF;
  -- Nobody drops the events that the new history shares before it is there.
  WHILE in_base > 0 AND place IS NOT NULL LOOP
    SELECT parent, base, forgotten INTO home FROM gatebook.branch
    WHERE book = in_book AND branch = place FOR SHARE;
    IF NOT FOUND OR home.forgotten > in_base THEN RETURN -1; END IF;
    EXIT WHEN in_base > home.base OR home.forgotten > 0;
    place := home.parent;
  END LOOP;
  BEGIN
    INSERT INTO gatebook.branch (book, branch, parent, base, first, lost, size, root, owner, machine)
    VALUES (in_book, known.branches, in_parent, in_base, in_first, '{}',
      greatest(in_base, in_first - 1), in_root, session_user, in_machine);
  EXCEPTION WHEN unique_violation THEN
    RETURN -1;
  END;
  IF in_parent IS NOT NULL THEN
    PERFORM gatebook.record(in_book, known.branches, 'fleet.forked', in_base,
      'The book was copied, and both copies were used. The fleet keeps both histories.');
  END IF;
  RETURN known.branches;
END
$$;

-- Locks for the batches of a book, until the transaction ends. Batches that are prepared share it: they
-- hold rows that one in gatebook.accept would wait for, and they wait for the branch that it holds.
CREATE FUNCTION gatebook.lock_batches(in_book uuid, is_prepared boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF is_prepared THEN
    PERFORM pg_advisory_xact_lock_shared(1195463764, uuid_hash(in_book));
  ELSE
    PERFORM pg_advisory_xact_lock(1195463764, uuid_hash(in_book));
  END IF;
END
$$;

-- Lets one shipper of a book prepare batches, until gatebook.unclaim or the end of its connection. False:
-- another one does, or the book is on another server.
CREATE FUNCTION gatebook.claim(in_book uuid) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp AS $$
  SELECT CASE WHEN gatebook.place(in_book) IS NULL
    THEN pg_try_advisory_lock(1195463765, uuid_hash(in_book)) ELSE false END
$$;

-- Ends what gatebook.claim began.
CREATE FUNCTION gatebook.unclaim(in_book uuid) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp AS $$
  SELECT pg_advisory_unlock(1195463765, uuid_hash(in_book))
$$;

-- Puts the batch in gatebook.staging into the book, before the batch ahead of it is counted: so two
-- connections of a shipper fill a book at once, and only gatebook.accept takes them one after the other.
-- Only who has a claim calls it. False: that is not possible; gatebook.accept can do all of it, or says why
-- not.
CREATE FUNCTION gatebook.prepare(
  in_book uuid, in_branch integer, in_after bigint, in_last bigint, in_names bytea[],
  in_versions bytea[], in_installations uuid[]
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  -- A transaction sees another server as it was at its first statement there. That must be the statement
  -- that waits for the batch ahead.
  IF gatebook.place(in_book) IS NOT NULL OR NOT gatebook.holds_open(in_book) THEN RETURN false; END IF;
  PERFORM FROM gatebook.branch
  WHERE book = in_book AND branch = in_branch AND owner = session_user;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM gatebook.lock_batches(in_book, true);
  RETURN gatebook.take(
    in_book, in_branch, in_after, in_last, NULL, in_names, in_versions, in_installations);
END
$$;

-- Refuses to commit a batch that was put into a book and not counted.
CREATE FUNCTION gatebook.refuse_uncounted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM gatebook.prepared WHERE transaction = NEW.transaction) THEN
    RAISE 'a batch of events was prepared and not accepted' USING ERRCODE = '25000';
  END IF;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER counted AFTER INSERT ON gatebook.prepared
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION gatebook.refuse_uncounted();

-- Takes the batch in gatebook.staging, or the one that gatebook.prepare put into the book, or nothing.
-- last, root: the head after it. checkpoint: signed for that head, or NULL. keeps: whether the head is
-- kept for good. lost: positions after the fleet's size whose events a recovery did not find.
-- names, versions, installations: the programs of the batch; UTF-8, because text cannot hold
-- every name.
-- Verdicts: taken (place: the size before it); unknown (no such branch); owner (it is another role's);
-- gap (place: the event that the fleet needs first); differs (another event is there); leaf (the leaf is
-- not that of the event); form (a position that is twice in the batch or does not belong there); root
-- (another root of the same events); moving (the part moves to another server: try again); repeat (the
-- batch was prepared, and it cannot be taken like this: roll back, and send it again unprepared). Each but
-- `taken`, `unknown`, `moving` and `repeat` is recorded, so none is raised: an exception would take the
-- record back.
CREATE FUNCTION gatebook.accept(
  in_book uuid, in_branch integer, in_last bigint, in_root bytea, in_checkpoint text,
  in_keeps boolean, in_lost int8multirange, in_names bytea[], in_versions bytea[],
  in_installations uuid[], OUT verdict text, OUT place bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  b record;
  fresh bigint;
  batch gatebook.prepared;
  was_prepared boolean;
BEGIN
  SELECT * INTO batch FROM gatebook.prepared WHERE transaction = pg_current_xact_id();
  was_prepared := FOUND;
  IF NOT gatebook.holds_open(in_book) THEN
    PERFORM gatebook.clear_staging();
    verdict := 'moving';
    RETURN;
  END IF;
  IF NOT was_prepared AND EXISTS (SELECT 1 FROM gatebook.staging
    WHERE transaction = pg_current_xact_id() AND shipper = session_user) THEN
    PERFORM gatebook.lock_batches(in_book, false);
  END IF;
  SELECT owner, base, size, root, lost INTO b FROM gatebook.branch
  WHERE book = in_book AND branch = in_branch FOR UPDATE;
  IF NOT FOUND THEN
    verdict := 'unknown';
  ELSIF b.owner <> session_user THEN
    verdict := 'owner';
  ELSE
    -- A shipper that another one has overtaken repeats what is there.
    b.lost := b.lost
      + in_lost * int8multirange(int8range(b.size, greatest(b.size, in_last), '(]'));
    fresh := greatest(0, in_last - b.size - gatebook.count_of(b.lost, b.size, in_last));
    IF NOT was_prepared AND NOT gatebook.take(
      in_book, in_branch, b.size, in_last, fresh, in_names, in_versions, in_installations) THEN
      SELECT j.verdict, j.place INTO verdict, place FROM gatebook.judge(
        in_book, in_branch, b.base, b.size, in_last, fresh, in_names, in_versions, in_installations) j;
    ELSIF in_last = b.size AND in_root <> b.root THEN
      verdict := 'root';
      place := b.size;
    END IF;
  END IF;
  -- What was prepared is in the book already: without a head it must not be committed.
  IF was_prepared AND (verdict IS NOT NULL
    OR (batch.book, batch.branch, batch.after, batch.last, batch.events)
      <> (in_book, in_branch, b.size, in_last, fresh)) THEN
    verdict := 'repeat';
    RETURN;
  END IF;

  DELETE FROM gatebook.prepared WHERE transaction = pg_current_xact_id() RETURNING * INTO batch;
  IF verdict = 'owner' THEN
    PERFORM gatebook.record(in_book, NULL, 'fleet.owner', NULL,
      'A role that does not own the book sent events of it.');
  ELSIF verdict IS NOT NULL AND verdict <> 'unknown' THEN
    PERFORM gatebook.record(in_book, in_branch, 'fleet.' || verdict, place,
      'A batch of events was refused: ' || verdict || '.');
  ELSIF verdict IS NULL THEN
    verdict := 'taken';
    IF batch.events > 0 THEN PERFORM gatebook.count_batch(batch); END IF;
    IF in_last > b.size THEN
      UPDATE gatebook.branch SET size = in_last, root = in_root, checkpoint = in_checkpoint,
        lost = b.lost, heard = now(), days = days + gatebook.new_days(heard)
      WHERE book = in_book AND branch = in_branch;
    ELSIF in_last = b.size THEN
      UPDATE gatebook.branch SET checkpoint = coalesce(in_checkpoint, checkpoint), heard = now(),
        days = days + gatebook.new_days(heard)
      WHERE book = in_book AND branch = in_branch;
    END IF;
    IF in_keeps THEN
      UPDATE gatebook.checkpoint SET checkpoint = coalesce(checkpoint, in_checkpoint)
      WHERE book = in_book AND branch = in_branch AND size = in_last;
      IF NOT FOUND THEN
        INSERT INTO gatebook.checkpoint (book, branch, size, root, checkpoint)
        VALUES (in_book, in_branch, in_last, in_root, in_checkpoint);
      END IF;
    END IF;
    place := b.size;
  END IF;
  IF NOT was_prepared THEN PERFORM gatebook.clear_staging(); END IF;
END
$$;

-- Moves the staged events into the book, checks each leaf on the way, and notes the batch in
-- gatebook.prepared. expected: how many there must be; NULL: all that are staged.
-- False: there are not as many, one of them does not fit or is not after `after` and up to `last`, or the
-- book has one of them already. Nothing was taken then.
CREATE FUNCTION gatebook.take(
  in_book uuid, in_branch integer, in_after bigint, in_last bigint, expected bigint, in_names bytea[],
  in_versions bytea[], in_installations uuid[]
) RETURNS boolean LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  numbers integer[];
  described bytea[];
  taken bigint;
BEGIN
  SELECT p.numbers, p.described INTO numbers, described
  FROM gatebook.number_programs(in_book, in_names, in_versions, in_installations) p;

  -- A row that does not fit has no position, and so is refused like one that is there already.
  INSERT INTO gatebook.event (book, branch, version, position, revision, at, cause, process, program,
    withheld, id, account, session, kind, data, sealed, leaf)
  SELECT in_book, in_branch, version,
    CASE WHEN position > in_after AND position <= in_last
      AND CASE WHEN withheld THEN sealed IS NULL AND octet_length(leaf) = 32
        ELSE leaf = sha256('\x00'::bytea || gatebook.canonical(
        position, id, account, revision, session, kind, version, at, cause, described[program],
        process, data, sealed)) END THEN position END,
    revision, at, cause, process, numbers[program], withheld, id, account, session, kind, data,
    sealed, leaf
  FROM gatebook.staging
  WHERE transaction = pg_current_xact_id() AND shipper = session_user;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken <> expected THEN RAISE not_null_violation; END IF;

  INSERT INTO gatebook.prepared (book, branch, after, last, events, withheld, days, kinds, counts,
    first_at, last_at, erases)
  SELECT in_book, in_branch, in_after, in_last, taken, coalesce(sum(c.withheld), 0),
    coalesce(array_agg(c.day), '{}'), coalesce(array_agg(c.kind), '{}'),
    coalesce(array_agg(c.events), '{}'),
    (SELECT at FROM gatebook.event
      WHERE book = in_book AND branch = in_branch AND position = min(c.first)),
    (SELECT at FROM gatebook.event
      WHERE book = in_book AND branch = in_branch AND position = max(c.last)),
    coalesce(bool_or(c.kind = 'account.erased'), false)
  FROM (
    SELECT gatebook.day_of(at) AS day, kind, count(*) AS events,
      count(*) FILTER (WHERE withheld) AS withheld, min(position) AS first, max(position) AS last
    FROM gatebook.staging
    WHERE transaction = pg_current_xact_id() AND shipper = session_user
    GROUP BY 1, 2
  ) c;
  PERFORM gatebook.clear_staging();
  RETURN true;
EXCEPTION WHEN not_null_violation OR unique_violation THEN
  RETURN false;
END
$$;

-- The numbers of programs in a book, in the order of the arrays, and what leaves say of them.
CREATE FUNCTION gatebook.number_programs(
  in_book uuid, names bytea[], versions bytea[], installations uuid[], OUT numbers integer[],
  OUT described bytea[]
) LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  found integer;
BEGIN
  FOR i IN 1 .. coalesce(array_length(names, 1), 0) LOOP
    described[i] := gatebook.described(names[i], versions[i], installations[i]);
    SELECT p.number INTO found FROM gatebook.program p
    WHERE p.book = in_book AND p.described = number_programs.described[i];
    IF found IS NULL THEN
      SELECT coalesce(max(number), 0) + 1 INTO found FROM gatebook.program WHERE book = in_book;
      INSERT INTO gatebook.program (book, number, described, name, version, installation)
      VALUES (in_book, found, described[i], gatebook.shown(names[i]), gatebook.shown(versions[i]),
        installations[i]);
    END IF;
    numbers[i] := found;
  END LOOP;
END
$$;

-- Counts a batch that is in the book, and forgets the pseudonyms of accounts that it erases. One statement
-- for all kinds: each statement is planned for the book, which takes longer than to count a hundred events.
CREATE FUNCTION gatebook.count_batch(batch gatebook.prepared) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  WITH counted AS (
    SELECT * FROM unnest(batch.days, batch.kinds, batch.counts) AS c (day, kind, events)
  ), known AS (
    UPDATE gatebook.tally t SET events = t.events + c.events FROM counted c
    WHERE t.book = batch.book AND t.branch = batch.branch AND t.day = c.day AND t.kind = c.kind
    RETURNING t.day, t.kind
  ), fresh AS (
    INSERT INTO gatebook.tally (book, branch, day, kind, events)
    SELECT batch.book, batch.branch, day, kind, events FROM counted c
    WHERE NOT EXISTS (SELECT 1 FROM known k WHERE k.day = c.day AND k.kind = c.kind)
  ), whole AS (
    SELECT kind, sum(events)::bigint AS events FROM counted GROUP BY kind
  ), grown AS (
    UPDATE gatebook.total t SET events = t.events + w.events FROM whole w
    WHERE t.book = batch.book AND t.branch = batch.branch AND t.kind = w.kind
    RETURNING t.kind
  ), added AS (
    INSERT INTO gatebook.total (book, branch, kind, events)
    SELECT batch.book, batch.branch, kind, events FROM whole w
    WHERE NOT EXISTS (SELECT 1 FROM grown g WHERE g.kind = w.kind)
  )
  UPDATE gatebook.branch SET withheld = withheld + batch.withheld,
    first_at = coalesce(first_at, batch.first_at), last_at = batch.last_at
  WHERE book = batch.book AND branch = batch.branch;
  IF batch.erases THEN PERFORM gatebook.erase_taken(batch); END IF;
END
$$;

-- Notes the accounts that a batch erases, and deletes their pseudonyms.
CREATE FUNCTION gatebook.erase_taken(batch gatebook.prepared) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  INSERT INTO gatebook.erased (book, account)
  SELECT DISTINCT batch.book, v.account FROM gatebook.event v
  WHERE v.book = batch.book AND v.branch = batch.branch AND v.position > batch.after
    AND v.position <= batch.last AND v.kind = 'account.erased' AND v.account IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM gatebook.erased e WHERE e.book = batch.book AND e.account = v.account);
  DELETE FROM gatebook.pseudonym p USING gatebook.erased e
  WHERE p.book = batch.book AND e.book = batch.book AND p.account = e.account;
END
$$;

-- Says why a batch was not taken as it is; NULL: the book has all of its events already, or forgot them.
-- The server has no statistics of staged rows: a nested loop would compare each with each.
CREATE FUNCTION gatebook.judge(
  in_book uuid, in_branch integer, base bigint, size bigint, in_last bigint, expected bigint,
  in_names bytea[], in_versions bytea[], in_installations uuid[], OUT verdict text, OUT place bigint
) LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan SET enable_nestloop = off AS $$
DECLARE
  staged record;
  gone bigint;
BEGIN
  SELECT count(*) AS events, min(position) AS first, max(position) AS last,
    count(*) FILTER (WHERE position > size) AS fresh, count(DISTINCT position) AS positions,
    min(position) FILTER (WHERE w.described IS NULL OR octet_length(s.leaf) <> 32
      OR (s.withheld AND s.sealed IS NOT NULL)
      OR (NOT s.withheld AND s.leaf <> sha256('\x00'::bytea || gatebook.canonical(
        s.position, s.id, s.account, s.revision, s.session, s.kind, s.version, s.at, s.cause,
        w.described, s.process, s.data, s.sealed)))) AS wrong
  INTO staged
  FROM gatebook.staging s LEFT JOIN unnest(in_names, in_versions, in_installations) WITH ORDINALITY
    AS p (name, version, installation, number) ON p.number = s.program
  CROSS JOIN LATERAL (SELECT gatebook.described(p.name, p.version, p.installation) AS described) w
  WHERE s.transaction = pg_current_xact_id() AND s.shipper = session_user;
  IF staged.positions <> staged.events OR staged.first <= base OR staged.last > in_last THEN
    verdict := 'form';
    place := staged.first;
  ELSIF staged.wrong IS NOT NULL THEN
    verdict := 'leaf';
    place := staged.wrong;
  ELSIF staged.fresh <> expected THEN
    verdict := 'gap';
    place := size + 1;
  ELSE
    -- A shipper that another one has overtaken may send events that were forgotten since.
    SELECT forgotten INTO gone FROM gatebook.branch WHERE book = in_book AND branch = in_branch;
    SELECT min(s.position) INTO place
    FROM gatebook.staging s LEFT JOIN (
      SELECT position, leaf FROM gatebook.event WHERE book = in_book AND branch = in_branch
        AND position >= staged.first AND position <= staged.last) e ON e.position = s.position
    WHERE s.transaction = pg_current_xact_id() AND s.shipper = session_user AND s.position <= size
      AND s.position > gone AND e.leaf IS DISTINCT FROM s.leaf;
    IF place IS NOT NULL THEN
      verdict := 'differs';
    ELSIF staged.fresh > 0 THEN
      -- The book has the first of them already: only the others are to be taken.
      DELETE FROM gatebook.staging
      WHERE transaction = pg_current_xact_id() AND shipper = session_user AND position <= size;
      IF NOT gatebook.take(in_book, in_branch, size, in_last, expected, in_names, in_versions,
        in_installations) THEN
        verdict := 'form';
        place := staged.first;
      END IF;
    END IF;
  END IF;
END
$$;

-- Takes the caller's rows out of gatebook.staging.
CREATE FUNCTION gatebook.clear_staging() RETURNS void LANGUAGE sql AS $$
  DELETE FROM gatebook.staging WHERE transaction = pg_current_xact_id() AND shipper = session_user
$$;

-- Empties a staging table that has grown: deleted rows take room until it is vacuumed. It does not wait
-- for others who have rows in it.
CREATE FUNCTION gatebook.tidy() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp AS $$
BEGIN
  IF pg_relation_size('gatebook.staging') < 16 * 1024 * 1024
    OR NOT pg_try_advisory_xact_lock(1195463763, 64) THEN RETURN; END IF;
  SET LOCAL lock_timeout = '300ms';
  TRUNCATE gatebook.staging;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
  NULL;
END
$$;

-- Replaces what a book begins with itself: the state after the event at `floor`. If that event was
-- forgotten, the fleet has a later state.
CREATE FUNCTION gatebook.put_past(
  in_book uuid, in_branch integer, in_floor bigint, parts text[], names bytea[], contents bytea[]
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  gone bigint;
BEGIN
  IF NOT gatebook.holds_open(in_book) THEN RETURN false; END IF;
  UPDATE gatebook.branch SET floor = in_floor
  WHERE book = in_book AND branch = in_branch AND owner = session_user
  RETURNING forgotten INTO gone;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM gatebook.past
  WHERE book = in_book AND branch = in_branch AND part NOT LIKE 'start.%';
  INSERT INTO gatebook.past (book, branch, part, name, content)
  SELECT in_book, in_branch, p.part, p.name, p.content
  FROM unnest(parts, names, contents) AS p (part, name, content)
  WHERE in_floor > gone AND p.part NOT LIKE 'start.%';
  RETURN true;
END
$$;

-- Replaces some rows of the present, which the book folded at `size`; a NULL state removes its row.
CREATE FUNCTION gatebook.put_state(
  in_book uuid, in_branch integer, in_size bigint, in_folds bigint, in_machine text,
  parts text[], names bytea[], states text[]
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  less record;
  more record;
BEGIN
  IF NOT gatebook.holds_open(in_book) THEN RETURN false; END IF;
  UPDATE gatebook.branch SET folded = in_size, folds = in_folds,
    machine = coalesce(in_machine, machine)
  WHERE book = in_book AND branch = in_branch AND owner = session_user AND size = in_size;
  IF NOT FOUND THEN RETURN false; END IF;
  WITH gone AS (
    DELETE FROM gatebook.state s USING unnest(parts, names) AS p (part, name)
    WHERE s.book = in_book AND s.branch = in_branch AND s.part = p.part AND s.name = p.name
    RETURNING s.part, s.state
  )
  SELECT count(*) FILTER (WHERE part = 'account') AS accounts,
    count(*) FILTER (WHERE gatebook.is_usable(part, state)) AS usable INTO less FROM gone;
  WITH came AS (
    INSERT INTO gatebook.state (book, branch, part, name, state)
    SELECT in_book, in_branch, p.part, p.name, p.state
    FROM unnest(parts, names, states) AS p (part, name, state) WHERE p.state IS NOT NULL
    RETURNING part, state
  )
  SELECT count(*) FILTER (WHERE part = 'account') AS accounts,
    count(*) FILTER (WHERE gatebook.is_usable(part, state)) AS usable INTO more FROM came;
  UPDATE gatebook.branch SET accounts = accounts + more.accounts - less.accounts,
    usable = usable + more.usable - less.usable
  WHERE book = in_book AND branch = in_branch;
  RETURN true;
END
$$;

-- Adds pseudonyms of the names in events up to a position: none of erased accounts.
-- key: tells the key from another one; a fleet has pseudonyms under one key. Verdicts: taken, owner, key,
-- moving.
CREATE FUNCTION gatebook.put_pseudonyms(
  in_book uuid, in_branch integer, in_key bytea, up_to bigint, accounts uuid[], "values" bytea[]
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF NOT gatebook.holds_open(in_book) THEN RETURN 'moving'; END IF;
  -- All branches: no other one of them erases an account meanwhile.
  PERFORM FROM gatebook.branch WHERE book = in_book FOR UPDATE;
  IF NOT EXISTS (SELECT FROM gatebook.branch WHERE book = in_book AND branch = in_branch
    AND owner = session_user AND size >= up_to) THEN RETURN 'owner'; END IF;
  UPDATE gatebook.fleet SET pseudonym_key = in_key WHERE pseudonym_key IS NULL;
  IF NOT EXISTS (SELECT FROM gatebook.fleet WHERE pseudonym_key = in_key) THEN RETURN 'key'; END IF;
  UPDATE gatebook.branch SET named = greatest(named, up_to)
  WHERE book = in_book AND branch = in_branch;
  -- Two copies of the book may bring the same at once.
  INSERT INTO gatebook.pseudonym (book, account, value)
  SELECT in_book, p.account, p.value FROM unnest(accounts, "values") AS p (account, value)
  WHERE NOT EXISTS (
    SELECT 1 FROM gatebook.erased e WHERE e.book = in_book AND e.account = p.account)
  ON CONFLICT DO NOTHING;
  RETURN 'taken';
END
$$;

-- Deletes all pseudonyms, and forgets which key they had: the next shipper with a key says which it is, and
-- fills them in again. It is for the owner of the schema, and runs with the caller's rights.
CREATE FUNCTION gatebook.drop_pseudonyms() RETURNS void
LANGUAGE sql SET search_path = pg_catalog, gatebook, pg_temp AS $$
  UPDATE gatebook.fleet SET pseudonym_key = NULL;
  DELETE FROM gatebook.pseudonym;
  UPDATE gatebook.branch SET named = 0 WHERE named > 0
$$;
