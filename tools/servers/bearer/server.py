"""Servers that take an access token: a web server with WebDAV, IMAP, SMTP and AWS's STS, with TLS.

    python server.py DIR CHECK ISSUER

CHECK is the page of an authorization server that says whose a token is, ISSUER the name of that
server. Each token is shown to it, so nothing is accepted that was not given out there. DIR gets the
certificate `ca.pem`, what was uploaded (`files`), what was mailed (`mail`), and `log`.

Prints `NAME PORT` for `web`, `imap`, `smtp` and `proxy`, then `ready`. It runs until its
standard input ends, so it never outlives the one who started it.
"""

import pathlib
import ssl
import subprocess
import sys
import threading

from check import Check
from mail import IMAP, SMTP
from serving import Service
from sts import Proxy
from web import Web

NAMES = ["localhost", "sts.eu-central-1.amazonaws.com", "*.eu-central-1.amazonaws.com"]


def make_certificate(folder):
    names = ",".join(f"DNS:{name}" for name in NAMES) + ",IP:127.0.0.1"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "2", "-subj", "/CN=Gatebook tests", "-addext", f"subjectAltName={names}",
         "-keyout", folder / "key.pem", "-out", folder / "ca.pem"],
        check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "ca.pem", folder / "key.pem")
    return context


def main():
    folder = pathlib.Path(sys.argv[1])
    check = Check(sys.argv[2], sys.argv[3], folder)
    context = make_certificate(folder)
    for name in ["files", "mail"]:
        (folder / name).mkdir()
    for name, kind in [("web", Web), ("imap", IMAP), ("smtp", SMTP), ("proxy", Proxy)]:
        service = Service(kind, check, folder, context)
        threading.Thread(target=service.serve_forever, daemon=True).start()
        print(name, service.server_address[1], flush=True)
    print("ready", flush=True)
    sys.stdin.buffer.read()


main()
