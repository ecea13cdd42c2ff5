/**
 * Offline support: keeps the files of the console in the browser, and its page as last seen, with the headers it came
 * with: each answer has a nonce of its own. The build writes `kept`, the paths of the files, in front of it
 * (service-worker.ts). Written by hand, because the usual library for it brings three hundred packages.
 */
const files = 'files'
const pages = 'pages'
const mostPages = 20
/** A page that takes longer is shown as last seen. */
const patienceMs = 5000

const urls = new Set(kept.map((path) => new URL(path, self.registration.scope).href))

/** Names of assets change with their content; whatever keeps its name is asked for anew. */
async function keepFiles() {
  const cache = await caches.open(files)
  const known = new Set((await cache.keys()).map(({ url }) => url))
  const missing = [...urls].filter((url) => !known.has(url) || !url.includes('/assets/'))
  await cache.addAll(missing.map((url) => new Request(url, { cache: url.includes('/assets/') ? 'default' : 'reload' })))
}

/** Not before this version takes over: until then pages of the one before need theirs. */
async function dropOldFiles() {
  const cache = await caches.open(files)
  for (const { url } of await cache.keys()) if (!urls.has(url)) await cache.delete(url)
  // Of versions before 2026-11, which had a library for all this.
  for (const name of await caches.keys()) if (name.startsWith('workbox-')) await caches.delete(name)
}

/** Nothing is put back that is missing: who cleared the caches may have done so for good. */
const sendFile = async (request) =>
  (await caches.match(request.url, { cacheName: files, ignoreVary: true })) ?? fetch(request)

async function keepPage({ url }, answer) {
  if (!answer.ok) return
  const cache = await caches.open(pages)
  await cache.put(url, answer)
  const known = await cache.keys()
  for (const old of known.slice(0, -mostPages)) await cache.delete(old)
}

async function sendPage(event) {
  const asked = fetch(event.request)
  event.waitUntil(asked.then((answer) => keepPage(event.request, answer.clone())).catch(() => undefined))
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs))
  const inTime = await Promise.race([asked, late]).catch(() => undefined)
  return inTime ?? (await caches.match(event.request.url, { cacheName: pages, ignoreVary: true })) ?? asked
}

self.addEventListener('install', (event) => event.waitUntil(keepFiles()))
self.addEventListener('activate', (event) => event.waitUntil(dropOldFiles()))
self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') self.skipWaiting()
})
self.addEventListener('fetch', (event) => {
  const { method, url, mode } = event.request
  if (method !== 'GET') return
  if (urls.has(url)) event.respondWith(sendFile(event.request))
  else if (mode === 'navigate') event.respondWith(sendPage(event))
})
