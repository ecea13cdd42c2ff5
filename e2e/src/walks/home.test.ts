/** The large screen (spec 2 /home, screens.md 2): its figures move with the devices, and each leads to its list. */
import { AlarmLevel, AlarmStatus, addScenes, createAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { readHomeAttention } from '@ithings/contract/features/home.ts'
import { createConfig, pushAllConfig } from '@ithings/contract/features/remote-config.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { updateSettings } from '@ithings/contract/features/settings.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { exported, sheetOf } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { makePlant, productID, productName } from '#pump-plant.ts'
import { row } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { simulate } from '#simulated.ts'
import { addressOf, answered, openPage, pocket, soon } from '#visit.ts'

const homePath = '/home'
const wall = { width: 1920, height: 1080 }
const cities = [
  { deviceName: 'P-BJ', deviceAlias: '朝阳一号泵', position: { longitude: 116.4, latitude: 39.9 } },
  { deviceName: 'P-SH', deviceAlias: '闵行二号泵', position: { longitude: 121.47, latitude: 31.23 } },
  { deviceName: 'P-GZ', deviceAlias: '天河三号泵', position: { longitude: 113.26, latitude: 23.13 } },
]

let platform: Platform
let browser: Browser
let call: Caller

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const title = (page: Page) => page.getByRole('heading', { name: '设备运行总览', level: 1 })
const totals = (page: Page) => page.getByRole('navigation', { name: '设备总数' })
const total = (page: Page, name: RegExp) => totals(page).getByRole('link', { name })
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('an empty platform says what is missing and where to begin', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, homePath)
  await title(page).waitFor()
  await page.getByText('还没有设备', { exact: true }).waitFor()
  // Whoever begins here is led as on the product list.
  const card = page.getByRole('region', { name: '接入第一台设备' })
  await soon(() => card.getByRole('status').textContent()).toBe('已完成 0 / 5')
  expect(await page.locator('.home').textContent()).not.toContain('NaN')
  await page.getByRole('link', { name: '去新增产品' }).click()
  await page.getByRole('heading', { name: '产品', level: 1 }).waitFor()
})

test('figures move when a device connects and goes; a figure leads to its filtered list', async () => {
  await makePlant(call)
  for (const device of cities) await call(createDevice, { productID, ...device })
  // Days of totals are those of the settings; whoever lives in another zone is told whose.
  await call(updateSettings, { timeZone: 'Pacific/Marquesas' })
  onTestFinished(async () => void (await call(updateSettings, { timeZone: '' })))
  const page = await openPage(browser, platform, { viewport: wall })
  await signInAt(page, platform, homePath)
  await total(page, /^设备总数 3 /).waitFor()
  await total(page, /^在线 \S+ 0 /).waitFor()
  await total(page, /^未激活 \S+ 3 /).waitFor()
  await page.getByRole('link', { name: '今日（UTC-9:30）新增 0' }).waitFor()

  const device = await simulate(platform, call, { productID, deviceName: 'P-BJ' })
  onTestFinished(() => device.stop())
  await total(page, /^在线 33.3% 1 /).waitFor()
  await page
    .getByRole('region', { name: '按状态' })
    .getByRole('link', { name: /在线\s*1/ })
    .waitFor()

  await total(page, /^在线 \S+ 1 /).click()
  await page.waitForURL(/deviceMangers\/device\/index\?status=1/)
  await row(page, /P-BJ/).waitFor()
  await soon(() => row(page, /P-SH/).count()).toBe(0)

  await page.goBack()
  await device.stop()
  await total(page, /^离线 \S+ 1 /).waitFor()
})

test('a place of the map is one device, its product filters the map, the legend hides a state', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, homePath)
  const map = page.getByRole('region', { name: '设备分布地图' })
  const shanghai = map.getByRole('link', { name: /^闵行二号泵：1 台/ })
  await shanghai.waitFor()
  await page.getByRole('button', { name: productName, exact: true }).click()
  await shanghai.waitFor()
  const inactive = page.getByRole('list', { name: '按状态筛选地图' }).getByRole('button', { name: '未激活' })
  await inactive.click()
  await shanghai.waitFor({ state: 'hidden' })
  const places = page.getByRole('button', { name: '导出「设备分布」' })
  const shown = await exported(page, places, 'CSV')
  expect(shown.text.split(/\r?\n/)[0]).toMatch(/经度,纬度,城市,在线,离线,告警级别,设备名称$/)
  await inactive.click()
  await shanghai.waitFor()
  const all = sheetOf((await exported(page, places, 'Excel (XLSX)')).bytes)
  expect(all.map(({ 设备名称 }) => 设备名称).toSorted()).toEqual(['P-BJ', 'P-GZ', 'P-SH'])
  expect(all).toContainEqual(expect.objectContaining({ 设备名称: 'P-SH', 城市: '上海', 未激活: '1', 在线: '0' }))
  await map.getByRole('button', { name: '放大' }).click()
  await map.getByRole('button', { name: '回到全国' }).click()
  await shanghai.click()
  await page.waitForURL(/deviceMangers\/device\/detail\/PumpStation\/P-SH\/1/)
  await page.getByRole('heading', { name: /闵行二号泵/, level: 1 }).waitFor()
})

test('an alarm is on the screen by itself, and leads to the queue with its record', async () => {
  const alias = '天河三号泵'
  const device = await simulate(platform, call, { productID, deviceName: 'P-GZ' })
  onTestFinished(() => device.stop())
  const { id: sceneID } = await call(createScene, {
    name: '超温触发',
    status: 1,
    triggerType: 'device',
    trigger: JSON.stringify({
      device: [
        {
          productID,
          selector: 'all',
          operator: 'reportProperty',
          operationSchema: { dataID: ['pump_temp'], termType: 'gt', values: ['80'] },
        },
      ],
    }),
    when: '[]',
    then: JSON.stringify([{ executor: 'alarm', alarm: { mode: 'trigger' } }]),
  })
  const { id: alarmID } = await call(createAlarm, {
    name: '水泵超温',
    level: AlarmLevel.critical,
    status: AlarmStatus.enabled,
  })
  await call(addScenes, { alarmID, sceneIDs: [sceneID] })
  const page = await openPage(browser, platform)
  await signInAt(page, platform, homePath)
  const panel = page.getByRole('region', { name: '未处理告警' })
  await panel.getByText('没有未处理的告警').waitFor()
  device.report({ pump_temp: 95 })
  await panel.getByRole('link', { name: /水泵超温.*天河三号泵/ }).waitFor()
  await panel.getByRole('link', { name: /^超紧急\s*1$/ }).waitFor()
  await panel.getByRole('button', { name: '告警最多的设备' }).click()
  await panel.getByRole('link', { name: new RegExp(alias) }).waitFor()
  await panel.getByRole('link', { name: /^超紧急\s*1$/ }).click()
  await page.waitForURL(/alarmConfiguration\/log\?levels=5/)
  await row(page, /水泵超温/).waitFor()
})

test('the screen fills the window by its button and gives it back with Escape', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, homePath)
  await page.getByRole('button', { name: '全屏显示' }).click()
  await page.waitForURL(/home\?full=1/)
  await soon(() => page.locator('.home').boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440 })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '全屏显示' }).waitFor()
  expect(new URL(page.url()).search).toBe('')

  // Escape belongs to the dialog that is open above it.
  await page.goto(addressOf(platform, `${homePath}?full=1`))
  await total(page, /^设备总数 3 /).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: '全局搜索' }).waitFor()
  await page.keyboard.press('Escape')
  await soon(() => page.getByRole('dialog', { name: '全局搜索' }).count()).toBe(0)
  expect(new URL(page.url()).search).toBe('?full=1')
})

test('a panel that fails says so alone and comes back by its button', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(500)] })
  let broken = true
  await page.route(`**${readHomeAttention.path}`, (route) =>
    broken ? route.fulfill({ status: 500, json: { code: 100_001, msg: '数据库错误' } }) : route.continue(),
  )
  await signInAt(page, platform, homePath)
  await total(page, /^设备总数 3 /).waitFor()
  const panel = page.getByRole('region', { name: '需要关注' })
  await panel.getByText('需要关注的设备加载失败').waitFor()
  broken = false
  await panel.getByRole('button', { name: /重试/ }).click()
  await panel.getByText('没有长期离线、升级失败或静默的设备').waitFor()
})

test('in a pocket everything is below each other and nothing runs over the edge', async () => {
  const page = await openPage(browser, platform, { viewport: pocket })
  await signInAt(page, platform, homePath)
  await total(page, /^设备总数 3 /).waitFor()
  await page.getByRole('region', { name: '消息速率' }).waitFor()
  expect(await overflow(page)).toBe(0)
})

test('a figure of what needs attention opens the list of exactly these devices', async () => {
  await call(createConfig, { productID, content: '{"rate":5}' })
  await call(pushAllConfig, { productID })
  const page = await openPage(browser, platform)
  await signInAt(page, platform, homePath)
  const panel = page.getByRole('region', { name: '需要关注' })
  await panel.getByRole('link', { name: '配置未送达 3', exact: true }).click()
  await page.waitForURL(/home\?attention=config/)
  const drawer = page.getByRole('dialog', { name: '需要关注的设备' })
  for (const { deviceAlias } of cities) await drawer.getByRole('link', { name: new RegExp(deviceAlias) }).waitFor()
  await soon(() => drawer.getByRole('link').count()).toBe(3)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).search).toBe('')
})
