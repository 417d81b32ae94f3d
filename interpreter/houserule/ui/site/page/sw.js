// Offline after the first visit: each file of the site is kept when it is first asked for.
// Below `table/`, Python answers: in the tab that has the lock.
// `VERSION`, `FIRST` and `FILES` stand above, written with the site.
const SCOPE = self.registration.scope;
const PREFIX = `houserule ${SCOPE} `;
const NAME = PREFIX + VERSION;
const SITE = new Set(FILES.map((file) => new URL(file, SCOPE).href));
const TABLE = `${SCOPE}table/`;

self.addEventListener("install", (event) =>
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FIRST))));
self.addEventListener("activate", (event) =>
  event.waitUntil((async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((each) => each.startsWith(PREFIX) && each !== NAME).map((each) => caches.delete(each)));
    await self.clients.claim();
  })()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.href.startsWith(TABLE)) return event.respondWith(played(event.request, url));
  url.hash = url.search = "";
  if (event.request.method === "GET" && SITE.has(url.href)) event.respondWith(kept(url.href));
});
self.addEventListener("message", ({ source, ports: [port] }) => port.postMessage(source.id));

async function kept(address) {
  const cache = await caches.open(NAME);
  const found = await cache.match(address);
  if (found) return found;
  const answer = await fetch(address, { cache: "no-cache" });
  if (answer.ok) await cache.put(address, answer.clone());
  return answer;
}

// Returns the tab that answers; there is none for a moment when a page begins or ends.
async function playing() {
  for (let tries = 0; tries < 100; tries += 1) {
    const names = (await navigator.locks.query()).held.map((each) => each.name.split(" "));
    const [, id] = names.find(([name, id]) => name === TABLE && id) ?? [];
    const tab = id && (await self.clients.get(id));
    if (tab) return tab;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// Tables are shown in a frame of this site only: no other site can send a form to them.
async function played(request, url) {
  if (request.destination === "document") return Response.redirect(`${SCOPE}#table/${url.href.slice(TABLE.length)}`);
  const tab = await playing();
  if (!tab) return new Response(null, { status: 503 });
  const asked = {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: [...request.headers],
    body: new Uint8Array(await request.arrayBuffer()),
  };
  const { port1: port, port2 } = new MessageChannel();
  let begin;
  const begun = new Promise((resolve) => (begin = resolve));
  const content = new ReadableStream({
    start: (out) => {
      port.onmessage = ({ data: { head, part } }) => (head ? begin(head) : part ? out.enqueue(part) : out.close());
    },
    cancel: () => port.postMessage("gone"),
  });
  tab.postMessage(asked, [port2]);
  const [status, headers] = await begun;
  return new Response([204, 303, 304].includes(status) ? null : content, { status, headers });
}
