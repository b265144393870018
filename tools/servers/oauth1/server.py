"""An OAuth 1.0a server (RFC 5849) to log in to, on loopback.

    python server.py STATE.db      started by `start`, which says more

POST /initiate                 temporary credentials (section 2.1)
GET, POST /authorize           the page on which a person logs in and allows or denies (section 2.2)
POST /token                    token credentials (section 2.3)
/api/me, /api/me/second        who the token speaks for; two libraries that know nothing of each
                               other check the signature of the one and of the other
POST /admin/revoke user=NAME   ends all tokens of a person, as its owner may do elsewhere

The protocol is the libraries'; what is here is what they leave to their users.
"""

import os
import pathlib
import sys

from authlib.integrations.flask_oauth1 import ResourceProtector, current_credential
from authlib.oauth1.errors import OAuth1Error
from flask import Flask, jsonify, make_response, render_template_string, request
from werkzeug.serving import make_server

from loopback import listener
from provider import SIGNATURE_METHODS, Provider
from second_opinion import SecondOpinion
from store import Store

PEOPLE = {"alice": "alice-pass-1", "bob": "bob-pass-1", "žofie": "heslo-ěšč"}

PAGE = """<!DOCTYPE html>
<title>May {{ consumer }} act for you?</title>
<p>{{ problem }}</p>
<form method="post">
<input name="username"><input type="password" name="password">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>
"""


def application(store, rsa_public_key):
    app = Flask(__name__)
    app.config["OAUTH1_SUPPORTED_SIGNATURE_METHODS"] = SIGNATURE_METHODS
    provider = Provider(app, store, rsa_public_key)
    second_opinion = SecondOpinion(store, provider.consumers)
    protected = ResourceProtector(
        app, query_client=provider.consumers.get, query_token=store.token,
        exists_nonce=store.is_known_nonce)

    @app.post("/initiate")
    def initiate():
        return provider.create_temporary_credentials_response()

    @app.route("/authorize", methods=["GET", "POST"])
    def authorize():
        try:
            credential = provider.check_authorization_request().credential
        except OAuth1Error as error:
            return make_response(f"unknown request: {error.error}", error.status_code)
        if request.form.get("decision") == "deny":
            response = provider.create_authorization_response()
            store.forget_temporary(credential.get_oauth_token())
            return response
        user = request.form.get("username")
        if user in PEOPLE and PEOPLE[user] == request.form.get("password"):
            return provider.create_authorization_response(grant_user=user)
        problem = "Wrong name or password." if request.method == "POST" else ""
        page = render_template_string(
            PAGE, consumer=credential.get_client_id(), problem=problem)
        return make_response(page, 401 if problem else 200)

    @app.get("/verifier")
    def verifier():
        """Where the person reads what to type into a client that has no callback (oob)."""
        return f"The verifier is {request.args['oauth_verifier']}\n", {"Content-Type": "text/plain"}

    @app.post("/token")
    def token():
        return provider.create_token_response()

    @app.route("/api/me", methods=["GET", "POST"])
    @protected()
    def me():
        return jsonify(user=current_credential.user)

    @app.route("/api/me/second", methods=["GET", "POST"])
    def me_second():
        user = second_opinion.user()
        if user is None:
            challenge = {"WWW-Authenticate": 'OAuth realm="second opinion"'}
            return jsonify(error="invalid_signature"), 401, challenge
        return jsonify(user=user)

    @app.post("/admin/revoke")
    def revoke():
        return jsonify(revoked=store.revoke(request.form["user"]))

    return app


def main():
    # Its own session, so that what interrupts the one who starts it does not reach it.
    os.setsid()
    database = pathlib.Path(sys.argv[1])
    folder = database.parent
    # Without it Authlib refuses everything that is not TLS.
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    store = Store(
        database, temporary_lifetime=float(os.environ.get("TEMPORARY_TTL", 600)),
        token_lifetime=float(os.environ.get("TOKEN_TTL", 3600)))
    app = application(store, (folder / "rsa.pub").read_text())
    bound = listener(folder)
    server = make_server(
        "127.0.0.1", bound.getsockname()[1], app, threaded=True, fd=bound.fileno())
    (folder / "oauth1.pid").write_text(f"{os.getpid()}\n")
    print(f"base http://127.0.0.1:{server.port}", flush=True)
    # Whoever waits for the line must not wait for more.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server.serve_forever()


main()
