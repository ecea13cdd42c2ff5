/**
 * The demo fleet as a visitor meets it: by button, whole, alive, and gone without a trace. By command it is loaded and
 * removed in every-route.test.ts.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { openDatabase } from '#database.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { answered, goInside, goToScreen, openPage, pocket } from '#visit.ts'

const settingPath = '/systemMangers/setting/index'
/** On a machine that does other work meanwhile. */
const longest = 600_000

let platform: Platform
let browser: Browser
let before: Record<string, number>
const startedAt = Date.now()
beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  before = await countEverything()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

/** Who signed in and did what stays known; the others are the notebooks of a platform that runs. */
const own = [
  'job',
  'operation_log',
  'login_log',
  'user_session',
  'platform_server',
  'latest_flush',
  'scene_checkpoint',
  'home_work',
]
const minutely = ['home_sample', 'home_message']

/** Rows of every table (minutes since the start are the platform's own) and stored files. */
async function countEverything(): Promise<Record<string, number>> {
  const database = await openDatabase(platform)
  try {
    const tables = await database.query(`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
    const counts: Record<string, number> = {}
    for (const { name } of tables.rows.filter((table) => !own.includes(table.name))) {
      const since = minutely.includes(name) ? `where at < ${startedAt - 60_000}` : ''
      const { rows } = await database.query(`select count(*)::integer as n from "${name}" ${since}`)
      counts[name] = rows[0].n
    }
    const stored = await readdir(join(platform.dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    return { ...counts, files: stored.filter((entry) => entry.isFile()).length }
  } finally {
    await database.end()
  }
}

/** What the issue names, as it lies in the tables. */
async function factsOf() {
  const database = await openDatabase(platform)
  try {
    const { rows } = await database.query(`
      select (select count(*) from product)::integer as products, (select count(*) from product_script)::integer as codecs,
        (select count(*) from device)::integer as devices, (select count(*) from device_group)::integer as groups,
        (select count(*) from scene)::integer as scenes, (select count(*) from ota_task)::integer as upgrades,
        (select array_agg(distinct level order by level) from alarm_record where deal_state = 2) as levels,
        (select count(distinct day) from history_day)::integer as days`)
    return rows[0]
  } finally {
    await database.end()
  }
}
const wholeFleet = {
  products: 5,
  codecs: 1,
  devices: 200,
  groups: expect.toSatisfy((n: number) => n >= 5),
  scenes: expect.toSatisfy((n: number) => n >= 5),
  upgrades: 2,
  levels: [1, 2, 3, 4, 5],
  days: expect.toSatisfy((n: number) => n >= 7),
}

const patient = { timeout: longest, interval: 500 }
const noTraceIsLeft = () => expect.poll(countEverything, patient).toEqual(before)

const card = (page: Page) => page.getByRole('region', { name: '演示数据' })
async function press(page: Page, button: string, answer: RegExp): Promise<void> {
  await card(page).getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: answer }).click()
}
/** On a crowded machine some of the 176 lose their connection for a while. */
async function isOnline(page: Page): Promise<void> {
  await goInside(page, platform, '/home')
  const totals = page.getByRole('navigation', { name: '设备总数' })
  await totals.getByRole('link', { name: /^在线 \S+ 1\d\d / }).waitFor({ timeout: longest })
}

test(
  'a button brings the whole fleet, which is online and obeys; another takes it away without a trace; a phone follows',
  async () => {
    // While 176 devices sign in at the same moment, a busy machine may turn a call away; the screen asks again.
    const page = await openPage(browser, platform, { allowErrors: [answered(503)] })
    await signInAt(page, platform, settingPath)
    await press(page, '加载演示数据', /加\s*载/)
    await card(page).getByText('已加载：5 个产品，200 台设备。').waitFor({ timeout: longest })
    expect(await factsOf()).toEqual(wholeFleet)

    await isOnline(page)
    const call = await makeCaller(platform, administrator)
    const key = { productID: 'DemoPump001', deviceName: 'pump-001' }
    expect((await call(sendProperty, { ...key, data: '{"targetPressure":0.5}' })).code).toBe(200)

    const phone = await openPage(browser, platform, { viewport: pocket, dark: true, allowErrors: [answered(503)] })
    await signInAt(phone, platform, settingPath)
    await card(phone).getByText('已加载：5 个产品，200 台设备。').waitFor()
    await phone.close()

    await goToScreen(page, platform, settingPath, /^系统设置/)
    await press(page, '移除演示数据', /移\s*除/)
    await card(page).getByRole('button', { name: '加载演示数据' }).waitFor({ timeout: longest })
    await noTraceIsLeft()
    const again = await openPage(browser, platform, { viewport: pocket, dark: true })
    await signInAt(again, platform, settingPath)
    await card(again).getByRole('button', { name: '加载演示数据' }).waitFor()
  },
  longest * 4,
)
