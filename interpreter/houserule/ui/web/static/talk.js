/* Notices when it is your turn, and new lines of the chat. Nothing is on before you turn it on. */
"use strict";
(() => {
  const find = (selector) => document.querySelector(selector);
  const kept = (name) => { try { return localStorage.getItem(`houserule.${name}`) ?? ""; } catch { return ""; } };
  const keep = (name, text) => { try { localStorage.setItem(`houserule.${name}`, text); } catch { /* not kept */ } };
  const icon = find("link[rel=icon]"), plain = icon.href;
  const can = "Notification" in window && window.isSecureContext;
  let turned = "turn" in find("#table").dataset, seen = Number(find(".chat")?.dataset.at ?? 0);

  function notify() {
    if (!can || Notification.permission !== "granted" || kept("notify") !== "on" || !document.hidden) return;
    try {
      const notice = new Notification(find("#table").dataset.title, { tag: location.pathname, icon: icon.dataset.turn });
      notice.onclick = () => { focus(); notice.close(); };
    } catch { /* phones want more for that */ }
  }

  function refresh() {
    const table = find("#table"), turn = "turn" in table.dataset;
    icon.href = turn && document.hidden ? icon.dataset.turn : plain;
    if (turn && !turned) notify();
    turned = turn;
    const offer = find("#offer"), button = find("#notify");
    if (offer) {
      offer.hidden = kept("offered") === "yes" || !table.classList.contains("waits");
      offer.querySelector("[data-notify]").hidden = !can || Notification.permission === "denied";
    }
    if (button) {
      button.hidden = !can;
      button.setAttribute("aria-pressed", String(can && Notification.permission === "granted" && kept("notify") === "on"));
    }
    const chat = find(".chat"), unsaid = find("#unsaid"), log = find("#log");
    if (chat) {
      const at = Number(chat.dataset.at);
      if (log.open || matchMedia("(min-width: 1100px)").matches) seen = at;
      unsaid.textContent = at > seen ? `${at - seen} ${chat.dataset.words}` : "";
    }
  }

  document.addEventListener("click", async (event) => {
    const pressed = event.target.closest("#offer button, #notify");
    if (!pressed) return;
    if (pressed.closest("#offer")) keep("offered", "yes");
    if (pressed.matches("[data-notify], #notify") && can) {
      const on = pressed.id === "notify" && kept("notify") === "on";
      keep("notify", !on && await Notification.requestPermission() === "granted" ? "on" : "off");
    }
    refresh();
  });
  document.addEventListener("table", refresh);
  document.addEventListener("toggle", (event) => { if (event.target.id === "log") refresh(); }, true);
  document.addEventListener("visibilitychange", refresh);
  refresh();
})();
