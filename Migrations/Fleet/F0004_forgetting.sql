-- F0004 forgetting. Why: the events of a history up to an age are dropped, and what it then begins with is kept.
-- Size: a state for each history that forgot events. Undo: none, the events are gone.

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

-- Drops the events of a branch up to one. Counters stay, and so do checkpoints and what is known of accounts.
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
      SELECT 'start.counted.day' AS part, int4send(gatebook.day_of(e.at)) || convert_to(e.kind, 'UTF8') AS name, count(*) AS events
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
    withheld = withheld - dropped.withheld
  WHERE book = in_book AND branch = in_branch;
  PERFORM gatebook.record(in_book, in_branch, 'fleet.forgotten', in_last, in_detail);
  verdict := 'forgotten';
  events := dropped.events;
END
$$;
