"""As much of a Kubernetes API server as `kubectl get pods` asks for, over TLS.

    python server.py FOLDER/kube.state     started by `start`, which says more

Every request needs a bearer token that the OAuth 2 server of TOKENS knows; another gets 401. There is
one pod, called after whom the token speaks for.

While a file FOLDER/hold is there, the first request that shows a token is answered only when the token
has ended: one run of a client then needs two. FOLDER/access.log has a line of JSON for each request:

    path, status    what was asked for, without its query, and what was answered
    token           the fingerprint of the token that was shown, as in oauth2/ledger.py
"""

import hashlib
import json
import os
import pathlib
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from loopback import listener
from tokens import owner

STATE = pathlib.Path(sys.argv[1])
FOLDER = STATE.parent

DISCOVERY = {
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
    "/api/v1": {
        "kind": "APIResourceList", "groupVersion": "v1",
        "resources": [{
            "name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod",
            "verbs": ["get", "list"], "shortNames": ["po"]}]},
    "/version": {"major": "1", "minor": "32", "gitVersion": "v1.32.0"}}


def pods(user):
    pod = {
        "metadata": {"name": f"pod-of-{user}", "namespace": "default"},
        "spec": {"containers": [{"name": "one"}]}, "status": {"phase": "Running"}}
    return {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [pod]}


def failure(status, reason):
    return {
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": reason, "reason": reason, "code": status}


class Holding:
    """Which tokens were shown before."""

    def __init__(self):
        self.lock = threading.Lock()
        self.seen = set()

    def wait(self, token, until):
        with self.lock:
            is_first = token not in self.seen
            self.seen.add(token)
        if is_first and (FOLDER / "hold").exists():
            (FOLDER / "hold").unlink()
            # The server names whole seconds, and the token may be good until the last one is over.
            time.sleep(max(0, until + 1.05 - time.time()))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    holding = Holding()
    log = os.open(FOLDER / "access.log", os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    def do_GET(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        found = owner(os.environ["TOKENS"], token) if scheme == "Bearer" and token else None
        path = self.path.partition("?")[0]
        if found is None:
            self.answer(path, token, 401, failure(401, "Unauthorized"))
            return
        user, until = found
        self.holding.wait(token, until)
        if path == "/api/v1/namespaces/default/pods":
            self.answer(path, token, 200, pods(user))
        elif path in DISCOVERY:
            self.answer(path, token, 200, DISCOVERY[path])
        else:
            self.answer(path, token, 404, failure(404, "NotFound"))

    def answer(self, path, token, status, value):
        seen = hashlib.sha256(token.encode()).hexdigest()[:16] if token else None
        line = json.dumps({"path": path, "status": status, "token": seen})
        # In one write, so that writers do not mix, and before the client gets its answer.
        os.write(self.log, f"{line}\n".encode())
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, bound, context):
        super().__init__(bound.getsockname(), Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = bound
        self.context = context

    # The handshake belongs to the thread of its connection: one client must not hold up the others.
    def finish_request(self, request, client_address):
        with self.context.wrap_socket(request, server_side=True) as wrapped:
            super().finish_request(wrapped, client_address)


def main():
    # Its own session, so that what interrupts the one who starts it does not reach it.
    os.setsid()
    bound = listener(FOLDER)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(FOLDER / "pki/good.pem", FOLDER / "pki/good.key")
    server = Server(bound, context)
    STATE.touch()
    (FOLDER / "kube.pid").write_text(f"{os.getpid()}\n")
    print(f"base https://127.0.0.1:{bound.getsockname()[1]}", flush=True)
    # Whoever waits for the line must not wait for more.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server.serve_forever()


main()
