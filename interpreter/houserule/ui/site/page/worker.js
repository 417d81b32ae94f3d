// Python in a worker: loads everything once, then answers calls with JSON.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { sizes } from "./settings.json";
import wabtModule from "wabt";

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

async function start() {
  const [python, wabt, packages] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", self.location.href).href }),
    wabtModule(),
    fetch("packages.zip").then((answer) => answer.arrayBuffer()),
  ]);
  progress(70);
  python.unpackArchive(packages, "wheel");
  self.houseruleAssemble = (text) => {
    const module = wabt.parseWat("module.wat", text, { threads: true });
    try {
      return module.toBinary({}).buffer;
    } finally {
      module.destroy();
    }
  };
  progress(80);
  const calls = python.pyimport("houserule.ui.site.playground").CALLS;
  progress(100);
  return calls;
}

const starting = start();
starting.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ broken: String(error).slice(-500) }),
);
self.onmessage = async ({ data: { id, name, args } }) => {
  try {
    const calls = await starting;
    postMessage({ id, found: calls.get(name)(...args) });
  } catch (error) {
    postMessage({ id, error: String(error).slice(-2000) });
  }
};
