/** The API page works without the Internet (decisions.md 4.5; additions, OpenAPI). */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { listUsers } from '@ithings/contract/features/users.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { openPage, soon } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform()
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

test('/api/docs shows every endpoint, complains about nothing and asks no other host', async () => {
  const page = await openPage(browser, platform)
  await page.goto(`${platform.origin}/api/docs`)
  // Beyond a hundred operations the page draws only those in sight: look at all of them on the way down.
  const seen = new Set<string>()
  await soon(async () => {
    const paths = await page
      .locator('.opblock [data-path]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-path')))
    for (const path of paths) if (path) seen.add(path)
    // From above again: what is passed by too quickly is not drawn.
    await page.evaluate(() => {
      const { scrollTop, clientHeight, scrollHeight } = document.documentElement
      window.scrollTo(0, scrollTop + clientHeight < scrollHeight - 1 ? scrollTop + 400 : 0)
    })
    return seen.size
  }).toBe(allEndpoints.length)
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.locator(`.opblock [data-path="${listUsers.path}"]`).click()
  await page.getByText('Request body').first().waitFor()
})
