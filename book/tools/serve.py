"""Serves build/site on this machine alone.  usage: serve.py [PORT]"""

import functools
import http.server
import sys

from reading.sources import ROOT


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files that are never kept by the browser, and no chatter."""

    def end_headers(self):
        """Let a reload show what was built just now."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        """Say nothing."""


def server(folder, port):
    """A server at the port, or, when that is taken, at another."""
    handler = functools.partial(Handler, directory=str(folder))
    try:
        return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        return http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)


def main(arguments):
    """Serve until the user has had enough."""
    port = int(arguments[0]) if arguments else 8000
    with server(ROOT / "build" / "site", port) as one:
        print(f"http://localhost:{one.server_port}/  (Ctrl-C ends it)",
              flush=True)
        try:
            one.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main(sys.argv[1:])
