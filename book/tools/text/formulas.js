// Formulas to HTML or MathML, by KaTeX: one process for all of a book.  Each
// line of standard input, {"kind": …, "formulas": [{"tex": …, "display": …},
// …]}, is answered by one of standard output: a list of {"html": …} or
// {"error": …}.  The kind is KaTeX's kind of output.
"use strict";

const readline = require("readline");
const katex = require("katex");

function render(formula, output) {
  try {
    const options = { displayMode: formula.display, output, strict: "error" };
    return { html: katex.renderToString(formula.tex, options) };
  } catch (why) {
    return { error: String(why.message || why) };
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { kind, formulas } = JSON.parse(line);
  const answers = formulas.map((formula) => render(formula, kind));
  process.stdout.write(JSON.stringify(answers) + "\n");
});
