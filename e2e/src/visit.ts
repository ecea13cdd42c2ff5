/**
 * A visit to the console in a fresh browser profile. Whatever a person would never see but a developer should - errors on
 * the browser's console, uncaught errors, requests that leave the installation - fails the walk at its end.
 */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { keptFolder } from './commons.ts'
import { preparePages } from './page-script.ts'
import type { Platform } from './platform.ts'

export const desk = { width: 1440, height: 900 }
export const pocket = { width: 390, height: 844 }

/** How long a walk waits for anything: a machine that does other work meanwhile is slow, not broken. */
export const patience = 120_000

/** Asks again until the matcher is satisfied. */
export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: patience, interval: 100 })

export interface VisitOptions {
  viewport?: { width: number; height: number }
  /** The viewer has chosen the dark theme. */
  dark?: boolean
  /** The system is dark, and the viewer has chosen nothing. */
  darkSystem?: boolean
  /** Complaints that belong to the walk; Chromium reports every refused call as one. */
  allowErrors?: RegExp[]
  /** Origins that the walk leads to, as a person is led to sign in at his company. */
  elsewhere?: string[]
  /** Headers of every request, for instance the address that a proxy would add. */
  headers?: Record<string, string>
  /** Where the viewer lives; without it as this process. */
  timezoneId?: string
  /** Of the browser; without it Chinese. */
  locale?: string
}

/** What Chromium writes to its console when a call is answered with this status. */
export const answered = (...statuses: number[]): RegExp =>
  new RegExp(`Failed to load resource: the server responded with a status of (${statuses.join('|')})`)
/** The bell keeps a live connection on every page: Chromium tells when it cannot be opened again. */
export const unreachable = /Failed to load resource: net::ERR_|WebSocket connection to '\S+\/api\/v1\/live' failed/

function watch(context: BrowserContext, origins: readonly string[], allowed: RegExp[]): () => string[] {
  const complaints: string[] = []
  const complain = (text: string) => {
    if (!allowed.some((pattern) => pattern.test(text))) complaints.push(text)
  }
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => complain(`uncaught: ${error.error().stack ?? error.error().message}`))
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    // decisions.md 4.5: nothing leaves the installation.
    if (protocol.startsWith('http') && !origins.includes(asked)) complaints.push(`foreign request: ${request.url()}`)
  })
  return () => complaints
}

/** The last calls of a visit and their answers, the latest last; what was not answered stands there without one. */
function rememberCalls(context: BrowserContext): () => string[] {
  const calls: { url: string; status: string }[] = []
  context.on('request', async (request) => {
    const call = { url: new URL(request.url()).pathname, status: 'not answered' }
    if (!call.url.startsWith('/api/')) return
    calls.push(call)
    if (calls.length > 8) calls.shift()
    const answer = await request.response().catch(() => null)
    call.status = answer ? String(answer.status()) : 'cut off'
  })
  return () => calls.map(({ url, status }) => `${url} ${status}`)
}

/** What a failed walk leaves behind: a picture of each page for those who have this machine, its words for all others. */
async function describePages(context: BrowserContext): Promise<string[]> {
  const dir = await mkdtemp(join(keptFolder, 'walk-failed-'))
  const described = context.pages().map(async (page, i) => {
    const path = join(dir, `page-${i + 1}.png`)
    await page.screenshot({ path, timeout: 5000 })
    const words = await page.locator('body').innerText({ timeout: 5000 })
    return `${page.url()} (${path}): ${words.replaceAll(/\s+/g, ' ').slice(0, 1500)}`
  })
  const settled = await Promise.allSettled(described)
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : `no picture: ${one.reason}`))
}

/** Opens a browser profile for the running test; it is closed, photographed on failure and judged when the test ends. */
export async function openPage(browser: Browser, platform: Platform, options: VisitOptions = {}): Promise<Page> {
  const { viewport = desk, dark = false, darkSystem = dark, allowErrors = [], elsewhere = [] } = options
  const { headers, timezoneId, locale = 'zh-CN' } = options
  const context = await browser.newContext({
    viewport,
    locale,
    ...(timezoneId && { timezoneId }),
    colorScheme: darkSystem ? 'dark' : 'light',
    // What is measured or clicked must not be on its way somewhere.
    reducedMotion: 'reduce',
    ...(headers && { extraHTTPHeaders: headers }),
  })
  context.setDefaultTimeout(patience)
  await preparePages(context)
  // A page that is nowhere yet keeps nothing.
  if (dark)
    await context.addInitScript(`if (origin !== 'null') localStorage['iThings-preferences'] ??= '{"theme":"dark"}'`)
  const complaints = watch(context, [platform.origin, ...elsewhere], allowErrors)
  const calls = rememberCalls(context)
  onTestFinished(async ({ task }) => {
    const failed = task.result?.state === 'fail' || complaints().length > 0
    const shown = failed ? await describePages(context) : []
    await context.close()
    if (!failed) return
    throw new Error(
      ['The walk ended here:', ...shown, 'Its last calls:', ...calls(), 'Its complaints:', ...complaints()].join('\n'),
    )
  })
  return context.newPage()
}

/** Holds the calls of an endpoint back, as a slow server or line would, until they are released. */
export async function holdCalls(
  page: Page,
  { path }: { path: string },
): Promise<{ asked: Promise<void>; release: () => void }> {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      asked.resolve()
      await gate.promise
      await route.continue()
    },
  )
  return { asked: asked.promise, release: gate.resolve }
}

/** The address of a path of spec 2 on this platform. */
export const addressOf = (platform: Platform, path: string): string =>
  new URL(path.replace(/^\//, ''), platform.consoleUrl).href

/** Goes to another screen as a link of the console does: without loading the page anew. */
export const goInside = (page: Page, platform: Platform, path: string): Promise<void> =>
  page.evaluate(
    (to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    },
    addressOf(platform, path),
  )

/** The same for a walk, which goes on when the other screen is there: until then the one before is still shown. */
export async function goToScreen(page: Page, platform: Platform, path: string, title: string | RegExp): Promise<void> {
  await goInside(page, platform, path)
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}
