"""What went over a connection of HTTP/1.1, read from copies of its bytes:
requests with their answers, and the events of a stream.  The bytes may end
anywhere: a client leaves when it likes."""

import re
from dataclasses import dataclass, field


class Cut(Exception):
    """The bytes end before what is read."""


@dataclass
class Message:
    """A request or an answer, as far as it came."""

    start: str = ""  # its first line
    headers: dict = field(default_factory=dict)  # names are in lower case
    body: bytes = b""
    whole: bool = False

    @property
    def method(self):
        return self.start.partition(" ")[0]

    @property
    def path(self):
        """Of a request; without a query."""
        return re.split("[ ?]", self.start + " ")[1]

    @property
    def status(self):
        """Of an answer; 0 where its head did not come whole."""
        return int(self.start.split()[1]) if self.start else 0

    @property
    def type(self):
        return self.headers.get("content-type", "").partition(";")[0]


class Bytes:
    """Bytes that are read from the front."""

    def __init__(self, data):
        self.data = bytes(data)
        self.at = 0

    def more(self):
        return self.at < len(self.data)

    def until(self, mark):
        """Those before a mark, which is passed over."""
        end = self.data.find(mark, self.at)
        if end < 0:
            self.at = len(self.data)
            raise Cut
        found = self.data[self.at:end]
        self.at = end + len(mark)
        return found

    def take(self, size):
        """So many, or as many as there are."""
        found = self.data[self.at:self.at + size]
        self.at += len(found)
        return found


def exchanges(sent, came, closed):
    """(request, answer) of all that was answered on a connection, from what
    its client sent and what came to it.  `closed` says that the server ended
    it: so ends an answer that does not say its length."""
    sent, came = Bytes(sent), Bytes(came)
    while came.more():
        request = head(sent)
        read_body(sent, request, to_end=False)
        yield request, answer(came, request.method, closed)


def answer(came, method, closed):
    """The next answer, behind those that only say that there will be one."""
    told = head(came)
    while 100 <= told.status < 200:
        told = head(came)
    if told.start and (method == "HEAD" or told.status in (204, 304)):
        told.whole = True
    else:
        read_body(came, told, to_end=True)
        if not is_sized(told):
            told.whole = closed
    return told


def head(data):
    """A message without its body; an empty one where its head is cut."""
    try:
        start, *lines = data.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
    except Cut:
        return Message()
    fields = (line.partition(":") for line in lines)
    return Message(start, {name.lower(): value.strip()
                           for name, _, value in fields})


def is_sized(message):
    """Whether a message says where its body ends, or has no head."""
    return not message.start or "content-length" in message.headers \
        or "transfer-encoding" in message.headers


def read_body(data, message, to_end):
    """What belongs to a head; `to_end`: all there is, if it says no size."""
    if not message.start:
        return
    if message.headers.get("transfer-encoding") == "chunked":
        read_chunks(data, message)
        return
    given = message.headers.get("content-length")
    size = int(given or (len(data.data) if to_end else 0))
    message.body = data.take(size)
    message.whole = len(message.body) == size


def read_chunks(data, message):
    parts = []
    try:
        while size := int(data.until(b"\r\n").partition(b";")[0], 16):
            parts.append(data.take(size))
            if rest := data.until(b"\r\n"):
                raise ValueError(f"a chunk is followed by {rest}")
        while data.until(b"\r\n"):
            pass  # fields behind the last chunk
        message.whole = True
    except Cut:
        pass
    message.body = b"".join(parts)


def events(body, whole):
    """The data of those events that came whole, without comments."""
    *parts, rest = body.split(b"\n\n")
    if whole and rest:
        raise ValueError(f"the last event has no end: {rest}")
    for part in parts:
        lines = [line for line in part.decode().split("\n")
                 if not line.startswith(":")]
        for line in lines:
            if not line.startswith("data: "):
                raise ValueError(f"no line of an event is {line!r}")
        if lines:
            yield "\n".join(line.removeprefix("data: ") for line in lines)
