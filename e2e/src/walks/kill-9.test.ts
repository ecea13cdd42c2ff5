/** kill -9 in the middle of work: start again on the same data folder and go on (decisions.md 4.1). */
import { createRole } from '@ithings/contract/features/roles.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { databasePid } from '#database.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { accountMenu, administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { answered, openPage, soon, unreachable } from '#visit.ts'

let platform: Platform
let browser: Browser
let page: Page

beforeAll(async () => {
  platform = await startPlatform({ ownDatabase: true, env: knownAdmin })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})
beforeEach(async () => {
  page = await openPage(browser, platform, { allowErrors: [unreachable, answered(503)] })
  await signInAt(page, platform, '/systemMangers/role/index')
})

const refresh = () => page.getByRole('button', { name: '刷新' }).click()
const token = () => page.evaluate(() => localStorage.getItem('iThings-token'))
const again = () => startPlatform({ dataDir: platform.dataDir, env: { PORT: new URL(platform.origin).port } })

/** What the server answered with success is there, and the same session goes on. */
async function goesOn(roleName: string, sessionToken: string | null) {
  await refresh()
  await page.getByRole('row', { name: new RegExp(roleName) }).waitFor()
  await page.reload()
  await accountMenu(page).waitFor()
  await page.getByRole('row', { name: new RegExp(roleName) }).waitFor()
  expect(await token()).toBe(sessionToken)
}

test('the server is killed: the page says so, keeps its data and works again after the next start', async () => {
  const sessionToken = await token()
  const call = await makeCaller(platform, administrator)
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  await call(createRole, { name: '断电前的角色' })
  await platform.kill('SIGKILL')

  await refresh()
  // spec 8: no response.
  await page.getByText('网络异常', { exact: true }).waitFor()
  await page.getByText('您的网络发生异常，无法连接服务器').first().waitFor()
  expect(await page.getByRole('row', { name: /供应商/ }).count()).toBe(1)

  platform = await again()
  expect(platform.printedPassword).toBeUndefined()
  await goesOn('断电前的角色', sessionToken)
})

test('server and PostgreSQL are killed: nothing that was answered is lost', async () => {
  const sessionToken = await token()
  const call = await makeCaller(platform, administrator)
  await call(createRole, { name: '停机前的角色' })
  const database = await databasePid(platform)
  await platform.kill('SIGKILL')
  process.kill(database, 'SIGKILL')

  platform = await again()
  await goesOn('停机前的角色', sessionToken)
})

test('only PostgreSQL is killed: the server brings it back by itself', async () => {
  const before = await databasePid(platform)
  const call = await makeCaller(platform, administrator)
  await call(createRole, { name: '数据库重启前' })
  process.kill(before, 'SIGKILL')

  // decisions.md 4.1: a killed PostgreSQL is restarted.
  await soon(() => databasePid(platform)).not.toBe(before)
  await soon(async () => (await fetch(`${platform.origin}/readyz`)).status).toBe(200)
  await goesOn('数据库重启前', await token())
})
