// Search over headings, terms and functions: a combobox (WAI-ARIA 1.2) whose
// list stands in search-index.js, loaded when the reader first searches.
"use strict";

(() => {
  const root = document.body.dataset.root;
  const place = document.getElementById("search");
  if (!place) return;
  const MOST = 12; // results that are shown
  const KINDS = { page: 40, heading: 30, term: 35, code: 20, difference: -25 };
  const LABELS = { page: "chapter", difference: "diff" };

  const input = document.createElement("input");
  const list = document.createElement("ul");
  const status = document.createElement("p");
  let results = [];
  let chosen = -1;
  let loading = null;

  // The index.

  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}search-index.js`;
      script.onload = () => resolve(window.searchIndex);
      script.onerror = () => reject(new Error("search-index.js is missing"));
      document.head.append(script);
    });
    return loading;
  }

  // A text as it is compared: utf8 finds UTF-8, and top-k finds top_k.
  const plain = (text) => text.toLowerCase().replace(/[-_]/g, "");

  // How well an entry fits: 0 when a word of the query is not in it.  A word
  // in a term's meaning costs nothing: that is what it is about.
  function rate([kind, words, where], query) {
    const name = plain(words);
    const path = plain(where);
    const file = path.slice(path.lastIndexOf("/") + 1);
    const parts = `${words.toLowerCase()} ${name}`.split(/[^\p{L}\p{N}]+/u);
    let score = KINDS[kind];
    for (const word of query) {
      if (!name.includes(word) && !path.includes(word)) return 0;
      if (name === word) score += 60;
      else if (parts.includes(word)) score += 45;
      else if (name.startsWith(word)) score += 30;
      else if (parts.some((part) => part.startsWith(word))) score += 15;
      else if (!name.includes(word) && kind !== "term")
        score -= file.includes(word) ? 15 : 30;
    }
    return Math.max(1, score - name.length / 40);
  }

  function find(index, text) {
    const query = plain(text).split(/\s+/).filter(Boolean);
    if (!query.length) return [];
    return index.map((entry, at) => ({ entry, at, score: rate(entry, query) }))
      .filter((found) => found.score > 0)
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .slice(0, MOST).map((found) => found.entry);
  }

  // The list.

  function span(name, text) {
    const element = document.createElement("span");
    element.className = name;
    element.textContent = text;
    return element;
  }

  function option([kind, words, where], at) {
    const item = document.createElement("li");
    item.id = `result-${at}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.append(span("kind", LABELS[kind] ?? kind), span("words", words),
      span("where", where));
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
      const index = await load();
      if (text !== input.value) return undefined; // typed on meanwhile
      open(find(index, text));
      tell(say(results.length), !results.length);
    } catch (error) {
      tell(error.message, true);
    }
    return undefined;
  }

  function go(at) {
    const address = results[at]?.[3];
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
      "aria-label": "Search headings, terms and functions",
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
