"""Asks the authorization server whose a token is."""

import json
import threading
import urllib.error
import urllib.request

import jwt


class Check:
    def __init__(self, page, issuer, folder):
        self.page, self.issuer = page, issuer
        self.file = folder / "log"
        self.lock = threading.Lock()
        # Whatever the environment says: both are on this machine.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def log(self, *words):
        """Notes what happened; never a token."""
        with self.lock, self.file.open("a") as file:
            print(*words, file=file)

    def user(self, authorization):
        """Whose the token of an `Authorization` field is; `None` if the server does not know it."""
        if not authorization.startswith("Bearer "):
            return None
        request = urllib.request.Request(self.page, headers={"Authorization": authorization})
        try:
            with self.opener.open(request, timeout=20) as answer:
                return json.load(answer)["user"]
        except urllib.error.HTTPError:
            return None

    def mailbox(self, address, authorization):
        """The same, if an address is that user's: `NAME@example.com`."""
        user = self.user(authorization)
        return user if user and address == f"{user}@example.com" else None

    def claims(self, token, audience):
        """The claims of a token that the issuer signed for an audience.

        Raises `jwt.PyJWTError` for any other: not its signature, not for that audience, expired.
        """
        with self.opener.open(f"{self.issuer}/.well-known/jwks.json", timeout=20) as answer:
            keys = jwt.PyJWKSet.from_dict(json.load(answer))
        key = keys[jwt.get_unverified_header(token)["kid"]]
        return jwt.decode(
            token, key.key, ["RS256"], audience=audience, issuer=self.issuer,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]})
