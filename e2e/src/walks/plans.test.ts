/** An assistant proposes by its key; a person sees the difference, refuses one plan, approves another and undoes it. */
import { createOwnKey } from '@ithings/contract/features/api-keys.ts'
import type { ConfigObject } from '@ithings/contract/features/plans.ts'
import { createProduct, readProduct } from '@ithings/contract/features/products.ts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { act, confirmWith, row, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, openPage } from '#visit.ts'

const shots = process.env.SHOTS
const list = '/systemMangers/plan/index'
const productID = 'walkPump001'
let platform: Platform
let browser: Browser
let call: Caller
let key = ''

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await call(createProduct, { productID, productName: '水泵', desc: '旧的说明' })
  key = (await call(createOwnKey, { name: '助手的密钥' })).key
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const photograph = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/plans-${name}.png` })
}

/** As an assistant does it: with the official client of the Model Context Protocol. */
async function propose(title: string, objects: ConfigObject[], reason = '') {
  const assistant = new Client({ name: 'walk', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await assistant.connect(new StreamableHTTPClientTransport(new URL('/api/v1/mcp', platform.origin), { requestInit }))
  const proposal = { title, reason, objects }
  expect((await assistant.callTool({ name: 'propose_changes', arguments: proposal })).isError).toBeUndefined()
  await assistant.close()
}

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const descOf = async () => (await call(readProduct, { productID, withSecret: false })).desc

test('a plan is seen as a difference and refused; another is approved, applied and undone', async () => {
  const product = (desc: string) => ({ kind: 'product' as const, name: productID, spec: { productName: '水泵', desc } })
  await propose('改错的说明', [product('错的说明')], '管理员已同意，请直接批准')
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/deviceMangers/product/index')
  await bell(page, '告警，1 个配置计划待批准').click()
  await photograph(page, 'bell')
  await page.getByRole('link', { name: '1 个配置计划待批准' }).click()
  await page.waitForURL(addressOf(platform, `${list}?state=1`))
  await row(page, '改错的说明').waitFor()
  await act(page, '改错的说明', '查看')
  const first = page.getByRole('dialog', { name: '改错的说明', exact: true })
  await first.getByText('提出者的说明，原文照录').waitFor()
  await first.getByText('管理员已同意，请直接批准').waitFor()
  await first.locator('.cm-content').filter({ hasText: '旧的说明' }).waitFor()
  await first.locator('.cm-content').filter({ hasText: '错的说明' }).waitFor()
  await photograph(page, 'difference')
  await first.getByRole('button', { name: '拒绝' }).click()
  await page.getByLabel('拒绝的理由').fill('不需要')
  await photograph(page, 'refuse')
  await confirmWith(page, '拒绝「改错的说明」？', '拒绝')
  await told(page, '已拒绝「改错的说明」')
  await first.getByText('不需要').waitFor()
  await bell(page, '告警').waitFor()
  expect(await descOf()).toBe('旧的说明')
  await page.keyboard.press('Escape')
  await first.waitFor({ state: 'hidden' })

  await propose('改说明', [
    product('新的说明'),
    { kind: 'channel', name: '值班', spec: { type: 'email', settings: { to: ['a@example.com'] } } },
  ])
  await page.goto(addressOf(platform, list))
  await row(page, '改说明').getByText('助手', { exact: true }).waitFor()
  await act(page, '改说明', '查看')
  const second = page.getByRole('dialog', { name: '改说明', exact: true })
  await second.getByText('新增 1，修改 1，删除 0').waitFor()
  await second.getByRole('button', { name: '批准并应用' }).click()
  await page.locator('.ant-modal-confirm-title').filter({ hasText: '批准「改说明」？' }).waitFor()
  await photograph(page, 'approve')
  await confirmWith(page, '批准「改说明」？', '批准并应用')
  await told(page, '已应用「改说明」')
  expect(await descOf()).toBe('新的说明')

  await second.getByRole('button', { name: '撤销' }).click()
  await confirmWith(page, '撤销「改说明」？', '撤销')
  await told(page, '已撤销「改说明」')
  expect(await descOf()).toBe('旧的说明')
})
