"""Writes down each request, and holds the token endpoint up where a test asks for it.

A line of access.log is an object of JSON:

    path, query, status    status 0: the request has come, and nothing was done yet (token and
                           revocation endpoint)
    grant                  the token endpoint's grant_type
    user                   whom the token of a resource speaks for
    token                  the fingerprint of the bearer or refresh token that was shown
    issued                 that of the access token in the answer
    revoked                that of the token that is to be revoked

A fingerprint is the first 16 digits of SHA-256: what a test has can be found, and what stands here
opens nothing.
"""

import hashlib
import json
import os
import time

from django.conf import settings


def fingerprint(token):
    return hashlib.sha256(token.encode()).hexdigest()[:16] if token else None


def shown(request):
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token if scheme == "Bearer" else request.POST.get("refresh_token")


def issued(response):
    try:
        return json.loads(response.content).get("access_token")
    except ValueError:
        return None


class Ledger:
    def __init__(self, get_response):
        self.get_response = get_response
        self.hold = settings.STATE / "hold"
        self.file = os.open(settings.STATE / "access.log", os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    def __call__(self, request):
        if request.path == "/o/revoke_token/":
            self.write(request, 0)
        if request.path != "/o/token/":
            response = self.get_response(request)
            self.write(request, response.status_code)
            return response
        self.write(request, 0)
        self.wait("before")
        response = self.get_response(request)
        self.write(request, response.status_code, issued(response))
        self.wait("after")
        return response

    def write(self, request, status, token=None):
        owner = getattr(request, "resource_owner", None)
        revokes = request.path == "/o/revoke_token/"
        line = {
            "path": request.path, "query": request.META["QUERY_STRING"], "status": status,
            "grant": request.POST.get("grant_type"), "user": owner and owner.get_username(),
            "token": fingerprint(shown(request)), "issued": fingerprint(token),
            "revoked": fingerprint(request.POST.get("token")) if revokes else None}
        # At once and whole, whoever writes at the same time.
        os.write(self.file, f"{json.dumps(line)}\n".encode())

    def wait(self, when):
        for _ in range(6000):
            try:
                if self.hold.read_text() != when:
                    return
            except FileNotFoundError:
                return
            time.sleep(0.01)
