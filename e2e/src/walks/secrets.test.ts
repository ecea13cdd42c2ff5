/** Somebody looks at secrets and rotates them, lets programs in by keys; somebody who may not is told so. */
import { createDevice, listDevices } from '@ithings/contract/features/devices/info.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { readDeviceSecret, readProductSecret } from '@ithings/contract/features/secrets.ts'
import { createUser } from '@ithings/contract/features/users.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { connectDevice } from '#device.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { act, choose, confirmWith, dialog, row, submit, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, openPage, soon } from '#visit.ts'

const key = { productID: '254pwnKQsvK', deviceName: 'test5' }
const devicePage = `/deviceMangers/device/detail/${key.productID}/${key.deviceName}/1`
const shots = process.env.SHOTS
let platform: Platform
let browser: Browser
let call: Caller

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await call(createProduct, { productID: key.productID, productName: '水泵', autoRegister: 3 })
  await call(createDevice, key)
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const photograph = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/secrets-${name}.png` })
}
const fact = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })

test('a device secret is shown when asked for, rotated without a grace, and the device that knew the old one leaves', async () => {
  const device = await connectDevice(platform, call, key)
  const left = new Promise<void>((resolve) => device.client.once('close', () => resolve()))
  const old = (await call(readDeviceSecret, key)).secret
  const page = await openPage(browser, platform)
  await signInAt(page, platform, devicePage)
  const secret = fact(page, '设备密钥')
  await secret.getByRole('button', { name: '查看密钥' }).waitFor()
  await photograph(page, 'hidden')
  expect(await page.content()).not.toContain(old)
  await secret.getByRole('button', { name: '查看密钥' }).click()
  await secret.getByText(old).waitFor()
  await photograph(page, 'shown')

  await secret.getByRole('button', { name: '更换密钥' }).click()
  const question = `更换设备「${key.deviceName}」的密钥？`
  await choose(page, page.getByLabel('旧密钥的宽限期'), '立即失效')
  await photograph(page, 'rotate')
  await confirmWith(page, question, '更换')
  await told(page, '密钥已更换，旧密钥已失效')
  await left
  await secret.getByRole('button', { name: '查看密钥' }).click()
  await secret.getByText((await call(readDeviceSecret, key)).secret).waitFor()
  await soon(async () => (await call(listOperationLogs, {})).list.map((one) => one.operName)).toEqual(
    expect.arrayContaining(['查看设备密钥', '更换设备密钥']),
  )
})

test('a product secret is rotated with the usual grace, and the page says how long the old one works', async () => {
  const old = (await call(readProductSecret, key)).secret
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `/deviceMangers/product/detail/${key.productID}`)
  const secret = fact(page, '产品密钥')
  await secret.getByRole('button', { name: '更换密钥' }).click()
  await confirmWith(page, '更换产品「水泵」的密钥？', '更换')
  await told(page, '密钥已更换，宽限期内新旧密钥都可用')
  await secret.getByRole('button', { name: '查看密钥' }).click()
  await secret.getByText(/旧密钥在.*前仍可使用/).waitFor()
  const now = await call(readProductSecret, key)
  await secret.getByText(now.secret).waitFor()
  expect(now.secret).not.toBe(old)
  await photograph(page, 'product')
})

test('a user of role 3 sees the device, and that its secret is not for him', async () => {
  const person = { account: 'viewer_zhao', password: 'Walk-2026x' }
  await call(createUser, { userName: person.account, password: person.password, role: 3 })
  const page = await openPage(browser, platform)
  await signInAt(page, platform, devicePage, person)
  const secret = fact(page, '设备密钥')
  await secret.getByText('你的角色不能查看').waitFor()
  expect(await secret.getByRole('button').count()).toBe(0)
  await photograph(page, 'refused')
})

interface Named {
  deviceName: string
}

/** What a program with that key gets. */
const callByKey = async (apiKey: string) => {
  const { path } = listDevices
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`${platform.origin}${path}`, { method: 'POST', headers, body: '{}' })
  return { status: answer.status, names: ((await answer.json()).data?.list ?? []).map((one: Named) => one.deviceName) }
}

test('an administrator makes a key of a service account for one product, sees it once, and revokes it', async () => {
  await call(createProduct, { productID: '254pwnKQsvL', productName: '电表' })
  await call(createDevice, { productID: '254pwnKQsvL', deviceName: 'meter1' })
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/account/index')
  await page.getByRole('link', { name: '管理密钥' }).click()
  await page.getByText('还没有 API 密钥').waitFor()
  await photograph(page, 'keys-none')
  await page.goto(addressOf(platform, '/systemMangers/apiKey/index'))
  await page.getByRole('button', { name: '新增服务账号' }).first().click()
  const form = dialog(page, /新增服务账号/)
  await form.getByLabel('名称').fill('数据同步')
  await choose(page, form.getByLabel('角色'), 'user')
  await form.getByText('一个产品', { exact: true }).click()
  await choose(page, form.getByLabel('产品', { exact: true }), '水泵')
  await photograph(page, 'key-form')
  await submit(form, '创建')
  const made = dialog(page, '密钥已创建')
  const apiKey = await made.getByText(/^itk_/).innerText()
  await photograph(page, 'key-made')
  expect(await callByKey(apiKey)).toEqual({ status: 200, names: [key.deviceName] })
  await made.getByRole('button', { name: '我已保存' }).click()
  await made.waitFor({ state: 'hidden' })
  await row(page, '数据同步').getByText(apiKey.slice(0, 10)).waitFor()
  await soon(() => page.content()).not.toContain(apiKey)
  await photograph(page, 'keys')
  await act(page, '数据同步', '撤销')
  await confirmWith(page, '撤销 API 密钥「数据同步」？', '撤销')
  await row(page, '数据同步').getByText('已撤销').waitFor()
  expect((await callByKey(apiKey)).status).toBe(401)
})
