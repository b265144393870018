-- M0009 pulled books. Why: a copy of a book that was made from a fleet has no key. What is encrypted in it is
-- neither forgotten nor lost, and nobody may write to it. Size: nothing. Undo: drop the table.

-- Has a row in a book that was pulled from a fleet, which never changes again: no key belongs to it.
-- branch: which history of the book it is, by its number in the fleet.
CREATE TABLE pulled (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  branch INTEGER NOT NULL
) STRICT;
