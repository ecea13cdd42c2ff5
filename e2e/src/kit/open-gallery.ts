/** The kit gallery, built into a temporary folder and served: browser tests of the console's parts run on it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { build, preview } from 'vite'
import { expect } from 'vitest'
import { launchBrowser } from '#browser.ts'

const configFile = fileURLToPath(new URL('../../../apps/console/gallery.vite.config.ts', import.meta.url))

export interface Gallery {
  browser: Browser
  /** One page of the gallery with empty storage, for example `/list/ok?page=2`. */
  open: (path: string, options?: BrowserContextOptions & { dark?: boolean }) => Promise<Page>
  /** What the browser complained about since the start: errors and refused styles or scripts. */
  complaints: string[]
  /** Ends the pages opened so far; call it after each test. */
  rest: () => Promise<void>
  close: () => Promise<void>
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

export async function openGallery(): Promise<Gallery> {
  const outDir = await mkdtemp(join(tmpdir(), 'kit-gallery-'))
  await build({ configFile, logLevel: 'error', build: { outDir } })
  const server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1', strictPort: false },
  })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error('the gallery has no port')
  const browser = await launchBrowser()
  const complaints: string[] = []

  // Pages without wishes share one profile, so that the browser keeps the compiled scripts between them.
  const common = { viewport: desktop, locale: 'zh-CN', reducedMotion: 'reduce' as const }
  let shared: BrowserContext | undefined

  const open: Gallery['open'] = async (path, { dark = false, ...options } = {}) => {
    const plain = Object.keys(options).length === 0 && !dark
    if (plain) shared ??= await browser.newContext(common)
    const context = plain && shared ? shared : await browser.newContext({ ...common, ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      const asset = message.location().url.endsWith('favicon.ico')
      if (message.type() === 'error' && !asset) complaints.push(message.text())
    })
    if (dark) await page.addInitScript(`localStorage.setItem('iThings-preferences', '{"theme":"dark"}')`)
    await page.goto(`http://127.0.0.1:${address.port}/gallery.html#${path}`)
    return page
  }
  const rest = async () => {
    for (const page of shared?.pages() ?? []) {
      await page.evaluate('localStorage.clear()')
      await page.close()
    }
    const others = browser.contexts().filter((context) => context !== shared)
    await Promise.all(others.map((context) => context.close()))
  }
  const close = async () => {
    await browser.close()
    await server.close()
    await rm(outDir, { recursive: true, force: true })
  }
  return { browser, open, complaints, rest, close }
}

/** The query part behind the gallery's hash. */
export const queryOf = (page: Page): URLSearchParams => new URLSearchParams(page.url().split('?')[1] ?? '')

/** A condition that comes true soon: the machine may be busy, so the limit is generous. */
export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })
