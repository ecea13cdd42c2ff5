/** What happens is sent to another system: a rule is made, watched, paused, and what was refused is mended (screens.md 33). */
import { deleteForward, listForwards } from '@ithings/contract/features/forwarding/rules.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { connectDevice, type WalkDevice } from '#device.ts'
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
import { act, choose, confirmWith, dialog, row, submit, told, writeCode } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { openPage, pocket, soon } from '#visit.ts'

const path = '/ruleEngine/forward/index'
const secret = 'walk-secret'
const shots = process.env.SHOTS
let platform: Platform
let browser: Browser
let call: Caller
let pump: WalkDevice

beforeAll(async () => {
  platform = await startPlatform({ env: { ...knownAdmin, ...reachable } })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await makePlant(call)
  pump = await connectDevice(platform, call, await makePump(call, 'P-0101', '滨江一号泵'))
})
afterAll(async () => {
  await pump?.end()
  if (platform) await discard(platform)
})

const photograph = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/forwarding-${name}.png` })
}

async function receiving(): Promise<Receiver> {
  const receiver = await openReceiver()
  onTestFinished(async () => {
    for (const { id } of (await call(listForwards, {})).list) await call(deleteForward, { id })
    receiver.close()
  })
  return receiver
}

const tempsOf = ({ calls }: Receiver) => calls.map(({ body }) => JSON.parse(body).data?.pump_temp)
const ruleNamed = async (name: string) => (await call(listForwards, { name })).list[0]

/** The form of a new rule of one product's properties to this address, filled in. */
async function fillRule(page: Page, name: string, url: string) {
  await page
    .getByRole('button', { name: /新增转发规则$/ })
    .first()
    .click()
  const form = dialog(page, '新增转发规则')
  await form.getByRole('textbox', { name: /^名称/ }).fill(name)
  await choose(page, form.getByLabel('产品', { exact: true }), productName)
  await page.keyboard.press('Escape')
  await form.getByRole('textbox', { name: /^地址/ }).fill(url)
  return form
}

test('a rule is tried before it is saved, sends what a device reports, pauses and catches up', async () => {
  const receiver = await receiving()
  const page = await openPage(browser, platform)
  await signInAt(page, platform, path)
  await page.getByText('还没有转发规则').waitFor()
  await photograph(page, 'none')
  const form = await fillRule(page, '数据中心', receiver.url)
  await form.getByLabel('签名密钥').fill(secret)
  await form.getByRole('button', { name: '发送测试' }).click()
  await form.getByText('发送成功').waitFor()
  expect(receiver.calls).toHaveLength(1)
  await photograph(page, 'form')
  await submit(form, '创建')
  await told(page, '创建成功')
  await row(page, '数据中心').getByText('运行中').waitFor()

  await reportTemp(pump, 21.5)
  await soon(() => tempsOf(receiver)).toContain(21.5)
  expect(receiver.calls.every((one) => isSigned(one, secret))).toBe(true)
  // The list reads itself again.
  await soon(() => row(page, '数据中心').textContent()).toMatch(/属性上报.*127\.0\.0\.1.*秒前|刚刚/)
  await photograph(page, 'list')
  await act(page, '数据中心', '最近消息')
  const recent = dialog(page, '「数据中心」最近发送的 10 条消息')
  await recent.getByText('P-0101').first().click()
  await recent.getByText('pump_temp').waitFor()
  await photograph(page, 'recent')
  await recent.getByRole('button', { name: '关闭' }).click()

  // The stored secret is not told, and stays when it is left alone.
  await act(page, '数据中心', '编辑')
  const edit = dialog(page, /编辑转发规则「数据中心」/)
  await edit.getByPlaceholder('已保存，留空则不修改').waitFor()
  expect(await page.content()).not.toContain(secret)
  await edit.getByRole('textbox', { name: '说明' }).fill('泵站的数据')
  await submit(edit)
  await told(page, '更新成功')

  await act(page, '数据中心', '暂停')
  await row(page, '数据中心').getByText('已暂停').waitFor()
  const before = receiver.calls.length
  await reportTemp(pump, 22.5)
  await reportTemp(pump, 23.5)
  await act(page, '数据中心', '继续')
  await row(page, '数据中心').getByText('运行中').waitFor()
  await soon(() => tempsOf(receiver).slice(before)).toEqual([22.5, 23.5])
  expect(receiver.calls.every((one) => isSigned(one, secret))).toBe(true)

  await act(page, '数据中心', '重放')
  const replay = dialog(page, '重放「数据中心」')
  await replay.getByText(/最长 15 天/).waitFor()
  await photograph(page, 'replay')
  await submit(replay, '重放')
  await soon(() => tempsOf(receiver).slice(before + 2)).toEqual([21.5, 22.5, 23.5])
  const ids = receiver.calls.slice(1).map(({ body }) => JSON.parse(body).id)
  expect(new Set(ids).size).toBe(3)
})

test('what the receiver refuses becomes a dead letter, is edited and sent again; the rule is deleted', async () => {
  const receiver = await receiving()
  const page = await openPage(browser, platform)
  await signInAt(page, platform, path)
  const form = await fillRule(page, '账务系统', receiver.url)
  await submit(form, '创建')
  await told(page, '创建成功')
  receiver.status = 400
  for (const [before, temp] of [31.5, 32.5, 33.5].entries()) {
    await reportTemp(pump, temp)
    await soon(async () => (await ruleNamed('账务系统'))?.deadLetters).toBe(before + 1)
  }
  await row(page, '账务系统').getByRole('button', { name: '「账务系统」的 3 条死信' }).click()
  const letters = dialog(page, '「账务系统」的死信')
  await soon(() => letters.getByRole('row', { name: /P-0101.*400/ }).count()).toBe(3)
  await photograph(page, 'letters')

  // The newest stands first.
  receiver.status = 200
  receiver.calls.length = 0
  await letters.getByRole('button', { name: '查看', exact: true }).first().click()
  const letter = dialog(page, '死信')
  const editor = letter.getByRole('textbox', { name: '消息内容' })
  await soon(() => editor.textContent()).toContain('33.5')
  await photograph(page, 'letter')
  await writeCode(editor, '{ "data": { "pump_temp": 34 } }')
  await submit(letter, '重发')
  await told(page, '已重发')
  expect(tempsOf(receiver)).toEqual([34])
  await soon(() => letters.getByRole('row', { name: /P-0101/ }).count()).toBe(2)

  await letters
    .getByRole('row', { name: /P-0101/ })
    .first()
    .getByRole('checkbox')
    .check()
  await letters.locator('.selection-bar').getByRole('button', { name: '重发' }).click()
  await confirmWith(page, '重发 1 条死信？', '重发')
  await soon(() => tempsOf(receiver)).toEqual([34, 32.5])
  await soon(() => letters.getByRole('row', { name: /P-0101/ }).count()).toBe(1)
  await letters.getByRole('button', { name: '全部删除' }).click()
  await confirmWith(page, '删除「账务系统」的全部 1 条死信？', '全部删除')
  await letters.getByText('没有死信').waitFor()
  await letters.getByRole('button', { name: '关闭', exact: true }).first().click()

  await act(page, '账务系统', '删除')
  await confirmWith(page, '删除数据转发规则「账务系统」？', '删除')
  await row(page, '账务系统').waitFor({ state: 'hidden' })
  expect(await ruleNamed('账务系统')).toBeUndefined()
})

test('a receiver that is away: the rule says why, and what waits is told on a phone, too', async () => {
  const receiver = await receiving()
  const page = await openPage(browser, platform, { viewport: pocket, dark: true })
  await signInAt(page, platform, path)
  const form = await fillRule(page, '报表系统', receiver.url)
  await photograph(page, 'form-phone-dark')
  await submit(form, '创建')
  await told(page, '创建成功')
  receiver.status = 503
  await reportTemp(pump, 41.5)
  await page.getByText('发送失败').waitFor()
  expect((await ruleNamed('报表系统'))?.error).toContain('503')
  await photograph(page, 'list-phone-dark')
  receiver.status = 200
  await page.getByText('发送失败').waitFor({ state: 'hidden' })
  expect(tempsOf(receiver).at(-1)).toBe(41.5)
  await soon(async () => (await ruleNamed('报表系统'))?.sent).toBe(1)
  expect((await ruleNamed('报表系统'))?.filter.productIDs).toEqual([productID])
})
