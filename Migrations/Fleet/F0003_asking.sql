-- F0003 asking. Why: who asks reaches the books on the servers that answer, and finds rows of no history.
-- Size: none. Undo: drop the functions.
--
-- PostgreSQL fails a whole statement when one of its foreign servers does not answer. So a question asks
-- first which servers do, and then names the books on those: no statement reaches the parts of the others.

-- The servers that do not answer, with their parts and the reason. Each is asked by the caller's own mapping
-- about a book that there is not: its id belongs to the server's first part, so no other server is asked.
CREATE FUNCTION gatebook.unreachable_servers() RETURNS TABLE (
  name text, url text, parts integer[], reason text
) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, gatebook, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  made_up uuid;
BEGIN
  FOR name, url, parts IN
    SELECT s.name, s.url, array_agg(p.number ORDER BY p.number)
    FROM gatebook.server s JOIN gatebook.part p ON p.server = s.name
    GROUP BY s.name, s.url ORDER BY s.name
  LOOP
    SELECT made.id INTO made_up
    FROM generate_series(1, 65536) number
    CROSS JOIN LATERAL (SELECT lpad(to_hex(number), 32, '0')::uuid AS id) made
    WHERE satisfies_hash_partition('gatebook.branch'::regclass, 64, parts[1], made.id) LIMIT 1;
    BEGIN
      PERFORM FROM gatebook.branch WHERE book = made_up;
    EXCEPTION WHEN connection_exception THEN
      GET STACKED DIAGNOSTICS reason = PG_EXCEPTION_DETAIL;
      reason := split_part(coalesce(nullif(reason, ''), SQLERRM), E'\n', 1);
      RETURN NEXT;
    END;
  END LOOP;
END
$$;

-- The books that lie in other parts than these. Who may not read a book learns its id here and no more.
CREATE FUNCTION gatebook.books_outside(missing integer[]) RETURNS uuid[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp AS $$
DECLARE
  part regclass;
  here uuid[];
  books uuid[] := '{}';
BEGIN
  FOR part IN SELECT p.part FROM gatebook.parts_outside('gatebook.branch', missing) p LOOP
    EXECUTE format('SELECT array_agg(DISTINCT book) FROM %s', part) INTO here;
    books := books || here;
  END LOOP;
  RETURN books;
END
$$;

-- The parts of a table without those of these numbers.
CREATE FUNCTION gatebook.parts_outside(parent regclass, missing integer[])
RETURNS TABLE (part regclass, number integer) LANGUAGE sql STABLE AS $$
  SELECT c.oid::regclass, found.number
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT substring(c.relname FROM '[0-9]+$')::integer AS number) found
  WHERE i.inhparent = parent AND NOT found.number = ANY (missing)
  ORDER BY found.number
$$;

-- The histories that have rows and are not in gatebook.branch: somebody added the rows by hand. Those in the
-- parts that are missing are left out. branch: NULL for a book that is not there and has only programs,
-- pseudonyms or erased accounts. is_known: the book has other histories. first: the first event; NULL: there is
-- none. In the events it goes from history to history by the key of each part: that takes as many steps as
-- there are histories, however many events they have. It asks each part by statements of its own. Notices are
-- left out, because a shipper may ask for a book that is not there.
CREATE FUNCTION gatebook.unknown_histories(missing integer[])
RETURNS TABLE (book uuid, branch integer, is_known boolean, first bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp AS $$
DECLARE
  part integer;
BEGIN
  FOR part IN SELECT p.number FROM gatebook.parts_outside('gatebook.event', missing) p LOOP
    RETURN QUERY EXECUTE format($find$
      WITH RECURSIVE walk (book, branch) AS (
        (SELECT e.book, e.branch FROM gatebook_part.event_%1$s e ORDER BY e.book, e.branch LIMIT 1)
        UNION ALL
        SELECT n.book, n.branch FROM walk w CROSS JOIN LATERAL (
          (SELECT e.book, e.branch FROM gatebook_part.event_%1$s e
            WHERE e.book = w.book AND e.branch > w.branch ORDER BY e.branch LIMIT 1)
          UNION ALL
          (SELECT e.book, e.branch FROM gatebook_part.event_%1$s e
            WHERE e.book > w.book ORDER BY e.book, e.branch LIMIT 1)
          LIMIT 1) n
      ), unknown AS (
      (SELECT w.book, w.branch FROM walk w
      UNION SELECT c.book, c.branch FROM gatebook_part.checkpoint_%1$s c
      UNION SELECT p.book, p.branch FROM gatebook_part.past_%1$s p
      UNION SELECT s.book, s.branch FROM gatebook_part.state_%1$s s
      UNION SELECT t.book, t.branch FROM gatebook_part.tally_%1$s t
      UNION SELECT t.book, t.branch FROM gatebook_part.total_%1$s t
      EXCEPT SELECT b.book, b.branch FROM gatebook_part.branch_%1$s b)
      UNION ((SELECT p.book, NULL::integer FROM gatebook_part.program_%1$s p
        UNION SELECT p.book, NULL::integer FROM gatebook_part.pseudonym_%1$s p
        UNION SELECT e.book, NULL::integer FROM gatebook_part.erased_%1$s e)
      EXCEPT SELECT b.book, NULL::integer FROM gatebook_part.branch_%1$s b)
      )
      SELECT u.book, u.branch,
        EXISTS (SELECT FROM gatebook_part.branch_%1$s b WHERE b.book = u.book),
        (SELECT min(e.position) FROM gatebook_part.event_%1$s e
          WHERE e.book = u.book AND e.branch = u.branch)
      FROM unknown u
    $find$, part);
  END LOOP;
END
$$;
