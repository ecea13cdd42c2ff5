/** When a page has come to rest, and how much of it moved on the way there. */
import type { Page, Request } from 'playwright-core'
import { soon } from './visit.ts'

/** What a page shows while it waits for its data. */
const waiting = '.bone, .ant-skeleton, .ant-spin-spinning'

/** What the browser's makers call good (Core Web Vitals); a page at rest is drawn once. */
export const shiftLimit = 0.1

declare global {
  interface Window {
    walkShift: number
  }
}

/** Adds up what moved although nobody had touched anything (the browser's own measure). Before the first page. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.walkShift = 0
    const seen = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) window.walkShift += entry.value
    })
    seen.observe({ type: 'layout-shift', buffered: true })
  })
}

/** Follows the page's requests; the answer waits until none is open, nothing is being drawn and no placeholder is left. */
export function watchRest(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  // Behind whatever the page has to do. Its idle time would say the same, but when a page has changed its size Chromium
  // now and then gives it none any more.
  const unfinished = () =>
    page.evaluate(async (busy) => {
      await scheduler.postTask(() => undefined, { priority: 'background' })
      await new Promise(requestAnimationFrame)
      return document.querySelector(busy)?.outerHTML ?? ''
    }, waiting)
  const asked = () => [...open].map((request) => `${request.resourceType()} ${request.url()}`).join()
  // Twice: what the first look finds drawn may just be asking for more.
  const keptBusyBy = async () => asked() || (await unfinished()) || (await unfinished()) || asked()
  return () => soon(keptBusyBy).toBe('')
}

/** From here on what moves is counted anew. */
export const forgetShift = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.walkShift = 0
  })

export interface Measures {
  /** Pixels beyond the right edge. */
  overflow: number
  shift: number
}

export const measure = (page: Page): Promise<Measures> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { overflow: scrollWidth - clientWidth, shift: window.walkShift }
  })
