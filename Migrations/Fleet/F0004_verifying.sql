-- F0004 verifying. Why: rows that no history belongs to were added by hand; they are found here.
-- Size: none. Undo: drop the function.

-- The histories that have rows and are not in gatebook.branch. branch: NULL for a program of a book that
-- is not there. In the events it goes from history to history by the key of each part: that takes as many
-- steps as there are histories, however many events they have. A part asks its own server, which compares
-- one column at a time. Notices are left out, because a shipper may ask for a book that is not there.
CREATE FUNCTION gatebook.unknown_histories() RETURNS TABLE (book uuid, branch integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, gatebook, pg_temp AS $$
DECLARE
  part regclass;
  books_here uuid[];
  branches_here integer[];
  books uuid[] := '{}';
  branches integer[] := '{}';
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'gatebook.event'::regclass LOOP
    EXECUTE format($walk$
      WITH RECURSIVE walk (book, branch) AS (
        (SELECT e.book, e.branch FROM %1$s e ORDER BY e.book, e.branch LIMIT 1)
        UNION ALL
        SELECT n.book, n.branch FROM walk w CROSS JOIN LATERAL (
          (SELECT e.book, e.branch FROM %1$s e WHERE e.book = w.book AND e.branch > w.branch
            ORDER BY e.branch LIMIT 1)
          UNION ALL
          (SELECT e.book, e.branch FROM %1$s e WHERE e.book > w.book
            ORDER BY e.book, e.branch LIMIT 1)
          LIMIT 1) n
      )
      SELECT array_agg(w.book), array_agg(w.branch) FROM walk w
    $walk$, part) INTO books_here, branches_here;
    books := books || books_here;
    branches := branches || branches_here;
  END LOOP;
  RETURN QUERY
    (SELECT u.book, u.branch FROM unnest(books, branches) u (book, branch)
    UNION SELECT c.book, c.branch FROM gatebook.checkpoint c
    UNION SELECT p.book, p.branch FROM gatebook.past p
    UNION SELECT s.book, s.branch FROM gatebook.state s
    UNION SELECT t.book, t.branch FROM gatebook.tally t
    UNION SELECT t.book, t.branch FROM gatebook.total t
    EXCEPT SELECT b.book, b.branch FROM gatebook.branch b)
    UNION (SELECT p.book, NULL::integer FROM gatebook.program p
    EXCEPT SELECT b.book, NULL::integer FROM gatebook.branch b)
    ORDER BY 1, 2;
END
$$;
REVOKE ALL ON FUNCTION gatebook.unknown_histories FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatebook.unknown_histories TO gatebook_auditor;
