// How messages are shown.  All that a model, a user or a server wrote is set
// as text, never as HTML.

// An element; what is a string among its children becomes text.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The arguments of a call, or undefined while they are not whole.
export function argumentsOf(call) {
  try {
    return JSON.parse(call.function.arguments);
  } catch {
    return undefined;
  }
}

const ENDS = {
  "": "The answer was left before its end.",
  stopped: "Stopped.",
  length: "Cut off: the limit of tokens is reached.",
  content_filter: "The server held back the rest.",
};

// What is to be said of an answer besides its text.
export function note({ ended, wrong }, comes) {
  return wrong || (comes ? "" : ENDS[ended] ?? "");
}

// Show the messages as they are by now; `comes` tells that the last is still
// being written, and `again` is called to have it written once more.
export function show(log, messages, comes, again) {
  while (log.children.length > messages.length) log.lastChild.remove();
  messages.forEach((message, at) => {
    const isLast = at === messages.length - 1;
    const isNew = at === log.children.length;
    if (isNew) log.append(article(message, again));
    if (isNew || isLast) draw(message, log.children[at], isLast && comes);
  });
}

function article({ role }, again) {
  const button = make("button", { type: "button", class: "again" }, "Again");
  button.addEventListener("click", again);
  return make("article", { class: role },
    make("h2"),
    make("details", { class: "thought" }, make("summary"), make("p")),
    make("div", { class: "text" }), make("div", { class: "calls" }),
    make("p", { class: "waiting", "aria-hidden": true }, "…"),
    make("p", { class: "note" }), make("p", { class: "figures" }), button);
}

const NAMES = { user: "You", tool: "Result of the tool" };

// What is there already stays, and with it an open fold or a selection.
function draw(message, element, comes) {
  const { role, content, reasoning_content: thought, tool_calls } = message;
  const { model, figures, ...about } = message.about ?? { ended: "stop" };
  const part = (name) => element.querySelector(`.${name}`);
  const waits = comes && !content && !tool_calls;
  element.setAttribute("aria-busy", comes);
  setText(element.firstChild, NAMES[role] ?? model);
  drawThought(part("thought"), thought, waits);
  drawText(part("text"), content);
  drawCalls(part("calls"), tool_calls ?? []);
  part("waiting").hidden = !waits || thought;
  drawLine(part("note"), note(about, comes));
  part("note").classList.toggle("wrong", Boolean(about.wrong || !about.ended));
  drawLine(part("figures"), figures ?? "");
  part("again").hidden = comes || role !== "assistant";
}

function drawLine(element, text) {
  setText(element, text);
  element.hidden = !text;
}

function drawThought(element, thought, thinks) {
  element.hidden = !thought;
  setText(element.firstChild, thinks ? "Thinking…" : "Thoughts");
  setText(element.lastChild, (thought ?? "").trim());
}

// Text is paragraphs and, between lines that begin with three backticks, code.
function drawText(element, text) {
  const pieces = text.split(/^ *```.*\n?/m);
  pieces.forEach((piece, at) => {
    const isCode = at % 2 === 1;
    if (at === element.children.length)
      element.append(isCode ? code("Code") : make("p"));
    const child = element.children[at];
    setText(child, isCode ? piece.trimEnd() : piece.trim());
    child.hidden = !child.textContent;
  });
  while (element.children.length > pieces.length) element.lastChild.remove();
}

// A keyboard reaches it, to move what is wider than the page.
function code(label) {
  return make("pre", { tabindex: 0, role: "region", "aria-label": label });
}

function drawCalls(element, calls) {
  calls.forEach((call, at) => {
    if (at === element.children.length)
      element.append(make("section", { class: "call" },
        make("h3", {}, "Calls ", make("code")), code("Arguments")));
    const [title, shown] = element.children[at].children;
    const whole = argumentsOf(call);
    setText(title.lastChild, call.function.name);
    setText(shown, whole === undefined ? call.function.arguments :
      JSON.stringify(whole, null, 2));
  });
}
