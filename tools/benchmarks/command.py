"""The command `gatebook` with a book of its own, in which one account has a valid session."""

import base64
import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import time

from .programs import pairs
from .web import TOKEN


class Command:
    """Runs the command."""

    def __init__(self, folder, web, program):
        self.program = program
        self.web = web
        self.folder = folder
        self.environment = {
            **os.environ, "GATEBOOK_BOOK": os.path.join(folder, "book"), "XDG_CONFIG_HOME": folder,
            "GATEBOOK_KEY": f"file:{os.path.join(folder, 'key')}",
            # No agent of the person who measures.
            "GATEBOOK_AGENT": ""}
        self.environment.pop("GATEBOOK_ACCOUNT", None)
        secret = os.path.join(folder, "secret")
        with open(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
            file.write("a-client-secret\n")
        self.run(
            "login", "oauth2", "--token-url", f"http://127.0.0.1:{web.port}/token", "--flow",
            "client-credentials", "--client-id", "bench", "--client-secret-file", secret)

    def run(self, *words, answers=""):
        """Runs it to its end; what it printed."""
        done = subprocess.run(
            [self.program, *words], check=True, text=True, input=answers, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout

    def time(self, *words, answers="", expected):
        """How long it takes to its end, in microseconds."""
        begin = time.perf_counter()
        printed = self.run(*words, answers=answers)
        duration = (time.perf_counter() - begin) * 1e6
        assert expected in printed, printed
        return duration

    def counts(self, preload, *words, answers=""):
        """What one run asks of the disk, of SQLite and of the heap."""
        done = subprocess.run(
            [self.program, *words], check=True, text=True, input=answers, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**self.environment, "LD_PRELOAD": preload})
        assert TOKEN in done.stdout, done.stdout
        return pairs(done.stderr)

    @contextlib.contextmanager
    def proxy(self, preload=None):
        """A proxy at a port while the `with` lasts."""
        environment = dict(self.environment)
        if preload:
            environment["LD_PRELOAD"] = preload
        process = subprocess.Popen(
            [self.program, "proxy", "--port", "0", "--json"], text=True, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        proxy = Proxy(process, json.loads(process.stdout.readline()))
        try:
            yield proxy
        finally:
            process.terminate()
            _, told = process.communicate()
            proxy.counts = pairs(told) if preload else {}

    @contextlib.contextmanager
    def agent(self):
        """An agent while the `with` lasts."""
        place = os.path.join(self.folder, "agent")
        os.mkdir(place, mode=0o700)
        process = subprocess.Popen(
            [self.program, "agent", "--socket", os.path.join(place, "socket")], text=True,
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            version = self.run("--version").split()[-1]
            book = os.stat(self.environment["GATEBOOK_BOOK"])
            yield Agent(process.stdout.readline().strip(), version, f"{book.st_dev}:{book.st_ino}",
                        self.environment["GATEBOOK_KEY"])
        finally:
            process.terminate()
            process.wait()


class Agent:
    """An agent that serves, asked as the command asks it."""

    # What both sides must have alike: proxies, certificates and the time zone.
    SHARED = ["ALL_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_DIR", "SSL_CERT_FILE", "TZ",
              "all_proxy", "http_proxy", "https_proxy", "no_proxy"]

    def __init__(self, path, version, book, key):
        self.path = path
        self.version = version
        self.book = book
        self.key = key

    def time(self, *words, answers="", expected):
        """How long a call takes from the connection to the answer, in microseconds."""
        body = json.dumps({
            "line": words, "input": base64.b64encode(answers.encode()).decode(),
            "shared": {name: os.environ[name] for name in self.SHARED if os.environ.get(name)},
            "book": self.book, "key": self.key}).encode()
        head = (f"POST /v1/call HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                f"Gatebook-Version: {self.version}\r\nContent-Length: {len(body)}\r\n"
                "Expect: 100-continue\r\nConnection: close\r\n\r\n").encode()
        begin = time.perf_counter()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.path)
            connection.sendall(head)
            allowed = connection.recv(1 << 16)
            connection.sendall(body)
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        duration = (time.perf_counter() - begin) * 1e6
        assert b" 100 " in allowed and b" 200 " in answer, allowed + answer
        printed = base64.b64decode(re.search(rb'"output":"([^"]*)"', answer)[1]).decode()
        assert expected in printed, printed
        return duration


class Proxy:
    """A proxy that serves."""

    def __init__(self, process, told):
        self.process = process
        self.port = int(told["url"].rpartition(":")[2])
        self.capability = told["capability"]
        self.counts = {}

    @property
    def handles(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def kibibytes(self):
        """How much memory it has now."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            line = next(line for line in status if line.startswith("VmRSS:"))
        return int(line.split()[1])

    def ask(self, times):
        """Asks for the page, one request after the other, on one connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        for _ in range(times):
            connection.request(
                "GET", "/page", headers={"Authorization": f"Bearer {self.capability}"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
        connection.close()
