// Uses the chat page in a real browser.
//
//     node browser.js '{"modules": …, "chromium": …, "open": an address,
//                       "locked": one that asks for the key "secret",
//                       "pictures": a folder or null}'
//     node browser.js '{…, "real": the address of `rung serve`}'
//
// The server is fake.py, whose script these checks know, or a real one with
// the reading model.  Prints a line of JSON for each check: {"check", "wrong":
// null or words}.  Every step has its own time, and a check that exceeds its
// own is told as that.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");

const given = JSON.parse(process.argv[2]);
const { pageChecks, serverChecks } = require("./page_checks.js");
const { chromium } = require(path.join(given.modules, "playwright-core"));
const axe = fs.readFileSync(
  path.join(given.modules, "axe-core", "axe.min.js"), "utf8");

const STEP = 10000; // milliseconds
const CHECK = 30000;
const LAPTOP = { width: 1280, height: 800 };

// What a check sees of a page, and what it does with it.
function person(page, heard) {
  const at = (selector) => page.locator(selector);
  return {
    page, heard, at, given,
    look: (name) => look(page, name),
    async ready() {
      await at("#model:not([disabled])").waitFor();
    },
    answer: at("article.assistant").last(),
    async ask(text) {
      await at("#prompt").fill(text);
      await at("#prompt").press("Enter");
    },
    async answered(text) {
      await this.ask(text);
      await this.done();
    },
    async done() {
      await at("#stop").waitFor({ state: "hidden" });
      await at("#send").waitFor();
    },
    // A field of the settings, which are unfolded for it.
    async set(id, value) {
      if (!await at("#settings[open]").count())
        await at("#settings summary").click();
      const field = at(`#${id}`);
      if (id === "thinking") await field.selectOption(value);
      else await field.fill(value);
    },
    async asked() {
      return (await page.request.get(new URL("fake/asked", page.url()).href))
        .json();
    },
    async lastAsked() {
      return (await this.asked()).asked.at(-1);
    },
    async see(selector, text) {
      await at(selector).filter({ hasText: text }).first().waitFor();
    },
  };
}

// Nothing is wider than the page, and axe-core finds nothing.
async function look(page, name) {
  if (given.pictures) {
    await page.screenshot({ path: path.join(given.pictures, `${name}.png`) });
    await page.screenshot({ fullPage: true,
      path: path.join(given.pictures, `${name}-full.png`) });
  }
  const [wide, room] = await page.evaluate(() =>
    [document.documentElement.scrollWidth, innerWidth]);
  assert(wide <= room, `${name}: ${wide} pixels wide, not ${room}`);
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const found = await page.evaluate(async () =>
    (await window.axe.run({ resultTypes: ["violations"] })).violations.map(
      (one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" "))}`));
  assert.deepEqual(found, [], name);
}

// What goes wrong beside what a check looks at.
function listen(page) {
  const heard = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      heard.push(message.text());
  });
  page.on("pageerror", (error) => heard.push(String(error)));
  return heard;
}

async function run(browser, check) {
  const context = await browser.newContext({ viewport: LAPTOP });
  context.setDefaultTimeout(STEP);
  try {
    const page = await context.newPage();
    const heard = listen(page);
    await page.goto(given.real ?? given.open);
    await check(person(page, heard));
    assert.deepEqual(heard, [], "on the console");
  } finally {
    await context.close();
  }
}

function within(milliseconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(
      new Error(`not done after ${milliseconds / 1000} seconds`)),
    milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function main() {
  const browser = await chromium.launch({
    executablePath: given.chromium, timeout: CHECK,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  for (const [name, check] of
    Object.entries(given.real ? serverChecks : pageChecks)) {
    const wrong = await within(CHECK, run(browser, check))
      .then(() => null, (error) => error.message);
    process.stdout.write(`${JSON.stringify({ check: name, wrong })}\n`);
  }
  await within(STEP, browser.close());
}

main().then(() => process.exit(0), (error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
