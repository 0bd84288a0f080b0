"""A witness between clients and a server: what one sends, the other gets,
byte by byte, as soon as it is there, and who ends a connection ends it for
both.  It keeps copies, and says afterwards whether all that came is of the
types of the openai package (held.py)."""

import contextlib
import socket
import socketserver
import threading
from collections import Counter
from urllib.parse import urlsplit

import wire

LIMIT = 20  # seconds, for connections to end
MOST = 5  # of what was wrong, which are told
CUT, LEFT = "cut by the server", "left by the client"


class Line:
    """A connection: copies of what went over it."""

    def __init__(self, client, server):
        self.client, self.server = client, server
        self.sent, self.came = bytearray(), bytearray()
        self.first = None  # the end that ended it first

    def relay(self):
        """Both ways, until both have ended."""
        back = threading.Thread(target=self.pump, daemon=True, args=(
            self.client, self.server, self.sent))
        back.start()
        self.pump(self.server, self.client, self.came)
        back.join()

    def pump(self, source, target, copy):
        gone = source
        try:
            while data := source.recv(1 << 16):
                copy += data
                gone = target
                target.sendall(data)
                gone = source
            self.first = self.first or source
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one of them is not there any more
            self.first = self.first or gone
            self.end()

    def end(self):
        for one in self.client, self.server:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def exchanges(self):
        return wire.exchanges(self.sent, self.came, self.first is self.server)

    def held(self, counts, wrong):
        """Adds to the counts of types, and to what is wrong."""
        import held  # where the package is installed
        for request, answer in self.exchanges():
            try:
                counts.update(held.kinds(request, answer))
            except Exception as error:  # whatever a wrong body leads to
                wrong.append(f"{request.start}: {error!r}")
            if not answer.whole:
                counts[CUT if self.first is self.server else LEFT] += 1


class Relay(socketserver.BaseRequestHandler):
    def handle(self):
        witness = self.server.witness
        with socket.create_connection(witness.place, LIMIT) as server:
            for one in self.request, server:
                one.settimeout(None)
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line = Line(self.request, server)
            witness.lines.append(line)
            if witness.closed:
                line.end()
            line.relay()


class Listener(socketserver.ThreadingTCPServer):
    request_queue_size = 128
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        """No server is there: the client sees an end, as it would there."""


class Witness:
    """Listens at `url` for the server at another address."""

    def __init__(self, url):
        at = urlsplit(url)
        self.place = at.hostname, at.port
        self.lines = []
        self.closed = False
        self.listener = Listener(("127.0.0.1", 0), Relay)
        self.listener.witness = self
        self.url = f"http://127.0.0.1:{self.listener.server_address[1]}"
        threading.Thread(target=self.listener.serve_forever, args=(0.05,),
                         daemon=True).start()

    def close(self):
        """Ends what has not ended."""
        self.listener.shutdown()
        self.closed = True
        for line in self.lines:
            line.first = line.first or line.client
            line.end()
        self.listener.server_close()  # when all threads have ended

    def held(self):
        """How many bodies and events of each type came until now, and how
        many answers were cut by either end; an error if one was wrong."""
        counts, wrong = Counter(), []
        for line in list(self.lines):
            try:
                line.held(counts, wrong)
            except ValueError as error:
                wrong.append(f"no HTTP: {error}")
        if wrong:
            raise AssertionError("\n".join(
                [f"{len(wrong)} answers are not of their types:",
                 *wrong[:MOST]]))
        return counts
