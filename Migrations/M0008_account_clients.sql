-- M0008 account clients. Why: an account is a person at a server by a client. What finds an account gains the
-- client; programs that do not know that would find none, and make a second account. Size: nothing. Undo:
-- the next login of each account writes the hash without the client again.

-- The accounts' states gain the client when the book is opened next: no code has folded version 0.
UPDATE head SET folds = 0;
