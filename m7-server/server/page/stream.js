// What goes over the wire: requests to the server, and the events of an
// answer.  It knows nothing of the page.

// What the server, or the lack of one, says in place of an answer.
export class Refusal extends Error {
  constructor(words, status = 0) {
    super(words);
    this.status = status; // of HTTP; 0 where there was none
  }
}

const SILENT = "The server does not answer. Is it still running?";
const BROKEN = "The connection broke before the answer had ended.";

// The models that can chat, as the server lists them.
export async function chatModels(key) {
  const response = await ask("v1/models", key, { method: "GET" });
  const { data } = await response.json();
  return data.filter((model) => !model.rung?.embedding)
    .map((model) => model.id);
}

// The events of an answer to a request for one, as they come.  Leaving the
// loop, or the signal, closes the connection, and the server stops its work.
export async function* answer(request, key, signal) {
  const response = await ask("v1/chat/completions", key, {
    method: "POST", body: JSON.stringify(request), signal,
  });
  for await (const data of events(response.body)) {
    if (data === "[DONE]") return;
    const event = JSON.parse(data);
    if (event.error) throw new Refusal(event.error.message);
    yield event;
  }
  throw new Refusal(BROKEN);
}

async function ask(address, key, how) {
  const headers = { "Content-Type": "application/json" };
  if (key) headers.Authorization = `Bearer ${key}`;
  const response = await fetch(address, { ...how, headers })
    .catch((error) => { throw lost(error, SILENT); });
  if (!response.ok) throw await refusal(response);
  return response;
}

// A connection fails with a TypeError; being stopped is no failure.
function lost(error, words) {
  return error.name === "AbortError" ? error : new Refusal(words);
}

async function refusal(response) {
  const { status } = response;
  const wait = response.headers.get("Retry-After");
  const said = await response.json().then((body) => body.error.message)
    .catch(() => `The server answers with status ${status}.`);
  return new Refusal(
    wait ? `${said} Try again in ${wait} seconds.` : said, status);
}

// Server-sent events: the data of each, which an empty line ends.  A line
// that begins with a colon is a comment, by which a server shows that it is
// still there.  (HTML Standard, section 9.2.)
async function* events(body) {
  let data = [];
  for await (const line of lines(body)) {
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    if (line || !data.length) continue;
    yield data.join("\n");
    data = [];
  }
}

// The decoder holds back the bytes of a character that has come in part.
async function* lines(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read()
        .catch((error) => { throw lost(error, BROKEN); });
      if (done) return;
      const found = (rest + decoder.decode(value, { stream: true }))
        .split(/\r?\n/);
      rest = found.pop();
      yield* found;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
