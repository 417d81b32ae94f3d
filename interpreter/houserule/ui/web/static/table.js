/* Update pages of a table in place. Everything works without this script, by links and
   forms; with it, only changed parts are replaced. The page of a seat has a title in its
   data, a choice and a log; pages before the game have less. */
"use strict";
(() => {
  const POLL = 30000, FIRST_WAIT = 500, LONGEST_WAIT = 15000, DIGITS = 700, HEARD = 12;
  const PART = /^\s*<main[\s>]/, TITLED = /^[^>]*\sdata-title=/;
  const root = document.documentElement;
  const table = () => document.getElementById("table");
  const facts = () => table().dataset;
  const within = (selector) => table().querySelector(selector);
  root.classList.add("scripted");

  let asked = 0, busy = false, leaving = false, newest = 0, stream = null, wait = FIRST_WAIT, later = 0;
  let seen = told(), wasTurn = "turn" in facts();

  /* ---- the page */
  function told() { return Number(within("#log")?.dataset.told ?? 0); }
  function wide() { return matchMedia("(min-width: 1100px)").matches; }

  function put(html, moved) {
    // A different kind of page has a different style.
    if (!PART.test(html) || TITLED.test(html) !== "title" in facts()) { leave(); return; }
    if (moved && within("#find")) within("#find").value = "";
    const before = told(), places = placesOfThings();
    Idiomorph.morph(table(), html, {
      morphStyle: "outerHTML",
      callbacks: {
        // Keep folded parts and typed text, but update the values of buttons.
        beforeAttributeUpdated: (name, node, change) => !(
          (name === "open" && (change === "remove" || !moved)) || (name === "value" && node.matches("input:not([type=hidden])"))
        ),
      },
    });
    refresh(before);
    move(places);
    const focus = moved && within("[data-focus]");
    if (focus) focus.focus();
    else if (moved && (document.activeElement ?? document.body) === document.body) within("#choice")?.focus({ preventScroll: true });
  }

  /* ---- things that are elsewhere glide there */
  const GLIDE = 180, MOST = 40;
  const things = () => [...table().querySelectorAll("[data-thing]")];
  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return box.width ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
  };
  // What stays in an area that is elsewhere on the page did not move.
  const corner = (node) => {
    const area = node.closest(".area"), box = area?.getBoundingClientRect();
    return { area, left: box?.x, top: box?.y };
  };
  function placesOfThings() {
    return new Map(things().map((node) => [node.dataset.thing, middle(node) && { ...middle(node), ...corner(node) }]));
  }
  function move(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || before.size > 400) return;
    const moving = [], gaps = [...table().querySelectorAll(".left")];
    const news = [...table().querySelectorAll(".board .new[data-thing]")];
    for (const node of things()) {
      // A piece without a name of its own came from the place that was left.
      const gap = gaps.length === news.length ? gaps[news.indexOf(node)] : undefined;
      const to = middle(node), now = corner(node);
      let from = gap ? middle(gap) : before.get(node.dataset.thing);
      if (from?.area && from.area === now.area) from = { x: from.x + now.left - from.left, y: from.y + now.top - from.top };
      if (from && to && Math.hypot(from.x - to.x, from.y - to.y) > 4) moving.push([node, from, to]);
    }
    for (const [node, from, to] of moving.slice(0, MOST)) {
      const start = { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)`, zIndex: 3 };
      node.animate([start, { transform: "none", zIndex: 3 }], { duration: GLIDE, easing: "ease-out" });
    }
  }

  /* ---- the clock counts down between updates */
  let began = performance.now();
  setInterval(() => {
    const clock = within(".clock");
    if (!clock) return;
    const left = Math.max(0, Math.round(clock.dataset.left - (performance.now() - began) / 1000));
    clock.textContent = clock.textContent.replace(/\d+:\d\d/, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    clock.classList.toggle("short", left <= 10);
  }, 1000);

  /* ---- arrows from where pieces were to where they are */
  const SVG = "http://www.w3.org/2000/svg", TIP = 9;
  function drawArrows() {
    for (const old of table().querySelectorAll("svg.arrows")) old.remove();
    for (const board of table().querySelectorAll("[data-arrows]")) {
      const rows = [...board.querySelectorAll("tbody:not(.column-heads) tr")];
      const cell = (row, column) => board.querySelector(`[data-at="${row},${column}"]`) ?? rows[row - board.dataset.first]?.querySelectorAll("td:not(.corner)")[column];
      const frame = board.matches("table") ? board.parentElement : board, at = frame.getBoundingClientRect();
      const picture = document.createElementNS(SVG, "svg");
      picture.setAttribute("class", "arrows");
      picture.setAttribute("aria-hidden", "true");
      for (const [i, j, k, l] of board.dataset.arrows.trim().split(" ").map((each) => each.split(","))) {
        const from = cell(i, j) && middle(cell(i, j)), to = cell(k, l) && middle(cell(k, l));
        if (!from || !to) continue;
        const long = Math.hypot(to.x - from.x, to.y - from.y), right = (to.x - from.x) / long, down = (to.y - from.y) / long;
        const start = [from.x - at.x - frame.clientLeft, from.y - at.y - frame.clientTop], end = [to.x - at.x - frame.clientLeft - 6 * right, to.y - at.y - frame.clientTop - 6 * down];
        const side = (by) => [end[0] - TIP * right - by * down, end[1] - TIP * down + by * right];
        const line = document.createElementNS(SVG, "path"), tip = document.createElementNS(SVG, "path");
        line.setAttribute("d", `M${start}L${end}`);
        tip.setAttribute("d", `M${side(5)}L${end}L${side(-5)}z`);
        tip.setAttribute("class", "tip");
        picture.append(line, tip);
      }
      frame.append(picture);
    }
  }
  addEventListener("resize", drawArrows);

  function refresh(before) {
    drawArrows();
    if (before !== undefined) began = performance.now();
    if (!("title" in facts())) return;
    const count = told(), news = before === undefined ? 0 : Math.min(count - before, HEARD);
    document.title = ("turn" in facts() && document.hidden ? "● " : "") + facts().title;
    if (news > 0) hear([...table().querySelectorAll("#log li")].slice(-news).map((line) => line.textContent));
    if (within("#log").open || wide()) seen = count;
    seen = Math.min(seen, count);
    const unread = within(".unread");
    unread.textContent = count > seen ? count - seen : "";
    if (count > seen) unread.append(Object.assign(document.createElement("span"), { textContent: ` ${unread.dataset.words}` }));
    within("#sound").setAttribute("aria-pressed", String(sounds()));
    const turn = "turn" in facts();
    if (turn && !wasTurn) { hear([within("h1").textContent]); ring(); }
    wasTurn = turn;
    find();
    reachable();
    document.dispatchEvent(new Event("table")); // for other scripts
  }

  function hear(lines) {
    const heard = document.getElementById("heard");
    for (const line of lines) heard.append(Object.assign(document.createElement("p"), { textContent: line }));
    while (heard.childElementCount > 40) heard.firstElementChild.remove();
  }

  /* ---- requests */
  async function ask(address, options, moved) {
    if (leaving) return;
    const number = ++asked;
    let answer, html;
    try {
      answer = await fetch(address, { headers: { "X-Part": "1" }, credentials: "same-origin", ...options });
      if (answer.status >= 500) throw new Error(answer.status);
      html = await answer.text();
    } catch {
      if (leaving) return;
      online(false);
      again();
      return;
    }
    online(true);
    if (leaving || number !== asked) return;
    const here = new URL(address, location.href).pathname; // WebKit does not see a service worker's redirection
    if (new URL(answer.url).pathname !== here && !PART.test(html)) leave(answer.url);
    else put(html, moved);
  }
  // Until the next page is here, this one must not answer to news: that would load it again.
  function leave(address) {
    leaving = true;
    listen();
    if (address) location.assign(address);
    else location.reload();
  }
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return; // with Back, a browser may show a page that was left
    leaving = false;
    load(false);
    listen();
  });
  const part = () => `${facts().base}/part${location.search}`;
  const load = (moved) => ask(part(), {}, moved);
  function go(address) {
    history.pushState(null, "", address);
    return load(true);
  }
  function online(yes) { root.classList.toggle("offline", !yes); }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#table a[href]");
    if (event.target.closest("#sound, [data-sound]")) { switchSound(); return; }
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const to = new URL(link.href);
    if (to.hash && to.pathname + to.search === location.pathname + location.search) {
      event.preventDefault();
      document.querySelector(to.hash)?.focus();
    } else if (to.pathname === facts().base && to.origin === location.origin) {
      event.preventDefault();
      go(to.pathname + to.search);
    }
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.closest("#table") || form.method !== "post") return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    const sent = new FormData(form, event.submitter), chats = form.id === "say";
    if (location.search && !chats) history.pushState(null, "", facts().base);
    const to = form.action + (chats ? location.search : ""); // a choice in progress stays
    await ask(to, { method: "POST", body: new URLSearchParams(sent) }, !chats);
    if (chats && !within("#notice")) document.getElementById("say")?.reset();
    busy = false;
    catchUp(); // meanwhile, a newer version may have arrived
  });
  addEventListener("popstate", () => load(true));

  /* ---- news */
  function listen() {
    clearTimeout(later);
    stream?.close();
    stream = null;
    if (leaving) return;
    if (document.hidden) { later = setTimeout(poll, POLL); return; }
    stream = new EventSource(`${facts().base}/events`);
    stream.onmessage = (event) => {
      wait = FIRST_WAIT;
      newest = Number(event.data);
      catchUp();
    };
    stream.onerror = () => { stream.close(); again(); };
  }
  function catchUp() {
    if (!busy && newest > Number(facts().news)) load(false);
  }
  function again() {
    clearTimeout(later);
    later = setTimeout(() => { load(false); listen(); }, wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
  async function poll() {
    await load(false);
    if (document.hidden) { clearTimeout(later); later = setTimeout(poll, POLL); }
  }
  document.addEventListener("visibilitychange", () => {
    listen();
    if (!document.hidden) load(false);
  });
  addEventListener("online", () => { wait = FIRST_WAIT; load(false); listen(); });
  addEventListener("offline", () => online(false));

  /* ---- sound */
  const sounds = () => { try { return localStorage.getItem("houserule.sound") === "on"; } catch { return false; } };
  let speaker = null;
  function switchSound() {
    try { localStorage.setItem("houserule.sound", sounds() ? "off" : "on"); } catch { return; }
    within("#sound").setAttribute("aria-pressed", String(sounds()));
    ring();
  }
  function ring() {
    if (!sounds()) return;
    speaker ??= new AudioContext();
    const now = speaker.currentTime, tone = speaker.createOscillator(), loud = speaker.createGain();
    tone.frequency.setValueAtTime(660, now);
    tone.frequency.setValueAtTime(880, now + 0.12);
    loud.gain.setValueAtTime(0.12, now);
    loud.gain.exponentialRampToValueAtTime(0.001, now + 0.4);
    tone.connect(loud).connect(speaker.destination);
    tone.start(now);
    tone.stop(now + 0.4);
  }

  /* ---- search field and keys */
  function find() {
    const field = within("#find");
    if (!field) return;
    const words = field.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const option of table().querySelectorAll(".options .option")) {
      const label = option.querySelector(".label").textContent.toLocaleLowerCase();
      option.hidden = !words.every((word) => label.includes(word));
      left += option.hidden ? 0 : 1;
    }
    const none = within(".nothing-fits");
    none.textContent = left ? "" : none.dataset.words;
  }
  document.addEventListener("click", (event) => {
    const by = event.target.closest?.("#table [data-by]")?.dataset.by;
    if (!by) return;
    within("#amount")[by < 0 ? "stepDown" : "stepUp"]();
    within("#slider").value = within("#amount").value;
  });
  document.addEventListener("input", (event) => {
    if (event.target.id === "find") find();
    const other = { amount: "#slider", slider: "#amount" }[event.target.id];
    if (other) within(other).value = event.target.value;
  });

  let digits = "", typed = 0;
  function choose() {
    within(`.option[data-number="${digits}"] .do`)?.click();
    digits = "";
  }
  function number(key) {
    clearTimeout(typed);
    const all = [...table().querySelectorAll(".option[data-number]")].map((each) => each.dataset.number);
    digits = all.some((each) => each.startsWith(digits + key)) ? digits + key : key;
    const longer = all.filter((each) => each.startsWith(digits));
    if (longer.length === 1) choose();
    else if (longer.length) typed = setTimeout(choose, DIGITS);
    else digits = "";
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const field = event.target.matches("input, textarea, select");
    if (event.key === "Escape") {
      if (field && event.target.value) { event.target.value = ""; find(); return; }
      const close = within("[data-close]") || within("[data-back]");
      if (close) go(close.getAttribute("href"));
    } else if (field && event.key === "Enter" && event.target.id === "find") {
      event.preventDefault();
      within(".options .option:not([hidden]) .do")?.focus();
    } else if (field) {
      return;
    } else if (event.key === "/" && within("#find")) {
      event.preventDefault();
      if (within(".list")) within(".list").open = true;
      within("#find").focus();
    } else if (event.key === "?") {
      const at = document.activeElement?.closest(".option") || within(".option:hover") || within(".option");
      const why = at?.querySelector("[data-why]")?.dataset.why;
      if (why) go(why);
    } else if (/^[0-9]$/.test(event.key)) {
      number(event.key);
    }
  });

  /* ---- arrows go over the things on the table, by where they are */
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const open = () => [...table().querySelectorAll(".open")].filter((node) => middle(node));
  function reachable() {
    // Tab goes from area to area.
    for (const area of table().querySelectorAll(".area")) area.querySelector(".open:not(.refused)")?.setAttribute("tabindex", "0");
  }
  function arrow([right, down]) {
    const from = document.activeElement?.closest?.("#table .open");
    if (!from) {
      (within(".open:not(.refused)") ?? within(".open"))?.focus();
      return;
    }
    const here = middle(from);
    let best = null, least = Infinity;
    for (const node of open()) {
      const to = middle(node), x = to.x - here.x, y = to.y - here.y;
      const along = x * right + y * down, aside = Math.abs(x * down) + Math.abs(y * right);
      if (along > 2 && along + 2.5 * aside < least) [best, least] = [node, along + 2.5 * aside];
    }
    best?.focus();
  }
  document.addEventListener("keydown", (event) => {
    const at = document.activeElement ?? document.body;
    if (!(event.key in ARROWS) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!open().length || !(at === document.body || at.id === "choice" || at.closest("#table .open"))) return;
    event.preventDefault();
    arrow(ARROWS[event.key]);
  });

  /* ---- a mouse may drag a thing to where it goes; touching both does the same */
  const DRAG = 8;
  let drag = null, dropped = false;
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#table .open:not(.refused)");
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.("#table .open")) event.preventDefault(); });
  document.addEventListener("pointerdown", (event) => {
    const thing = event.target.closest?.("#table .open:not(.refused, .held)");
    dropped = false;
    drag = thing && !event.button && event.pointerType !== "touch" ? { thing, x: event.clientX, y: event.clientY } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const x = event.clientX - drag.x, y = event.clientY - drag.y;
    if (!drag.ghost) {
      if (Math.hypot(x, y) < DRAG) return;
      lift();
    }
    drag.ghost.style.translate = `${x}px ${y}px`;
  });
  function lift() {
    const { thing } = drag, box = thing.getBoundingClientRect(), ghost = thing.cloneNode(true);
    ghost.className = "dragged";
    ghost.inert = true;
    for (const [name, length] of [["left", box.left], ["top", box.top], ["width", box.width], ["height", box.height]]) ghost.style[name] = `${length}px`;
    document.body.append(ghost);
    // One way on: it is made where it is dropped. Else the page shows where it may go.
    drag.label = thing.title;
    drag.ghost = ghost;
    drag.held = thing.matches("a[href]") ? go(thing.getAttribute("href")) : null;
  }
  document.addEventListener("pointerup", async (event) => {
    const moved = drag;
    drag = null;
    if (!moved?.ghost) return;
    dropped = true;
    moved.ghost.remove();
    await moved.held;
    const target = under(event);
    if (!moved.held) {
      if (target && target !== moved.thing && target.title === moved.label) moved.thing.click();
    } else if (target && !target.matches(".held")) {
      target.click();
    } else {
      const back = within("[data-back]");
      if (back) go(back.getAttribute("href"));
    }
  });
  document.addEventListener("pointercancel", () => { drag?.ghost?.remove(); drag = null; });
  document.addEventListener("click", (event) => {
    if (!dropped || !event.isTrusted) return;
    dropped = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  /* ---- a finger beside a small place on a board touches the nearest one to play */
  const FINGER = 44;
  let finger = false;
  document.addEventListener("pointerdown", (event) => { finger = event.pointerType === "touch"; }, true);
  document.addEventListener("click", (event) => {
    const board = event.target.closest("#table .area-board");
    if (!finger || !event.isTrusted || !board || event.target.closest("a, button, summary")) return;
    let nearest = null, least = Infinity;
    for (const place of board.querySelectorAll(".board .open:not(.soft, .refused)")) {
      const box = place.getBoundingClientRect();
      const x = Math.abs(event.clientX - box.left - box.width / 2), y = Math.abs(event.clientY - box.top - box.height / 2);
      const reached = x <= Math.max(FINGER, box.width) / 2 && y <= Math.max(FINGER, box.height) / 2;
      if (reached && Math.hypot(x, y) < least) [nearest, least] = [place, Math.hypot(x, y)];
    }
    nearest?.click();
  });

  /* ---- preview of the option under the pointer */
  function light(event, on) {
    for (const lit of table().querySelectorAll(".lit")) lit.classList.remove("lit");
    if (!on) return;
    const option = event.target.closest?.(".option .do"), thing = event.target.closest?.("[data-of]");
    if (option) for (const each of table().querySelectorAll(`[data-of~="${option.id}"]`)) each.classList.add("lit");
    if (thing) for (const id of thing.dataset.of.split(" ")) document.getElementById(id)?.classList.add("lit");
  }
  for (const [kind, on] of [["mouseover", true], ["focusin", true], ["mouseout", false], ["focusout", false]]) {
    document.addEventListener(kind, (event) => light(event, on));
  }
  document.addEventListener("toggle", (event) => { if (event.target.id === "log") refresh(); }, true);

  refresh();
  listen();
})();
