/** A lamp and the person at the console: it comes, speaks, obeys, stays silent and goes (screens.md 6.2, 6.4, 6.8). */
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { createProduct, listProducts } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { connectAsync } from 'mqtt'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { clearOf } from '#clock.ts'
import { connectDevice, type DeviceKey, type WalkDevice } from '#device.ts'
import { exported, sheetOf } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { confirmWith, row, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, answered, goToScreen, openPage, soon } from '#visit.ts'

const tsl = {
  properties: [
    {
      identifier: 'power',
      name: '灯',
      mode: 'rw',
      isUseShadow: true,
      define: { type: 'bool', mapping: { 0: '关', 1: '开' } },
    },
    {
      identifier: 'level',
      name: '亮度',
      mode: 'rw',
      isUseShadow: true,
      define: { type: 'int', min: '0', max: '100', step: '1', unit: '%' },
    },
    {
      identifier: 'temp',
      name: '温度',
      mode: 'r',
      define: { type: 'float', min: '-40', max: '125', step: '0.1', unit: '℃' },
    },
    { identifier: 'never', name: '从未上报的属性', mode: 'r', define: { type: 'float', min: '0', max: '1' } },
  ],
  events: [
    {
      identifier: 'hot',
      name: '过热',
      type: 'alert',
      params: [{ identifier: 'at', name: '温度', define: { type: 'float', min: '-40', max: '125', unit: '℃' } }],
    },
  ],
  actions: [
    {
      identifier: 'blink',
      name: '闪烁',
      input: [{ identifier: 'times', name: '次数', define: { type: 'int', min: '1', max: '10' } }],
      output: [{ identifier: 'done', name: '已闪', define: { type: 'int', min: '0', max: '10', unit: '次' } }],
    },
  ],
}

let platform: Platform
let browser: Browser
let call: Caller
let productID: string

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await call(createProduct, { productName: '智能灯' })
  productID = (await call(listProducts, {})).list[0]?.productID ?? ''
  await call(importTsl, { productID, tsl: JSON.stringify(tsl) })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const tab = (key: DeviceKey, number: number) =>
  `/deviceMangers/device/detail/${key.productID}/${key.deviceName}/${number}`

async function makeLamp(deviceName: string): Promise<DeviceKey> {
  await call(createDevice, { productID, deviceName })
  return { productID, deviceName }
}

async function connected(key: DeviceKey): Promise<WalkDevice> {
  const device = await connectDevice(platform, call, key)
  onTestFinished(() => device.end())
  return device
}

const report = (device: WalkDevice, params: Record<string, unknown>, timestamp = Date.now()) =>
  device.publish('thing/property', { method: 'report', clientToken: crypto.randomUUID(), timestamp, params })

/** Answers every control as a lamp does: it does what it is told and says so. */
async function obey(device: WalkDevice): Promise<Record<string, unknown>> {
  const control = await device.next('thing/property', ({ method }) => method === 'control')
  await device.publish('thing/property', { method: 'controlReply', clientToken: control.clientToken, code: 200 })
  return control
}

/** Lamp and brightness in a form that sets properties: filled with what was reported (off, 10 %), nothing invented. */
async function chooseBoth(page: Page, form: Locator): Promise<void> {
  await form.getByLabel('要设置的属性').click()
  const options = page.locator('.ant-select-dropdown:visible')
  await options.getByText('灯', { exact: true }).click()
  await options.getByText('亮度', { exact: true }).click()
  await page.keyboard.press('Escape')
  await options.waitFor({ state: 'hidden' })
  await soon(() => form.getByRole('spinbutton', { name: '亮度' }).inputValue()).toBe('10')
  await soon(() => form.getByRole('radio', { name: '0 关' }).isChecked()).toBe(true)
}
const listed = (page: Page) =>
  page.getByRole('dialog').filter({ hasText: '同时改变 2 个属性' }).getByRole('listitem').allTextContents()

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const status = (page: Page) => page.locator('.device-title .status-tag').first()
/** A page that was loaded again has forgotten this. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-walk', 'here'))
const stayed = (page: Page) => page.evaluate(() => document.documentElement.getAttribute('data-walk'))

test('a device that connects with the generated credentials goes online and its values move, without a reload', async () => {
  const key = await makeLamp('lamp-1')
  const page = await openPage(browser, platform)
  await signInAt(page, platform, tab(key, 8))
  await page.getByRole('region', { name: '生成连接凭证' }).getByRole('button', { name: '查看密钥' }).click()
  await page.getByRole('button', { name: '显示密码' }).click()
  const fact = async (label: string) => {
    const shown = page.locator('.credential-result dl > div').filter({ hasText: label }).locator('dd')
    return (await shown.textContent())?.trim() ?? ''
  }
  const [clientId, username, password] = [await fact('客户端 ID'), await fact('用户名'), await fact('密码')]

  await page.getByRole('tab', { name: '设备状态' }).click()
  await page.getByText('设备还没有连接过平台').waitFor()
  await soon(() => status(page).textContent()).toBe('未激活')
  await mark(page)

  const client = await connectAsync(platform.mqttUrl, {
    clientId,
    username,
    password,
    reconnectPeriod: 0,
  })
  onTestFinished(() => client.endAsync(true))
  await soon(() => status(page).textContent()).toBe('在线')

  const say = (temp: number) =>
    client.publishAsync(
      `$thing/up/property/${key.productID}/${key.deviceName}`,
      JSON.stringify({ method: 'report', clientToken: `t${temp}`, params: { temp } }),
      { qos: 1 },
    )
  await say(21.5)
  await soon(() => card(page, '温度').textContent()).toContain('21.5')
  await say(22.7)
  await soon(() => card(page, '温度').textContent()).toContain('22.7')
  // screens.md 6.2: what never reported is there all the same.
  expect(await card(page, '从未上报的属性').textContent()).toContain('从未上报')
  expect(await stayed(page)).toBe('here')

  await client.endAsync()
  await soon(() => status(page).textContent()).toBe('离线')
  await page.getByText('设备离线').waitFor()
  await page.getByRole('link', { name: '查看原因' }).click()
  const why = page.getByRole('region', { name: '为什么离线' })
  await soon(() => why.textContent()).toMatch(/连接断开：.+检查供电和网络[\s\S]*凭证到期\d{4}-/)

  await goToScreen(page, platform, '/deviceMangers/device/index', /^设备$/)
  await row(page, 'lamp-1').getByText('离线').waitFor()
  await connected(key)
  await row(page, 'lamp-1').getByText('在线').waitFor()
  expect(await stayed(page)).toBe('here')
})

test('a lamp is switched on and answers; an action shows what came back; the history tells who did it', async () => {
  const key = await makeLamp('lamp-2')
  const device = await connected(key)
  await report(device, { power: false, level: 10 })
  const page = await openPage(browser, platform)
  await signInAt(page, platform, tab(key, 9))

  const lamp = card(page, '灯')
  await soon(() => lamp.textContent()).toContain('关')
  const obeyed = obey(device)
  await lamp.getByRole('switch', { name: '灯' }).click()
  expect((await obeyed).params).toEqual({ power: true })
  await soon(() => lamp.textContent()).toContain('设备已回复')
  await soon(() => lamp.getByRole('switch').getAttribute('aria-checked')).toBe('true')

  const history = page.getByRole('region', { name: '下发记录' })
  await soon(() => history.textContent()).toMatch(/灯 → 开[\s\S]*200 成功[\s\S]*administrator/)

  // The panel begins with what the lamp reported: what stays so is not sent, several changes are asked about.
  await report(device, { power: false, level: 10 })
  const panel = page.getByRole('form', { name: '发送指令' })
  await chooseBoth(page, panel)
  const asked = panel.getByRole('spinbutton', { name: '亮度' })
  await asked.fill('60')
  const one = obey(device)
  await panel.getByRole('button', { name: '下发' }).click()
  expect((await one).params).toEqual({ level: 60 })
  const result = page.getByRole('region', { name: '下发结果' })
  await soon(() => result.textContent()).toMatch(/200 成功/)
  await report(device, { power: false, level: 60 })
  await panel.getByText('1 开', { exact: true }).click()
  await asked.fill('70')
  await panel.getByRole('button', { name: '下发' }).click()
  await soon(() => listed(page)).toEqual(['灯：关 → 开', '亮度：60 % → 70 %'])
  const two = obey(device)
  await confirmWith(page, '同时改变 2 个属性', '下发')
  expect((await two).params).toEqual({ power: true, level: 70 })
  await soon(() => result.textContent()).toContain('亮度 → 70 %')

  await panel.getByText('行为调用').click()
  await panel.getByLabel('要调用的行为').click()
  await page.locator('.ant-select-dropdown:visible').getByText('闪烁').click()
  await panel.getByLabel('次数').fill('3')
  await panel.getByRole('button', { name: '调用' }).click()
  const called = device.next('thing/action', ({ method }) => method === 'action')
  await confirmWith(page, '调用行为「闪烁」', '调用')
  const { clientToken, params } = await called
  expect(params).toEqual({ times: 3 })
  await device.publish('thing/action', { method: 'actionReply', clientToken, code: 200, response: { done: 3 } })
  await soon(() => result.textContent()).toMatch(/200 成功[\s\S]*已闪\s*3 次/)

  await report(device, { power: false, level: 10 })
  await page.getByRole('tab', { name: '在线调试' }).click()
  const pane = page.getByRole('region', { name: '发送' })
  await chooseBoth(page, pane)
  const level = pane.getByRole('spinbutton', { name: '亮度' })
  await pane.getByText('1 开', { exact: true }).click()
  await level.fill('60')
  await pane.getByRole('button', { name: /发送$/ }).click()
  await soon(() => listed(page)).toEqual(['灯：关 → 开', '亮度：10 % → 60 %'])
  const both = obey(device)
  await confirmWith(page, '同时改变 2 个属性', '发送')
  expect((await both).params).toEqual({ power: true, level: 60 })
})

test('a device that does not answer: the time-out is explained where the command was given', async () => {
  const key = await makeLamp('lamp-3')
  const device = await connected(key)
  await report(device, { power: false })
  const page = await openPage(browser, platform, { allowErrors: [answered(400)] })
  await signInAt(page, platform, tab(key, 9))
  const lamp = card(page, '灯')
  await soon(() => lamp.textContent()).toContain('关')
  await lamp.getByRole('switch').click()
  await lamp.getByText('下发中，等待设备回复').waitFor()
  await soon(() => lamp.getByRole('alert').textContent()).toContain('10 秒内没有回复')
  expect(await lamp.getByRole('switch').getAttribute('aria-checked')).toBe('false')
  await soon(() => page.getByRole('region', { name: '下发记录' }).textContent()).toContain('超时')
})

test('a desired value for a device that is away waits in its shadow and is delivered when it comes', async () => {
  const key = await makeLamp('lamp-4')
  const first = await connectDevice(platform, call, key)
  await report(first, { level: 10 })
  await first.end()
  const page = await openPage(browser, platform)
  await signInAt(page, platform, tab(key, 9))
  await page.getByText('设备离线').waitFor()

  const level = card(page, '亮度')
  await level.getByRole('button', { name: '设置亮度' }).click()
  await level.getByRole('spinbutton').fill('80')
  await level.getByRole('button', { name: '写入影子' }).click()
  await soon(() => level.textContent()).toContain('期望 80 %，待同步')

  await page.getByRole('tab', { name: '设备影子' }).click()
  await soon(() => row(page, '亮度').textContent()).toMatch(/10 ?%[\s\S]*80 ?%[\s\S]*待同步[\s\S]*未下发/)
  await mark(page)

  const device = await connected(key)
  await device.publish('thing/property', { method: 'getStatus', clientToken: 'ask' })
  const answer = await device.next('thing/property', ({ clientToken }) => clientToken === 'ask')
  expect(answer.data).toMatchObject({ level: 80 })
  await soon(() => row(page, '亮度').textContent()).toContain('已同步')
  expect(await stayed(page)).toBe('here')

  await row(page, '亮度').getByRole('button', { name: '清除：亮度的期望值' }).click()
  await confirmWith(page, '清除「亮度」的期望值', '清除')
  await told(page, '清除成功')
  await soon(() => row(page, '亮度').textContent()).toContain('未设置')
})

test('a day of values is a chart with its figures, a table, and a file; events are listed with their parameters', async () => {
  await clearOf(0)
  const key = await makeLamp('lamp-5')
  const device = await connected(key)
  const now = Date.now()
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  const pace = (now - midnight) / 200
  const readings = Array.from({ length: 200 }, (_, i) =>
    report(device, { temp: 20 + (i % 50) / 10 }, Math.floor(midnight + i * pace)),
  )
  await Promise.all(readings)
  await device.publish('thing/event', {
    method: 'eventPost',
    clientToken: 'e1',
    eventID: 'hot',
    type: 'alert',
    timestamp: now,
    params: { at: 99.5 },
  })

  const page = await openPage(browser, platform)
  await signInAt(page, platform, tab(key, 10))
  await page.getByRole('button', { name: '查看温度的历史' }).click()
  await page.getByRole('img', { name: '温度的历史曲线' }).waitFor()
  const figures = row(page, /温度 temp/)
  await soon(() => figures.textContent()).toMatch(/24\.9 ℃\s*22\.45 ℃\s*20 ℃\s*24\.9 ℃\s*200/)
  await soon(() => page.getByRole('region', { name: '区间事件' }).textContent()).toMatch(/过热[\s\S]*99\.5 ℃/)

  await soon(() => page.getByRole('list', { name: '图例' }).textContent()).toMatch(/温度量程 -40–125 ℃[\s\S]*●事件/)

  // A part of the day without any gesture, then with a finger, which still scrolls the page up and down.
  const canvas = page.locator('.chart-canvas')
  const part = page.getByRole('region', { name: '所选区间' })
  const undone = async () => {
    await part.getByRole('button', { name: '还原' }).click()
    await part.waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: '放大' }).click()
  await undone()
  await canvas.scrollIntoViewIfNeeded()
  const plot = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const middle = plot.y + plot.height / 2
  const touch = await page.context().newCDPSession(page)
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...shares: number[]) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: shares.map((share) => ({ x: plot.x + plot.width * share, y: middle })),
    })
  await finger('touchStart', 0.3)
  await finger('touchMove', 0.4)
  await finger('touchMove', 0.5)
  await finger('touchEnd')
  await undone()
  expect(await canvas.evaluate((node) => node.style.touchAction)).toBe('pan-y')

  // What is beside the chart leads to the event itself, by keyboard too, and Back to the chart.
  await page.getByRole('region', { name: '区间事件' }).getByRole('link', { name: '过热' }).press('Enter')
  await page.waitForURL(/view=events/)
  await soon(() => row(page, '过热').textContent()).toMatch(/告警[\s\S]*99\.5 ℃/)
  await page.goBack()
  await page.getByRole('region', { name: '区间事件' }).getByRole('link', { name: '过热' }).waitFor()

  // A part of the day is exported as it is seen, and an alarm begins with its highest value.
  await canvas.scrollIntoViewIfNeeded()
  // Its morning: right after midnight the day grows by the minute, and only its beginning has values.
  await page.mouse.move(plot.x + plot.width * 0.08, middle)
  await page.mouse.down()
  await page.mouse.move(plot.x + plot.width * 0.16, middle)
  await page.mouse.up()
  const seen = await exported(page, part.getByRole('button', { name: '导出这段' }), 'CSV')
  const times = seen.text.trimEnd().split('\r\n').slice(1)
  expect(times.length).toBeGreaterThan(0)
  expect(times.length).toBeLessThan(150)
  await part.getByRole('button', { name: '以此新增告警' }).click()
  await page.getByRole('menuitem', { name: /^温度 > 2\d/ }).click()
  await page.waitForURL(/dataID=temp/)
  await soon(() => page.getByRole('main').textContent()).toMatch(/智能灯\s*温度\s*>\s*2\d[\s\S]*→ 告警/)

  await page.goto(addressOf(platform, `${tab(key, 10)}?props=temp&interval=raw&as=table`))
  await page.getByText('共 200 条').waitFor()
  const file = await exported(page, page.getByRole('button', { name: '导出', exact: true }), 'Excel (XLSX)')
  expect(file.name).toBe('lamp-5-历史.xlsx')
  const lines = sheetOf(file.bytes)
  expect(lines).toHaveLength(200)
  expect(Object.keys(lines[0] ?? {})).toEqual(['时间', '设备名称', '属性', '标识符', '值', '单位'])
  expect(lines.at(-1)).toMatchObject({ 设备名称: 'lamp-5', 属性: '温度', 标识符: 'temp', 值: '24.9', 单位: '℃' })
})
