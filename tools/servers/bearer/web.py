"""A page that says whose a token is, and a folder by WebDAV (RFC 4918), as far as clients need it."""

import base64
import http.server
import json
import pathlib
import urllib.parse
import xml.sax.saxutils


class Web(http.server.BaseHTTPRequestHandler):
    speaks_tls_first = True
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", kind="text/plain", fields=()):
        self.server.check.log("web", self.command, self.path, status)
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        user = self.user()
        if user is None:
            return self.answer(401, fields=[("WWW-Authenticate", 'Bearer error="invalid_token"')])
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        if path == "/me" and self.command == "GET":
            return self.answer(200, json.dumps({"user": user}).encode(), "application/json")
        if path != "/dav" and not path.startswith("/dav/"):
            return self.answer(404)
        name = path.removeprefix("/dav").strip("/")
        if "/" in name or name.startswith("."):
            return self.answer(403)
        return self.dav(self.server.folder / "files" / name if name else None, body)

    def user(self):
        """Whose the token is: the one of `Bearer`, or the password of `Basic` beside its user."""
        shown = self.headers.get("Authorization") or ""
        if not shown.startswith("Basic "):
            return self.server.check.user(shown)
        name, _, token = base64.b64decode(shown[6:]).decode().partition(":")
        user = self.server.check.user(f"Bearer {token}")
        return user if user == name else None

    def dav(self, file: pathlib.Path | None, body):
        if self.command == "PUT" and file:
            is_new = not file.exists()
            file.write_bytes(body)
            return self.answer(201 if is_new else 204)
        if file and not file.exists():
            return self.answer(404)
        if self.command == "GET" and file:
            return self.answer(200, file.read_bytes(), "application/octet-stream")
        if self.command == "PROPFIND":
            found = [file] if file else [None, *sorted((self.server.folder / "files").iterdir())]
            if not file and self.headers.get("Depth") == "0":
                found = [None]
            return self.answer(
                207, self.multistatus(found).encode(), "application/xml; charset=utf-8")
        return self.answer(405)

    @staticmethod
    def multistatus(files):
        answers = ""
        for file in files:
            href = "/dav/" + (urllib.parse.quote(file.name) if file else "")
            kind = "" if file else "<D:collection/>"
            size = f"<D:getcontentlength>{file.stat().st_size}</D:getcontentlength>" if file else ""
            answers += (
                f"<D:response><D:href>{xml.sax.saxutils.escape(href)}</D:href><D:propstat><D:prop>"
                f"<D:resourcetype>{kind}</D:resourcetype>{size}"
                "<D:getlastmodified>Thu, 01 Jan 2026 00:00:00 GMT</D:getlastmodified>"
                "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>")
        return (
            '<?xml version="1.0" encoding="utf-8"?>'
            f'<D:multistatus xmlns:D="DAV:">{answers}</D:multistatus>')

    do_GET = do_HEAD = do_PUT = do_PROPFIND = do_MKCOL = do_DELETE = respond

    def log_message(self, *words):
        pass
