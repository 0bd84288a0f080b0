// Formulas to HTML or MathML, by KaTeX: one process for a whole chapter.
// Standard input: [{"tex": …, "display": …}, …]; standard output: a list of
// {"html": …} or {"error": …}.  The argument is KaTeX's kind of output.
"use strict";

const katex = require("katex");
const output = process.argv[2] || "htmlAndMathml";

function render(formula) {
  try {
    const options = { displayMode: formula.display, output, strict: "error" };
    return { html: katex.renderToString(formula.tex, options) };
  } catch (why) {
    return { error: String(why.message || why) };
  }
}

let text = "";
process.stdin.on("data", (part) => { text += part; });
process.stdin.on("end", () => {
  process.stdout.write(JSON.stringify(JSON.parse(text).map(render)));
});
