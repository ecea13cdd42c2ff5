/** Tokens are renewed while somebody works (spec 7; decisions.md 2 "Token renewal"). */
import { listRoles } from '@ithings/contract/features/roles.ts'
import { readResources } from '@ithings/contract/features/users.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { accountMenu, knownAdmin, signInAt, signInButton } from '#sign-in.ts'
import { answered, openPage, soon } from '#visit.ts'

const lifeSeconds = 6

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: { ...knownAdmin, TOKEN_LIFE: String(lifeSeconds) } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  if (platform) await discard(platform)
})

const stored = (page: Page) =>
  page.evaluate(() => ({
    token: localStorage.getItem('iThings-token'),
    alternate: localStorage.getItem('iThingsSetToken'),
  }))

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
  await signInAt(page, platform, '/systemMangers/role/index')
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

test('an idle session ends with its token, and the next page is the login', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(401)] })
  await signInAt(page, platform, '/systemMangers/role/index')
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  await soon(async () => Date.now() / 1000 - expiryOf((await stored(page)).token ?? '')).toBeGreaterThan(1)
  const refused = page.waitForResponse((response) => response.url().endsWith(readResources.path))
  await page.reload()
  expect((await refused).status()).toBe(401)
  await signInButton(page).waitFor()
})
