"""IMAP (RFC 9051) with one message, and SMTP (RFC 5321), for clients that show a token by SASL.

XOAUTH2 as Google describes it, OAUTHBEARER by RFC 7628; both with and without an initial response.
"""

import base64
import json
import re
import socketserver

REFUSAL = base64.b64encode(json.dumps({"status": "invalid_token", "schemes": "bearer"}).encode())
MESSAGE = b"From: bob@example.com\r\nTo: alice@example.com\r\nSubject: Hello\r\n" \
    b"Date: Thu, 01 Jan 2026 00:00:00 +0000\r\nMessage-ID: <1@example.com>\r\n\r\nThe body.\r\n"


def shown(mechanism, response):
    """The address and the `Bearer` that a client's response has; blanks for any other response."""
    try:
        text = base64.b64decode(response, validate=True).decode()
    except ValueError:
        return "", ""
    form = {
        "XOAUTH2": r"user=([^\1]*)\1auth=(Bearer [^\1]+)\1\1",
        "OAUTHBEARER": r"n,a=([^,\1]*),\1(?:host=[^\1]*\1)?(?:port=[^\1]*\1)?auth=(Bearer [^\1]+)\1\1",
    }[mechanism].replace("\\1", "\x01")
    found = re.fullmatch(form, text)
    return found.groups() if found else ("", "")


class Conversation(socketserver.StreamRequestHandler):
    speaks_tls_first = True
    user = None

    def say(self, *lines):
        for line in lines:
            self.wfile.write((line if isinstance(line, bytes) else line.encode()) + b"\r\n")

    def hear(self):
        line = self.rfile.readline(65_536)
        if not line.endswith(b"\n"):
            raise ConnectionError("the client went away")
        return line.decode().rstrip("\r\n")

    def authenticate(self, mechanism, response, prompt):
        """Whether the token that is shown belongs to the address beside it."""
        if response is None:
            self.say(prompt)
            response = self.hear()
        self.user = self.server.check.mailbox(*shown(mechanism, response))
        self.server.check.log(type(self).__name__, mechanism, self.user)
        return self.user is not None


class SMTP(Conversation):
    def handle(self):
        self.say("220 mail.example.com ESMTP")
        while True:
            verb, _, rest = self.hear().partition(" ")
            match verb.upper():
                case "EHLO":
                    self.say("250-mail.example.com", "250 AUTH XOAUTH2 OAUTHBEARER")
                case "AUTH":
                    mechanism, _, response = rest.partition(" ")
                    done = self.authenticate(mechanism.upper(), response or None, "334 ")
                    if not done:
                        # Clients hear what is wrong, answer that, and are refused then. In IMAP
                        # mbsync 1.4 waits forever instead, so that server refuses at once.
                        self.say(b"334 " + REFUSAL)
                        self.hear()
                    self.say("235 2.7.0 accepted" if done else "535 5.7.8 refused")
                case "MAIL" | "RCPT":
                    self.say("250 2.1.0 good" if self.user else "530 5.7.0 authenticate first")
                case "DATA" if self.user:
                    self.say("354 go on")
                    self.receive()
                case "QUIT":
                    return self.say("221 2.0.0 bye")
                case _:
                    self.say("502 5.5.2 not here")

    def receive(self):
        lines = []
        while (line := self.hear()) != ".":
            lines.append(line.removeprefix("."))
        with (self.server.folder / "mail" / self.user).open("a") as file:
            file.write("\n".join(lines) + "\n")
        self.say("250 2.0.0 taken")


class IMAP(Conversation):
    ABILITIES = "CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2 AUTH=OAUTHBEARER"

    def handle(self):
        self.say(f"* OK [{self.ABILITIES}] ready")
        while True:
            tag, verb, rest = (self.hear().split(" ", 2) + ["", ""])[:3]
            verb = verb.upper()
            self.server.check.log("IMAP", verb, "" if verb == "AUTHENTICATE" else rest)
            if verb == "LOGOUT":
                return self.say("* BYE", f"{tag} OK bye")
            self.say(f"{tag} {self.command(verb, rest)}")

    def command(self, verb, rest):
        if verb == "CAPABILITY":
            self.say(f"* {self.ABILITIES}")
        elif verb == "AUTHENTICATE":
            mechanism, _, response = rest.partition(" ")
            if not self.authenticate(mechanism.upper(), response or None, "+ "):
                return "NO [AUTHENTICATIONFAILED] refused"
        elif not self.user:
            return "NO authenticate first"
        elif verb == "LIST":
            self.say('* LIST (\\HasNoChildren) "/" INBOX')
        elif verb in ("SELECT", "EXAMINE"):
            self.say(
                "* FLAGS (\\Seen)", "* 1 EXISTS", "* 0 RECENT", "* OK [UIDVALIDITY 7]",
                "* OK [UIDNEXT 2]", "* OK [PERMANENTFLAGS (\\Seen)]")
        elif verb == "UID" and rest.upper().startswith("FETCH 1"):
            self.fetch(rest.upper())
        return "OK done"

    def fetch(self, items):
        """Answers what was asked for and no more: mbsync takes anything else for an error."""
        parts = [b"UID 1"]
        if "FLAGS" in items:
            parts.append(b"FLAGS (\\Seen)")
        if "RFC822.SIZE" in items:
            parts.append(b"RFC822.SIZE %d" % len(MESSAGE))
        if "BODY.PEEK[]" in items:
            parts.append(b"BODY[] {%d}\r\n" % len(MESSAGE) + MESSAGE)
        self.say(b"* 1 FETCH (" + b" ".join(parts) + b")")
