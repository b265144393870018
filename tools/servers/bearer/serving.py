"""One service on a free port of this machine, with a thread for each connection."""

import socketserver
import sys


class Service(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, kind, check, folder, context):
        super().__init__(("127.0.0.1", 0), kind)
        self.check, self.folder, self.context = check, folder, context

    def finish_request(self, request, address):
        # A proxy speaks TLS only after it was told where to.
        if self.RequestHandlerClass.speaks_tls_first:
            request = self.context.wrap_socket(request, server_side=True)
        super().finish_request(request, address)

    def handle_error(self, request, address):
        """A client that goes away, or does not trust the certificate, is none of our trouble."""
        self.check.log(f"{self.RequestHandlerClass.__name__} failed", sys.exc_info()[1])
