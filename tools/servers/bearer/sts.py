"""AWS's Security Token Service behind a proxy: what clients reach who trust this certificate.

AssumeRoleWithWebIdentity gives credentials for a JWT that the issuer signed for `sts.amazonaws.com`;
GetCallerIdentity says whose they are. The signature of that second request is not checked: only that
it carries the session token which was given out.
"""

import http.server
import re
import secrets
import urllib.parse

import jwt

AUDIENCE = "sts.amazonaws.com"
NAMESPACE = "https://sts.amazonaws.com/doc/2011-06-15/"
# The session tokens that were given out, each with the name of its user.
given = {}


class Proxy(http.server.BaseHTTPRequestHandler):
    speaks_tls_first = False

    def do_CONNECT(self):
        host = self.path.partition(":")[0]
        if not host.startswith("sts."):
            return self.send_error(403)
        self.send_response(200)
        self.end_headers()
        inner = self.server.context.wrap_socket(self.connection, server_side=True)
        STS(inner, self.client_address, self.server)
        self.close_connection = True

    def log_message(self, *words):
        pass


class STS(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        # Read strictly: what stands behind a token belongs to it.
        asked = dict(urllib.parse.parse_qsl(body, strict_parsing=True))
        self.server.check.log("STS", asked["Action"])
        if asked["Action"] == "AssumeRoleWithWebIdentity":
            return self.assume(asked)
        return self.identify()

    def assume(self, asked):
        # The library takes a token with a line end behind it.
        if not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", asked["WebIdentityToken"], re.ASCII):
            return self.refuse("InvalidIdentityToken", "malformed")
        try:
            claims = self.server.check.claims(asked["WebIdentityToken"], AUDIENCE)
        except (jwt.PyJWTError, KeyError) as error:
            return self.refuse("InvalidIdentityToken", type(error).__name__)
        session = secrets.token_urlsafe()
        given[session] = claims["sub"]
        role = asked["RoleArn"]
        self.answer(
            200, "AssumeRoleWithWebIdentity",
            f"<SubjectFromWebIdentityToken>{claims['sub']}</SubjectFromWebIdentityToken>"
            f"<AssumedRoleUser><Arn>{role}</Arn><AssumedRoleId>A:B</AssumedRoleId></AssumedRoleUser>"
            "<Credentials><AccessKeyId>ASIAEXAMPLE</AccessKeyId>"
            "<SecretAccessKey>secret</SecretAccessKey>"
            f"<SessionToken>{session}</SessionToken>"
            "<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>")

    def identify(self):
        user = given.get(self.headers.get("X-Amz-Security-Token"))
        if user is None:
            return self.refuse("InvalidClientTokenId", "unknown")
        self.answer(
            200, "GetCallerIdentity",
            f"<Arn>arn:aws:sts::123456789012:assumed-role/reader/{user}</Arn>"
            f"<UserId>{user}</UserId><Account>123456789012</Account>")

    def refuse(self, code, reason):
        self.server.check.log("STS", code, reason)
        self.send(
            400, f'<ErrorResponse xmlns="{NAMESPACE}"><Error><Type>Sender</Type><Code>{code}</Code>'
            f"<Message>{reason}</Message></Error></ErrorResponse>")

    def answer(self, status, action, result):
        self.send(
            status, f'<{action}Response xmlns="{NAMESPACE}"><{action}Result>{result}</{action}Result>'
            f"<ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></{action}Response>")

    def send(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass
