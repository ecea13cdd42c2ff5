/** A property for a whole group on a schedule, and what became of every device (screens.md 7). */
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { DeployStatus, readTask } from '@ithings/contract/features/tasks.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import type { DeviceKey } from '#device.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { makePlant, makePump, productName } from '#pump-plant.ts'
import { act, choose, confirmWith, dialog, row, search } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { type SimulatedDevice, simulate } from '#simulated.ts'
import { addressOf, openPage, soon } from '#visit.ts'

const path = '/deviceMangers/createDeviceTask/index'
const groupName = '城区泵站'
let taskName = ''
let tries = 0

let platform: Platform
let browser: Browser
let call: Caller
let pumps: DeviceKey[]

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await makePlant(call)
  pumps = []
  for (const n of [1, 2, 3, 4]) pumps.push(await makePump(call, `P-000${n}`, `朝阳北路 ${n} 号泵`))
  const { groupID } = await call(createGroup, { groupName })
  const { groupID: below } = await call(createGroup, { groupName: '北区', parentID: groupID })
  const [first, second, third] = pumps as [DeviceKey, DeviceKey, DeviceKey]
  await call(addGroupDevices, { groupID, list: [first, second] })
  await call(addGroupDevices, { groupID: below, list: [third] })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

async function connected(number: number, broken = false): Promise<SimulatedDevice> {
  const key = pumps[number - 1] as DeviceKey
  const device = await simulate(platform, call, key, { faults: { reply: broken ? 'error' : 'normal' } })
  onTestFinished(() => device.stop())
  return device
}

const next = (form: Locator, step: string) => form.getByRole('button', { name: `下一步：${step}` }).click()
const card = (form: Locator, name: string) => form.getByRole('radio', { name: new RegExp(`^${name}`) }).check()
const result = (page: Page, device: string, ...words: string[]) =>
  row(page, new RegExp([device, ...words].join('.*')))
    .first()
    .waitFor()

/** From the list to the summary; nothing is sent before it is confirmed there. */
async function fillForm(page: Page, cron: string): Promise<Locator> {
  await page
    .getByRole('button', { name: /新增任务$/ })
    .first()
    .click()
  const form = dialog(page, /^新增任务/)
  await form.getByLabel('任务名称').fill(taskName)
  await choose(page, form.getByRole('combobox', { name: /^产品/ }), productName)
  await next(form, '目标')
  await card(form, '按分组')
  await form.getByText(groupName, { exact: true }).click()
  await form.getByText('将影响 3 台').waitFor()
  await next(form, '内容')
  await choose(page, form.getByLabel('要设置的属性'), '水泵运行')
  await page.keyboard.press('Escape')
  await form.getByText('1 运行', { exact: true }).click()
  await card(form, '离线即失败')
  await next(form, '执行')
  await card(form, '周期')
  await form.getByRole('textbox', { name: 'cron 表达式' }).fill(cron)
  await form.getByText(/^有效 Cron 表达式/).waitFor()
  await next(form, '确认')
  return form
}

test('a property task over a group runs by its cron, tells each result, is stopped and tries the failed again', async () => {
  // A second try finds the task of the first.
  taskName = `夜间启泵 ${++tries}`
  const well = await connected(1)
  const broken = await connected(2, true)
  const outside = await connected(4)
  const page = await openPage(browser, platform)
  await signInAt(page, platform, path)
  const form = await fillForm(page, '*/10 * * * * *')
  for (const fact of [
    `分组「${groupName}」，含子分组`,
    '3 台（在线 2 / 离线 0 / 未激活 1）',
    '离线即失败',
    '*/10 * * * * *',
  ]) {
    await soon(() => form.textContent()).toContain(fact)
  }
  expect(well.counts.commands).toBe(0)
  await form.getByRole('button', { name: '创建任务' }).click()

  // The detail follows by itself: the first run comes by the clock.
  const detail = dialog(page, new RegExp(taskName))
  await result(page, 'P-0001', '在线', '部署成功', '200')
  await result(page, 'P-0002', '在线', '部署失败', '100025', '设备故障')
  await result(page, 'P-0003', '未激活', '部署失败', '离线')
  expect(well.values().running).toBe(true)
  await soon(() => broken.counts.commands).toBeGreaterThan(0)

  await detail.getByRole('button', { name: '更多操作' }).first().click()
  await page.getByRole('menuitem', { name: '停用' }).click()
  await detail.getByText('已停用').waitFor()
  // A run that had just begun comes to its end.
  const taskID = Number(new URL(page.url()).searchParams.get('taskID'))
  await soon(async () => (await call(readTask, { taskID })).status).toBe(DeployStatus.failed)
  await detail.getByRole('tab', { name: '执行记录' }).click()
  await result(page, '', '部署失败', '定时')
  await detail.getByRole('tab', { name: '设备明细' }).click()

  // Repaired: only the failed are tried again, and each says how often.
  await broken.stop()
  const repaired = await connected(2)
  const before = well.counts.commands
  await detail.getByRole('button', { name: '重试失败' }).click()
  await confirmWith(page, '重试 2 台失败的设备？', '重试')
  await result(page, 'P-0002', '部署成功', '200')
  await result(page, 'P-0003', '部署失败', '离线')
  expect(repaired.counts.commands).toBe(1)
  expect(well.counts.commands).toBe(before)
  await row(page, /P-0002/)
    .getByRole('button', { name: '查看回复' })
    .click()
  const reply = dialog(page, '设备回复 · P-0002')
  await reply.getByText('"成功"').waitFor()
  expect(outside.counts.commands).toBe(0)

  await page.goto(addressOf(platform, path))
  await search(page, '任务名称', taskName)
  // In whatever order the columns stand.
  await row(page, new RegExp(`${taskName}(?=.*属性设置)(?=.*分组「${groupName}」)(?=.*部署失败)`)).waitFor()
  await act(page, taskName, '删除')
  await confirmWith(page, `删除任务「${taskName}」？`, '删除')
  await soon(() => row(page, taskName).count()).toBe(0)
})
