// What is looked for on one page.  Each check returns what is wrong, in words.
"use strict";

// In the page: what stands beyond its right edge.
function tooWide() {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  const beyond = [...document.body.querySelectorAll("*")].filter((element) =>
    element.getBoundingClientRect().right > root.clientWidth + 1);
  const names = beyond.slice(0, 3).map((element) =>
    `<${element.tagName.toLowerCase()} class="${element.className}">`);
  return [`${root.scrollWidth} pixels wide, not ${root.clientWidth}: ` +
    names.join(", ")];
}

// In the page: pictures that did not load.
function brokenPictures() {
  return [...document.images]
    .filter((image) => !(image.complete && image.naturalWidth))
    .map((image) => `${image.getAttribute("src")} does not show`);
}

// In the page: the code that axe need not see, since all that stands in it
// looks as something does in the code before it.  A chapter holds thousands of
// coloured words, in a dozen colours; axe takes a millisecond for each.
function repeatedCode() {
  const seen = new Set();
  const grounds = new Map([[null, ""]]); // element: the colours behind it
  const behind = (element, style) => {
    if (!grounds.has(element)) {
      const { backgroundColor } = style ?? getComputedStyle(element);
      const before = behind(element.parentElement);
      grounds.set(element, backgroundColor === "rgba(0, 0, 0, 0)" ? before
        : `${backgroundColor},${before}`);
    }
    return grounds.get(element);
  };
  const looks = (element) => {
    const style = getComputedStyle(element);
    return [element.tagName, element.getAttributeNames(), style.color,
      style.fontSize, style.fontWeight, style.opacity, style.visibility,
      behind(element, style)].join();
  };
  return [...document.querySelectorAll("pre > code")].filter((code) => {
    const before = seen.size;
    const parts = [...new Set([code, ...code.querySelectorAll("*")]
      .map(looks))];
    parts.forEach((part) => seen.add(part));
    return seen.size === before && !code.querySelector("a, [tabindex]");
  });
}

// In the page: what axe finds where some elements are `gone`, and of others,
// those that are `empty`, nothing but themselves is there.  It makes an object
// of its own for each element of a page, and looks at all of them for each
// rule; it comes to them by childNodes and by a tree walker, which leave those
// out while it runs.  The page itself stays as it is.
async function runAxe(gone, empty, context, options) {
  const left = new Set(gone);
  const ends = new Set(empty);
  const shown = new Map(empty.map((element) => [element, []]));
  for (const parent of new Set(gone.map((element) => element.parentNode)))
    shown.set(parent, [...parent.childNodes].filter((one) => !left.has(one)));
  document.createTreeWalker = (root, what) =>
    Document.prototype.createTreeWalker.call(document, root, what,
      (node) => left.has(node) || ends.has(node.parentNode)
        ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  for (const [element, value] of shown)
    Object.defineProperty(element, "childNodes", { value, configurable: true });
  try {
    return await window.axe.run(context, { preload: false, ...options });
  } finally {
    delete document.createTreeWalker;
    for (const element of shown.keys()) delete element.childNodes;
  }
}

// In the page: the parts of the text of which nothing is as high on the page as
// one of these elements, or its own text.  They are not behind it and do not
// cover it, so that its colours are the same without them.
function partsApart(elements) {
  const spans = elements.map((element) => {
    const range = document.createRange();
    range.selectNode(element);
    return range.getBoundingClientRect();
  });
  const meets = (one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return spans.some((span) => top <= span.bottom && bottom >= span.top);
  };
  return [...document.querySelectorAll("main > *")].filter((part) =>
    !meets(part) && ![...part.querySelectorAll("*")].some(meets));
}

// In the page: the texts that can be seen and whose looks are not among those
// known, as [element, look]: all that says whether its colours can be read.
// What KaTeX writes for screen readers is cut to nothing: axe passes it over.
function newLooks(known) {
  const nothing = "inset(50%)";
  const grounds = new Map([[null, ""]]); // element: what is behind it, or null
  const behind = (element) => {
    if (!grounds.has(element)) {
      const style = getComputedStyle(element);
      const own = [style.backgroundColor, style.backgroundImage,
        style.opacity].join(" ").replace("rgba(0, 0, 0, 0) none 1", "");
      const before = behind(element.parentElement);
      grounds.set(element, before === null || style.clipPath === nothing ? null
        : own ? `${before}/${own}` : before);
    }
    return grounds.get(element);
  };
  const texts = new Map(); // element: whether it has text of its own
  const hasText = (element) => {
    if (!texts.has(element))
      texts.set(element, [...element.childNodes].some((node) =>
        node.nodeType === Node.TEXT_NODE && /[^\s\u200b]/.test(node.data)));
    return texts.get(element);
  };
  const lookOf = (element) => {
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } =
      getComputedStyle(element);
    const parent = element.parentElement;
    return [element.tagName, element.getAttributeNames().join(" "), color,
      fontSize, fontWeight, textShadow, textDecorationLine, behind(element),
      parent.tagName, hasText(parent), getComputedStyle(parent).color].join();
  };
  const old = new Set(known);
  return [...document.body.querySelectorAll("*")]
    .filter((element) => hasText(element) && element.checkVisibility(
      { visibilityProperty: true, opacityProperty: true }) &&
      behind(element) !== null)
    .map((element) => [element, lookOf(element)])
    .filter(([, look]) => !old.has(look));
}

// In the page: all folds open, or as they were at first.
function fold(open) {
  for (const one of document.querySelectorAll("main details")) {
    one.dataset.first ??= one.open ? "open" : "closed";
    one.open = open || one.dataset.first === "open";
  }
}

// Axe is there, and what it needs of ours.  It cannot tell the colour of a
// gradient, so the shadows at edges go.
async function prepare(page, axe) {
  await page.evaluate(axe);
  for (const used of [repeatedCode, newLooks, partsApart, runAxe])
    await page.evaluate(`window.${used.name} = ${used}`);
  await page.evaluate(() => {
    for (const box of document.querySelectorAll("pre, .scroll, .formula"))
      box.style.backgroundImage = "none";
  });
}

// Axe's violations, of these rules alone, or of all but the others.
async function violations(page, { only, without = [] }) {
  const found = await page.evaluate(async ([values, off]) =>
    (await window.runAxe(window.repeatedCode(), [], document, {
      resultTypes: ["violations"],
      rules: Object.fromEntries(off.map((id) => [id, { enabled: false }])),
      ...values && { runOnly: { type: "rule", values } },
    })).violations.map((one) => [one.id, one.help,
      one.nodes.map((node) => node.target.join(" ")).slice(0, 3)]),
  [only, without]);
  return found.map(inWords);
}

// Axe's violations of rules about colours, in texts whose looks are not known.
// A look is known once axe has passed it, whatever page, scheme or width it is
// met in, since a look says it all; or when axe could not tell, as where a bar
// may hide a text, so often: `tries` has {look: how often, or Infinity}.
const TRIES = 6;

async function colours(page, rules, tries) {
  const known = [...tries.keys()].filter((look) => tries.get(look) >= TRIES);
  const [wrong, passed, met] = await page.evaluate(async ([values, old]) => {
    const looks = window.newLooks(old);
    if (!looks.length) return [[], [], []];
    const seen = new Map();
    for (const [element, look] of looks)
      seen.set(look, [...seen.get(look) ?? [], element].slice(0, 3));
    const include = [...seen.values()].flat();
    const inside = new Set(include.map((one) => one.closest("pre > code")));
    const empty = [...document.querySelectorAll("pre > code")]
      .filter((code) => !inside.has(code));
    const gone = window.partsApart(include);
    const found = await window.runAxe(gone, empty, { include },
      { resultTypes: ["violations", "passes"], elementRef: true,
        runOnly: { type: "rule", values } });
    const read = new Set(found.passes.flatMap((one) =>
      one.nodes.map((node) => node.element)));
    return [found.violations.map((one) => [one.id, one.help,
      one.nodes.map((node) => node.target.join(" ")).slice(0, 3)]),
    looks.filter(([element]) => read.has(element)).map(([, look]) => look),
    [...seen.keys()]];
  }, [rules, known]);
  met.forEach((look) => tries.set(look, (tries.get(look) ?? 0) + 1));
  passed.forEach((look) => tries.set(look, Infinity));
  return wrong.map(inWords);
}

function inWords([id, help, where]) {
  return `${id}: ${help}: ${where.join("; ")}`;
}

// In the page: mark all that a keyboard has to reach, and count it.
function markTargets() {
  const wanted = "a[href], button, input, select, textarea, summary, " +
    "[tabindex], [onclick], [role=button], [role=link]";
  const seen = [...document.querySelectorAll(wanted)].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.disabled &&
    (element.tabIndex >= 0 || !element.hasAttribute("tabindex") ||
      element.hasAttribute("onclick")));
  seen.forEach((element, at) => { element.dataset.target = at; });
  window.reached = new Set();
  document.addEventListener("focusin", (event) =>
    window.reached.add(event.target.dataset.target));
  document.activeElement.blur();
  return seen.length;
}

// In the page: what the keyboard has not come to.
function missed(n) {
  const words = [];
  document.activeElement.blur(); // what has the focus may cover its neighbour
  for (let at = 0; at < n; at++) {
    if (window.reached.has(String(at))) continue;
    const element = document.querySelector(`[data-target="${at}"]`);
    const start = element.outerHTML.slice(0, 80);
    words.push(`the keyboard does not reach ${start}`);
  }
  return words.slice(0, 5);
}

// Tab through the page: everything is reached, and nothing holds the focus.
async function walk(page) {
  const n = await page.evaluate(markTargets);
  const keyboard = await page.context().newCDPSession(page);
  const key = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
  const sent = [];
  for (let at = 0; at < n + 2; at++) // in order, none waiting for another
    for (const type of ["rawKeyDown", "keyUp"])
      sent.push(keyboard.send("Input.dispatchKeyEvent", { type, ...key }));
  await Promise.all(sent);
  await keyboard.detach();
  return page.evaluate(missed, n);
}

// In the page: what copying a console gives, with the clipboard replaced: the
// commands, and nothing that was printed.
async function copying() {
  const block = document.querySelector(".copied > .console");
  if (!block) return [];
  let copied = "";
  const clipboard = { writeText: async (text) => { copied = text; } };
  Object.defineProperty(navigator, "clipboard",
    { value: clipboard, configurable: true });
  block.nextElementSibling.click();
  await new Promise(requestAnimationFrame);
  const typed = [...block.querySelectorAll("kbd")].map((one) =>
    one.textContent).join("\n");
  return copied === typed ? [] : [`copies ${JSON.stringify(copied)}`];
}

// In the page: at its end the contents mark the last section or one near it,
// and the line in the bar is full.
async function place() {
  const links = [...document.querySelectorAll(".contents a")];
  if (!links.length) return [];
  const frames = () => new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const look = async (at) => {
    scrollTo(0, at);
    await frames();
    const bar = document.querySelector(".bar");
    return [links.findIndex((link) => link.hasAttribute("aria-current")),
      Number(bar.style.getPropertyValue("--read"))];
  };
  const [last, all] = await look(document.documentElement.scrollHeight);
  const [first, none] = await look(0);
  const long = document.documentElement.scrollHeight > 3 * innerHeight;
  const wrong = [];
  if (long && (last <= first || last < 0))
    wrong.push(`at the end the contents mark link ${last}`);
  if (long && (none !== 0 || all < 0.99))
    wrong.push(`read at the top ${none}, at the end ${all}`);
  return wrong;
}

// Without scripts: the text of the page is there, and can be seen.
async function hiddenText(page) {
  return page.evaluate(() => {
    const main = document.querySelector("main");
    if (!main || main.textContent.trim().length < 40)
      return ["there is no text"];
    const hidden = [...main.querySelectorAll("h1, h2, h3, p, li, td, pre")]
      .filter((element) => !element.closest("details") &&
        element.textContent.trim() &&
        !element.checkVisibility({ visibilityProperty: true,
          opacityProperty: true }));
    return hidden.slice(0, 3).map((element) =>
      `hidden: ${element.outerHTML.slice(0, 80)}`);
  });
}

module.exports = { tooWide, brokenPictures, fold, prepare, violations,
  colours, walk, copying, place, hiddenText };
