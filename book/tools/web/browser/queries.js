// Asks the search of a finished site what readers ask.
//
//     node queries.js '{"folder": …, "queries": [[words, [address, …]], …]}'
//
// Prints a line of JSON for each query, as check.js does: one of the addresses
// is among the first results.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const FIRST = 3; // results
const FILES = ["search-index.js", "search-text.js", "minisearch/index.js",
  "find.js"];
const given = JSON.parse(process.argv[2]);

// The site's own scripts, in a window of their own.
function finder(folder) {
  const context = vm.createContext({ setTimeout });
  context.window = context;
  context.globalThis = context;
  for (const name of FILES) {
    const text = fs.readFileSync(path.join(folder, name), "utf8");
    vm.runInContext(text, context, { filename: name });
  }
  return context.makeFind(context.searchIndex, context.searchText,
    context.MiniSearch);
}

async function main() {
  const find = await finder(given.folder);
  for (const [words, wanted] of given.queries) {
    const found = find(words).slice(0, FIRST).map(({ address }) => address);
    const wrong = found.some((address) => wanted.includes(address)) ? []
      : [`finds ${found.join(", ") || "nothing"}, not ${wanted.join(" or ")}`];
    const line = JSON.stringify({ page: "search", check: `"${words}"`, wrong });
    process.stdout.write(`${line}\n`);
  }
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
