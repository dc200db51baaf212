// Sets every formula of the page, and lets the ones that are wider than the page be scrolled by keyboard.
"use strict";
const MACROS = {
  "\\followed": "\\color{mediumblue}",
  "\\blank": "\\fbox{\\rule[-0.5ex]{0pt}{2.6ex}\\hspace{3.2em}}",
  "\\gap": "\\rule[-0.6ex]{3.2em}{0.4pt}",
};

function typeset(element, tex) {
  element.now = tex;
  element.skeleton = null;  // what stands there was not set with codes
  const shown = element.className === "d" ? `\\displaystyle ${tex}` : tex;
  katex.render(shown, element, { throwOnError: false, strict: "ignore", trust: false, maxExpand: 10000, macros: { ...MACROS } });
}

function letScroll() {
  for (const box of document.querySelectorAll(".term, .left, .scrolls")) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

for (const element of document.querySelectorAll("[data-x]")) {
  typeset(element, element.dataset.x);
}
letScroll();
addEventListener("resize", letScroll);
addEventListener("beforeprint", () => {
  for (const detail of document.querySelectorAll("main details.fold")) detail.open = true;
});
