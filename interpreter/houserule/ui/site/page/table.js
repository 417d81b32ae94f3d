// The table: a frame with its pages, which Python answers through the service worker.
const TABLE = new URL("table/", location.href.replace(/[?#].*/, "")).href;

export function table({ kept, pass, fail, frame, language }) {
  // Without the service worker, the host of the files would answer that it has no such page.
  const served = serve({ kept, pass, language });
  const when = (then) => served.then((on) => (on ? then() : fail(new Error("no service worker"))));
  const home = `${TABLE}?lang=${language}`;
  const go = (address) => when(() => frame.contentWindow.location.replace(address));
  let shown = false;
  frame.onload = () => (frame.previousElementSibling.hidden = frame.contentWindow.location.href.startsWith(TABLE));
  return {
    home: () => go(home),
    // Shows a page below `table/`; without one, the last one.
    open(page) {
      const href = URL.canParse(page, TABLE) ? new URL(page, TABLE).href : "";
      if (page && href.startsWith(TABLE)) go(href);
      else if (!shown) go(home);
      shown = true;
    },
    // Opens the game's house rules with a text of the visitor's own.
    play(game, text) {
      shown = true;
      const form = Object.assign(document.createElement("form"), {
        method: "post", enctype: "multipart/form-data", target: frame.name, hidden: true,
        action: `${TABLE}new/${game}/own?lang=${language}`,
      });
      form.append(Object.assign(document.createElement("textarea"), { name: "text", value: text }));
      document.body.append(form);
      when(() => form.submit()).then(() => form.remove());
    },
    // Leaves the page that took too long, and returns its path.
    leave() {
      const { href, pathname } = frame.contentWindow.location;
      if (!href.startsWith(TABLE)) return "";
      go(home);
      return pathname;
    },
  };
}

// Returns whether there is a service worker. One tab answers for all; when it is closed, the next one does. Its lock has its number.
async function serve({ kept, pass, language }) {
  await kept;
  const { controller } = navigator.serviceWorker ?? {};
  if (!controller) return false;
  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    data.headers.push(["accept-language", language]);
    pass(data, port);
  });
  const { port1, port2 } = new MessageChannel();
  const told = new Promise((resolve) => (port1.onmessage = resolve));
  controller.postMessage("who", [port2]);
  const { data } = await told, forever = new Promise(() => {});
  navigator.locks.request(TABLE, () => navigator.locks.request(`${TABLE} ${data}`, () => forever));
  return true;
}
