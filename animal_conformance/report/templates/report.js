"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const clauses = [...document.querySelectorAll(".clause")];
  const chapters = [...document.querySelectorAll(".chapter")];
  const filters = [...document.querySelectorAll(".filter")];
  const findings = [...document.querySelectorAll(".findings")];
  const search = byId("search");
  const toggle = byId("toggle");

  const show = () => {
    const wanted = new Set(filters.filter((each) => each.ariaPressed === "true").map((each) => each.dataset.outcome));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const clause of clauses) {
      const matches = (!wanted.size || wanted.has(clause.dataset.outcome)) && words.every((word) => clause.dataset.text.includes(word));
      clause.hidden = !matches;
      count += matches ? 1 : 0;
    }
    for (const chapter of chapters) chapter.hidden = !chapter.querySelector(".clause:not([hidden])");
    byId("nothing").hidden = count > 0;
    byId("shown").textContent = count === clauses.length ? `${count} clauses` : `${count} of ${clauses.length} clauses`;
  };
  const reset = () => {
    for (const filter of filters) filter.ariaPressed = "false";
    search.value = "";
    show();
  };
  const label = () => {
    toggle.textContent = findings.every((each) => each.open) ? "Close all findings" : "Open all findings";
  };
  const arrive = () => {
    const target = byId(location.hash.slice(1));
    if (!target) return;
    const inside = target.querySelector(".findings") ?? target.closest("details");
    if (inside) inside.open = true;
    if (target.hidden) reset();
    target.scrollIntoView();
  };
  const copy = async (button) => {
    const code = button.parentElement.querySelector("code");
    let copied = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Without the clipboard interface (an insecure address, an old browser) a selection can still be copied.
      getSelection().selectAllChildren(code);
      copied = document.execCommand("copy");
    }
    const word = button.firstChild;
    word.data = copied ? "Copied" : "Press Ctrl+C";
    button.classList.toggle("done", copied);
    setTimeout(() => { word.data = "Copy"; button.classList.remove("done"); }, 2000);
  };

  for (const filter of filters) {
    filter.addEventListener("click", () => { filter.ariaPressed = String(filter.ariaPressed !== "true"); show(); });
  }
  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  for (const each of findings) each.addEventListener("toggle", label);
  toggle.hidden = !findings.length;
  toggle.addEventListener("click", () => {
    const open = !findings.every((each) => each.open);
    for (const each of findings) each.open = open;
  });
  search.addEventListener("input", show);
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("reset").addEventListener("click", reset);
  addEventListener("hashchange", arrive);
  // On paper nothing can be opened.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => { for (const each of closed) each.open = false; });

  byId("controls").hidden = false;
  label();
  show();
  arrive();
})();
