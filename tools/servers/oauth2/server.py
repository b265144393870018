"""An OAuth 2 and OpenID Connect server to log in to, on loopback: django-oauth-toolkit.

    python server.py STATE.db      started by `start`, which says more

/o/                      the issuer: discovery, authorization with PKCE, token, device flow, userinfo,
                         revocation (RFC 7009) and introspection (RFC 7662); refresh tokens rotate
/api/me                  who the token speaks for: `{"user":NAME,"client":ID}`; 401 without one
/api/bare                the same, but 403 and nothing else without one
POST /json/login         a session with a cookie, for a name and a password in JSON; /json/me and
                         /json/logout go with it
POST /admin/revoke       user=NAME: ends all tokens of a person, as its owner may do elsewhere
POST /admin/expire       user=NAME: ends the access tokens of a person before their time
/admin/tokens            how many access and refresh tokens of each person are good

A file DIR/hold keeps the answers of the token endpoint back until it is gone: with `before` in it the
server does not act either. DIR/access-ttl holds the seconds that new access tokens are good for.
DIR/access.log has a line of JSON for each request; see ledger.py.
"""

import os
import pathlib
import sys

import django
import waitress

from loopback import listener


def main():
    # Its own session, so that what interrupts the one who starts it does not reach it.
    os.setsid()
    database = pathlib.Path(sys.argv[1])
    folder = database.parent
    bound = listener(folder)
    base = f"http://127.0.0.1:{bound.getsockname()[1]}"
    os.environ.update(STATE=str(folder), BASE=base, DJANGO_SETTINGS_MODULE="settings")
    django.setup()

    import people
    from django.core.wsgi import get_wsgi_application

    people.make()
    # One process: SQLite has one writer, and threads that wait for it wait in line.
    server = waitress.create_server(
        get_wsgi_application(), sockets=[bound], threads=16, channel_request_lookahead=0)
    (folder / "oauth2.pid").write_text(f"{os.getpid()}\n")
    print(f"base {base}", flush=True)
    # Whoever waits for the line must not wait for more.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server.run()


main()
