-- F0006 forgetting. Why: the events of a history up to an age are dropped, and what it then begins with is kept.
-- Size: 8 bytes a history; a state for each history that forgot events. Undo: none, the events are gone.

-- forgotten: the last event that was dropped; 0: none was. The rows of gatebook.past whose part begins with
-- `start.` say what the history then begins with. They belong to the fleet: what its shipper sends of the
-- past has other parts. Two of them hold counters of the dropped events: `start.counted.day` by day (an
-- i32) and kind, `start.counted.account` by account (00 for the book's own, or 01 and its id) and kind.
-- A history that forgot events needs none of the history that it left.
ALTER TABLE gatebook.branch ADD COLUMN forgotten bigint NOT NULL DEFAULT 0;

-- Where the fleet stands with a book. No row: it does not know the book.
-- start: what is known of the tree after the event at `forgotten`, with its root.
DROP FUNCTION gatebook.standing(uuid);
CREATE FUNCTION gatebook.standing(in_book uuid) RETURNS TABLE (
  branch integer, parent integer, base bigint, first bigint, floor bigint, lost text, size bigint,
  root bytea, folded bigint, is_own boolean, named bigint, forgotten bigint, start bytea
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
  SELECT b.branch, b.parent, b.base, b.first, b.floor, b.lost::text, b.size, b.root, b.folded,
    b.owner = session_user, b.named, b.forgotten,
    CASE WHEN b.forgotten > 0 THEN (SELECT p.content FROM gatebook.past p
      WHERE p.book = in_book AND p.branch = b.branch AND p.part = 'start.opening') END
  FROM gatebook.branch b WHERE b.book = in_book ORDER BY b.branch
$$;
REVOKE ALL ON FUNCTION gatebook.standing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatebook.standing TO gatebook_shipper;

-- Begins a history: that of a new book (no parent), or one that leaves a branch after `base`.
-- known: how many histories the caller has seen. Returns the branch; NULL where the book is another
-- role's; -1 where another shipper has begun a history meanwhile, or the events up to `base` were
-- forgotten: the caller asks for the standing again; -2 where the part moves.
CREATE OR REPLACE FUNCTION gatebook.begin_branch(
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

-- Says why a batch was not taken as it is; NULL: the book has all of its events already, or forgot them.
CREATE OR REPLACE FUNCTION gatebook.judge(
  in_book uuid, in_branch integer, base bigint, size bigint, in_last bigint, expected bigint,
  in_names bytea[], in_versions bytea[], in_installations uuid[], OUT verdict text, OUT place bigint
) LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
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
    FROM gatebook.staging s LEFT JOIN gatebook.event e
      ON e.book = in_book AND e.branch = in_branch AND e.position = s.position
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

-- Replaces what a book begins with itself: the state after the event at `floor`. If that event was
-- forgotten, the fleet has a later state.
CREATE OR REPLACE FUNCTION gatebook.put_past(
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

-- Adds pseudonyms of the names in events up to a position: none of erased accounts and forgotten events.
-- key: tells the key from another one; a fleet has pseudonyms under one key. Verdicts: taken, owner, key,
-- moving.
CREATE OR REPLACE FUNCTION gatebook.put_pseudonyms(
  in_book uuid, in_branch integer, in_key bytea, up_to bigint, positions bigint[], accounts uuid[],
  sessions uuid[], purposes text[], "values" bytea[]
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  gone bigint;
BEGIN
  IF NOT gatebook.holds_open(in_book) THEN RETURN 'moving'; END IF;
  UPDATE gatebook.fleet SET pseudonym_key = in_key WHERE pseudonym_key IS NULL;
  IF NOT EXISTS (SELECT 1 FROM gatebook.fleet WHERE pseudonym_key = in_key) THEN RETURN 'key'; END IF;
  UPDATE gatebook.branch SET named = greatest(named, up_to)
  WHERE book = in_book AND branch = in_branch AND owner = session_user AND size >= up_to
  RETURNING forgotten INTO gone;
  IF NOT FOUND THEN RETURN 'owner'; END IF;
  INSERT INTO gatebook.pseudonym (book, branch, position, purpose, account, session, value)
  SELECT in_book, in_branch, p.position, p.purpose, p.account, p.session, p.value
  FROM unnest(positions, accounts, sessions, purposes, "values")
    AS p (position, account, session, purpose, value)
  WHERE p.position > gone
    AND NOT EXISTS (
      SELECT 1 FROM gatebook.erased e WHERE e.book = in_book AND e.account = p.account)
    AND NOT EXISTS (
      SELECT 1 FROM gatebook.pseudonym o WHERE o.book = in_book AND o.branch = in_branch
        AND o.position = p.position AND o.purpose = p.purpose);
  RETURN 'taken';
END
$$;

-- Whether another history of a book still has events of a branch up to one: those that it shares with it.
CREATE FUNCTION gatebook.is_shared(in_book uuid, in_branch integer, in_last bigint) RETURNS boolean
LANGUAGE sql STABLE SET plan_cache_mode = force_custom_plan AS $$
  WITH RECURSIVE kin (branch, last) AS (
    SELECT b.branch, b.base FROM gatebook.branch b
    WHERE b.book = in_book AND b.parent = in_branch AND b.branch > in_branch AND b.forgotten = 0
    UNION ALL
    SELECT b.branch, least(b.base, k.last) FROM kin k JOIN gatebook.branch b
      ON b.book = in_book AND b.parent = k.branch AND b.branch > k.branch AND b.forgotten = 0
  )
  SELECT EXISTS (SELECT 1 FROM kin WHERE last > 0 AND last < in_last)
$$;

-- Drops the events of a branch up to one, with their pseudonyms. Counters stay, and so do checkpoints.
-- former: the last event that was forgotten before. parts, names, contents: the state after the last
-- dropped event, without the prefix `start.`. detail: what was found when the events were verified.
-- Verdicts: forgotten; changed (the branch is not what the caller has seen: plan again); shared (another
-- history has these events too); moving (the part moves to another server: try again).
-- It is for the owner of the schema, and runs with the caller's rights.
CREATE FUNCTION gatebook.forget(
  in_book uuid, in_branch integer, in_last bigint, in_former bigint, parts text[], names bytea[],
  contents bytea[], in_detail text, OUT verdict text, OUT events bigint
) LANGUAGE plpgsql SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  b record;
  dropped record;
  counted record;
BEGIN
  IF NOT gatebook.holds_open(in_book) THEN
    verdict := 'moving';
    RETURN;
  END IF;
  SELECT forgotten, size, floor INTO b FROM gatebook.branch
  WHERE book = in_book AND branch = in_branch FOR UPDATE;
  IF NOT FOUND OR b.forgotten <> in_former OR in_last <= b.forgotten OR in_last > b.size THEN
    verdict := 'changed';
    RETURN;
  ELSIF gatebook.is_shared(in_book, in_branch, in_last) THEN
    verdict := 'shared';
    RETURN;
  END IF;

  SELECT count(*) AS events, count(*) FILTER (WHERE withheld) AS withheld INTO dropped
  FROM gatebook.event WHERE book = in_book AND branch = in_branch AND position <= in_last;
  -- What was counted of earlier ones comes to it.
  SELECT array_agg(c.part) AS parts, array_agg(c.name) AS names,
    array_agg(convert_to(c.events::text, 'UTF8')) AS contents INTO counted
  FROM (
    SELECT u.part, u.name, sum(u.events)::bigint AS events FROM (
      SELECT 'start.counted.day' AS part, int4send((e.at / 86400000000
          - CASE WHEN e.at % 86400000000 < 0 THEN 1 ELSE 0 END)::integer)
          || convert_to(e.kind, 'UTF8') AS name, count(*) AS events
      FROM gatebook.event e
      WHERE e.book = in_book AND e.branch = in_branch AND e.position <= in_last GROUP BY 2
      UNION ALL
      SELECT 'start.counted.account', coalesce('\x01'::bytea || uuid_send(e.account), '\x00'::bytea)
          || convert_to(e.kind, 'UTF8'), count(*)
      FROM gatebook.event e
      WHERE e.book = in_book AND e.branch = in_branch AND e.position <= in_last GROUP BY 2
      UNION ALL
      SELECT p.part, p.name, convert_from(p.content, 'UTF8')::bigint FROM gatebook.past p
      WHERE p.book = in_book AND p.branch = in_branch
        AND p.part IN ('start.counted.account', 'start.counted.day')
    ) u GROUP BY u.part, u.name
  ) c;

  DELETE FROM gatebook.event WHERE book = in_book AND branch = in_branch AND position <= in_last;
  DELETE FROM gatebook.pseudonym
  WHERE book = in_book AND branch = in_branch AND position <= in_last;
  DELETE FROM gatebook.past
  WHERE book = in_book AND branch = in_branch AND (part LIKE 'start.%' OR b.floor <= in_last);
  INSERT INTO gatebook.past (book, branch, part, name, content)
  SELECT in_book, in_branch, 'start.' || p.part, p.name, p.content
  FROM unnest(parts, names, contents) AS p (part, name, content)
  UNION ALL
  SELECT in_book, in_branch, c.part, c.name, c.content
  FROM unnest(counted.parts, counted.names, counted.contents) AS c (part, name, content);
  UPDATE gatebook.branch SET forgotten = in_last, first = in_last + 1,
    lost = lost * int8multirange(int8range(in_last, NULL, '()')),
    withheld = withheld - dropped.withheld, named = greatest(named, in_last)
  WHERE book = in_book AND branch = in_branch;
  PERFORM gatebook.record(in_book, in_branch, 'fleet.forgotten', in_last, in_detail);
  verdict := 'forgotten';
  events := dropped.events;
END
$$;
REVOKE ALL ON FUNCTION gatebook.is_shared, gatebook.forget FROM PUBLIC;
