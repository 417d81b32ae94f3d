/* Replay of a finished game. Links and the form suffice; with this script, the page
   follows the slider. */
"use strict";
(() => {
  const HEARD = 12, PART = /^\s*<main[\s>]/;
  const root = document.documentElement, table = () => document.getElementById("table");
  root.classList.add("scripted");
  let wanted = null, loading = false;

  /* Fetch only the latest position: dragging skips those between. */
  async function show(address, kept) {
    wanted = [address, kept];
    if (loading) return;
    loading = true;
    while (wanted) {
      const [at, keep] = wanted;
      wanted = null;
      await load(at, keep);
    }
    loading = false;
  }
  async function load(address, keep) {
    const to = new URL(address, location.href);
    try {
      const answer = await fetch(`${to.pathname}/part${to.search}`, { headers: { "X-Part": "1" }, credentials: "same-origin" });
      const html = await answer.text();
      if (!answer.ok || !PART.test(html)) { location.assign(address); return; }
      root.classList.remove("offline");
      put(html);
    } catch {
      root.classList.add("offline");
      return;
    }
    if (keep) history.replaceState(null, "", address);
  }
  function put(html) {
    const slider = document.getElementById("at"), held = slider.value, before = Number(table().dataset.at);
    const wide = matchMedia("(min-width: 1100px)").matches;
    Idiomorph.morph(table(), html, {
      morphStyle: "outerHTML",
      callbacks: { beforeAttributeUpdated: (name, node) => !(name === "open" && !wide) },
    });
    // Do not move the slider while it is dragged.
    document.getElementById("at").value = wanted ? held : table().dataset.at;
    if (Number(table().dataset.at) !== before) hear();
  }
  function hear() {
    const heard = document.getElementById("heard");
    heard.replaceChildren(...[...table().querySelectorAll("#log li.new")].slice(-HEARD).map((line) =>
      Object.assign(document.createElement("p"), { textContent: line.textContent })));
  }
  function address(at) {
    const query = new URLSearchParams(new FormData(document.querySelector(".slide")));
    query.set("at", at);
    return `${table().dataset.address}?${query}`;
  }

  document.addEventListener("input", (event) => {
    if (event.target.id === "at") show(address(event.target.value), true);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".slide")) return;
    event.preventDefault();
    show(address(document.getElementById("at").value), true);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".film a[href]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    show(link.href, true);
  });
  const KEYS = { ArrowLeft: "previous", ArrowRight: "following", Home: "first", End: "final" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.matches("input, textarea, select, [tabindex='0']")) return;
    const link = KEYS[event.key] && document.getElementById(`film-${KEYS[event.key]}`);
    if (!link) return;
    event.preventDefault();
    show(link.href, true);
  });
  addEventListener("popstate", () => location.reload());
})();
