"""The token cache of Microsoft's library `msal`: a valid token of one of many accounts.

Usage: tokens.py ACCOUNTS CALLS
"""

import base64
import json
import sys
import time

import msal

AUTHORITY = "https://bench.example/tenant"
SCOPES = ["read"]
STRIDE = 7919


class Answer:
    """What an HTTP client of the library has to give."""

    def __init__(self, object):
        self.status_code, self.text, self.headers = 200, json.dumps(object), {}

    def raise_for_status(self):
        pass


class Server:
    """Answers without a network, as the transport of GatebookBench's `tokens`."""

    def get(self, url, **_):
        return Answer({
            "issuer": AUTHORITY, "authorization_endpoint": f"{AUTHORITY}/authorize",
            "token_endpoint": f"{AUTHORITY}/token", "tenant_discovery_endpoint": url})

    def post(self, _, data=None, **__):
        user = data["username"]
        facts = base64.urlsafe_b64encode(
            json.dumps({"uid": user, "utid": "tenant"}).encode()).decode().rstrip("=")
        claims = base64.urlsafe_b64encode(json.dumps({
            "iss": AUTHORITY, "sub": user, "aud": "bench", "exp": int(time.time()) + 86400,
            "iat": int(time.time()), "preferred_username": user, "oid": user,
        }).encode()).decode().rstrip("=")
        return Answer({
            "access_token": f"token-of-{user}", "token_type": "Bearer", "expires_in": 86400,
            "client_info": facts, "id_token": f"e30.{claims}.c2ln", "scope": " ".join(SCOPES),
            "refresh_token": f"refresh-of-{user}"})

    def close(self):
        pass


def main(accounts, calls):
    application = msal.PublicClientApplication(
        "bench", http_client=Server(), oidc_authority=AUTHORITY)
    for number in range(accounts):
        done = application.acquire_token_by_username_password(f"user-{number}", "rabbit", SCOPES)
        assert "access_token" in done, done
    members = {member["username"]: member for member in application.get_accounts()}
    assert len(members) == accounts, len(members)
    times = []
    start = time.perf_counter()
    for call in range(calls):
        user = f"user-{call * STRIDE % accounts}"
        begun = time.perf_counter()
        token = application.acquire_token_silent(SCOPES, account=members[user])
        times.append(time.perf_counter() - begun)
        assert token and token["access_token"] == f"token-of-{user}", token
    duration = time.perf_counter() - start
    times.sort()
    p50, p99 = (times[int(calls * share)] * 1e6 for share in (0.5, 0.99))
    print(f"rate={calls / duration:.0f} p50us={p50:.1f} p99us={p99:.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
