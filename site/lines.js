// Dims the lines of the listings that the chapter's main command does not run,
// until the reader wants them all alike; what they chose is remembered.
"use strict";

{

const page = document.documentElement.dataset;
// Said in full above the first listing, and above the others in short.
const words = {
  dimmed: ["Grey lines do not run for this chapter's command: show all alike",
    "Show all lines alike"],
  alike: ["Grey the lines that do not run for this chapter's command",
    "Grey what does not run"],
};

function chosenLines() {
  try {
    return localStorage.getItem("lines") === "alike" ? "alike" : "dimmed";
  } catch {
    return "dimmed";
  }
}

function setLines(how) {
  page.lines = how;
  document.querySelectorAll(".alike").forEach((button, at) => {
    button.textContent = words[how][Math.min(at, 1)];
  });
}

function toggleLines() {
  setLines(page.lines === "dimmed" ? "alike" : "dimmed");
  try {
    localStorage.setItem("lines", page.lines);
  } catch { /* then for this page only */ }
}

for (const listing of document.querySelectorAll(".listing")) {
  if (!listing.querySelector(".idle")) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "alike";
  button.addEventListener("click", toggleLines);
  listing.querySelector("figcaption").append(button);
}
setLines(chosenLines());

}
