"""What the server remembers, in one SQLite file: it survives a restart."""

import sqlite3
import threading
import time

from authlib.oauth1 import TemporaryCredential, TokenCredentialMixin

SCHEMA = """
CREATE TABLE IF NOT EXISTS temporary (
  token TEXT PRIMARY KEY, secret TEXT NOT NULL, consumer TEXT NOT NULL, callback TEXT NOT NULL,
  user TEXT, verifier TEXT, issued REAL NOT NULL);
CREATE TABLE IF NOT EXISTS token (
  token TEXT PRIMARY KEY, secret TEXT NOT NULL, consumer TEXT NOT NULL, user TEXT NOT NULL,
  issued REAL NOT NULL, revoked INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS nonce (
  consumer TEXT, token TEXT, timestamp TEXT, nonce TEXT,
  PRIMARY KEY (consumer, token, timestamp, nonce));
"""


class Token(TokenCredentialMixin):
    def __init__(self, token, secret, user):
        self.token = token
        self.secret = secret
        self.user = user

    def get_oauth_token(self):
        return self.token

    def get_oauth_token_secret(self):
        return self.secret


class Store:
    def __init__(self, path, temporary_lifetime, token_lifetime):
        self.temporary_lifetime = temporary_lifetime
        self.token_lifetime = token_lifetime
        # One connection for all threads, one after the other; each statement is a transaction.
        self.lock = threading.Lock()
        self.connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.connection.executescript(SCHEMA)

    def _change(self, statement, *values):
        with self.lock:
            return self.connection.execute(statement, values).rowcount

    def _row(self, statement, *values):
        with self.lock:
            return self.connection.execute(statement, values).fetchone()

    def keep_temporary(self, token, secret, consumer, callback):
        self._change(
            "INSERT INTO temporary VALUES (?, ?, ?, ?, NULL, NULL, ?)",
            token, secret, consumer, callback, time.time())

    def temporary(self, token):
        row = self._row(
            "SELECT token, secret, consumer, callback, user, verifier FROM temporary"
            " WHERE token = ? AND issued > ?", token, time.time() - self.temporary_lifetime)
        names = ("oauth_token", "oauth_token_secret", "client_id", "oauth_callback", "user_id",
                 "oauth_verifier")
        return TemporaryCredential(zip(names, row)) if row else None

    def allow_temporary(self, token, user, verifier):
        self._change(
            "UPDATE temporary SET user = ?, verifier = ? WHERE token = ?", user, verifier, token)

    def forget_temporary(self, token):
        self._change("DELETE FROM temporary WHERE token = ?", token)

    def keep_token(self, token, secret, consumer, user):
        self._change(
            "INSERT INTO token VALUES (?, ?, ?, ?, ?, 0)", token, secret, consumer, user,
            time.time())
        return Token(token, secret, user)

    def token(self, consumer, token):
        row = self._row(
            "SELECT token, secret, user FROM token"
            " WHERE token = ? AND consumer = ? AND revoked = 0 AND issued > ?",
            token, consumer, time.time() - self.token_lifetime)
        return Token(*row) if row else None

    def revoke(self, user):
        return self._change("UPDATE token SET revoked = 1 WHERE user = ? AND revoked = 0", user)

    def is_known_nonce(self, nonce, timestamp, consumer, token):
        """Whether it was used before; from now on it was (section 3.3)."""
        added = self._change(
            "INSERT OR IGNORE INTO nonce VALUES (?, ?, ?, ?)",
            consumer, token or "", str(timestamp), nonce)
        return added == 0
