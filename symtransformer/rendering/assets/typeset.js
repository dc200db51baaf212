// Sets every formula of the page, with breaks before its signs, and lets what is wider than the page be scrolled.
"use strict";
const settings = { throwOnError: false, strict: "ignore", trust: false, maxExpand: 10000, macros: {
  "\\followed": "\\color{mediumblue}",
  "\\blank": "\\fbox{\\rule[-0.5ex]{0pt}{2.6ex}\\hspace{3.2em}}",
  "\\gap": "\\rule[-0.6ex]{3.2em}{0.4pt}",
} };

const LONG = /\d+(?:\{,\}\d{3}){6,}/g;  // digits among words that need more than a line of a telephone

function typeset(element, tex) {
  element.now = tex;
  element.skeleton = null;  // what stands there was not set with codes
  const shown = element.className === "d" ? `\\displaystyle ${tex}` : tex.replace(LONG, (digits) => digits.replaceAll("{,}", "{,}\\allowbreak "));
  katex.render(shown, element, { ...settings, macros: { ...settings.macros } });
  withSignsBefore(element);
}

// A line may end between the pieces that KaTeX makes of a formula, each with the sign behind it: here the sign goes with
// what follows it, and no piece is left without anything to read.
function withSignsBefore(element) {
  const pieces = [...element.querySelectorAll(".katex-html > .katex-base")];
  for (const [k, piece] of pieces.slice(0, -1).entries()) {
    const next = pieces[k + 1].firstElementChild, parts = [...piece.children].slice(1);
    const sign = parts.findLastIndex((part) => !part.classList.contains("mspace"));
    if (sign >= 0 && parts[sign].matches(".mbin, .mrel")) next.after(...parts.splice(sign));
    if (parts.some((part) => part.textContent.trim())) continue;
    next.after(...parts);
    piece.remove();
  }
}

// A short formula among words keeps what must not begin or end a line, and formulas side by side are one product.
const isShort = (formula) => formula?.className === "m" && formula.querySelectorAll(".katex-base").length === 1;
const CLOSES = /^[、。，．・：；！？）」』】,.;:!?)\]]+/, OPENS = /[（「『【(\[]+$|(?:^|[^\d.,])\d+ $/;
function keepTogether(formula) {
  const parts = [formula], textOf = (node) => (node?.nodeType === Node.TEXT_NODE ? node.data : "");
  for (let next = formula.nextSibling; textOf(next) === " " && isShort(next.nextSibling); next = parts.at(-1).nextSibling) {
    parts.push(next, next.nextSibling);
  }
  const before = formula.previousSibling, after = parts.at(-1).nextSibling;
  const opens = textOf(before).match(OPENS), closes = textOf(after).match(CLOSES);
  if (!opens && !closes && parts.length === 1) return;
  if (closes) after.splitText(closes[0].length);
  if (opens) parts.unshift(before.splitText(opens.index));
  if (closes) parts.push(after);
  const box = document.createElement("span");
  box.className = "together";
  formula.parentNode.insertBefore(box, parts[0]);
  box.append(...parts);
}

// what is wider than its box is reached by keyboard, and fades where it goes on
const BOXES = ".term, .left, .scrolls, .fields";
function fade(box) {
  const before = box.scrollLeft > 1, after = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
  box.dataset.more = `${before ? "before" : ""}${after ? "after" : ""}`;
}

function letScroll() {
  const boxes = [...document.querySelectorAll(BOXES)], wide = boxes.map((box) => box.scrollWidth > box.clientWidth + 1);
  for (const [k, box] of boxes.entries()) {
    if (wide[k]) {
      box.tabIndex = 0;
      box.onscroll = () => fade(box);
      fade(box);
    } else if (box.dataset.more !== undefined) {
      box.removeAttribute("tabindex");
      delete box.dataset.more;
    }
  }
}

for (const element of document.querySelectorAll("[data-tex]")) {
  typeset(element, element.dataset.tex);
}
for (const element of document.querySelectorAll(".m")) {
  if (isShort(element) && !element.closest(".together")) keepTogether(element);
}
letScroll();
addEventListener("resize", letScroll);
document.addEventListener("toggle", letScroll, true);

// on paper nothing can be scrolled, and one piece that is wider than the paper would make all of the page smaller
const PAPER = 600, SMALLER = 0.83;  // pixels beside a left side on A4, and letters there to those on a screen
addEventListener("beforeprint", () => {
  for (const detail of document.querySelectorAll("main details.fold")) detail.open = true;
  for (const box of document.querySelectorAll(".term")) {
    const widest = Math.max(0, ...[...box.querySelectorAll(".katex-base")].map((piece) => piece.offsetWidth));
    if (widest * SMALLER > PAPER) box.style.setProperty("--fit", PAPER / (widest * SMALLER));
    else box.style.removeProperty("--fit");
  }
});
