// What the search finds: names (headings, terms, functions) by how they are
// spelled, and passages of the text by the words in them, in one list.
//
//     const find = await makeFind(searchIndex, searchText, MiniSearch);
//     find("causal mask")  // [{ kind, words, where, address }, …]
//
// `where` is text, or for a passage [text, whether it was asked for] in turn.
"use strict";

window.makeFind = async (names, passages, MiniSearch) => {
  const MOST = 12; // results
  const NAMES = 7; // of them, that names may take where there is text, too
  const ENOUGH = 4; // passages with all words: more than these are not needed
  const STRONG = 35; // points, from which on a name comes before the text
  const KINDS = { page: 40, term: 35, heading: 30, code: 20,
    difference: -25 };
  const BEFORE = 30; // characters of a passage, and as many as this behind
  const BEHIND = 110;

  // Words that say nothing about what is looked for.
  const COMMON = new Set(("a an and are as at be by can do does for from how " +
    "i if in is it its of on or that the there this to was what when where " +
    "which who why with you").split(" "));

  // Names.

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

  function named(text) {
    const words = plain(text).split(/\s+/).filter(Boolean);
    const telling = words.filter((word) => !COMMON.has(word));
    const query = telling.length ? telling : words;
    if (!query.length) return [];
    return names.map((entry, at) => ({ entry, at, score: rate(entry, query) }))
      .filter((found) => found.score > 0)
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .map(({ entry: [kind, words, where, address], score }) =>
        ({ kind, words, where, address, score }));
  }

  // Passages.

  const wordsOf = (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

  // A word without its ending, so that dividing finds divided; not all of
  // English, but the same for the text and for what is asked.
  function stem(word) {
    const lower = word.toLowerCase();
    if (lower.length < 4) return lower;
    const cut = lower.replace(/(?:ing|ed|ly|(al)ity)$/, "$1");
    if (cut !== lower && cut.length > 2)
      return cut.replace(/([^ls])\1$/, "$1").replace(/e$/, "");
    return lower.replace(/ies$/, "y").replace(/(?:es|e|([^su])s)$/, "$1");
  }

  const index = new MiniSearch({
    fields: ["title", "page", "text"],
    tokenize: wordsOf,
    processTerm: (word) => COMMON.has(word.toLowerCase()) ? null : stem(word),
    searchOptions: {
      boost: { title: 3, page: 1.5 },
      prefix: (term, at, terms) => at === terms.length - 1 && term.length > 2,
      fuzzy: (term) => term.length > 5 ? 0.2 : false,
    },
  });
  await index.addAllAsync(passages.map(([title, page, , text], id) =>
    ({ id, title, page, text })), { chunkSize: 40 });

  // How many words of a query, common ones too, a text has in a row.
  function together(asked, text) {
    const there = wordsOf(text).map(stem);
    let most = 0;
    for (let at = 0; at < there.length; at++) {
      for (let from = 0; from < asked.length; from++) {
        let n = 0;
        while (from + n < asked.length && there[at + n] === asked[from + n])
          n++;
        most = Math.max(most, n);
      }
    }
    return most;
  }

  // First those with all words, of these the ones that have them in a row.
  function read(query) {
    const asked = wordsOf(query).map(stem);
    const rank = (found) => found.score *
      (1 + together(asked, passages[found.id][3]) / 2);
    const all = index.search(query, { combineWith: "AND" });
    const ids = new Set(all.map(({ id }) => id));
    const some = all.length >= ENOUGH ? []
      : index.search(query, { combineWith: "OR" })
        .filter(({ id }) => !ids.has(id));
    return [all, some].flatMap((part) => part.slice(0, 2 * MOST)
      .map((found) => ({ found, rank: rank(found) }))
      .sort((a, b) => b.rank - a.rank).map(({ found }) => found));
  }

  const SIGN = "[\\p{L}\\p{N}]"; // a letter or a digit

  // Where words of these stems stand in a text: [{ at, word, stem }].
  function hitsOf(text, stems) {
    const forms = stems.map((one) =>
      one.length < 3 ? `${one}(?!${SIGN})` : `${one}${SIGN}*`);
    const word = new RegExp(
      `(^|[^\\p{L}\\p{N}])(${forms.join("|")})`, "giu");
    return [...text.matchAll(word)].map((hit) => ({
      at: hit.index + hit[1].length, word: hit[2], stem: stem(hit[2]) }));
  }

  // The part of a text where most of the words stand, in pieces.
  function excerpt(text, stems) {
    if (!stems.length) return [text.slice(0, BEFORE + BEHIND)];
    const hits = hitsOf(text, stems);
    const rich = ({ at }) => new Set(hits.filter((other) =>
      other.at >= at && other.at < at + BEHIND).map((hit) => hit.stem)).size;
    const best = hits.reduce((a, b) => rich(b) > rich(a) ? b : a,
      hits[0] ?? { at: 0 });
    const from = best.at <= BEFORE ? 0
      : text.indexOf(" ", best.at - BEFORE) + 1;
    const part = text.slice(from, best.at + BEHIND);
    const pieces = [];
    let end = 0;
    for (const { at, word } of hitsOf(part, stems)) {
      pieces.push(part.slice(end, at), word);
      end = at + word.length;
    }
    pieces.push(part.slice(end));
    pieces[0] = (from ? "… " : "") + pieces[0];
    return pieces;
  }

  function written(query) {
    return read(query).slice(0, MOST).map((found) => {
      const [title, page, address, text] = passages[found.id];
      const pieces = excerpt(text, found.terms);
      pieces[0] = `${page === title ? "" : `${page}: `}${pieces[0]}`;
      return { kind: kindOf(address), words: title || page, where: pieces,
        address };
    });
  }

  // What the list calls a passage: its rung, most often.
  function kindOf(address) {
    if (address.startsWith("glossary.html#")) return "term";
    return /^m\d+/.exec(address)?.[0] ?? "text";
  }

  // One list: names that fit well, passages, other names; no place twice.
  return (query) => {
    const strong = named(query);
    const weak = strong.splice(0).filter((found) =>
      found.score < STRONG || !strong.push(found));
    const texts = written(query);
    const first = strong.slice(0, texts.length ? NAMES : MOST);
    const seen = new Set();
    return [...first, ...texts, ...strong.slice(first.length), ...weak]
      .filter(({ address }) => !seen.has(address) && seen.add(address))
      .slice(0, MOST);
  };
};
