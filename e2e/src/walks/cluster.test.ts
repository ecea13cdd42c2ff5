/** Two servers on one database: both are shown, one is drained by a person and restored (screens.md 32). */
import { join } from 'node:path'
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { openDatabase } from '#database.ts'
import { connectDevice, type DeviceKey } from '#device.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { templateKey } from '#program.ts'
import { act, confirmWith, row, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { desk, goToScreen, openPage, pocket, soon } from '#visit.ts'

const path = '/systemMangers/cluster/index'
const shots = process.env.SHOTS
let first: Platform
let second: Platform | undefined
let alone: Platform | undefined
let browser: Browser
let call: Caller
let key: DeviceKey

beforeAll(async () => {
  first = await startPlatform({ ownProcess: true, env: { ...knownAdmin, DRAIN_SECONDS: '2' } })
  browser = await launchBrowser()
  call = await makeCaller(first, administrator)
  const { productID } = await call(createProduct, { productName: '一体化预制泵站' })
  key = { productID, deviceName: 'PS-001' }
  await call(createDevice, key)
})
afterAll(async () => {
  if (alone) await discard(alone)
  if (second) await discard(second)
  if (first) await discard(first)
})

const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
}

test('the only server is drained by who types its name, and says that nobody can take its devices', async () => {
  const page = await openPage(browser, first)
  await signInAt(page, first, path)
  await row(page, /^0 号/).getByText('服务中').waitFor()
  await page.getByText('fsync 已关闭').waitFor()
  await act(page, /^0 号/, '排空')
  const asked = page.getByRole('dialog').filter({ hasText: '没有其他服务器可以接收设备' })
  expect(await asked.getByRole('button', { name: '排空', exact: true }).isDisabled()).toBe(true)
  await asked.getByRole('button', { name: '取消', exact: true }).click()
})

test('a second server appears by itself; the first is drained, its device goes, and it is restored', async () => {
  const page = await openPage(browser, first)
  await signInAt(page, first, path)
  await row(page, /^0 号/).waitFor()
  second = await startPlatform({
    ownDatabase: true,
    env: { ...knownAdmin, ...templateKey, DATABASE_URL: first.databaseUrl ?? '', DRAIN_SECONDS: '2' },
  })
  await row(page, /^1 号/).getByText('服务中').waitFor()
  const device = await connectDevice(first, call, key)
  const gone = new Promise<void>((resolve) => device.client.once('close', () => resolve()))
  await soon(() => row(page, /^0 号/).innerText()).toMatch(/\t1\t/)

  await act(page, /^0 号/, '排空')
  await confirmWith(page, '它的 1 台设备会陆续断开，连接到其余 1 台服务器', '排空')
  await told(page, '已开始排空')
  await gone
  await row(page, /^0 号/).getByText('已排空').waitFor()
  await soon(async () => (await fetch(`${first.origin}/readyz`)).status).toBe(503)
  await shoot(page, 'cluster-drained')
  const back = await connectDevice(second, call, key)

  await act(page, /^0 号/, '恢复')
  await confirmWith(page, '它会重新接收设备', '恢复')
  await row(page, /^0 号/).getByText('服务中').waitFor()
  await soon(async () => (await fetch(`${first.origin}/readyz`)).status).toBe(200)
  await back.end()

  await goToScreen(page, first, '/systemMangers/setting/index', '系统设置')
  // The database of the walks does not wait for its disk.
  await page.getByText('fsync 已关闭').waitFor()
  await shoot(page, 'settings')
  await page.getByRole('link', { name: '查看集群' }).click()
  await page.getByRole('heading', { name: '集群', level: 1 }).waitFor()
})

test('it fits a desk and a pocket, by day and by night', async () => {
  for (const [size, viewport] of Object.entries({ desk, pocket })) {
    for (const dark of [false, true]) {
      const page = await openPage(browser, first, { viewport, dark })
      const theme = dark ? 'dark' : 'light'
      await signInAt(page, first, path)
      await page.getByRole('heading', { name: '数据库', level: 2 }).waitFor()
      await page.getByText('服务中').first().waitFor()
      const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
      expect(await page.evaluate(tooWide), `${size} ${theme}`).toBe(0)
      await shoot(page, `cluster-${size}-${theme}`)
    }
  }
})

test('a server with other settings is shown with both values, while it lives', async () => {
  const database = await openDatabase(first)
  const settings = { NATS_URL: 'nats.example:4222' }
  const facts = JSON.stringify({ node: 7, name: 'stranger', settings })
  await database.query(`insert into platform_server (server_id, seen_at, facts) values ('stranger', $1, $2)`, [
    Date.now() + 3_600_000,
    facts,
  ])
  const page = await openPage(browser, first, { viewport: pocket })
  await signInAt(page, first, path)
  const warning = page.getByRole('alert').filter({ hasText: 'NATS_URL 不一致' })
  await warning.filter({ hasText: '7 号 stranger nats.example:4222' }).waitFor()
  await shoot(page, 'cluster-disagreement')
  await soon(async () => (await fetch(`${first.origin}/readyz`)).status).toBe(503)
  await database.query(`delete from platform_server where server_id = 'stranger'`)
  await database.end()
  await warning.waitFor({ state: 'detached' })
  await soon(async () => (await fetch(`${first.origin}/readyz`)).status).toBe(200)
})

test('with the embedded database there is one server and nothing to drain to', async () => {
  alone = await startPlatform({ ownDatabase: true, env: knownAdmin })
  const page = await openPage(browser, alone)
  await signInAt(page, alone, path)
  await row(page, /^0 号/).getByText('服务中').waitFor()
  await page.getByText('没有可以接收设备的服务器，不能排空').waitFor()
  await page.getByText('已确认 = 写入一台机器').waitFor()
  expect(await page.getByRole('button', { name: '排空' }).count()).toBe(0)
  await shoot(page, 'cluster-alone')
})
