/* Copy and share the links of a table. Without this script, links can be followed and selected. */
"use strict";
(() => {
  const field = (name) => document.getElementById(name);
  async function copied(input) {
    try { await navigator.clipboard.writeText(input.value); return true; } catch { /* no https: select and copy */ }
    input.select();
    return document.execCommand("copy");
  }
  const share = () => { for (const each of document.querySelectorAll("[data-share]")) each.hidden = !navigator.share; };

  document.addEventListener("click", async (event) => {
    const copy = event.target.closest("[data-copy]"), shared = event.target.closest("[data-share]");
    if (event.target.matches("input.link")) event.target.select();
    if (copy && await copied(field(copy.dataset.copy))) copy.textContent = copy.dataset.said;
    if (shared) navigator.share({ title: shared.dataset.title, url: field(shared.dataset.share).value }).catch(() => {});
  });
  new MutationObserver(share).observe(document.body, { childList: true, subtree: true });
  share();
})();
