// Looks at pages in a real browser.
//
//     node check.js '{"modules": …, "chromium": …,
//                     "pages": [[name, url, whether axe looks, too], …]}'
//
// Prints a line of JSON for each check: {"page", "check", "wrong": [words]}.
// One browser, two windows; each page loaded twice: with scripts, and without.
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
  phone: { width: 390, height: 844 },
  laptop: { width: 1280, height: 800 },
  paper: { width: 718, height: 1047 }, // A4 less 1 cm around, at 96 dpi
};
const PATIENCE = 20000; // milliseconds
const WINDOWS = 2; // at once
const SCHEMES = ["light", "dark"];
// Axe knows a hundred rules.  They are looked at once, on a phone in light
// colours; again only what another scheme or size can change.  Colours take it
// long, and are the same on all pages: each look of a text is looked at once.
const COLOURS = ["color-contrast", "link-in-text-block"];
const MEASURES = ["target-size", "scrollable-region-focusable"];

const tries = new Map(); // looks of texts, and how often axe was asked

function report(page, check, wrong) {
  process.stdout.write(`${JSON.stringify({ page, check, wrong })}\n`);
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

async function withScripts(page, [name, url, withAxe], heard) {
  heard.length = 0;
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.setViewportSize(SIZES.laptop);
  await page.goto(url);
  report(name, "keyboard", await pages.walk(page));
  report(name, "copying", await page.evaluate(pages.copying));
  report(name, "place", await page.evaluate(pages.place));
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    const paper = size === "paper";
    await page.emulateMedia({ media: paper ? "print" : "screen" });
    report(name, `${size}: width`, await page.evaluate(pages.tooWide));
    if (withAxe && !paper) await everyScheme(page, name, size);
  }
  report(name, "pictures", await page.evaluate(pages.brokenPictures));
  report(name, "console", [...new Set(heard)]);
}

async function everyScheme(page, name, size) {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const found = await pages.colours(page, axe, COLOURS, tries);
    if (colorScheme === "light")
      found.push(...await pages.violations(page, axe, size === "phone"
        ? { without: COLOURS } : { only: MEASURES }));
    report(name, `${size}, ${colorScheme}: axe`, found);
  }
}

// The search by keyboard alone: it opens, finds a chapter, and goes there.
async function search(page, name, url) {
  await page.emulateMedia({ media: "screen" });
  await page.goto(url);
  if (!await page.locator("#search input").count()) return;
  try {
    await page.keyboard.press("/");
    await page.waitForFunction(() => window.makeFind);
    const [, words, , address] =
      await page.evaluate(() => window.searchIndex[0]);
    await page.keyboard.type(words);
    await page.locator("#results [aria-selected=true]").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL((to) => to.href.endsWith(address));
    report(name, "search", []);
  } catch (error) {
    report(name, "search", [error.message]);
  }
}

// One window takes one page after another off the list.
async function look(browser, waiting) {
  const page = await browser.newPage();
  const plain = await (await browser.newContext({ javaScriptEnabled: false }))
    .newPage();
  page.setDefaultTimeout(PATIENCE);
  const heard = listen(page);
  for (let next; (next = waiting.shift());) {
    const [name, url] = next;
    await withScripts(page, next, heard);
    if (name === "index.html") await search(page, name, url);
    await plain.goto(url);
    report(name, "no scripts", await pages.hiddenText(plain));
  }
}

async function main() {
  const browser = await chromium.launch({
    executablePath: given.chromium,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const waiting = [...given.pages];
    await Promise.all(Array.from({ length: WINDOWS },
      () => look(browser, waiting)));
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
