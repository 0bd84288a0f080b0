// Looks at pages in a real browser.
//
//     node check.js '{"modules": …, "chromium": …,
//                     "pages": [[name, url, whether axe looks, too], …]}'
//
// Prints a line of JSON for each check: {"page", "check", "wrong": [words]}.
// Two browsers; each page loaded twice: with scripts, and without.  A browser
// that does not come to the end of a page in time is ended, and another one
// gets the page: a second time is a failure, which names the last check.
"use strict";

const path = require("node:path");
const fs = require("node:fs");
const pages = require("./pages.js");

const given = JSON.parse(process.argv[2]);
const load = (name) => require(path.join(given.modules, name));
const { chromium } = load("playwright-core");
const axe = fs.readFileSync(
  path.join(given.modules, "axe-core", "axe.min.js"), "utf8");

const SIZES = {
  laptop: { width: 1280, height: 800 }, // as which each page is loaded
  phone: { width: 390, height: 844 },
  paper: { width: 718, height: 1047 }, // A4 less 1 cm around, at 96 dpi
};
const PATIENCE = 20000; // milliseconds, for what a page is waited for
const LONGEST = 1000 * (given.seconds ?? 120); // and for all of a page
const BROWSERS = 2; // at once
const TRIES = 2; // of a page
const SCHEMES = ["light", "dark"];
const NOTHING = "about:blank";
// Axe knows a hundred rules.  They are looked at once, on a phone in light
// colours; again only what another scheme or size can change.  Colours take it
// long, and are the same on all pages: each look of a text is looked at once.
const COLOURS = ["color-contrast", "link-in-text-block"];
const MEASURES = ["target-size", "scrollable-region-focusable"];

const tries = new Map(); // looks of texts, and how often axe was asked

// What was found on a page, said once the page has been looked at whole.
class Findings {
  constructor(page) {
    this.page = page;
    this.lines = [];
  }

  add(check, wrong) {
    this.lines.push(JSON.stringify({ page: this.page, check, wrong }));
  }

  last() {
    return this.lines.length ? JSON.parse(this.lines.at(-1)).check : "nothing";
  }

  say() {
    process.stdout.write(this.lines.map((line) => `${line}\n`).join(""));
  }
}

// What goes wrong while a page is loaded and used.  What a page no longer
// waits for because another one is opened is no mistake.
function listen(page) {
  const heard = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      heard.push(message.text());
  });
  page.on("pageerror", (error) => heard.push(String(error)));
  page.on("requestfailed", (request) => {
    const why = request.failure().errorText;
    if (why !== "net::ERR_ABORTED")
      heard.push(`${request.url()} could not be loaded: ${why}`);
  });
  return heard;
}

async function withScripts(page, [, url, withAxe], heard, found) {
  await page.goto(NOTHING); // else the page before is laid out once more
  heard.length = 0;
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.setViewportSize(SIZES.laptop);
  await page.goto(url);
  found.add("keyboard", await pages.walk(page));
  found.add("copying", await page.evaluate(pages.copying));
  found.add("place", await page.evaluate(pages.place));
  if (withAxe) await pages.prepare(page, axe);
  for (const size of Object.keys(SIZES)) {
    found.add(`${size}: width`, await widths(page, size));
    if (withAxe && size !== "paper") await everyScheme(page, size, found);
  }
  found.add("pictures", await page.evaluate(pages.brokenPictures));
  found.add("console", [...new Set(heard)]);
}

// What is too wide, with its folds as they are at first, and with all open.
async function widths(page, size) {
  await page.evaluate(pages.fold, false);
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ media: size === "paper" ? "print" : "screen" });
  const wrong = await page.evaluate(pages.tooWide);
  await page.evaluate(pages.fold, true);
  return [...new Set([...wrong, ...await page.evaluate(pages.tooWide)])];
}

// Of two schemes one is there already: it comes first, which saves a change.
async function everyScheme(page, size, found) {
  const schemes = size === "laptop" ? SCHEMES : [...SCHEMES].reverse();
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const wrong = await pages.colours(page, COLOURS, tries);
    if (colorScheme === "light")
      wrong.push(...await pages.violations(page, size === "phone"
        ? { without: COLOURS } : { only: MEASURES }));
    found.add(`${size}, ${colorScheme}: axe`, wrong);
  }
}

// The search by keyboard alone: it opens, finds a chapter, and goes there.
async function search(page, url, found) {
  await page.emulateMedia({ media: "screen" });
  await page.goto(url);
  if (!await page.locator("#search input").count()) return;
  try {
    await page.keyboard.press("/");
    await page.waitForFunction(() => window.makeFind && window.searchIndex);
    const [, words, , address] =
      await page.evaluate(() => window.searchIndex[0]);
    await page.keyboard.type(words);
    await page.locator("#results [aria-selected=true]").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL((to) => to.href.endsWith(address));
    found.add("search", []);
  } catch (error) {
    found.add("search", [error.message]);
  }
}

// A browser with a window for pages with their scripts, and one without.
async function open() {
  const browser = await chromium.launch({
    executablePath: given.chromium,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--disable-background-networking"],
  });
  const page = await browser.newPage();
  const plain = await (await browser.newContext({ javaScriptEnabled: false }))
    .newPage();
  page.setDefaultTimeout(PATIENCE);
  return { browser, page, plain, heard: listen(page) };
}

async function look({ page, plain, heard }, next, found) {
  const [name, url] = next;
  await withScripts(page, next, heard, found);
  if (name === "index.html") await search(page, url, found);
  await plain.goto(url);
  found.add("no scripts", await pages.hiddenText(plain));
}

// What it comes to, or a refusal when that takes too long.
async function inTime(promise, milliseconds, words) {
  let timer;
  const late = new Promise((_, refuse) => {
    timer = setTimeout(() => refuse(new Error(words)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

// One that no longer answers is left to the end of this program.
async function close(windows) {
  if (windows)
    await inTime(windows.browser.close(), PATIENCE, "").catch(() => {});
}

// One browser takes one page after another off the list.
async function work(waiting) {
  let windows = null;
  for (let next; (next = waiting.shift());) {
    for (let turn = 1; turn <= TRIES; turn++) {
      const found = new Findings(next[0]);
      try {
        windows ??= await inTime(open(), LONGEST, "no browser opens");
        await inTime(look(windows, next, found), LONGEST,
          `no end after ${LONGEST / 1000} s`);
        found.say();
        break;
      } catch (error) {
        await close(windows);
        windows = null;
        found.add("the browser", [`${error.message}, after ${found.last()}`]);
        if (turn === TRIES) found.say();
      }
    }
  }
  await close(windows);
}

async function main() {
  const waiting = [...given.pages];
  await Promise.all(Array.from({ length: BROWSERS }, () => work(waiting)));
  process.exit(); // also where a browser never ended
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
