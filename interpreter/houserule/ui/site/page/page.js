// The page. Whatever it shows of a rule, a message or a link is text, never HTML.
import { edit } from "./editor.js";
import { packed, unpacked } from "./link.js";
import { python, Stopped } from "./python.js";
import { games, size, start } from "./settings.json";
import { table } from "./table.js";

const $ = (id) => document.getElementById(id);
const show = (id, on) => ($(id).hidden = !on);
const made = (tag, text = "", name = "") => Object.assign(document.createElement(tag), { textContent: text, className: name });
const language = document.documentElement.lang;

// Files come through the service worker from the first visit on, so it keeps all of them.
async function keeping() {
  if (!("serviceWorker" in navigator)) return;
  const claimed = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, 3000);
  });
  const registered = navigator.serviceWorker.register("sw.js").then(() => claimed, () => {});
  if (!navigator.serviceWorker.controller) await registered;
}

const kept = keeping();
const { ask, pass } = python({
  kept,
  changed(state) {
    show("loading", typeof state === "number");
    if (typeof state === "number") $("progress").value = state;
    else if (state !== true) fail(state);
  },
  stopped() {
    show("stopped", true);
    const path = tables.leave();
    if (path) location.hash = "";
    return path;
  },
});
const tables = table({ kept, pass, fail, frame: $("frame"), language });

function fail(error) {
  if (location.hash.startsWith("#table")) location.hash = "";
  show("broken", true);
  $("broken").querySelector("span").textContent = error.message;
}

// ---- messages

const REST = 600; // milliseconds after the last key; then its lines of the rulebook are printed
let turn = 0, sound = false, looking, resting;
const editor = edit($("editor"), $("rule").textContent, changed, fitting);
const own = (message) => message.places.find((place) => place.yours && place.line > 0);

function changed() {
  turn += 1;
  clearTimeout(resting);
  looking ??= look().catch(fail).finally(() => (looking = undefined));
  for (const id of ["shared", "by-hand", "stopped", "broken", "no-link", "no-text"]) show(id, false);
  usable(false);
  waiting("messages", true);
  waiting("book", false);
}

// When the keyboard of a phone opens, the editor and its messages fill what is left.
visualViewport.addEventListener("resize", () => {
  if (document.activeElement === $("editor") && matchMedia("(max-width: 600px)").matches) $("editor").scrollIntoView();
});

async function fitting(...place) {
  try {
    return JSON.parse(await ask("complete", $("game").value, ...place));
  } catch {
    return []; // the next check reports what is wrong
  }
}

function usable(on) {
  sound = on;
  $("measure").disabled = $("play").disabled = !on;
  if (!on) show("sound", false);
}

// Checks the text, and once more if it was changed meanwhile.
async function look() {
  try {
    for (let mine; mine !== turn; ) {
      mine = turn;
      await check(mine, $("game").value, editor.text()).catch((error) => {
        if (!(error instanceof Stopped)) throw error;
      });
    }
  } finally {
    waiting("messages", false);
  }
}

async function check(mine, game, text) {
  const found = JSON.parse(await ask("check", game, text));
  if (mine !== turn) return;
  waiting("messages", false);
  tell(found);
  usable(!found.some((each) => each.severity === "error"));
  show("sound", sound && found.length === 0);
  $("effect").replaceChildren();
  waiting("book", sound);
  show("no-book", !sound);
  if (!sound) print({ new: [], gone: [] }, mine);
  else resting = setTimeout(() => read(mine, game, text), REST);
}

// The next check would wait for the rulebook, so a text that still changes has none.
async function read(mine, game, text) {
  try {
    print(JSON.parse(await ask("book", game, text, language)), mine);
  } catch (error) {
    if (!(error instanceof Stopped)) fail(error);
  } finally {
    if (mine === turn) waiting("book", false);
  }
}

function waiting(id, on) {
  $(id).closest("section").querySelector(".waiting").hidden = !on;
}

function tell(found) {
  editor.mark(found.filter(own).map((each) => ({ ...own(each), severity: each.severity, message: each.message })));
  $("messages").replaceChildren(...found.map(item));
}

function item(message) {
  const li = made("li", "", message.severity), place = own(message);
  if (place) {
    const where = made("button", $("say-line").textContent.replace("{line}", place.line), "where");
    where.onclick = () => editor.go(place.line, place.column - 1);
    li.append(where);
  }
  li.append(made("p", message.message));
  if (place?.text) li.append(made("p", place.text, "small"));
  for (const other of message.places.filter((each) => each !== place && each.quoted)) {
    const where = $("say-elsewhere").textContent.replace("{file}", other.file).replace("{line}", other.line);
    li.append(made("p", `${other.lead || where} `, "small"), made("code", other.quoted));
  }
  for (const each of message.edits) {
    const button = made("button", `${$(each.text ? "say-apply" : "say-remove").textContent} `, "fix");
    button.append(made("code", each.text.trim()));
    button.onclick = () => editor.replace(each);
    li.append(button);
  }
  if (!message.edits.length) for (const each of message.fixes) li.append(made("p", each, "small advice"));
  return li;
}

// ---- effect and rulebook

function print(found, mine) {
  if (mine !== turn) return;
  const { new: added, gone } = found;
  show("no-book", !added.length && !gone.length);
  const rules = added.map(({ says, exact }) => {
    const part = made("div");
    if (says) part.append(made("p", says));
    part.append(made("p", exact.join(" "), says ? "small quiet" : ""));
    return part;
  });
  $("book").replaceChildren(...rules, ...gone.map((each) => made("del", each)));
}

$("measure").onclick = async () => {
  const mine = turn;
  $("measure").disabled = true;
  waiting("effect", true);
  $("effect").replaceChildren();
  show("stopped", false);
  try {
    const told = JSON.parse(await ask("effect", $("game").value, editor.text(), language));
    if (mine === turn) $("effect").replaceChildren(...told.map(chart));
  } catch (error) {
    if (!(error instanceof Stopped)) fail(error);
  } finally {
    waiting("effect", false);
    if (mine === turn) usable(sound);
  }
};

function chart({ sentence, basis, bars }) {
  const part = made("div"), list = made("dl");
  for (const bar of bars) {
    const dd = made("dd", bar.text, "tabular");
    list.append(made("dt", bar.title), drawn(bar), dd);
  }
  part.append(made("p", sentence), made("p", basis, "small quiet"), list);
  return part;
}

function drawn({ low, high, value, seen }) {
  const draw = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, set] of Object.entries(attributes)) node.setAttribute(name, set);
    return node;
  };
  const clip = (number) => Math.max(-1, Math.min(1, number));
  const svg = draw("svg", { viewBox: "-1 0 2 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  if (seen) svg.setAttribute("class", "seen");
  const [left, right] = [clip(low), clip(high)];
  svg.append(
    draw("line", { x1: 0, x2: 0, y1: 0, y2: 1 }),
    draw("rect", { x: left, y: 0.3, width: Math.max(0.02, right - left), height: 0.4, opacity: 0.45 }),
    draw("rect", { x: clip(value) - 0.015, y: 0.1, width: 0.03, height: 0.8 }),
  );
  const cell = made("dd");
  cell.append(svg);
  return cell;
}

// ---- links and files

$("share").onclick = async () => {
  history.replaceState(null, "", await packed($("game").value, editor.text()));
  $("link").value = location.href;
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  show("shared", copied);
  show("by-hand", !copied);
  if (!copied) $("link").select();
};
$("save").onclick = () => {
  const link = made("a");
  link.href = URL.createObjectURL(new Blob([editor.text()], { type: "text/plain" }));
  link.download = `${/^variant\s+(\w+)/m.exec(editor.text())?.[1] ?? "rule"}.rules`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
$("open").onclick = () => $("file").click();
$("file").onchange = async () => {
  const [file] = $("file").files;
  $("file").value = "";
  if (!file) return;
  const text = file.size <= size ? await file.text() : "\0";
  if (/[\0\ufffd]/.test(text)) return show("no-text", true);
  take({ game: /^variant\s+\w+\s+for\s+(\w+)/m.exec(text)?.[1], text });
};
$("begin").onclick = () => take({ game: $("game").value, text: start[$("game").value] });
$("game").onchange = () => $("begin").onclick();
$("back").onclick = () => {
  show("back", false);
  $("begin").focus();
  take(replaced);
};
addEventListener("hashchange", follow);

let now, replaced; // the game of the text, and the last changed text with its game

function take({ game, text }) {
  const old = { game: now, text: editor.text() };
  if (old.text.trim() && !Object.values(start).includes(old.text)) {
    replaced = old;
    show("back", true);
  }
  if (games.includes(game)) $("game").value = game;
  now = $("game").value;
  editor.write(text.replaceAll("\r\n", "\n"));
  if (editor.text() === text) changed();
}

// ---- the table

$("play").onclick = () => {
  tables.play($("game").value, editor.text());
  location.hash = "#table";
};
$("games").onclick = tables.home;

// Shows the table or the house rule, as the address says.
function view() {
  const [, page] = /^#table\/?(.*)/.exec(location.hash) ?? [];
  show("table", page !== undefined);
  document.querySelector("main").inert = page !== undefined;
  if (page !== undefined) tables.open(page);
}

async function follow() {
  view();
  const given = await unpacked(location.hash, games, size);
  if (given) take(given);
  else if (!now) $("begin").onclick();
  show("no-link", !given && /^#(?!table)./.test(location.hash));
}

// Languages have a page each: what is being written goes along.
for (const link of document.querySelectorAll(".tongues a"))
  link.onclick = async (event) => {
    event.preventDefault();
    location.href = link.getAttribute("href") + (await packed($("game").value, editor.text()));
  };

follow();
