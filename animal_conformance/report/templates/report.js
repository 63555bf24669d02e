"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const clauses = [...document.querySelectorAll(".clause")].map((element) => ({
    element,
    text: `${element.id} ${element.querySelector(".title").textContent}`.toLowerCase(),
  }));
  const filters = [...document.querySelectorAll(".filter")];
  const folded = [...document.querySelectorAll(".chapter, .symptoms")];
  const search = byId("search");

  const show = () => {
    const wanted = new Set(filters.filter((each) => each.ariaPressed === "true").map((each) => each.dataset.outcome));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = !wanted.size && !words.length;
    let count = 0;
    for (const { element, text } of clauses) {
      element.hidden = !((!wanted.size || wanted.has(element.dataset.outcome)) && words.every((word) => text.includes(word)));
      count += element.hidden ? 0 : 1;
    }
    for (const each of document.querySelectorAll(".part, .cause, .reasoned, .chapter, .symptoms")) {
      each.hidden = !each.querySelector(".clause:not([hidden])");
    }
    for (const each of folded) each.open = !all && !each.hidden;
    byId("nothing").hidden = count > 0;
    byId("shown").textContent = all ? `${count} clauses` : `${count} of ${clauses.length} clauses`;
  };
  const reset = () => {
    for (const filter of filters) filter.ariaPressed = "false";
    search.value = "";
    show();
  };
  const arrive = () => {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden) reset();
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
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
  show();
  arrive();
})();
