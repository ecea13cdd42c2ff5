/** The alarm queue at work: handled by a person, cleared by the platform, told to others (screens.md 23 to 26). */
import {
  AlarmLevel,
  AlarmStatus,
  addScenes,
  createAlarm,
  deleteAlarm,
  listAlarms,
  readAlarm,
} from '@ithings/contract/features/alarms/config.ts'
import { createScene, listScenes } from '@ithings/contract/features/scenes/info.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { connectDevice, type WalkDevice } from '#device.ts'
import { exported, sheetOf } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import {
  isSigned,
  makePlant,
  makePump,
  openReceiver,
  productID,
  productName,
  type Receiver,
  reachable,
  reportTemp,
} from '#pump-plant.ts'
import { addStep, newScene, part, saveScene, scenesPath, sentence, whenProperty } from '#scene-editor.ts'
import { act, choose, dialog, row, submit, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { goToScreen, holdCalls, openPage, pocket, soon } from '#visit.ts'

const queuePath = '/alarmMangers/alarmConfiguration/log'
const notifyPath = '/alarmMangers/notify/index'

let platform: Platform
let browser: Browser
let call: Caller

beforeAll(async () => {
  platform = await startPlatform({ env: { ...knownAdmin, ...reachable } })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await makePlant(call)
})
afterAll(async () => {
  if (platform) await discard(platform)
})

async function connected(deviceName: string, alias: string): Promise<WalkDevice> {
  const device = await connectDevice(platform, call, await makePump(call, deviceName, alias))
  onTestFinished(() => device.end())
  return device
}

async function receiving(): Promise<Receiver> {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

/** What a colleague set up before: an alarm that a pump above 80 ℃ raises. */
async function watchPump(deviceName: string, name: string): Promise<{ alarmID: number }> {
  const trigger = {
    device: [
      {
        productID,
        selector: 'fixed',
        selectorValues: [deviceName],
        operator: 'reportProperty',
        operationSchema: { dataID: ['pump_temp'], termType: 'gt', values: ['80'] },
      },
    ],
  }
  const { id: sceneID } = await call(createScene, {
    name: `${name}触发`,
    status: 1,
    triggerType: 'device',
    trigger: JSON.stringify(trigger),
    when: '[]',
    then: JSON.stringify([{ executor: 'alarm', alarm: { mode: 'trigger' } }]),
  })
  const { id: alarmID } = await call(createAlarm, { name, level: AlarmLevel.serious, status: AlarmStatus.enabled })
  await call(addScenes, { alarmID, sceneIDs: [sceneID] })
  return { alarmID }
}

const panel = (page: Page) => page.getByRole('complementary', { name: '告警详情' })
const openTab = (page: Page, text: string) =>
  page.getByRole('toolbar', { name: '告警队列' }).getByText(text, { exact: false }).first().click()
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('an alarm is claimed and handled; a later one is cleared by the platform when the pump has cooled down', async () => {
  const pump = await connected('P-0101', '滨江一号泵')
  const { alarmID } = await watchPump('P-0101', '一号泵超温')
  await reportTemp(pump, 83.6)

  const page = await openPage(browser, platform)
  await signInAt(page, platform, queuePath)
  await row(page, /一号泵超温/)
    .getByRole('button', { name: '处理', exact: true })
    .click()
  await panel(page).getByText('83.6').first().waitFor()
  await panel(page)
    .getByRole('img', { name: /水泵温度在首次告警前后 30 分钟的曲线/ })
    .waitFor()
  const curve = panel(page).getByRole('button', { name: '导出「滨江一号泵 水泵温度」' })
  expect(sheetOf((await exported(page, curve, 'Excel (XLSX)')).bytes)).toMatchObject([
    { 设备名称: 'P-0101', 属性: '水泵温度', 值: '83.6' },
  ])
  await panel(page).getByText('上行', { exact: true }).waitFor()
  await panel(page).getByRole('button', { name: /认领$/ }).click()
  await panel(page).getByText('处理中').first().waitFor()
  await panel(page).getByRole('button', { name: '已远程停机' }).click()
  await panel(page).getByLabel('处理结果').fill('已远程停机：轴承缺油，已补')
  await panel(page).getByRole('button', { name: '提交处理' }).click()
  await told(page, '处理成功')
  await row(page, /一号泵超温/).waitFor({ state: 'hidden' })
  await page.getByText('没有未处理的告警').waitFor()
  await soon(() => panel(page).textContent()).toMatch(/已处理[\s\S]*轴承缺油/)
  await panel(page).getByRole('button', { name: '关闭' }).click()

  await goToScreen(page, platform, scenesPath, /^场景联动/)
  await newScene(page, '设备触发', '一号泵恢复')
  await whenProperty(page, { product: productName, property: '水泵温度', sign: '<', value: '60' })
  const step = await addStep(page, '解除告警')
  await choose(page, step.getByLabel('告警', { exact: true }), '一号泵超温')
  await page.keyboard.press('Escape')
  await step.getByRole('link', { name: '一号泵超温' }).waitFor()
  const sceneID = await saveScene(page)
  expect((await call(listScenes, { alarmID })).list.map((scene) => scene.id)).toContain(sceneID)

  await goToScreen(page, platform, queuePath, /^告警记录/)
  await page.getByText('没有未处理的告警').waitFor()
  await reportTemp(pump, 88)
  await row(page, /一号泵超温/).waitFor()
  await page.getByRole('button', { name: '告警，1 条未处理' }).waitFor()
  await goToScreen(page, platform, '/deviceMangers/device/index', /^设备$/)
  await row(page, 'P-0101').getByRole('link', { name: '1 条告警' }).click()
  await page.getByRole('tab', { name: '告警 1', exact: true }).waitFor()
  const mark = page.getByRole('heading', { level: 1 }).getByText('1 条告警')
  await mark.waitFor()
  await reportTemp(pump, 45)
  await mark.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: '告警', exact: true }).waitFor()
  await page.getByRole('button', { name: '告警', exact: true }).waitFor()

  await goToScreen(page, platform, queuePath, /^告警记录/)

  await openTab(page, '全部')
  await row(page, /一号泵超温.*已解除.*系统/)
    .getByRole('button', { name: '查看', exact: true })
    .click()
  await soon(() => panel(page).textContent()).toMatch(/处理记录2 次/)
  const deals = await panel(page).textContent()
  expect(deals).toContain('场景触发解除告警')
  expect(deals).toContain('轴承缺油')

  await panel(page).getByRole('link', { name: '告警日志' }).click()
  await page.getByRole('img', { name: '告警频次，共 2 次' }).waitFor()
  const often = page.getByRole('button', { name: '导出「告警频次」' })
  const counts = sheetOf((await exported(page, often, 'Excel (XLSX)')).bytes)
  expect(counts).toHaveLength(48)
  expect(counts.reduce((sum, { 次数 }) => sum + Number(次数), 0)).toBe(2)
})

test('several alarms are ignored at once and leave the queue', async () => {
  const names = ['P-0111', 'P-0112']
  for (const name of names) {
    const pump = await connected(name, `${name} 泵`)
    await watchPump(name, `${name} 超温`)
    await reportTemp(pump, 95)
  }
  const page = await openPage(browser, platform)
  await signInAt(page, platform, queuePath)
  for (const name of names)
    await row(page, new RegExp(`${name} 超温`))
      .getByRole('checkbox')
      .check()
  await page.getByText('已选 2 项').waitFor()
  await page.getByRole('button', { name: '忽略', exact: true }).first().click()
  await page.getByText('没有未处理的告警').waitFor()
  await openTab(page, '全部')
  await soon(() => row(page, /P-011\d 超温.*已忽略/).count()).toBe(2)
})

test('a new alarm on its way to its scenes takes no typing that would get lost', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/alarmMangers/alarmConfiguration/save')
  await page.getByLabel('名称').fill('保存中的告警')
  const creation = await holdCalls(page, createAlarm)
  const reading = await holdCalls(page, readAlarm)
  await page.getByLabel('名称').press('Enter')
  await creation.asked
  await soon(() => page.getByLabel('说明').isDisabled()).toBe(true)
  creation.release()
  await reading.asked
  // Saved: no field may be open until its own page is there.
  expect(await page.getByRole('textbox', { disabled: false }).count()).toBe(0)
  reading.release()
  await page.getByText('还没有场景会触发这个告警').waitFor()
  const { list } = await call(listAlarms, { name: '保存中的告警' })
  expect(list).toHaveLength(1)

  // A scene that is made from here is linked, and comes back.
  await page.getByRole('button', { name: '新增场景' }).click()
  await page.getByRole('button', { name: '返回场景列表' }).waitFor()
  await whenProperty(page, { product: productName, property: '水泵温度', sign: '>', value: '140' })
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await row(page, '保存中的告警').getByText('触发告警').waitFor()

  // The saved one is changed: what is typed after it was saved stays.
  await page.getByRole('tab', { name: '基础配置' }).click()
  await page.getByLabel('说明').fill('先看进口阀')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await told(page, '更新成功')
  await soon(() => page.getByLabel('说明').isEnabled()).toBe(true)
  await page.getByLabel('说明').fill('先看进口阀，再看电源')
  await page.getByText('有未保存的修改').waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await soon(async () => (await call(listAlarms, { name: '保存中的告警' })).list[0]?.desc).toBe('先看进口阀，再看电源')
})

test('a webhook channel is made, tried before it is saved, and its deliveries are looked up', async () => {
  const receiver = await receiving()
  const page = await openPage(browser, platform)
  await signInAt(page, platform, notifyPath)
  await page
    .getByRole('button', { name: /新增渠道$/ })
    .first()
    .click()
  const form = dialog(page, '新增通知渠道')
  await form.getByText('Webhook', { exact: true }).click()
  await form.getByRole('textbox', { name: /^名称/ }).fill('调度中心')
  await form.getByRole('textbox', { name: /^地址/ }).fill(receiver.url)
  await form.getByLabel('签名密钥').fill('walk-secret')
  await form.getByRole('button', { name: /测试$/ }).click()
  await form.getByText('发送成功').waitFor()
  expect(receiver.calls).toHaveLength(1)
  await submit(form)
  await told(page, '创建成功')

  await act(page, '调度中心', '测试')
  const trial = dialog(page, '测试「调度中心」')
  await trial.getByText('发送成功').waitFor()
  await trial.getByRole('button', { name: '关闭', exact: true }).last().click()
  expect(receiver.calls.map((one) => isSigned(one, 'walk-secret'))).toEqual([true, true])

  await page.getByRole('tab', { name: '发送记录' }).click()
  await soon(() => row(page, /测试.*已送达/).count()).toBe(2)
})

test('from its product an alarm with its scene and its channel takes fifteen clicks, and says before what it would have done', async () => {
  const receiver = await receiving()
  const pump = await connected('P-0131', '滨江四号泵')
  await reportTemp(pump, 97.5)
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `/deviceMangers/product/detail/${productID}`)
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const option = (text: string) => page.locator('.ant-select-dropdown:visible').getByText(text, { exact: true })
  const card = part(page, '触发')
  await click(page.getByRole('button', { name: /^更多/ }))
  await click(page.getByRole('menuitem', { name: '新增告警' }))
  await click(card.getByLabel('属性', { exact: true }))
  await click(option('水泵温度'))
  await click(card.getByLabel('比较值'))
  await card.getByLabel('比较值').fill('96')
  await soon(() => page.getByRole('region', { name: '回测' }).textContent()).toMatch(/将触发 [1-9]/)
  await click(card.getByLabel('防抖').getByText('持续', { exact: true }))
  await click(card.getByLabel('持续时间', { exact: true }))
  await card.getByLabel('持续时间', { exact: true }).fill('1')
  await click(page.getByText('严重', { exact: true }).last())
  await click(page.getByLabel('通知渠道'))
  await click(page.locator('.ant-select-dropdown:visible').getByRole('button', { name: '新增渠道' }))
  const form = dialog(page, '新增通知渠道')
  await click(form.getByRole('textbox', { name: /^名称/ }))
  await form.getByRole('textbox', { name: /^名称/ }).fill('四号值班群')
  await click(form.getByRole('textbox', { name: /^地址/ }))
  await form.getByRole('textbox', { name: /^地址/ }).fill(receiver.url)
  await click(form.getByRole('button', { name: '保存', exact: true }))
  await form.waitFor({ state: 'hidden' })
  await soon(() => sentence(page).textContent()).toBe(
    `当 任一${productName} 水泵温度 > 96 ℃ 持续 1 秒 → 告警 严重 → 通知 四号值班群`,
  )
  const name = `${productName} 水泵温度 > 96 ℃ 持续 1 秒`
  await click(page.getByRole('button', { name: '创建', exact: true }))
  await row(page, name).waitFor()
  expect(clicks).toBeLessThanOrEqual(15)
  const { list } = await call(listAlarms, { name })
  expect(list).toMatchObject([{ level: AlarmLevel.serious, status: AlarmStatus.enabled, raisingCount: 1 }])
  await reportTemp(pump, 98)
  await soon(() => receiver.calls.length).toBeGreaterThan(0)
  // Others count what is open.
  await call(deleteAlarm, { id: list[0]?.id ?? 0 })
})

test('a channel that fails says so: its delivery waits for the next try with the answer of the other side', async () => {
  const receiver = await receiving()
  receiver.status = 503
  const page = await openPage(browser, platform, { allowErrors: [/channel\/create/] })
  await signInAt(page, platform, scenesPath)
  await newScene(page, '手动触发', '通知坏接口')
  const step = await addStep(page, '通知')
  await step.getByLabel('通知渠道').click()
  await page.locator('.ant-select-dropdown:visible').getByRole('button', { name: '新增渠道' }).click()
  const form = dialog(page, '新增通知渠道')
  await form.getByRole('textbox', { name: /^名称/ }).fill('坏掉的接口')
  // Refused at the field before it is saved; the other address is allowed here.
  await form.getByRole('textbox', { name: /^地址/ }).fill('http://10.0.0.1/hook')
  await form.getByRole('button', { name: '保存', exact: true }).click()
  await form.locator('.ant-form-item-explain-error').getByText('WEBHOOK_ALLOW').waitFor()
  await form.getByRole('textbox', { name: /^地址/ }).fill(receiver.url)
  await submit(form)
  await told(page, '创建成功')
  await step.locator('.channel-option-name').getByText('坏掉的接口').waitFor()
  await saveScene(page)
  await page.getByRole('button', { name: /执行一次$/ }).click()
  await soon(() => receiver.calls.length).toBe(1)

  await goToScreen(page, platform, `${notifyPath}?tab=log`, /^通知渠道/)
  await row(page, /坏掉的接口.*发送中.*重试.*503/).waitFor()
  // Put right meanwhile: the next try arrives. The second was ten seconds after the first, perhaps before this.
  receiver.status = 200
  await soon(() => receiver.calls.length).toBeGreaterThan(1)
  await row(page, /坏掉的接口.*已送达/)
    .getByRole('button', { name: '查看', exact: true })
    .click()
  const detail = dialog(page, '通知详情')
  await soon(() => detail.textContent()).toMatch(/尝试次数[2-9]/)
  const [first, second] = receiver.calls
  expect(second?.headers['x-ithings-delivery']).toBe(first?.headers['x-ithings-delivery'])
})

test('in a pocket the queue is read and an alarm is handled; nothing runs over the edge', async () => {
  const pump = await connected('P-0121', '滨江三号泵')
  await watchPump('P-0121', '三号泵超温')
  await reportTemp(pump, 99)
  const page = await openPage(browser, platform, { viewport: pocket })
  await signInAt(page, platform, queuePath)
  await page.getByRole('button', { name: '三号泵超温' }).waitFor()
  expect(await overflow(page)).toBe(0)
  await page.getByRole('button', { name: '三号泵超温' }).click()
  await panel(page).getByLabel('处理结果').fill('已现场确认')
  expect(await overflow(page)).toBe(0)
  await panel(page).getByRole('button', { name: '提交处理' }).click()
  await told(page, '处理成功')
  await panel(page).getByRole('button', { name: '关闭' }).click()
  await page.getByText('没有未处理的告警').waitFor()
  expect(await overflow(page)).toBe(0)
})
