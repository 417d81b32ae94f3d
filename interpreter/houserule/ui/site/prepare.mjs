// Runs `prepare.py` in Pyodide: node prepare.mjs NPM GIVEN MADE GAME…
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [npm, given, made, ...games] = process.argv.slice(2);
const part = (name) => import(pathToFileURL(path.join(npm, name)));
const { loadPyodide } = await part("pyodide/pyodide.mjs");
const { assembler } = await import("./page/assembler.js");
const wabt = (await part("wabt/index.js")).default;
globalThis.houseruleAssemble = await assembler(wabt);
const python = await loadPyodide({
  stdLibURL: path.join(given, "python_stdlib.zip"),
});
python.unpackArchive(new Uint8Array(fs.readFileSync(path.join(given, "packages.zip"))), "wheel");
python.FS.mkdir("/made");
python.FS.mount(python.FS.filesystems.NODEFS, { root: made }, "/made");
python.globals.set("games", python.toPy(games));
const program = fs.readFileSync(new URL("prepare.py", import.meta.url), "utf8");
try {
  await python.runPythonAsync(`${program}\nawait prepare(games)`);
} catch (error) {
  console.error(String(error).slice(-4000));
  process.exit(1);
}
