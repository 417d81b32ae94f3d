// Python in a worker: loads everything once, then answers calls with JSON.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { sizes } from "./settings.json";
import { assembler } from "./assembler.js";

const all = Object.values(sizes).reduce((sum, each) => sum + each, 0);
const LOADED = 60; // percent of the bar for bytes; the rest is for starting
let bytes = 0;
const progress = (percent) => postMessage({ progress: percent });

// Counts the bytes of all files, also of those that Pyodide asks for.
const plain = self.fetch.bind(self);
self.fetch = async (...request) => {
  const answer = await plain(...request);
  if (!answer.body) return answer;
  const counter = new TransformStream({
    transform(part, out) {
      bytes += part.length;
      progress(Math.min(LOADED, (LOADED * bytes) / all));
      out.enqueue(part);
    },
  });
  return new Response(answer.body.pipeThrough(counter), answer);
};

const bytesOf = async (file) => (await fetch(file)).arrayBuffer();

async function start() {
  const [python, packages] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", self.location.href).href }),
    bytesOf("packages.tar.xz"),
  ]);
  progress(70);
  python.unpackArchive(packages, "xztar");
  progress(80);
  const calls = python.pyimport("houserule.ui.site.playground").CALLS;
  progress(100);
  self.fetch = plain; // the bar is of the start alone
  return { python, calls };
}

const starting = start();
starting.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ broken: String(error).slice(-500) }),
);

// ---- loaded when the page is ready: what plays games, and the table

const playing = starting.then(async () => {
  const { default: wabt } = await import("./wabt.js");
  self.houseruleAssemble = await assembler(wabt);
});
const FOLDER = "/tables";
const more = playing.then(async () => {
  const { python } = await starting;
  python.unpackArchive(await bytesOf("table.tar.xz"), "xztar");
});
let tables, saving = Promise.resolve();

async function open(bad) {
  const { python } = await starting;
  await more;
  python.FS.mkdir(FOLDER);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, FOLDER);
  await synced(python, true);
  const page = new URL("./", self.location.href).href;
  return python.pyimport("houserule.ui.site.table").PageTables(FOLDER, page, bad);
}

// Without a store, as in a private window, tables last as long as the page.
const synced = (python, read) => new Promise((resolve) => python.FS.syncfs(read, resolve));

async function save() {
  const { python } = await starting;
  saving = saving.then(() => synced(python, false));
  return saving;
}

const leaving = new Map();

// What a visitor does is saved before it is shown.
async function answer(id, asked, bad) {
  const doing = asked.method === "POST", held = [];
  const tell = (part) => (doing ? held.push(part) : postMessage({ id, ...part }));
  const told = {
    ...asked,
    gone: new Promise((resolve) => leaving.set(id, resolve)),
    begin: (status, headers) => tell({ head: [status, headers] }),
    go_on: (part) => tell({ part }),
  };
  try {
    tables ??= open(bad);
    await (await tables).answer(told);
  } catch (error) {
    console.error(error);
    told.begin(500, []);
  }
  leaving.delete(id);
  if (doing) await save();
  for (const part of [...held, {}]) postMessage({ id, ...part });
  if (!doing) save();
}

self.onmessage = async ({ data: { id, name, args, asked, bad, gone } }) => {
  if (gone) return leaving.get(id)?.();
  if (asked) return answer(id, asked, bad);
  try {
    const { calls } = await starting;
    if (name === "effect") await playing;
    postMessage({ id, found: calls.get(name)(...args) });
  } catch (error) {
    postMessage({ id, error: String(error).slice(-2000) });
  }
};
