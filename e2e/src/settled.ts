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
    /** What the browser has seen and not told yet goes into `walkShift`. */
    walkShiftNow: () => void
  }
}

/** Adds up what moved although nobody had touched anything (the browser's own measure). Before the first page. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.walkShift = 0
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) window.walkShift += entry.value
    }
    const seen = new PerformanceObserver((list) => add(list.getEntries()))
    seen.observe({ type: 'layout-shift', buffered: true })
    window.walkShiftNow = () => add(seen.takeRecords())
  })
}

/** Follows the page's requests; the answer waits until none is open, nothing is being drawn and no placeholder is left. */
export function watchRest(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  // Half a second is for a page that has changed its size: Chromium now and then gives it no idle time any more.
  const unfinished = () =>
    page.evaluate(
      (busy) =>
        new Promise<string>((resolve) =>
          requestIdleCallback(
            () => requestAnimationFrame(() => resolve(document.querySelector(busy)?.outerHTML ?? '')),
            { timeout: 500 },
          ),
        ),
      waiting,
    )
  const asked = () => [...open].map((request) => `${request.resourceType()} ${request.url()}`).join()
  // Twice: what the first look finds drawn may just be asking for more.
  const keptBusyBy = async () => asked() || (await unfinished()) || (await unfinished()) || asked()
  return () => soon(keptBusyBy).toBe('')
}

/** From here on what moves is counted anew. */
export const forgetShift = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.walkShiftNow()
    window.walkShift = 0
  })

export interface Measures {
  /** Pixels beyond the right edge. */
  overflow: number
  shift: number
}

export const measure = (page: Page): Promise<Measures> =>
  page.evaluate(() => {
    window.walkShiftNow()
    const { scrollWidth, clientWidth } = document.documentElement
    return { overflow: scrollWidth - clientWidth, shift: window.walkShift }
  })
