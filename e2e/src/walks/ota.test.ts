/** Firmware as an operator lives with it: uploaded, previewed, rolled out in stages, halted when it is bad (screens.md 21, 22). */
import { randomBytes } from 'node:crypto'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { readOtaTask } from '@ithings/contract/features/ota/task.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import type { DeviceKey } from '#device.ts'
import { exported, sheetOf } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { makePlant, makePump, productName } from '#pump-plant.ts'
import { act, choose, confirmWith, dialog, row, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { type SimulatedDevice, simulate } from '#simulated.ts'
import { answered, openPage, soon } from '#visit.ts'

const firmwarePath = '/operationsMonitorings/firmwareManger/index'
const firmwareName = '水泵主控'
const [old, good, bad] = ['1.0.0', '1.1.0', '2.0.0']
const size = 300_000
const pumps = 10

let platform: Platform
let browser: Browser
let call: Caller
let keys: DeviceKey[]
let fleet: SimulatedDevice[] = []

/** Each really fetches the package and checks it. */
const connect = (key: DeviceKey, version: string, failing: Record<string, number> = {}) =>
  simulate(platform, call, key, {
    version,
    upgrade: { stepMs: 50, download: true, failShareOf: failing },
  })
const stopFleet = () => Promise.all(fleet.map((pump) => pump.stop()))

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await makePlant(call)
  keys = []
  for (let n = 1; n <= pumps; n++) keys.push(await makePump(call, `P-${String(n).padStart(2, '0')}`, ''))
  fleet = await Promise.all(keys.map((key) => connect(key, old, { [bad]: 1 })))
  // One that has the new version already.
  fleet.push(await connect(await makePump(call, 'P-99', ''), good))
})
afterAll(async () => {
  await stopFleet()
  if (platform) await discard(platform)
})

const versions = () => fleet.slice(0, pumps).map(({ version }) => version)

async function upload(page: Page, version: string) {
  await page
    .getByRole('button', { name: /新增固件包$/ })
    .first()
    .click()
  const form = dialog(page, '新增固件包')
  await choose(page, form.getByLabel('所属产品'), productName)
  await form.getByLabel('固件名称').fill(firmwareName)
  await form.getByLabel('版本号').fill(version)
  await form.locator('input[type=file]').setInputFiles({
    name: `pump-${version}.bin`,
    mimeType: 'application/octet-stream',
    buffer: randomBytes(size),
  })
  await form.getByText(/^已上传/).waitFor()
  await form.getByText('SHA-256', { exact: true }).first().waitFor()
  await form.getByRole('button', { name: '创建', exact: true }).click()
  await told(page, '创建成功，校验值与平台一致')
  await row(page, new RegExp(`${firmwareName} ${version}`)).waitFor()
}

const next = (form: Locator, step: string) => form.getByRole('button', { name: `下一步：${step}` }).click()

/** From the package to the preview: all devices, 20 % first, then half, then the rest. */
async function planUpgrade(page: Page, version: string): Promise<Locator> {
  await act(page, new RegExp(`${firmwareName} ${version}`), '升级')
  const form = dialog(page, '新增升级任务')
  await form.getByText('SHA-256', { exact: true }).waitFor()
  await next(form, '范围')
  await next(form, '计划')
  const percents = form.getByLabel('累计比例')
  await percents.nth(0).fill('20')
  await percents.nth(1).fill('50')
  await form.getByLabel('推送速率').fill('6000')
  await next(form, '预览')
  return form
}

const figure = (form: Locator, label: string) =>
  form.locator('.preview-figure').filter({ hasText: label }).locator('b').textContent()

/** Everybody is upgraded at once: the number has to be typed. */
async function start(page: Page, form: Locator, devices: number) {
  await form.getByRole('button', { name: '开始升级' }).click()
  const asked = page.getByRole('dialog').filter({ hasText: '升级全部设备？' })
  await asked.getByRole('textbox').fill(String(devices))
  await asked.getByRole('button', { name: '开始升级' }).click()
  await page.waitForURL(/taskID=\d+/)
}

const stages = (page: Page) => page.getByRole('list', { name: '阶段' }).getByRole('listitem').allTextContents()
const status = (page: Page, text: string) => page.locator('.task-title').getByText(text, { exact: true }).waitFor()

test('a package uploaded in the browser is rolled out in stages to the end', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, firmwarePath)
  await upload(page, good)
  const form = await planUpgrade(page, good)
  await soon(() => figure(form, '将升级')).toBe('10 台')
  expect(await figure(form, '其中在线')).toBe('10 台')
  expect(await figure(form, '跳过')).toBe('1 台')
  expect(await figure(form, '最坏影响')).toMatch(/^[12] 台$/)
  await form.getByText('P-99').waitFor()
  expect(versions().every((version) => version === old)).toBe(true)

  await start(page, form, pumps)
  await page.getByRole('heading', { name: `${firmwareName} ${good}`, level: 1 }).waitFor()
  await page.evaluate(() => document.documentElement.setAttribute('data-walk', 'here'))
  await status(page, '已升级')
  expect(await page.evaluate(() => document.documentElement.getAttribute('data-walk'))).toBe('here')
  expect(versions().every((version) => version === good)).toBe(true)
  expect(fleet.slice(0, pumps).every(({ counts }) => counts.downloaded === size && counts.upgrades === 1)).toBe(true)
  expect(fleet.at(-1)?.counts.upgrades).toBe(0)
  const succeeded = [2, 3, 5].map((devices) => expect.stringContaining(`成功 ${devices}`))
  await soon(() => stages(page)).toEqual(succeeded)
  await row(page, /P-10.*1\.0\.0 → 1\.1\.0.*升级成功.*100%/).waitFor()
  const ends = sheetOf(
    (await exported(page, page.getByRole('button', { name: '导出「每 10 分钟完成」' }), 'Excel (XLSX)')).bytes,
  )
  expect(ends.reduce((sum, { 成功 }) => sum + Number(成功), 0)).toBe(pumps)
})

test('a bad package is halted in its first stage; repaired devices are tried again and the rest follows', async () => {
  // Going on is refused once.
  const page = await openPage(browser, platform, { allowErrors: [answered(400)] })
  await signInAt(page, platform, firmwarePath)
  await upload(page, bad)
  await act(page, new RegExp(`${firmwareName} ${bad}`), '查看')
  const spread = page.getByRole('button', { name: '导出「设备的版本分布」' })
  const counts = sheetOf((await exported(page, spread, 'Excel (XLSX)')).bytes)
  expect(counts).toEqual([{ 版本号: good, 设备数: String(pumps + 1), 在线: String(pumps + 1) }])
  // The dialog of the export may still be on its way out, and would take a key for itself.
  await page.locator('.ant-drawer-close').click()
  await spread.waitFor({ state: 'hidden' })
  const form = await planUpgrade(page, bad)
  await soon(() => figure(form, '将升级')).toBe('11 台')
  await start(page, form, pumps + 1)
  await status(page, '已自动停止')
  await page.getByText('任务在阶段 1 自动停止').waitFor()
  await page.locator('.reasons').getByText('写入失败').waitFor()
  // Whoever is not in the first stage was never asked.
  await soon(() => page.locator('.funnel-left-402 b').textContent()).toMatch(/^[1-3]$/)
  expect(fleet.every(({ version }) => version === good)).toBe(true)

  // Nothing is better yet: going on is refused, and force says what it costs.
  const taskID = Number(new URL(page.url()).searchParams.get('taskID'))
  const underWay = async () => {
    const { counts } = await call(readOtaTask, { taskID })
    return (counts[OtaStatus.pushed] ?? 0) + (counts[OtaStatus.updating] ?? 0)
  }
  await soon(underWay).toBe(0)
  await page.getByRole('button', { name: '继续任务' }).click()
  const refused = page.getByRole('dialog').filter({ hasText: '强制继续升级任务' })
  await refused.getByText(/失败原因：写入失败 \d 台/).waitFor()
  await refused.getByText(/关闭阶段 1 的自动停止/).waitFor()
  await refused.getByRole('button', { name: /取\s*消/ }).click()
  await refused.waitFor({ state: 'hidden' })

  await stopFleet()
  fleet = await Promise.all(keys.map((key) => connect(key, good)))
  fleet.push(await connect({ productID: keys[0]?.productID ?? '', deviceName: 'P-99' }, good))
  await page.getByRole('button', { name: /^重试失败/ }).click()
  await confirmWith(page, /重试 \d 台升级失败的设备？.*继续任务之后才重新推送/, '重试')
  await page.getByRole('button', { name: '继续任务' }).click()
  await status(page, '已升级')
  // Its protection was never switched off.
  expect((await call(readOtaTask, { taskID })).forced).toBe(-1)
  expect(fleet.every(({ version }) => version === bad)).toBe(true)
})
