/** Both branches of offline support (spec 4): the server says in the page whether it is on. */
import { makeSignal } from '#api/signal.ts'

/** A newer version waits; the listener tells the user. */
export const updateReady = makeSignal<void>()

const takeOverMs = 3_000

const pwaOn = () => document.querySelector<HTMLMetaElement>('meta[name="ithings:pwa"]')?.content === 'on'

export async function clearCaches(): Promise<void> {
  if (!('caches' in window)) return
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
}

/** A page that is loaded while one worker takes over from another can hang; one that does not come is not waited for. */
const letTakeOver = (waiting: ServiceWorker): Promise<void> =>
  new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
    setTimeout(resolve, takeOverMs)
    waiting.postMessage({ type: 'SKIP_WAITING' })
  })

/** spec 4: refresh clears caches and reloads the page. */
export async function refreshToNewest(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(import.meta.env.BASE_URL)
  if (registration?.waiting) await letTakeOver(registration.waiting)
  await clearCaches()
  window.location.reload()
}

/** spec 4: with offline support disabled, on secure pages existing workers are unregistered and caches cleared. */
async function removeWorkers(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations()
  const ours = registrations.filter((one) => new URL(one.scope).pathname.startsWith(import.meta.env.BASE_URL))
  await Promise.all(ours.map((one) => one.unregister()))
  await clearCaches()
}

function watchForUpdate(registration: ServiceWorkerRegistration) {
  // The first worker of a browser is no update: nothing was served by an older one.
  const tell = () => {
    if (registration.waiting && navigator.serviceWorker.controller) updateReady.emit()
  }
  tell()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', tell)
  })
}

function addManifestLink() {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = `${import.meta.env.BASE_URL}manifest.webmanifest`
  document.head.append(link)
}

/** Workers exist on secure pages only (https or this machine). */
export function startServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !window.isSecureContext || import.meta.env.DEV) return
  if (!pwaOn()) {
    removeWorkers().catch(reportError)
    return
  }
  addManifestLink()
  const base = import.meta.env.BASE_URL
  navigator.serviceWorker.register(`${base}sw.js`, { scope: base }).then(watchForUpdate, reportError)
}
