// What is checked of the chat page: pageChecks before fake.py, whose script
// they know, serverChecks before `rung serve` with the reading models.  Each
// gets what browser.js calls a person.
"use strict";

const assert = require("node:assert/strict");

const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const KEY = "secret";
const BUTTONS = ["model", "Settings", "new", "Again", "send"];

const checks = {};
const serverChecks = {};

checks["models that chat are offered"] = async (me) => {
  await me.ready();
  assert.deepEqual(await me.at("#model option").allTextContents(),
    ["ladder-1", "ladder-2"]);
};

checks["the chosen model answers"] = async (me) => {
  await me.at("#model").selectOption("ladder-2");
  await me.answered("hello");
  assert.equal((await me.lastAsked()).model, "ladder-2");
  assert.equal(await me.answer.locator("h2").textContent(), "ladder-2");
};

checks["an answer is shown as it comes"] = async (me) => {
  await me.ask("long");
  await me.see(".assistant .text", "One rung after");
  assert(await me.at("#stop").isVisible());
  assert.equal(await me.answer.getAttribute("aria-busy"), "true");
  assert.equal(await me.at("#status").textContent(), "Answering");
  await me.at("#stop").click();
};

checks["the end stays in view, but not against the reader"] = async (me) => {
  await me.page.setViewportSize({ width: 390, height: 400 });
  await me.ask("long");
  const place = () => me.page.evaluate(() => [scrollY,
    document.documentElement.scrollHeight - innerHeight - scrollY]);
  while ((await place())[0] < 100) await me.page.waitForTimeout(50);
  assert((await place())[1] < 80);
  await me.page.evaluate(() => scrollTo(0, 0));
  await me.page.waitForTimeout(300);
  assert.equal((await place())[0], 0);
  await me.page.keyboard.press("Escape");
};

checks["characters do not break between chunks"] = async (me) => {
  await me.answered("hello");
  assert.equal(await me.answer.locator(".text").textContent(),
    "Hello! How are you? 👩‍🚀 漢字 — fine.");
};

checks["figures stand below an answer"] = async (me) => {
  await me.answered("think");
  const figures = await me.answer.locator(".figures").textContent();
  assert.match(figures, new RegExp("^first token after \\d+\\.\\d\\d s · " +
    "[\\d.]+ tokens/s · 12 tokens in \\(8 from the cache\\) · " +
    "7 out \\(6 of them thinking\\)$"));
};

checks["a speed that nobody could measure is not told"] = async (me) => {
  await me.answered("quick");
  const figures = await me.answer.locator(".figures").textContent();
  const [, speed] = figures.match(/([\d.]+) tokens\/s/) ?? [];
  assert(!speed || Number(speed) < 560, figures);
};

checks["thinking is folded"] = async (me) => {
  await me.answered("think");
  const thought = me.answer.locator(".thought p");
  assert(!await thought.isVisible());
  assert.equal(await me.answer.locator(".text").textContent(), "Four.");
  await me.answer.locator("summary").click();
  assert.equal(await thought.textContent(), "Two and two. That is four.");
  assert(await thought.isVisible());
};

checks["a fold that is opened while it thinks stays open"] = async (me) => {
  await me.ask("slow thought");
  await me.see(".thought summary", "Thinking…");
  await me.answer.locator("summary").click();
  await me.page.waitForTimeout(300);
  assert(await me.answer.locator(".thought p").isVisible());
  await me.page.keyboard.press("Escape");
};

checks["tool calls are shown, and answered by the user"] = async (me) => {
  await me.set("tools", "");
  await me.at("#sample").click();
  await me.page.keyboard.press("Escape");
  await me.answered("weather");
  assert.equal((await me.lastAsked()).tools[0].function.name, "get_weather");
  assert.equal(await me.answer.locator("h3").textContent(),
    "Calls get_weather");
  assert.equal(await me.answer.locator(".call pre").textContent(),
    '{\n  "city": "Málaga"\n}');
  await me.see("label[for=prompt]", "What get_weather returns");
  await me.answered("21 degrees");
  const { messages } = await me.lastAsked();
  assert.deepEqual(messages.map(({ role }) => role),
    ["user", "assistant", "tool"]);
  assert.equal(messages[2].tool_call_id, messages[1].tool_calls[0].id);
  assert.equal(messages[1].tool_calls[0].function.arguments,
    '{"city": "Málaga"}');
  await me.see(".assistant .text", "It is sunny there.");
  await me.see("label[for=prompt]", "Message");
};

checks["two calls want two results"] = async (me) => {
  await me.answered("two calls");
  assert.equal(await me.answer.locator(".call").count(), 2);
  await me.ask("21 degrees");
  await me.see("label[for=prompt]", "What get_time returns");
  await me.answered("noon");
  assert.deepEqual((await me.lastAsked()).messages.slice(2)
    .map((one) => one.tool_call_id), ["call_0", "call_1"]);
};

checks["a call that was cut off is shown and not sent"] = async (me) => {
  await me.answered("cut call");
  await me.see(".call pre", '{"city": "Mál');
  await me.see(".note", "Cut off");
  await me.answered("hello");
  assert.deepEqual((await me.lastAsked()).messages.map(({ role }) => role),
    ["user", "user"]);
};

checks["stop keeps what came, and the server learns of it"] = async (me) => {
  const { left } = await me.asked();
  await me.ask("long");
  await me.see(".assistant .text", "One rung after");
  await me.at("#stop").click();
  await me.done();
  assert.equal(await me.answer.locator(".note").textContent(), "Stopped.");
  await me.see(".assistant .text", "One rung after");
  for (let tries = 0; (await me.asked()).left === left; tries++) {
    assert(tries < 50, "the connection stays open");
    await me.page.waitForTimeout(50);
  }
};

checks["what the reader did is no mistake, what broke is one"] = async (me) => {
  const wrong = () => me.answer.locator(".note").evaluate((note) =>
    note.classList.contains("wrong"));
  await me.ask("long");
  await me.see(".assistant .text", "One rung after");
  await me.page.keyboard.press("Escape");
  await me.done();
  await me.see(".note", "Stopped.");
  assert(!await wrong());
  await me.answered("cut");
  assert(!await wrong());
  await me.answered("break");
  assert(await wrong());
};

checks["one can go on writing after each button"] = async (me) => {
  const held = () => me.page.evaluate(() => document.activeElement.id);
  await me.at("#prompt").fill("long");
  await me.at("#send").click();
  await me.see(".assistant .text", "One rung after");
  assert.equal(await held(), "prompt");
  await me.at("#stop").click();
  await me.done();
  assert.equal(await held(), "prompt");
};

checks["an answer is made again"] = async (me) => {
  await me.answered("hello");
  const before = await me.lastAsked();
  await me.answer.locator(".again").click();
  await me.done();
  assert.equal(await me.at("article").count(), 2);
  assert.deepEqual(await me.lastAsked(), before);
};

checks["only the last answer can be made again"] = async (me) => {
  await me.answered("hello");
  await me.answered("think");
  assert.equal(await me.at(".again:visible").count(), 1);
};

checks["settings are sent"] = async (me) => {
  await me.set("system", "Be brief.");
  await me.set("temperature", "0.3");
  await me.set("limit", "77");
  await me.set("thinking", "off");
  await me.at("text=Done").click();
  await me.answered("hello");
  const asked = await me.lastAsked();
  assert.deepEqual(asked.messages[0], { role: "system", content: "Be brief." });
  assert.equal(asked.temperature, 0.3);
  assert.equal(asked.max_tokens, 77);
  assert.deepEqual(asked.chat_template_kwargs, { enable_thinking: false });
};

checks["what is not set is not sent"] = async (me) => {
  await me.answered("hello");
  assert.deepEqual(Object.keys(await me.lastAsked()).sort(),
    ["messages", "model", "stream", "stream_options"]);
};

checks["settings that cannot be are told"] = async (me) => {
  await me.set("temperature", "9");
  await me.page.keyboard.press("Escape");
  await me.answered("hello");
  await me.see(".note", "In the settings, temperature is not a number");
  await me.set("temperature", "");
  await me.set("tools", "[{");
  await me.page.keyboard.press("Escape");
  await me.answered("hello");
  await me.see(".note", "the list of tools is not JSON");
};

checks["a conversation outlives a reload, and not its tab"] = async (me) => {
  await me.set("system", "Be brief.");
  await me.page.keyboard.press("Escape");
  await me.at("#model").selectOption("ladder-2");
  await me.answered("think");
  const before = await me.at("#log").innerText();
  await me.page.reload();
  await me.see(".assistant .text", "Four.");
  assert.equal(await me.at("#log").innerText(), before);
  assert.equal(await me.at("#system").inputValue(), "Be brief.");
  await me.ready();
  assert.equal(await me.at("#model").inputValue(), "ladder-2");
  const other = await me.page.context().newPage();
  await other.goto(me.page.url());
  assert.equal(await other.locator("article").count(), 0);
};

checks["an answer that a reload cut off is told as such"] = async (me) => {
  await me.ask("long");
  await me.see(".assistant .text", "One rung after");
  await me.page.reload();
  await me.see(".assistant .text", "One rung after");
  await me.see(".note", "The answer was left before its end.");
};

checks["a new chat is empty, also while an answer comes"] = async (me) => {
  await me.ask("long");
  await me.see(".assistant .text", "One rung after");
  await me.at("#new").click();
  assert.equal(await me.at("article").count(), 0);
  assert(await me.at("#welcome").isVisible());
  await me.answered("hello");
  assert.equal(await me.at("article").count(), 2);
  assert.equal((await me.lastAsked()).messages.length, 1);
};

checks["what a model writes is text, whatever it writes"] = async (me) => {
  await me.answered("html");
  await me.see(".assistant .text", '<img src=x onerror="document.title');
  await me.see(".assistant .text", "&amp;");
  assert.equal(await me.at("article img, article script").count(), 0);
  assert.notEqual(await me.page.title(), "bad");
};

checks["code stands apart"] = async (me) => {
  await me.answered("code");
  assert.match(await me.answer.locator("pre").textContent(), /^int main/);
  assert.deepEqual(await me.answer.locator(".text p").allTextContents(),
    ["So:", "That is all."]);
};

// [what is asked, what is told]
for (const [question, told] of [
  ["cut", "Cut off: the limit of tokens is reached."],
  ["break", "The connection broke before the answer had ended."],
  ["late error", "The cache is full."],
  ["refuse", "messages[0]: too many by far."],
  ["busy", "The queue is full. Try again in 7 seconds."],
  ["nonsense", "The server answers with status 502."],
])
  checks[`told in words: ${question}`] = async (me) => {
    await me.answered(question);
    assert.equal(await me.answer.locator(".note").textContent(), told);
    assert(await me.answer.locator(".again").isVisible());
    me.heard.length = 0; // a browser logs what a server refuses
  };

checks["a server that is gone is told, and found again"] = async (me) => {
  await me.page.route("**/v1/**", (route) => route.abort());
  await me.page.reload();
  await me.see("#notice", "The server does not answer. Is it still running?");
  await me.answered("hello");
  await me.see(".note", "The server does not answer.");
  await me.page.unroute("**/v1/**");
  await me.answer.locator(".again").click();
  await me.see(".assistant .text", "Hello!");
  assert(!await me.at("#notice").isVisible());
  me.heard.length = 0;
};

checks["a key is asked for, and kept for the tab alone"] = async (me) => {
  await me.page.goto(me.given.locked);
  await me.see("#notice", "The key is missing or wrong.");
  assert(await me.at("#key").isVisible());
  assert(await me.at("#key").evaluate((key) => key === document.activeElement));
  await me.page.keyboard.type(KEY);
  await me.page.keyboard.press("Enter");
  await me.ready();
  assert(!await me.at("#notice").isVisible());
  assert(!await me.at("#key").isVisible());
  await me.answered("hello");
  await me.see(".assistant .text", "Hello!");
  await me.page.reload();
  await me.answered("hello");
  assert.equal(await me.page.evaluate(() => localStorage.length), 0);
  assert.equal((await me.page.context().cookies()).length, 0);
  me.heard.length = 0;
};

checks["a keyboard does it all"] = async (me) => {
  const { keyboard } = me.page;
  assert(await me.at("#prompt").evaluate((field) =>
    field === document.activeElement), "one can write at once");
  await keyboard.type("long");
  await keyboard.press("Shift+Enter");
  assert.equal(await me.at("#prompt").inputValue(), "long\n");
  await keyboard.press("Enter");
  await me.see(".assistant .text", "One rung after");
  await keyboard.press("Escape");
  await me.done();
  await me.see(".note", "Stopped.");
  const reached = new Set();
  for (let at = 0; at < 12; at++) {
    await keyboard.press("Tab");
    const [name, outline] = await me.page.evaluate(() => {
      const one = document.activeElement;
      return [one.id || one.textContent,
        getComputedStyle(one).outlineStyle];
    });
    if (BUTTONS.includes(name)) assert.equal(outline, "solid", name);
    reached.add(name);
  }
  for (const name of ["prompt", ...BUTTONS])
    assert(reached.has(name), `${name} is not reached: ${[...reached]}`);
};

checks["a screen reader is told when an answer is whole"] = async (me) => {
  await me.answered("think");
  assert.equal(await me.at("[role=status]").textContent(), "Answered: Four. ");
};

checks["motion is for those who want it"] = async (me) => {
  const motion = () => me.at(".waiting").last().evaluate((dots) =>
    getComputedStyle(dots).animationName);
  await me.answered("hello");
  assert.equal(await motion(), "breathe");
  await me.page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await motion(), "none");
};

checks["nothing is fetched from elsewhere, and no script may be added"] =
  async (me) => {
    const fetched = [];
    me.page.on("request", (request) => fetched.push(request.url()));
    const response = await me.page.goto(me.given.open);
    assert.match(response.headers()["content-security-policy"],
      /^default-src 'none'/);
    await me.answered("hello");
    assert(fetched.length > 5);
    for (const url of fetched) assert.equal(new URL(url).origin,
      new URL(me.given.open).origin);
    await me.page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'bad'";
      document.body.append(script);
    });
    assert.notEqual(await me.page.title(), "bad");
    me.heard.length = 0;
  };

// All that there is to see, at once.
async function fill(me) {
  await me.answered("hello");
  await me.answered("think");
  await me.answer.locator("summary").click();
  await me.answered("code");
  await me.answered("break");
  await me.answered("weather");
}

for (const [size, viewport] of Object.entries({ phone: PHONE, laptop: LAPTOP }))
  for (const colorScheme of ["light", "dark"])
    checks[`${size}, ${colorScheme}: nothing too wide, axe finds nothing`] =
      async (me) => {
        const name = `${size}-${colorScheme}`;
        await me.page.emulateMedia({ colorScheme });
        await me.page.setViewportSize(viewport);
        await me.look(`${name}-empty`);
        await fill(me);
        await me.look(`${name}-chat`);
        await me.set("tools", "");
        await me.at("#sample").click();
        await me.look(`${name}-settings`);
      };

// The server samples unless it is told not to.
const greedily = (me) => me.set("temperature", "0");

serverChecks["a model thinks and answers"] = async (me) => {
  await greedily(me);
  await me.answered("What is the capital of Japan?");
  assert.equal(await me.answer.locator(".text").textContent(),
    "The capital of Japan is Tokyo.");
  await me.answer.locator("summary").click();
  await me.see(".thought p", "The user asks for the capital of Japan.");
  // A speed only where the answer took long enough for one.
  assert.match(await me.answer.locator(".figures").textContent(), new RegExp(
    "^first token after \\d+\\.\\d\\d s( · [\\d.]+ tokens/s)? · " +
    "\\d+ tokens in( \\(\\d+ from the cache\\))? · " +
    "31 out \\(19 of them thinking\\)$"));
};

serverChecks["a model calls a tool"] = async (me) => {
  await greedily(me);
  await me.set("thinking", "off");
  await me.at("#sample").click();
  await me.page.keyboard.press("Escape");
  await me.answered("What is the weather in Tokyo?");
  assert.equal(await me.answer.locator(".call pre").textContent(),
    '{\n  "city": "Tokyo"\n}');
  assert.equal(await me.at(".thought:visible").count(), 0);
  await me.answered(
    '{"city": "Tokyo", "temperature": 21, "condition": "sunny"}');
  assert.equal(await me.answer.locator(".text").textContent(),
    "It is 21 degrees and sunny in Tokyo.");
};

serverChecks["models that cannot chat are not offered"] = async (me) => {
  await me.ready();
  const names = await me.at("#model option").allTextContents();
  assert(!names.includes("tiny-embed"), names.join());
};

module.exports = { pageChecks: checks, serverChecks };
