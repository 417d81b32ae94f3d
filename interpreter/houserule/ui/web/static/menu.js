/* Update the configurator in place, and measure effects while the visitor looks.
   Everything works without this script, by links and forms. */
"use strict";
(() => {
  const menu = () => document.getElementById("menu");
  const heard = (text) => { document.getElementById("heard").textContent = text; };
  let asked = 0, measuring = null, typing = 0;
  document.documentElement.classList.add("scripted");

  async function show(address, how) {
    const mine = ++asked, url = new URL(address, location.href);
    if (measuring) measuring.abort();
    let answer;
    try {
      answer = await fetch(menu().dataset.part + url.search, { headers: { "X-Part": "1" } });
    } catch { location.href = address; return; }
    const html = await answer.text();
    if (mine !== asked) return;
    if (!answer.ok || !/^\s*<main[\s>]/.test(html)) { location.href = address; return; }
    const before = document.querySelector(".sentence").textContent;
    if (how) history[how](null, "", url);
    Idiomorph.morph(menu(), html, { morphStyle: "outerHTML", ignoreActiveValue: true });
    const now = document.querySelector(".sentence").textContent;
    if (now !== before) heard(now);
    measure();
  }

  async function measure() {
    const mine = (measuring = new AbortController());
    try {
      for (let place; (place = document.getElementById("effect")) && place.dataset.effect;) {
        place.setAttribute("aria-busy", "true");
        const answer = await fetch(place.dataset.effect, { signal: mine.signal });
        if (!answer.ok || mine.signal.aborted) return;
        Idiomorph.morph(place, await answer.text(), { morphStyle: "outerHTML" });
      }
    } catch { /* cancelled, or no network: the link stays */ }
    finally { document.getElementById("effect")?.removeAttribute("aria-busy"); }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#menu a[href*='/new/'], #share");
    const plain = !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !plain || link.hasAttribute("download") || link.pathname.endsWith("/own") || link.closest(".tongues")) return;
    event.preventDefault();
    if (link.id === "share") {
      const copied = navigator.clipboard?.writeText(link.href);
      (copied ?? Promise.reject()).then(() => heard(link.dataset.said = menu().dataset.copied), () => prompt("", link.href));
    } else show(link.getAttribute("href"), "pushState");
  });
  const address = (form) => form.getAttribute("action").split("#")[0] + "?" + new URLSearchParams(new FormData(form));
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("#menu form[method=get]")) return;
    event.preventDefault();
    show(address(event.target), "pushState");
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("#menu .pick select")) show(address(event.target.form), "pushState");
  });
  document.addEventListener("input", (event) => {
    if (event.target.id !== "q") return;
    clearTimeout(typing);
    typing = setTimeout(() => show(address(event.target.form), "replaceState"), 250);
  });
  addEventListener("popstate", () => show(location.href, null));
  addEventListener("pagehide", () => measuring?.abort());
  measure();
})();
