"""Serves a site on this machine alone.

usage: serve.py [PORT]                     build/site
       serve.py archive [FILE [PORT]]      that of the newest archive in build/,
                                           or of FILE, packed or unpacked
"""

import functools
import http.server
import sys
from pathlib import Path

from reading.sources import ROOT
from support.mistakes import Wrong
from web import archive

BUILD = ROOT / "build"


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


def serve(folder, port):
    """Serve a folder until the user has had enough."""
    with server(folder, port) as one:
        print(f"http://localhost:{one.server_port}/  (Ctrl-C ends it)",
              flush=True)
        try:
            one.serve_forever()
        except KeyboardInterrupt:
            print()


def serve_archive(path, port):
    """Serve the site of an archive; 1 when there is none."""
    try:
        path = Path(path) if path else archive.newest(BUILD)
        site = archive.site_in(path, BUILD / "read")
    except Wrong as why:
        print(f"book: {why}", file=sys.stderr)
        return 1
    print(f"Reading {path}")
    return serve(site, port)


def main(arguments):
    """The command line."""
    if arguments[:1] == ["archive"]:
        path, port = (arguments[1:] + ["", ""])[:2]
        return serve_archive(path, int(port or 8000))
    return serve(BUILD / "site", int(arguments[0]) if arguments else 8000)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
