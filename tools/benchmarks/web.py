"""A web server and a proxy in front of it, both nginx, and the load for them, which is wrk's."""

import os
import resource
import socket
import subprocess
import time

from .programs import SOURCES, pairs

TOKEN = "an-access-token-of-the-benchmark"
PAGE = "x" * 1024
# As many descriptors as a thousand clients need, on either side.
DESCRIPTORS = 4096

MAIN = """
daemon off; pid {folder}/{name}.pid; error_log {folder}/{name}.log crit;
worker_processes {workers}; worker_rlimit_nofile {descriptors};
events {{ worker_connections {descriptors}; }}
http {{
  access_log off; default_type application/json; keepalive_requests 1000000000;
  client_body_temp_path {folder}/temporary; proxy_temp_path {folder}/temporary;
  fastcgi_temp_path {folder}/temporary; uwsgi_temp_path {folder}/temporary;
  scgi_temp_path {folder}/temporary;
  {rest}
}}
"""

# The token endpoint is a constant too. Without the token there is no page.
SERVER = """
server {{
  listen 127.0.0.1:{port} backlog=4096;
  location = /token {{
    return 200 '{{"access_token":"{token}","token_type":"Bearer","expires_in":86400}}';
  }}
  location / {{
    if ($http_authorization != "Bearer {token}") {{ return 401; }}
    return 200 "{page}";
  }}
}}
"""

# What nginx's documentation says to do for persistent connections to a server.
PROXY = """
upstream server {{ server 127.0.0.1:{server}; keepalive 64; }}
server {{
  listen 127.0.0.1:{port} backlog=4096;
  location / {{
    proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection "";
    proxy_set_header Authorization "Bearer {token}";
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def raise_limit():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(DESCRIPTORS, most), most))


class Web:
    """The server and nginx as its proxy; both end with the `with` that they are used in."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.proxy_port = free_port()
        self.running = []

    def __enter__(self):
        try:
            self._start("server", 1, SERVER, port=self.port)
            self._start("proxy", "auto", PROXY, port=self.proxy_port, server=self.port)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.terminate()
        for process in self.running:
            process.wait()

    def _start(self, name, workers, rest, port, **words):
        path = os.path.join(self.folder, f"{name}.conf")
        rest = rest.format(token=TOKEN, page=PAGE, port=port, **words)
        text = MAIN.format(
            folder=self.folder, name=name, workers=workers, descriptors=DESCRIPTORS, rest=rest)
        with open(path, "w", encoding="utf-8") as settings:
            settings.write(text)
        process = subprocess.Popen(
            ["nginx", "-c", path, "-e", os.path.join(self.folder, f"{name}.log")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.running.append(process)
        until = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError as failure:
                if process.poll() is not None or time.monotonic() > until:
                    raise subprocess.CalledProcessError(1, ["nginx", "-c", path]) from failure
                time.sleep(0.01)


def load(port, token, clients, seconds, pause=0):
    """Lets clients ask for the page as often as they get it, or with a pause after each answer."""
    command = ["wrk", f"-c{clients}", "-t1", f"-d{seconds}", "--timeout", "10", "-s",
               os.path.join(SOURCES, "load.lua"), "-H", f"Authorization: Bearer {token}",
               f"http://127.0.0.1:{port}/page"]
    done = subprocess.run(
        command, check=True, text=True, stdout=subprocess.PIPE, preexec_fn=raise_limit,
        env={**os.environ, "PAUSE": str(pause)})
    return pairs(done.stdout.splitlines()[-1])
