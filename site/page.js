// What every page can do beyond being read: change its colours, show what a
// term means, open its contents where there is room and say where one is in
// them, and copy code.
"use strict";

const wide = matchMedia("(min-width: 70rem)");

// Colours.

function isDark() {
  const chosen = document.documentElement.dataset.scheme;
  return chosen ? chosen === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setUpScheme(button) {
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    const scheme = isDark() ? "light" : "dark";
    document.documentElement.dataset.scheme = scheme;
    try {
      localStorage.setItem("scheme", scheme);
    } catch { /* then for this page only */ }
    name();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();
  button.hidden = false;
}

// Terms: a card with the glossary's words, for pointer, keyboard and touch.

const card = document.createElement("div");
let shown = null; // the term whose card is there

function show(term) {
  if (shown === term) return;
  hide();
  card.textContent = term.dataset.card;
  card.hidden = false;
  term.setAttribute("aria-describedby", "card");
  shown = term;
  place(term.getClientRects()[0]);
}

function place(box) {
  const edge = 8;
  const right = document.documentElement.clientWidth - card.offsetWidth - edge;
  const above = box.top - card.offsetHeight - edge;
  const top = above > edge ? above : box.bottom + edge;
  card.style.left = `${Math.max(edge, Math.min(box.left, right)) + scrollX}px`;
  card.style.top = `${top + scrollY}px`;
}

function hide() {
  if (!shown) return;
  shown.removeAttribute("aria-describedby");
  shown = null;
  card.hidden = true;
}

// A finger has no way to hover: its first touch shows, its second follows.
function setUpTerm(term) {
  let touched = false;
  term.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch" && shown !== term;
  });
  term.addEventListener("click", (event) => {
    if (touched) event.preventDefault();
    touched = false;
    show(term);
  });
  term.addEventListener("focus", () => show(term));
  term.addEventListener("blur", hide);
  term.addEventListener("pointerenter", (event) => {
    if (event.pointerType !== "touch") show(term);
  });
}

function setUpTerms(terms) {
  card.id = "card";
  card.setAttribute("role", "tooltip");
  card.hidden = true;
  document.body.append(card);
  terms.forEach(setUpTerm);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  // The card stays while the pointer is on it, so that it can be read.
  document.addEventListener("pointerover", (event) => {
    if (shown && event.pointerType !== "touch" &&
        document.activeElement !== shown &&
        !shown.contains(event.target) && !card.contains(event.target))
      hide();
  });
  document.addEventListener("pointerdown", (event) => {
    if (shown && !shown.contains(event.target) &&
        !card.contains(event.target))
      hide();
  });
}

// Menus and contents.

function setUpMenu(menu) {
  const close = () => { menu.open = false; };
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) close();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target)) close();
  });
}

function setUpContents(contents) {
  const fit = () => { contents.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();
}

// Where the reader is: the section in the contents, the share in the bar.

function setUpPlace(contents, bar) {
  const links = new Map([...contents.querySelectorAll("a")].map((link) =>
    [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]));
  links.delete(null);
  let here = null;
  let waiting = false;

  // The last section that begins above a third of the window.
  function current() {
    const above = [...links.keys()].filter((heading) =>
      heading.getBoundingClientRect().top < innerHeight / 3);
    return links.get(above[above.length - 1]) ?? null;
  }

  function mark(link) {
    if (link === here) return;
    here?.removeAttribute("aria-current");
    here = link;
    here?.setAttribute("aria-current", "location");
    if (here) keepInSight(contents, here);
  }

  function update() {
    waiting = false;
    const root = document.documentElement;
    const way = root.scrollHeight - root.clientHeight;
    bar.style.setProperty("--read", way > 0 ? Math.min(1, scrollY / way) : 0);
    mark(current());
  }

  function soon() {
    if (!waiting) requestAnimationFrame(update);
    waiting = true;
  }
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);
  update();
}

// Scroll a list, and nothing around it, so that one of its links is seen.
function keepInSight(list, link) {
  if (list.scrollHeight <= list.clientHeight) return;
  const box = list.getBoundingClientRect();
  const row = link.getBoundingClientRect();
  if (row.top < box.top || row.bottom > box.bottom)
    list.scrollTop += row.top - box.top - box.height / 3;
}

// Copying: of a console what one types, of code all of it.

function textOf(block) {
  if (!block.matches(".console")) return block.textContent;
  return [...block.querySelectorAll("kbd")].map((typed) => typed.textContent)
    .join("\n");
}

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea"); // a page without https
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done ? undefined : Promise.reject(new Error("not allowed"));
}

function setUpCopy(block) {
  const what = block.matches(".console") ? "commands" : "code";
  const frame = document.createElement("div");
  const button = document.createElement("button");
  frame.className = "copied";
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy the ${what}`);
  button.addEventListener("click", async () => {
    const say = (word) => { button.textContent = word; };
    await copy(textOf(block)).then(() => say("Copied"), () => say("Select it"));
    setTimeout(say, 2000, "Copy");
  });
  block.before(frame);
  frame.append(block, button);
}

// What scrolls can be reached by keyboard; what fits need not be.

function fitAll() {
  for (const box of document.querySelectorAll("pre, .scroll, .formula")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

addEventListener("resize", fitAll);
addEventListener("load", fitAll);
setUpScheme(document.querySelector(".scheme"));
document.querySelectorAll(".menu").forEach(setUpMenu);
document.querySelectorAll(".contents details").forEach(setUpContents);
document.querySelectorAll("pre.code:not(.diff)").forEach(setUpCopy);
const contents = document.querySelector(".contents");
if (contents) setUpPlace(contents, document.querySelector(".bar"));
const terms = document.querySelectorAll(".term[data-card]");
if (terms.length) setUpTerms(terms);
