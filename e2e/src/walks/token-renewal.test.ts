/** Tokens are renewed while somebody works (spec 7; decisions.md 2 "Token renewal"). */
import { listRoles } from '@ithings/contract/features/roles.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { accountMenu, knownAdmin, signInByForm } from '#sign-in.ts'
import { openPage, soon } from '#visit.ts'

/** Short enough to wait for, long enough that a slow machine asks twice within half of it. */
const lifeSeconds = 16

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: { ...knownAdmin, TOKEN_LIFE: String(lifeSeconds) } })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const expiryOf = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')).exp

/** Asks the list again, as a person does who works; answers the token header of the response. */
async function work(page: Page): Promise<string | undefined> {
  const answer = page.waitForResponse((response) => response.url().endsWith(listRoles.path))
  await page.getByRole('button', { name: '刷新' }).click()
  const response = await answer
  expect(response.status()).toBe(200)
  return response.headers()['ithings-set-token']
}

/** Every write to the browser's storage, in order: a later answer would wipe out what one read could see. */
async function recordWrites(page: Page) {
  await page.addInitScript(() => {
    const writes: [string, string][] = []
    const write = Storage.prototype.setItem
    Storage.prototype.setItem = function (key, value) {
      writes.push([key, value])
      write.call(this, key, value)
    }
    Object.assign(window, { writes })
  })
  return () => page.evaluate(() => (window as unknown as { writes: [string, string][] }).writes)
}

test('somebody who works past the life of the first token stays signed in', async () => {
  const page = await openPage(browser, platform)
  const writes = await recordWrites(page)
  await signInByForm(page, platform, '/systemMangers/role/index')
  const first = (await writes()).find(([key]) => key === 'iThings-token')?.[1] ?? ''
  const firstExpiry = expiryOf(first)

  await soon(async () => {
    await work(page)
    return Date.now() / 1000
  }).toBeGreaterThan(firstExpiry + 1)

  const tokens = (await writes()).filter(([key]) => key === 'iThings-token' || key === 'iThingsSetToken')
  const renewal = tokens.findIndex(([key, token]) => key === 'iThings-token' && token !== first)
  const renewed = tokens[renewal]?.[1] ?? ''
  expect(expiryOf(renewed)).toBeGreaterThan(firstExpiry)
  // The renewed token is kept under both keys; a response without the header empties only the alternate one.
  expect(tokens[renewal + 1]).toEqual(['iThingsSetToken', renewed])
  expect(tokens.slice(renewal)).toContainEqual(['iThingsSetToken', ''])
  expect(tokens.every(([key, token]) => key !== 'iThings-token' || token !== '')).toBe(true)

  await page.reload()
  await accountMenu(page).waitFor()
})
