"""Where a server of the tests listens."""

import random
import socket
import sys


def listener(folder):
    """A socket on the port that the server of this folder had before, or else on a free one.

    Below the ports that the kernel hands to clients: none of them can take this one while the
    server is down, so it can come back on it.
    """
    kept = folder / "port"
    ports = [int(kept.read_text())] if kept.exists() else random.sample(range(20000, 32768), 50)
    for port in ports:
        try:
            made = socket.create_server(("127.0.0.1", port), backlog=128)
        except OSError as error:
            problem = error
            continue
        kept.write_text(f"{port}\n")
        return made
    sys.exit(f"no port: {problem}")
