// The chat page: a conversation, kept until the tab is closed.
import { argumentsOf, make, note, setText, show } from "./show.js";
import { answer, chatModels, Refusal } from "./stream.js";

const $ = (id) => document.getElementById(id);

// A message is as the API has it (role, content, tool_calls, tool_call_id,
// reasoning_content); an answer has `about` with it, which only the page
// knows: its model, how it ended, its figures, what went wrong.
const messages = load("messages", []);
const SETTINGS = ["system", "temperature", "limit", "thinking", "tools", "key"];
const EXAMPLE = [{ type: "function", function: {
  name: "get_weather",
  description: "Get the current weather for a city",
  parameters: { type: "object",
    properties: { city: { type: "string", description: "The city name" } },
    required: ["city"] },
} }];
const LEAST_TIME = 20; // milliseconds; less says nothing of a model's speed
let chosen = load("settings", {}).model; // last, also while none is offered
let running = null; // an AbortController, while an answer comes
let drawing = 0; // the picture of the screen that is waited for

// What is kept.

function load(name, otherwise) {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep() {
  const settings = { model: chosen };
  for (const id of SETTINGS) settings[id] = $(id).value;
  try {
    sessionStorage.setItem("messages", JSON.stringify(messages));
    sessionStorage.setItem("settings", JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing: the conversation ends with a reload.
  }
}

// What is asked.

function request() {
  const system = $("system").value.trim();
  const before = system ? [{ role: "system", content: system }] : [];
  return {
    model: $("model").value,
    messages: [...before, ...messages.map(asSent).filter(says)],
    stream: true,
    stream_options: { include_usage: true },
    ...number("temperature", "temperature"),
    ...number("limit", "max_tokens"),
    ...thinking(),
    ...tools(),
  };
}

const isWhole = (call) => argumentsOf(call) !== undefined;

// A call that was cut off is shown, but never sent.
function asSent({ about, tool_calls, ...message }) {
  const calls = (tool_calls ?? []).filter(isWhole);
  return calls.length ? { ...message, tool_calls: calls } : message;
}

function says({ content, tool_calls }) {
  return content || tool_calls;
}

function number(id, name) {
  const { value, validity, labels } = $(id);
  if (!validity.valid)
    throw new Refusal(`In the settings, ${labels[0].textContent.toLowerCase()
    } is not a number that it can be.`);
  return value === "" ? {} : { [name]: Number(value) };
}

function thinking() {
  const { value } = $("thinking");
  return value &&
    { chat_template_kwargs: { enable_thinking: value === "on" } };
}

function tools() {
  const text = $("tools").value.trim();
  if (!text) return {};
  try {
    return { tools: JSON.parse(text) };
  } catch (error) {
    throw new Refusal(
      `In the settings, the list of tools is not JSON: ${error.message}`);
  }
}

// The first call that no message gives the result of, if there is one.
function openCall() {
  const done = new Set(messages.map((message) => message.tool_call_id));
  return messages.flatMap(({ tool_calls }) => tool_calls ?? [])
    .find((call) => isWhole(call) && !done.has(call.id));
}

// What is answered.

async function respond() {
  const about = { model: $("model").value, ended: "", figures: "", wrong: "" };
  const message = { role: "assistant", content: "", about };
  const mine = running = new AbortController();
  const begun = performance.now();
  messages.push(message);
  changed();
  try {
    if ($("model").disabled) await findModels();
    about.model = $("model").value;
    for await (const event of answer(request(), $("key").value, mine.signal)) {
      take(message, event, performance.now() - begun);
      drawing ||= requestAnimationFrame(draw);
    }
  } catch (error) {
    failed(about, error);
  }
  if (running !== mine) return; // a new chat has begun
  running = null;
  changed();
}

// One event of a stream, `at` milliseconds after the question.
function take(message, { choices, usage }, at) {
  const { about } = message;
  if (usage) about.figures = figures(about, usage);
  for (const { delta, finish_reason } of choices ?? []) {
    const { content, reasoning_content: thought, tool_calls } = delta ?? {};
    if (content || thought || tool_calls) {
      about.first ??= at;
      about.last = at;
    }
    if (thought)
      message.reasoning_content = (message.reasoning_content ?? "") + thought;
    message.content += content ?? "";
    for (const part of tool_calls ?? []) takeCall(message, part);
    if (finish_reason) about.ended = finish_reason;
  }
}

// A call's name and id come first, its arguments in pieces.
function takeCall(message, { index, id, function: part }) {
  message.tool_calls ??= [];
  const call = message.tool_calls[index] ??= { id, type: "function",
    function: { name: "", arguments: "" } };
  call.function.name += part?.name ?? "";
  call.function.arguments += part?.arguments ?? "";
}

function figures({ first = 0, last = 0 }, usage) {
  const { prompt_tokens: asked, completion_tokens: said } = usage;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const thought = usage.completion_tokens_details?.reasoning_tokens;
  const speed = (said - 1) / (last - first) * 1000;
  return [
    `first token after ${(first / 1000).toFixed(2)} s`,
    last - first > LEAST_TIME && `${speed.toFixed(speed < 100 ? 1 : 0)} tokens/s`,
    `${asked} tokens in${cached ? ` (${cached} from the cache)` : ""}`,
    `${said} out${thought ? ` (${thought} of them thinking)` : ""}`,
  ].filter(Boolean).join(" · ");
}

function failed(about, error) {
  if (error.name === "AbortError") {
    about.ended = "stopped";
    return;
  }
  about.wrong = error instanceof Refusal ? error.message :
    `The page cannot read the answer: ${error.message}`;
  if (error.status === 401) askForKey();
}

function askForKey() {
  $("settings").open = true;
  $("key").focus();
}

// What is shown.

// The end of the page stays in view for who has it in view.
function draw() {
  const page = document.documentElement;
  const down = innerHeight + scrollY >= page.scrollHeight - 80;
  cancelAnimationFrame(drawing);
  drawing = 0;
  show($("log"), messages, running !== null, regenerate);
  if (down) scrollTo(0, page.scrollHeight);
}

// After every step of a conversation.  A screen reader is told when an answer
// begins, and its text once that is whole.
function changed() {
  const call = openCall();
  if (document.activeElement === $(running ? "send" : "stop"))
    $("prompt").focus(); // what is hidden would lose it
  $("send").hidden = running;
  $("stop").hidden = !running;
  $("welcome").hidden = messages.length > 0;
  $("status").textContent = running ? "Answering" : spoken(messages.at(-1));
  setText($("prompt").labels[0],
    call ? `What ${call.function.name} returns` : "Message");
  draw();
  keep();
}

function spoken({ content, tool_calls, about } = {}) {
  if (!about) return "";
  const calls = (tool_calls ?? []).map((call) => `calls ${call.function.name}`);
  return ["Answered:", content, ...calls, note(about)].join(" ");
}

// What one does.

function say(content) {
  const call = openCall();
  messages.push(call ? { role: "tool", tool_call_id: call.id, content } :
    { role: "user", content });
  if (openCall()) changed();
  else respond();
  scrollTo(0, document.documentElement.scrollHeight);
}

function regenerate() {
  messages.pop();
  $("log").lastChild.remove();
  $("prompt").focus();
  respond();
}

function startAgain() {
  running?.abort();
  running = null;
  messages.length = 0;
  changed();
  $("prompt").focus();
}

async function findModels() {
  try {
    const names = await chatModels($("key").value);
    if (!names.length) throw new Refusal("The server has no model that chats.");
    $("model").replaceChildren(...names.map((name) =>
      make("option", { value: name }, name)));
    if (names.includes(chosen)) $("model").value = chosen;
    chosen = $("model").value;
    $("model").disabled = false;
    $("notice").hidden = true;
  } catch (error) {
    $("notice").textContent = error.message;
    $("notice").hidden = false;
    if (error.status === 401) askForKey();
  }
}

function send(event) {
  event.preventDefault();
  const text = $("prompt").value.trim();
  if (!text || running) return;
  $("prompt").value = "";
  say(text);
}

function done(event) {
  event.preventDefault();
  $("settings").open = false;
  $("prompt").focus();
}

function pressed(event) {
  if (event.key !== "Escape") return;
  if ($("settings").open) done(event);
  else running?.abort();
}

function listen() {
  $("composer").addEventListener("submit", send);
  $("choices").addEventListener("submit", done);
  $("prompt").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing)
      send(event);
  });
  $("stop").addEventListener("click", () => running?.abort());
  $("new").addEventListener("click", startAgain);
  $("key").addEventListener("change", findModels);
  $("sample").addEventListener("click", () => {
    $("tools").value = JSON.stringify(EXAMPLE, null, 1);
  });
  for (const button of $("welcome").querySelectorAll("button"))
    button.addEventListener("click", () => say(button.textContent));
  document.addEventListener("keydown", pressed);
  document.addEventListener("pointerdown", ({ target }) => {
    if (!$("settings").contains(target)) $("settings").open = false;
  });
  $("model").addEventListener("change", () => { chosen = $("model").value; });
  addEventListener("pagehide", () => {
    keep();
    running = null; // what is told of the answer now is that it was left
  });
}

function begin() {
  const settings = load("settings", {});
  for (const id of SETTINGS) $(id).value = settings[id] ?? "";
  listen();
  changed();
  findModels();
}

begin();
