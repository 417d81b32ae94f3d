// Runs a Python program in Pyodide: node run.mjs PARTS PROGRAM WHEEL…
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [parts, program, ...wheels] = process.argv.slice(2);
const part = (name) => import(pathToFileURL(path.join(parts, "node_modules", name)));
const { loadPyodide } = await part("pyodide/pyodide.mjs");
const wabt = await (await part("wabt/index.js")).default();
globalThis.houseruleAssemble = (text) => {
  const module = wabt.parseWat("module.wat", text, { threads: true });
  try {
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
};
const python = await loadPyodide();
for (const wheel of wheels)
  python.unpackArchive(new Uint8Array(fs.readFileSync(wheel)), "wheel");
try {
  await python.runPythonAsync(fs.readFileSync(program, "utf8"));
} catch (error) {
  console.error(String(error).slice(-4000));
  process.exit(1);
}
