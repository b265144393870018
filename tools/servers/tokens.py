"""Whom an access token speaks for: the servers that take one ask the OAuth 2 server (RFC 7662)."""

import base64
import json
import urllib.parse
import urllib.request

# An application that may ask; see oauth2/people.py.
MACHINE = base64.b64encode(b"gatebook-machine:machine-secret").decode()


def owner(server, token):
    """The user's name and when the token ends, in seconds since 1970; None for one that is not good."""
    request = urllib.request.Request(
        f"{server}/o/introspect/", urllib.parse.urlencode({"token": token}).encode(),
        {"Authorization": f"Basic {MACHINE}"})
    # Never by a proxy: it is this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=20) as answer:
        said = json.load(answer)
    return (said["username"], said["exp"]) if said.get("active") and said.get("username") else None
