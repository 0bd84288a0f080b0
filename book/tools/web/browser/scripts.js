// What the oldest browsers of book/tools/README.md cannot read in the site's
// scripts: syntax newer than ES2021, and what no parser minds but they do.
//
//     node scripts.js '{"modules": …, "scripts": [[name, file], …]}'
//
// Prints a line of JSON for each script, as check.js does.
"use strict";

const path = require("node:path");
const fs = require("node:fs");

const given = JSON.parse(process.argv[2]);
const acorn = require(path.join(given.modules, "acorn"));

const YEAR = 2021; // of the ECMAScript that all of them know
const NEWER = [ // [what, how one sees it]
  ["a lookbehind (Safari 16.4)", /\(\?<[=!]/],
  [":has() in a selector (Firefox 121)", /["'`][^"'`\n]*:has\(/],
  ["a method of arrays (Safari 15.4 or later)",
    /\.(?:at|findLast|findLastIndex|toSorted|toReversed|toSpliced)\(/],
  ["a function of 2022 or later",
    /\b(?:structuredClone|Object\.(?:hasOwn|groupBy)|Map\.groupBy)\(/],
];

// What is wrong with a script, in words.
function faults(text) {
  const found = NEWER.filter(([, sign]) => sign.test(text))
    .map(([what]) => what);
  try {
    acorn.parse(text, { ecmaVersion: YEAR, sourceType: "script" });
  } catch (error) {
    found.push(`not ES${YEAR}: ${error.message}`);
  }
  return found;
}

for (const [page, file] of given.scripts) {
  const line = JSON.stringify({ page, check: "old browsers",
    wrong: faults(fs.readFileSync(file, "utf8")) });
  process.stdout.write(`${line}\n`);
}
