/** Scenes as an operator lives with them: built, fired, asked why not, tried on history, run by hand, carried over (screens.md 10, 11). */
import { ChannelStatus, createChannel } from '@ithings/contract/features/notify.ts'
import { createScene, listScenes, readScene } from '@ithings/contract/features/scenes/info.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { clearOf } from '#clock.ts'
import { connectDevice, type WalkDevice } from '#device.ts'
import { downloaded, exported, sheetOf } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import {
  clockAt,
  isSigned,
  makePlant,
  makePump,
  openReceiver,
  productName,
  type Receiver,
  reachable,
  reportTemp,
} from '#pump-plant.ts'
import {
  addStep,
  betweenTimes,
  callAction,
  newScene,
  notifyBy,
  openScene,
  part,
  saveScene,
  scenesPath,
  sentence,
  whenProperty,
} from '#scene-editor.ts'
import { act, choose, confirmWith, dialog, row, submit, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { goToScreen, holdCalls, openPage, pocket, soon } from '#visit.ts'

const queuePath = '/alarmMangers/alarmConfiguration/log'
const secret = 'only-the-two-of-us'
const channelName = '值班室'
const hot = { product: productName, property: '水泵温度', sign: '>', value: '80' } as const

let platform: Platform
let browser: Browser
let call: Caller
let receiver: Receiver

beforeAll(async () => {
  platform = await startPlatform({ env: { ...knownAdmin, ...reachable } })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  receiver = await openReceiver()
  await makePlant(call)
  const settings = { url: receiver.url, secret }
  await call(createChannel, { name: channelName, type: 'webhook', status: ChannelStatus.enabled, settings })
})
afterAll(async () => {
  receiver?.close()
  if (platform) await discard(platform)
})

async function connected(deviceName: string, alias: string): Promise<WalkDevice> {
  const device = await connectDevice(platform, call, await makePump(call, deviceName, alias))
  onTestFinished(() => device.end())
  return device
}

/** A page that was loaded again has forgotten this. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-walk', 'here'))
const stayed = (page: Page) => page.evaluate(() => document.documentElement.getAttribute('data-walk'))
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** What is chosen in the rows of the editor but not shown in full. */
const cutNames = (page: Page) =>
  page
    .locator('.scene-field .ant-select-content')
    .evaluateAll((list) => list.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))

/** The runs of a scene beside the list. */
async function openLog(page: Page, scene: string) {
  await act(page, scene, '执行记录')
  return dialog(page, `执行记录 · ${scene}`)
}

const fromList = async (page: Page) => signInAt(page, platform, scenesPath)

test('built in the editor: a pump that stays hot in working hours is stopped, raises an alarm and tells the duty room', async () => {
  const name = '水泵超温停机'
  const pump = await connected('P-0001', '朝阳北路一号泵')
  const page = await openPage(browser, platform)
  await fromList(page)
  await newScene(page, '设备触发', name)
  await whenProperty(page, { ...hot, seconds: '2' })
  const hours = [clockAt(-1), clockAt(2)] as const
  await betweenTimes(page, ...hours)
  await callAction(page, '停泵')
  await addStep(page, '触发告警')
  await notifyBy(page, channelName)
  await soon(() => sentence(page).textContent()).toContain(
    `当 任一${productName} 水泵温度 > 80 ℃ 持续 2 秒，且 ${hours.join('–')}，则 停泵 → 触发告警 → 通知 ${channelName}。`,
  )
  expect(await page.getByRole('switch', { name: '启用场景' }).isChecked()).toBe(true)
  await saveScene(page)

  await goToScreen(page, platform, '/alarmMangers/alarmConfiguration/index', /^告警配置/)
  await page.getByRole('button', { name: '新增告警' }).first().click()
  await page.getByRole('link', { name: '只新增告警' }).click()
  // The list asks for a name, too, and is drawn for a moment longer than its address.
  await page.getByRole('button', { name: '保存并继续' }).waitFor()
  await page.getByRole('main').getByLabel('名称').fill('水泵超温')
  await page.getByText('紧急', { exact: true }).click()
  expect(await page.getByLabel('启用', { exact: true }).isChecked()).toBe(true)
  await page.getByRole('button', { name: '保存并继续' }).click()
  await page.getByText('还没有场景会触发这个告警').waitFor()
  await page.getByRole('button', { name: /关联场景$/ }).click()
  const choice = dialog(page, '关联场景到「水泵超温」')
  await choice
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('checkbox')
    .check()
  await choice.getByRole('button', { name: '关联所选' }).click()
  await row(page, name).getByText('触发告警').waitFor()

  await goToScreen(page, platform, queuePath, /^告警记录/)
  await page.getByText('没有未处理的告警').waitFor()
  await mark(page)
  await reportTemp(pump, 83.6)
  const { clientToken, actionID } = await pump.next('thing/action', ({ method }) => method === 'action')
  expect(actionID).toBe('stop_pump')
  await pump.publish('thing/action', { method: 'actionReply', clientToken, code: 200, response: {} })

  await row(page, /水泵超温.*朝阳北路一号泵/).waitFor()
  await page.getByRole('button', { name: '告警，1 条未处理' }).waitFor()
  expect(await stayed(page)).toBe('here')
  await soon(() => receiver.calls.length).toBe(1)
  const [told] = receiver.calls
  expect(told && isSigned(told, secret)).toBe(true)
  expect(JSON.parse(told?.body ?? '{}')).toMatchObject({ source: 'scene', sourceName: name, deviceName: 'P-0001' })

  await goToScreen(page, platform, scenesPath, /^场景联动/)
  const log = await openLog(page, name)
  const run = log.getByRole('button', { name: /P-0001.*3 个动作成功/ })
  await run.click()
  const checks = log.getByRole('listitem').filter({ hasText: hours.join('–') })
  await checks.getByRole('img', { name: '成立', exact: true }).first().waitFor()
  for (const text of ['83.6', '停泵', '触发告警「水泵超温」', `通知 ${channelName}`])
    await soon(() => log.textContent()).toContain(text)
})

test('a new scene on its way to its own page takes no typing that would get lost, and what is typed there stays', async () => {
  const name = '保存中的场景'
  const page = await openPage(browser, platform)
  await fromList(page)
  await newScene(page, '手动触发', name)
  await notifyBy(page, channelName)
  const creation = await holdCalls(page, createScene)
  const reading = await holdCalls(page, readScene)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await creation.asked
  const note = page.getByLabel('说明', { exact: true })
  await soon(() => note.isDisabled()).toBe(true)
  expect(await page.getByRole('switch', { name: '启用场景' }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: '修改名称' }).isDisabled()).toBe(true)
  expect(await page.getByLabel('场景名称').count()).toBe(0)
  // Neither the keyboard nor a second Ctrl+S does anything.
  await page.keyboard.press('Control+s')
  await page.keyboard.type('丢了')
  await page.locator('.step-adds').getByText('延时').click({ force: true })
  creation.release()
  await reading.asked
  reading.release()
  await page.waitForURL(/[?&]id=\d+/)
  await soon(() => note.isEnabled()).toBe(true)
  await note.fill('到了之后写的')
  await page.getByText('1 处修改未保存').waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await told(page, '更新成功')
  const { list } = await call(listScenes, { name })
  expect(list.map((scene) => [scene.name, scene.desc, scene.status])).toEqual([[name, '到了之后写的', 1]])
  expect(await part(page, '动作').getByRole('listitem').count()).toBe(1)
})

test('why another scene stayed silent: its log names the condition that failed and the value seen', async () => {
  const name = '夜间超温提醒'
  const pump = await connected('P-0002', '朝阳北路二号泵')
  const page = await openPage(browser, platform)
  await fromList(page)
  await newScene(page, '设备触发', name)
  await whenProperty(page, hot)
  const hours = [clockAt(2), clockAt(3)] as const
  await betweenTimes(page, ...hours)
  await notifyBy(page, channelName)
  await saveScene(page)

  await reportTemp(pump, 91.5)
  await page.getByRole('button', { name: '返回场景列表' }).click()
  const log = await openLog(page, name)
  await log.getByText('未触发', { exact: true }).first().click()
  const miss = log.getByRole('button', { name: new RegExp(`未触发，因为.*${hours.join('–')}（实际 `) })
  await miss.first().click()
  await log.getByRole('img', { name: '不成立' }).first().waitFor()
  await soon(() => log.textContent()).toContain('91.5')
  // The scene of the first walk may tell of this pump, too.
  const told = receiver.calls.filter(({ body }) => (JSON.parse(body) as { sourceName: string }).sourceName === name)
  expect(told).toEqual([])
})

test('a changed threshold over a day of history: what would fire now, beside what the saved version would have done', async () => {
  const name = '超温回测'
  const pump = await connected('P-0003', '朝阳北路三号泵')
  // 200 values over 20 hours: fifteen above 80, five of them above 90.
  const first = Date.now() - 20 * 3_600_000
  const values = Array.from({ length: 200 }, (_, n) => ({
    timestamp: first + n * 360_000,
    params: { pump_temp: n % 40 === 7 ? 93 : n % 20 === 13 ? 85 : 60 + (n % 10) },
  }))
  for (let at = 0; at < values.length; at += 50) {
    const clientToken = `day-${at}`
    await pump.publish('thing/property', {
      method: 'packReport',
      clientToken,
      params: { properties: values.slice(at, at + 50) },
    })
    await pump.next('thing/property', (message) => message.clientToken === clientToken && message.code === 200)
  }

  const page = await openPage(browser, platform)
  await fromList(page)
  await newScene(page, '设备触发', name)
  await whenProperty(page, hot)
  await choose(page, part(page, '触发').getByLabel('设备范围'), '指定设备')
  await choose(page, part(page, '触发').getByLabel('设备', { exact: true }), '朝阳北路三号泵')
  await page.keyboard.press('Escape')
  await notifyBy(page, channelName)
  await saveScene(page)
  expect(await cutNames(page)).toEqual([])

  const limit = part(page, '触发').getByLabel('比较值')
  const trial = page.getByRole('region', { name: '回测' })
  await limit.fill('')
  await trial.getByText('触发 1：请填写比较值。补全后才能回测').waitFor()
  expect(await trial.getByRole('button', { name: /回测$/ }).isDisabled()).toBe(true)
  await limit.fill('90')
  await choose(page, trial.getByLabel('回测范围'), '近 1 天')
  await trial.getByRole('button', { name: /回测$/ }).click()
  await soon(() => trial.textContent()).toMatch(/将触发 5 次，涉及 1 台/)
  await trial.getByText('已保存版本 15 次').waitFor()
  await trial.getByRole('img', { name: /水泵温度与触发.*触发 5 次/ }).waitFor()
  const curve = await exported(page, trial.getByRole('button', { name: '导出「水泵温度」' }), 'CSV')
  expect(curve.text.split(/\r?\n/)[0]).toMatch(/时间,最小,最大$/)
  expect(curve.text.trim().split(/\r?\n/).length).toBeGreaterThan(5)
  await trial.getByRole('button', { name: '全部 5 次' }).click()
  await soon(() =>
    dialog(page, '回测结果')
      .getByRole('row', { name: /朝阳北路三号泵/ })
      .count(),
  ).toBe(5)
  const firings = dialog(page, '回测结果').getByRole('button', { name: '导出「回测结果」' })
  const times = sheetOf((await exported(page, firings, 'Excel (XLSX)')).bytes)
  expect(times).toHaveLength(5)
  expect(Object.keys(times[0] ?? {})).toEqual(['时间', '设备名称', '水泵温度'])
  await dialog(page, '回测结果').getByRole('button', { name: '关闭' }).click()
  // Nothing was done, nothing was saved.
  await page.getByText('1 处修改未保存').waitFor()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await soon(() => limit.inputValue()).toBe('80')
  // A result is about what was tried: it goes when that changes, and stays when it is saved.
  const result = trial.getByText(/^将触发/)
  await result.waitFor({ state: 'detached' })
  await limit.fill('90')
  await result.waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await told(page, '更新成功')
  await page.getByText('1 处修改未保存').waitFor({ state: 'detached' })
  expect(await result.count()).toBe(1)
})

test('a timer made with the builder says its next runs to who lives elsewhere, and when that is on the server', async () => {
  const page = await openPage(browser, platform, { timezoneId: 'Pacific/Marquesas' })
  await fromList(page)
  await newScene(page, '定时触发', '晨间巡检')
  await clearOf(8)
  const card = part(page, '触发')
  await card.getByText('每天', { exact: true }).click()
  await soon(() => card.getByLabel('cron 表达式').inputValue()).toBe('0 0 8 * * *')
  const next = card.getByRole('listitem').first()
  await soon(() => next.textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:00 星期.　服务器 .* 08:00:00 星期.$/)
  const both = /时区 Pacific\/Marquesas（UTC-09:30）；按服务器时区 .+（UTC.+）执行/
  await soon(() => card.textContent()).toMatch(both)
  await notifyBy(page, channelName)
  await soon(() => sentence(page).textContent()).toMatch(/每天 08:00/)
  const id = await saveScene(page)
  const shown = (await next.textContent())?.slice(0, 19) ?? ''
  const { list } = await call(listScenes, { sceneIDs: [id] })
  expect(list[0]?.nextRunTime).toBe(new Date(`${shown.replace(' ', 'T')}-09:30`).getTime())
  await page.getByRole('button', { name: '返回场景列表' }).click()
  await row(page, /晨间巡检.*每天 08:00/).waitFor()
})

test('run by hand from the list, copied, taken away as a file and brought in again', async () => {
  const name = '全部停泵'
  const pump = await connected('P-0005', '朝阳北路五号泵')
  const page = await openPage(browser, platform)
  await fromList(page)
  await newScene(page, '手动触发', name)
  const step = await addStep(page, '设备输出')
  await choose(page, step.getByLabel('产品'), productName)
  await choose(page, step.getByLabel('设备范围'), '指定设备')
  await choose(page, step.getByLabel('设备', { exact: true }), '朝阳北路五号泵')
  await page.keyboard.press('Escape')
  await choose(page, step.getByLabel('要设置的属性'), '水泵运行')
  await page.keyboard.press('Escape')
  await step.getByText('0 停止').click()
  await saveScene(page)
  await page.getByRole('button', { name: '返回场景列表' }).click()

  await act(page, name, '执行')
  await confirmWith(page, `执行场景「${name}」`, '执行')
  const { clientToken, params } = await pump.next('thing/property', ({ method }) => method === 'control')
  expect(params).toEqual({ running: false })
  await pump.publish('thing/property', { method: 'controlReply', clientToken, code: 200 })
  const log = dialog(page, `执行记录 · ${name}`)
  await log.getByRole('button', { name: /administrator.*1 个动作成功/ }).waitFor()
  await log.getByRole('button', { name: '关闭' }).click()
  await log.waitFor({ state: 'hidden' })

  await act(page, new RegExp(`^.*${name}(?!-)`), '复制')
  await told(page, `已复制为「${name}-副本」，未启用`)
  await row(page, `${name}-副本`).waitFor()
  await (await menuOf(page, `${name}-副本`)).getByRole('menuitem', { name: '导出' }).waitFor()
  const file = await downloaded(page, () => page.getByRole('menuitem', { name: '导出' }).click())
  expect(file.text).toContain(`${name}-副本`)

  await page.getByRole('button', { name: /导入$/ }).click()
  const drawer = dialog(page, '导入场景')
  await drawer
    .locator('input[type=file]')
    .setInputFiles({ name: file.name, mimeType: 'application/json', buffer: Buffer.from(file.text) })
  await drawer.getByText('将改名导入').waitFor()
  const given = await drawer.getByLabel('场景名称').inputValue()
  expect(given).not.toBe(`${name}-副本`)
  await submit(drawer, '导入')
  await told(page, '已导入 1 个场景')
  await row(page, given).waitFor()
  const { list } = await call(listScenes, { name })
  expect(list.map((scene) => [scene.name, scene.status]).toSorted()).toEqual(
    [
      [name, 1],
      [`${name}-副本`, 2],
      [given, 2],
    ].toSorted(),
  )
})

async function menuOf(page: Page, inRow: string) {
  await row(page, inRow).getByRole('button', { name: '更多操作' }).click()
  return page.locator('.ant-dropdown:not(.ant-dropdown-hidden)')
}

test('in a pocket a scene is opened, changed and saved; nothing runs over the edge', async () => {
  const page = await openPage(browser, platform, { viewport: pocket })
  await fromList(page)
  await newScene(page, '设备触发', '口袋里的场景')
  await whenProperty(page, { ...hot, seconds: '5' })
  await betweenTimes(page, '08:00', '18:00')
  await callAction(page, '停泵')
  expect(await overflow(page)).toBe(0)
  const save = page.getByRole('button', { name: '保存', exact: true })
  await save.scrollIntoViewIfNeeded()
  const id = await saveScene(page)
  await page.getByRole('button', { name: '执行记录' }).waitFor()
  await openScene(page, platform, id)
  await soon(() => sentence(page).textContent()).toContain('水泵温度 > 80 ℃ 持续 5 秒')
  expect(await overflow(page)).toBe(0)
})
