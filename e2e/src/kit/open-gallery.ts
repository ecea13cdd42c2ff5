/** The kit gallery in a browser: tests of the console's parts run on it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from '#browser.ts'
import { commons } from '#commons.ts'
import { preparePages } from '#page-script.ts'
import { desk, patience, pocket } from '#visit.ts'
import { openGalleryServer } from './gallery-server.ts'

type Options = BrowserContextOptions & { dark?: boolean; clock?: boolean }

export interface Gallery {
  /** One page of the gallery with empty storage, for example `/list/ok?page=2`; with options it is loaded for it alone. */
  open: (path: string, options?: Options) => Promise<Page>
  /** The same in a pocket. */
  openPocket: (path: string) => Promise<Page>
  /** The same with a clock that can be stopped, loaded for it alone. */
  openWithClock: (path: string) => Promise<Page>
  /** What the browser complained about since the start: errors and refused styles or scripts. */
  complaints: string[]
  /** Ends the pages opened so far; call it after each test. */
  rest: () => Promise<void>
  close: () => Promise<void>
}

/** Where a clock that can be stopped begins. */
export const noon = Date.UTC(2026, 5, 15, 12)

const atDesk: Options = { viewport: desk }
const inPocket: Options = { viewport: pocket }
const common = { locale: 'zh-CN', reducedMotion: 'reduce' as const }

/** A server of its own where a walk is run without what the run has made for all. */
async function findServer(): Promise<{ url: string; close: () => Promise<void> }> {
  if (commons) return { url: commons.galleryUrl, close: async () => undefined }
  const folder = await mkdtemp(join(tmpdir(), 'kit-gallery-'))
  const own = await openGalleryServer(folder)
  const close = async () => {
    await own.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: own.url, close }
}

/** The page as after a load with empty storage, in a tenth of the time. */
async function beginAnew(page: Page, path: string): Promise<Page> {
  await page.evaluate((to) => {
    localStorage.clear()
    history.replaceState(null, '', `#${to}`)
    dispatchEvent(new Event('gallery:anew'))
  }, path)
  return page
}

export async function openGallery(): Promise<Gallery> {
  const server = await findServer()
  const browser = await launchBrowser()
  const complaints: string[] = []
  const contexts: BrowserContext[] = []
  /** Tests without wishes share one for the desk and one for the pocket. */
  const shared = new Map<Options, Page>()

  const load = async (path: string, { dark = false, clock = false, ...options }: Options) => {
    const context = await browser.newContext({ ...common, ...atDesk, ...options })
    contexts.push(context)
    await preparePages(context)
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      const asset = message.location().url.endsWith('favicon.ico')
      if (message.type() === 'error' && !asset) complaints.push(message.text())
    })
    if (dark) await page.addInitScript(`localStorage.setItem('iThings-preferences', '{"theme":"dark"}')`)
    if (clock) await page.clock.install({ time: noon })
    await page.goto(`${server.url}/gallery.html#${path}`)
    return page
  }
  const share = async (path: string, look: Options) => {
    const known = shared.get(look)
    if (known) return beginAnew(known, path)
    const page = await load(path, look)
    shared.set(look, page)
    return page
  }
  const rest = async () => {
    // Where the next test would find something under the pointer.
    for (const page of shared.values()) await page.mouse.move(0, 0)
    const kept = [...shared.values()].map((page) => page.context())
    const over = contexts.filter((one) => !kept.includes(one))
    for (const context of over) {
      contexts.splice(contexts.indexOf(context), 1)
      await context.close()
    }
  }
  const close = async () => {
    for (const context of contexts) await context.close()
    await server.close()
  }
  return {
    open: (path, options) => (options ? load(path, options) : share(path, atDesk)),
    openPocket: (path) => share(path, inPocket),
    // A profile of its own: the clock belongs to the profile and would stand still for the tests after this one.
    openWithClock: (path) => load(path, { clock: true }),
    complaints,
    rest,
    close,
  }
}

/** From now on the page's clock goes only as far as it is told (`page.clock`). */
export const stopClock = (page: Page): Promise<void> => page.clock.pauseAt(noon + 600_000)

/** The query part behind the gallery's hash. */
export const queryOf = (page: Page): URLSearchParams => new URLSearchParams(page.url().split('?')[1] ?? '')
