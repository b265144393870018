-- F0005 roles. Why: who may do what. Size: none. Undo: none needed.
--
-- The roles are groups: a login role becomes a member of one. A shipper may execute the functions of
-- shipping and insert into the staging table. An auditor may read. The owner of the schema does the rest.

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA gatebook FROM PUBLIC;
GRANT USAGE ON SCHEMA gatebook TO gatebook_shipper, gatebook_auditor;
GRANT SELECT ON gatebook.fleet TO gatebook_shipper, gatebook_auditor;
GRANT SELECT ON gatebook.server, gatebook.part TO gatebook_auditor;

GRANT EXECUTE ON FUNCTION
  gatebook.place, gatebook.standing, gatebook.leaf, gatebook.begin_branch, gatebook.claim,
  gatebook.unclaim, gatebook.prepare, gatebook.accept, gatebook.tidy, gatebook.put_past,
  gatebook.put_state, gatebook.put_pseudonyms
TO gatebook_shipper;
GRANT INSERT (version, position, revision, at, cause, process, program, withheld, id, account, session,
  kind, data, sealed, leaf) ON gatebook.staging TO gatebook_shipper;

GRANT EXECUTE ON FUNCTION
  gatebook.day_of, gatebook.is_usable, gatebook.may_end, gatebook.unreachable_servers, gatebook.books_outside,
  gatebook.unknown_histories
TO gatebook_auditor;

-- Row-level security is for who reads: AS RESTRICTIVE, a policy for fewer books can be added beside this one.
DO $$
DECLARE
  named text;
BEGIN
  FOR named IN SELECT name FROM gatebook.partitioned LOOP
    EXECUTE format('GRANT SELECT ON gatebook.%I TO gatebook_auditor', named);
    EXECUTE format('ALTER TABLE gatebook.%I ENABLE ROW LEVEL SECURITY', named);
    EXECUTE format(
      'CREATE POLICY auditor ON gatebook.%I FOR SELECT TO gatebook_auditor USING (true)', named);
  END LOOP;
END
$$;
