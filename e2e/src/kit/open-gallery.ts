/** The kit gallery in a browser: tests of the console's parts run on it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from '#browser.ts'
import { commons } from '#commons.ts'
import { preparePages } from '#page-script.ts'
import { patience } from '#visit.ts'
import { openGalleryServer } from './gallery-server.ts'

export interface Gallery {
  /** One page of the gallery with empty storage, for example `/list/ok?page=2`. */
  open: (path: string, options?: BrowserContextOptions & { dark?: boolean }) => Promise<Page>
  /** The same with a clock that can be stopped. */
  openWithClock: (path: string) => Promise<Page>
  /** What the browser complained about since the start: errors and refused styles or scripts. */
  complaints: string[]
  /** Ends the pages opened so far; call it after each test. */
  rest: () => Promise<void>
  close: () => Promise<void>
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Where a clock that can be stopped begins. */
const noon = Date.UTC(2026, 5, 15, 12)

const common = { viewport: desktop, locale: 'zh-CN', reducedMotion: 'reduce' as const }

/** Pages without wishes share one profile, so that the browser keeps the compiled scripts between them. */
async function openProfile(): Promise<{ profile: BrowserContext; keeper: Page }> {
  const profile = await (await launchBrowser()).newContext(common)
  await preparePages(profile)
  // The profile's window goes with its last page and takes long to open again.
  return { profile, keeper: await profile.newPage() }
}

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

export async function openGallery(): Promise<Gallery> {
  const server = await findServer()
  const browser = await launchBrowser()
  const { profile, keeper } = await openProfile()
  const complaints: string[] = []
  const others: BrowserContext[] = []

  const openContext = async (options: BrowserContextOptions) => {
    const context = await browser.newContext({ ...common, ...options })
    others.push(context)
    await preparePages(context)
    return context
  }
  const open: Gallery['open'] = async (path, { dark = false, ...options } = {}) => {
    const plain = Object.keys(options).length === 0 && !dark
    const context = plain ? profile : await openContext(options)
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      const asset = message.location().url.endsWith('favicon.ico')
      if (message.type() === 'error' && !asset) complaints.push(message.text())
    })
    if (dark) await page.addInitScript(`localStorage.setItem('iThings-preferences', '{"theme":"dark"}')`)
    await page.goto(`${server.url}/gallery.html#${path}`)
    return page
  }
  const openWithClock = async (path: string) => {
    // A profile of its own: the clock belongs to the profile and would stand still for the tests after this one.
    const page = await open(path, { viewport: desktop })
    await page.clock.install({ time: noon })
    await page.reload()
    return page
  }
  const rest = async () => {
    for (const page of profile.pages().filter((one) => one !== keeper)) {
      await page.evaluate('localStorage.clear()')
      await page.close()
    }
    await Promise.all(others.splice(0).map((context) => context.close()))
  }
  const close = async () => {
    await profile.close()
    await server.close()
  }
  return { open, openWithClock, complaints, rest, close }
}

/** From now on the page's clock goes only as far as it is told (`page.clock`). */
export const stopClock = (page: Page): Promise<void> => page.clock.pauseAt(noon + 600_000)

/** The query part behind the gallery's hash. */
export const queryOf = (page: Page): URLSearchParams => new URLSearchParams(page.url().split('?')[1] ?? '')
