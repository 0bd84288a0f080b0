// The openai package for Node, before `rung serve`.
//
//     node openai.mjs '{"modules": …, "url": …, "fake": fake.py's address,
//                       "busy": that of a server with one place and a queue
//                       of one, "questions": questions.py}'
//
// Prints a line of JSON for each check: {"check", "wrong": null or words}.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const given = JSON.parse(process.argv[2]);
const require = createRequire(`${given.modules}/`);
const { default: OpenAI } = require(`${given.modules}/openai`);
const { makeParseableResponseFormat, makeParseableTool } =
  require(`${given.modules}/openai/lib/parser`);
const ask = given.questions;
const LIMIT = 30000; // milliseconds for a check

const client = new OpenAI({ baseURL: `${given.url}/v1`, apiKey: "none",
  timeout: LIMIT, maxRetries: 0 });
const one = (text) => [{ role: "user", content: text }];
const request = (text, more) => ({ model: ask.CHAT, messages: one(text),
  ...ask.GREEDY, ...ask.SILENT, ...more });
const chat = (text, more) =>
  client.chat.completions.create(request(text, more));

// A server that answers one, while one more may wait; `tries` has what became
// of each request: its status, and after how many milliseconds another came.
const tries = [];
const busy = new OpenAI({ baseURL: `${given.busy}/v1`, apiKey: "none",
  timeout: LIMIT, maxRetries: 0, async fetch(...wanted) {
    const last = tries.at(-1);
    if (last) last.wait = performance.now() - last.at;
    const answer = await fetch(...wanted);
    tries.push({ status: answer.status, at: performance.now() });
    return answer;
  } });
const endless = (signal) => busy.chat.completions.create(request(ask.STORY,
  { stream: true, max_tokens: 400, logit_bias: ask.ENDLESS }), { signal });

// A server that fails when it is told to, and answers what a schema forces.
const fake = new OpenAI({ baseURL: `${given.fake}/v1`, apiKey: "none",
  timeout: LIMIT, maxRetries: 0 });
const said = async (text, more, options) => (await fake.chat.completions
  .create({ model: "ladder-1", messages: one(text), ...more }, options))
  .choices[0].message.content;
const timesAsked = async (text) => {
  const { asked } = await (await fetch(`${given.fake}/fake/asked`)).json();
  return asked.filter(({ messages }) => messages[0].content === text).length;
};
const CAPITAL_SCHEMA = { type: "json_schema", json_schema: { name: "capital",
  strict: true, schema: { type: "object", additionalProperties: false,
    required: ["capital", "people"], properties: {
      capital: { type: "string" }, people: { type: "integer" } } } } };
const asCapital = makeParseableResponseFormat(CAPITAL_SCHEMA, JSON.parse);
const parsed = (text) => fake.chat.completions.parse({ model: "ladder-1",
  messages: one(text), response_format: asCapital });

const checks = {
  async "an answer"() {
    const { choices, usage } = await chat(ask.CAPITAL);
    assert.equal(choices[0].message.content, ask.CAPITAL_SAID);
    assert.equal(choices[0].finish_reason, "stop");
    assert.equal(usage.total_tokens,
      usage.prompt_tokens + usage.completion_tokens);
  },

  async "thoughts are apart"() {
    const { choices } = await client.chat.completions.create({
      model: ask.CHAT, messages: one(ask.CAPITAL), ...ask.GREEDY });
    assert.equal(choices[0].message.reasoning_content.trim(),
      ask.CAPITAL_THOUGHT);
  },

  async "a stream"() {
    let said = "", last;
    for await (const chunk of await chat(ask.CAPITAL, { stream: true,
      stream_options: { include_usage: true } })) {
      said += chunk.choices[0]?.delta.content ?? "";
      last = chunk;
    }
    assert.equal(said, ask.CAPITAL_SAID);
    assert(last.usage.completion_tokens > 5);
  },

  async "characters come whole"() {
    const stream = client.chat.completions.stream(request(ask.THANKS));
    let said = "";
    stream.on("content", (part) => { said += part; });
    assert.equal(await stream.finalContent(), ask.THANKS_SAID);
    assert.equal(said, ask.THANKS_SAID);
  },

  async "a loop of tools, run by the package"() {
    const asked = [];
    const runner = client.chat.completions.runTools(request(ask.WEATHER, {
      tools: [{ ...ask.TOOL, function: { ...ask.TOOL.function,
        parse: JSON.parse,
        function: (given) => { asked.push(given); return ask.WEATHER_RESULT; },
      } }],
    }));
    assert.equal(await runner.finalContent(), ask.WEATHER_SAID);
    assert.deepEqual(asked, [ask.CITY]);
  },

  async "the same, of a stream"() {
    const asked = [];
    const runner = client.chat.completions.runTools(request(ask.WEATHER, {
      stream: true,
      tools: [{ ...ask.TOOL, function: { ...ask.TOOL.function,
        parse: JSON.parse,
        function: (given) => { asked.push(given); return ask.WEATHER_RESULT; },
      } }],
    }));
    assert.equal(await runner.finalContent(), ask.WEATHER_SAID);
    assert.deepEqual(asked, [ask.CITY]);
  },

  async "a schema is refused by its name"() {
    await assert.rejects(client.chat.completions.parse(request(ask.CAPITAL, {
      response_format: { type: "json_schema", json_schema: { name: "a",
        strict: true, schema: { type: "object" } } } })),
    (error) => error instanceof OpenAI.BadRequestError &&
      error.param.startsWith("response_format"));
  },

  async "an answer without a schema is not parsed"() {
    const { choices } = await client.chat.completions.parse(
      request(ask.CAPITAL, { response_format: { type: "text" } }));
    assert.equal(choices[0].message.content, ask.CAPITAL_SAID);
    assert.equal(choices[0].message.parsed, null);
  },

  async "an answer of a schema is parsed"() {
    const { choices } = await parsed("capital");
    assert.deepEqual(choices[0].message.parsed,
      { capital: "Tokyo", people: 37000000 });
    const { asked } = await (await fetch(`${given.fake}/fake/asked`)).json();
    assert.deepEqual(asked.at(-1).response_format, CAPITAL_SCHEMA);
  },

  async "a strict tool is refused by its name"() {
    await assert.rejects(client.chat.completions.parse(request(ask.WEATHER,
      { tools: [{ ...ask.TOOL, function: { ...ask.TOOL.function,
        strict: true } }] })),
    (error) => error instanceof OpenAI.BadRequestError &&
      error.param.startsWith("tools"));
  },

  // `parse` itself takes strict tools alone, which the server refuses; the
  // helper that collects a stream parses for any that was made to be parsed.
  async "what a tool is called with is parsed"() {
    await assert.rejects(async () => client.chat.completions.parse(
      request(ask.WEATHER, { tools: [ask.TOOL] })), /strict/);
    const tool = makeParseableTool(ask.TOOL, { parser: JSON.parse });
    const done = [];
    const stream = client.chat.completions.stream(
      request(ask.WEATHER, { tools: [tool] }));
    stream.on("tool_calls.function.arguments.done",
      (call) => { done.push(call.parsed_arguments); });
    const { choices } = await stream.finalChatCompletion();
    const [call] = choices[0].message.tool_calls;
    assert.deepEqual(call.function.parsed_arguments, ask.CITY);
    assert.deepEqual(JSON.parse(call.function.arguments), ask.CITY);
    assert.deepEqual(done, [ask.CITY]);
    assert.equal(choices[0].finish_reason, "tool_calls");
  },

  async "an answer that is cut is not parsed"() {
    await assert.rejects(parsed("no capital"),
      OpenAI.LengthFinishReasonError);
  },

  async "who is refused comes again"() {
    await assert.rejects(said("busy at first"), OpenAI.InternalServerError);
    await assert.rejects(said("busy at first"), OpenAI.RateLimitError);
    const start = performance.now();
    const patient = await fake.chat.completions.create({ model: "ladder-1",
      messages: [...one("again"), ...one("busy at first")] },
    { maxRetries: 2 });
    assert.equal(patient.choices[0].message.content, "At last.");
    assert(performance.now() - start > 1000); // as Retry-After says
    assert.equal(await timesAsked("again"), 3);
  },

  async "who finds the queue full comes again, and is answered"() {
    const leave = new AbortController();
    for (let i = 0; i < 2; i++) await endless(leave.signal);
    const chatBusy = (options) =>
      busy.chat.completions.create(request(ask.CAPITAL), options);
    await assert.rejects(chatBusy(), (error) =>
      error instanceof OpenAI.RateLimitError &&
      Number(error.headers.get("retry-after")) >= 1);
    tries.length = 0;
    setTimeout(() => leave.abort(), 1500); // if they have not ended by then
    const { choices } = await chatBusy({ maxRetries: 8 });
    assert.equal(choices[0].message.content, ask.CAPITAL_SAID);
    assert(tries.length > 1);
    assert.equal(tries.pop().status, 200);
    for (const { status, wait } of tries) {
      assert.equal(status, 429);
      assert(wait > 990, `${wait} ms`); // Retry-After is a second or more
    }
  },

  async "who is cut off comes again"() {
    assert.equal(await said("gone at first", {}, { maxRetries: 1 }),
      "Here again.");
    assert.equal(await timesAsked("gone at first"), 2);
    await assert.rejects(said("never", {}, { maxRetries: 1 }), (error) =>
      error instanceof OpenAI.APIConnectionError &&
      !(error instanceof OpenAI.APIConnectionTimeoutError));
    assert.equal(await timesAsked("never"), 2);
  },

  async "who asked wrongly does not come again"() {
    await assert.rejects(said("refuse", {}, { maxRetries: 3 }),
      OpenAI.BadRequestError);
    assert.equal(await timesAsked("refuse"), 1);
  },

  async "embeddings"() {
    const { data } = await client.embeddings.create({ model: ask.EMBED,
      input: ["The sun is warm.", "A cat sleeps."] });
    assert.equal(data.length, 2);
    assert(Math.abs(Math.hypot(...data[1].embedding) - 1) < 1e-4);
    const plain = await client.embeddings.create({ model: ask.EMBED,
      encoding_format: "float", input: "A cat sleeps." });
    assert.deepEqual(data[1].embedding.map(Math.fround),
      plain.data[0].embedding.map(Math.fround));
  },

  async "models"() {
    const names = [];
    for await (const model of client.models.list()) names.push(model.id);
    assert.deepEqual(names.sort(), [ask.CHAT, ask.EMBED].sort());
    assert.equal((await client.models.retrieve(ask.CHAT)).id, ask.CHAT);
  },

  async "errors have their types"() {
    await assert.rejects(chat(ask.CAPITAL, { top_p: 7 }), (error) =>
      error instanceof OpenAI.BadRequestError && error.param === "top_p");
    await assert.rejects(chat(ask.CAPITAL, { model: "gpt-77" }), (error) =>
      error instanceof OpenAI.NotFoundError &&
      error.code === "model_not_found");
  },

  async "too little patience"() {
    await assert.rejects(client.chat.completions.create(
      request(ask.STORY, { max_tokens: 500 }), { timeout: 20 }),
    OpenAI.APIConnectionTimeoutError);
    assert.equal((await chat(ask.CAPITAL)).choices[0].message.content,
      ask.CAPITAL_SAID);
  },

  async "a stream may be ended by who reads it"() {
    const stop = new AbortController();
    const stream = await client.chat.completions.create(
      request(ask.STORY, { stream: true, max_tokens: 500,
        logit_bias: ask.ENDLESS }), { signal: stop.signal });
    let chunks = 0;
    for await (const _ of stream) if (++chunks === 3) stop.abort();
    assert(chunks < 100); // what was already there may still come
    assert.equal((await chat(ask.CAPITAL)).choices[0].message.content,
      ask.CAPITAL_SAID);
  },

  async "who leaves a stream leaves others their answers"() {
    for await (const _ of await chat(ask.STORY, { stream: true })) break;
    assert.equal((await chat(ask.CAPITAL)).choices[0].message.content,
      ask.CAPITAL_SAID);
  },
};

function within(promise) {
  let timer;
  return Promise.race([promise, new Promise((_, reject) => {
    timer = setTimeout(() => reject(
      new Error(`not done after ${LIMIT / 1000} seconds`)), LIMIT);
  })]).finally(() => clearTimeout(timer));
}

for (const [check, run] of Object.entries(checks)) {
  const wrong = await within(run()).then(() => null, (error) =>
    error.message || String(error));
  process.stdout.write(`${JSON.stringify({ check, wrong })}\n`);
}
process.exit(0);
