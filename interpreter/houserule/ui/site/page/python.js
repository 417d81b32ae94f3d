// Python in its worker: calls, one at a time, and the table's requests. Each has a limit.
import { seconds } from "./settings.json";

export class Stopped extends Error {}

// `changed` gets the percentage of loading, an error, or true when Python is ready; and
// `stopped` is called when the worker had to be ended.
export function python({ kept, changed, stopped }) {
  const waiting = new Map(); // by number: what to do with an answer
  let worker, last = 0, queue = Promise.resolve(), ready, bad = "";

  function begin() {
    changed(0);
    ready = kept.then(() => new Promise((resolve, reject) => {
      worker = new Worker("worker.js", { type: "module" });
      worker.onmessage = ({ data }) => {
        if (data.id) waiting.get(data.id)?.(data);
        else if (data.progress !== undefined) changed(data.progress);
        else if (data.broken) reject(new Error(data.broken));
        else resolve();
      };
      worker.onerror = (event) => reject(new Error(event.message ?? "worker"));
    }));
    ready.then(() => changed(true), changed);
  }

  function end() {
    worker.terminate();
    bad = stopped();
    const others = [...waiting.values()];
    waiting.clear();
    begin();
    for (const each of others) each({ stopped: true });
  }

  const limited = (factor = 1) => setTimeout(end, factor * seconds * 1000);
  begin();
  return {
    ask(name, ...args) {
      const call = async () => {
        await ready;
        const id = ++last;
        return new Promise((resolve, reject) => {
          const clock = limited();
          waiting.set(id, ({ stopped, error, found }) => {
            clearTimeout(clock);
            waiting.delete(id);
            stopped ? reject(new Stopped()) : error ? reject(new Error(error)) : resolve(found);
          });
          worker.postMessage({ id, name, args });
        });
      };
      const asked = queue.then(call);
      queue = asked.catch(() => {});
      return asked;
    },
    // Passes a request of the service worker on, and its answer back, in parts.
    async pass(asked, port) {
      await ready;
      const id = ++last, clock = limited(2);
      waiting.set(id, ({ stopped, head, part }) => {
        clearTimeout(clock);
        if (stopped) port.postMessage({ head: [503, []] });
        port.postMessage({ head, part });
        if (!head && !part) waiting.delete(id);
      });
      port.onmessage = () => worker.postMessage({ id, gone: true });
      worker.postMessage({ id, asked, bad });
    },
  };
}
