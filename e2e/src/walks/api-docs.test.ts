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
  await browser?.close()
  if (platform) await discard(platform)
})

test('/api/docs shows every endpoint, complains about nothing and asks no other host', async () => {
  const page = await openPage(browser, platform)
  await page.goto(`${platform.origin}/api/docs`)
  await soon(() => page.locator('.opblock').count()).toBe(allEndpoints.length)
  await page.getByText(listUsers.path, { exact: true }).click()
  await page.getByText('Request body').first().waitFor()
})
