// Offline after the first visit: each file of the site is kept when it is first asked for.
// `VERSION` and `FILES` stand above, written with the site.
const PREFIX = `houserule ${self.registration.scope} `;
const NAME = PREFIX + VERSION;
const SITE = new Set(FILES.map((file) => new URL(file, self.registration.scope).href));

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
  url.hash = url.search = "";
  if (event.request.method === "GET" && SITE.has(url.href)) event.respondWith(kept(url.href));
});

async function kept(address) {
  const cache = await caches.open(NAME);
  const found = await cache.match(address);
  if (found) return found;
  const answer = await fetch(address, { cache: "no-cache" });
  if (answer.ok) await cache.put(address, answer.clone());
  return answer;
}
