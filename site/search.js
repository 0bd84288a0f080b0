// The search's field and list: a combobox (WAI-ARIA 1.2).  What it finds is
// the business of find.js; that, its data and its library are loaded when the
// reader first searches.
"use strict";

(() => {
  const root = document.body.dataset.root;
  const place = document.getElementById("search");
  if (!place) return;
  const PARTS = ["search-index.js", "search-text.js", "minisearch/index.js",
    "find.js"];
  const LABELS = { page: "chapter", difference: "diff" };

  const input = document.createElement("input");
  const list = document.createElement("ul");
  const status = document.createElement("p");
  let results = [];
  let chosen = -1;
  let loading = null;

  function script(name) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = root + name;
      element.onload = resolve;
      element.onerror = () => reject(new Error(`${name} is missing`));
      document.head.append(element);
    });
  }

  // What finds, once it is there.
  function load() {
    loading ??= Promise.all(PARTS.map(script)).then(() => window.makeFind(
      window.searchIndex, window.searchText, window.MiniSearch));
    return loading;
  }

  // The list.

  function span(name, text) {
    const element = document.createElement("span");
    element.className = name;
    element.textContent = text;
    return element;
  }

  // A place, or a passage with what was asked for marked in it.
  function placed(where) {
    if (!Array.isArray(where)) return span("where", where);
    const element = span("where passage", "");
    element.append(...where.map((piece, at) => {
      if (at % 2 === 0) return piece;
      const mark = document.createElement("mark");
      mark.textContent = piece;
      return mark;
    }));
    return element;
  }

  function option({ kind, words, where }, at) {
    const item = document.createElement("li");
    item.id = `result-${at}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.append(span("kind", LABELS[kind] ?? kind), span("words", words),
      placed(where));
    item.addEventListener("pointerdown", (event) => event.preventDefault());
    item.addEventListener("click", () => go(at));
    return item;
  }

  function choose(at) {
    list.children[chosen]?.setAttribute("aria-selected", "false");
    chosen = at;
    const item = list.children[at];
    if (!item) return input.removeAttribute("aria-activedescendant");
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    return input.setAttribute("aria-activedescendant", item.id);
  }

  function open(found) {
    results = found;
    list.replaceChildren(...found.map(option));
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    choose(found.length ? 0 : -1);
  }

  function close() {
    open([]);
    tell("", false);
  }

  // Read out; and seen where there is no list that says it.
  function tell(words, seen) {
    status.textContent = words;
    status.classList.toggle("seen", seen);
  }

  function say(n) {
    if (n === 0) return "Nothing found";
    return n === 1 ? "1 result" : `${n} results`;
  }

  async function update() {
    const text = input.value;
    if (!text.trim()) return close();
    try {
      const find = await load();
      if (text !== input.value) return undefined; // typed on meanwhile
      open(find(text));
      tell(say(results.length), !results.length);
    } catch (error) {
      tell(error.message, true);
    }
    return undefined;
  }

  function go(at) {
    const address = results[at]?.address;
    if (!address) return;
    close();
    input.value = "";
    location.href = root + address;
  }

  // Keys.

  function step(by) {
    const n = results.length;
    if (n) choose((chosen + by + n) % n);
  }

  const keys = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => go(chosen),
    Escape: () => {
      if (!list.hidden) close();
      else if (input.value) input.value = "";
      else input.blur();
    },
  };

  function onKey(event) {
    const act = keys[event.key];
    if (!act || event.isComposing) return;
    event.preventDefault();
    act();
  }

  // A slash opens the search, unless it is typed into something.
  function onSlash(event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (event.target.closest("input, textarea, select, [contenteditable]"))
      return;
    event.preventDefault();
    input.focus();
    input.select();
  }

  function setUpInput() {
    const attributes = {
      type: "text", role: "combobox", placeholder: "Search  /",
      autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      "aria-label": "Search the text, terms and functions",
      "aria-autocomplete": "list", "aria-expanded": "false",
      "aria-controls": "results", "aria-keyshortcuts": "/",
    };
    for (const [name, value] of Object.entries(attributes))
      input.setAttribute(name, value);
    input.addEventListener("input", update);
    input.addEventListener("keydown", onKey);
    input.addEventListener("blur", close);
    input.addEventListener("focus", () => {
      load().catch(() => {}); // update says so, once there is a query
      update();
    });
  }

  setUpInput();
  list.id = "results";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  status.className = "status";
  status.setAttribute("role", "status");
  place.append(input, list, status);
  place.hidden = false;
  document.addEventListener("keydown", onSlash);
})();
