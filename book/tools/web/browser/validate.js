// HTML that is not valid.
//
//     node validate.js '{"modules": …, "config": …,
//                        "pages": [[name, file], …]}'
//
// Prints a line of JSON for each page, as check.js does.
"use strict";

const path = require("node:path");
const fs = require("node:fs");

const given = JSON.parse(process.argv[2]);
const { HtmlValidate, StaticConfigLoader } =
  require(path.join(given.modules, "html-validate"));
const config = JSON.parse(fs.readFileSync(given.config, "utf8"));
const validator = new HtmlValidate(new StaticConfigLoader(config));

// A page whose coloured words are plain text: a span in code that has a class
// and a text is valid there, and of these a chapter has thousands.
const LEAF = /<span class="[a-z]+">([^<>]*)<\/span>/g;

function plainer(text) {
  return text.replace(/<code>[^]*?<\/code>/g, (code) =>
    code.replace(LEAF, "$1").replace(LEAF, "$1")); // words, then lines
}

async function main() {
  for (const [page, file] of given.pages) {
    const { results } = await validator.validateString(
      plainer(fs.readFileSync(file, "utf8")), page);
    const wrong = results.flatMap((result) => result.messages)
      .filter((message) => message.severity === 2).slice(0, 5)
      .map((one) => `line ${one.line}: ${one.message} (${one.ruleId})`);
    const line = JSON.stringify({ page, check: "html", wrong });
    process.stdout.write(`${line}\n`);
  }
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
