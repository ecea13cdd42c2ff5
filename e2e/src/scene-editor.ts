/** The scene editor as a person uses it: 当, 且, 则 and 保存. */
import type { Locator, Page } from 'playwright-core'
import type { Platform } from './platform.ts'
import { choose } from './screens.ts'
import { addressOf } from './visit.ts'

export const scenesPath = '/ruleEngine/scene/index'

export const part = (page: Page, title: '触发' | '条件' | '动作'): Locator =>
  page.getByRole('region', { name: title, exact: true })
export const sentence = (page: Page): Locator => page.getByRole('region', { name: '规则预览' })

/** Opens the editor from the list, as people do. */
export async function newScene(page: Page, kind: '设备触发' | '定时触发' | '手动触发', name: string): Promise<void> {
  await page.getByRole('button', { name: '新增场景' }).first().click()
  await page.getByRole('dialog').getByRole('link', { name: kind }).click()
  // The list has a field of the same name.
  await page.getByRole('button', { name: '返回场景列表' }).waitFor()
  await page.getByLabel('场景名称').fill(name)
}

export async function openScene(page: Page, platform: Platform, id: number): Promise<void> {
  await page.goto(addressOf(platform, `/ruleEngine/scene/detail?id=${id}`))
}

interface Limit {
  product: string
  property: string
  sign: '>' | '≥' | '<' | '≤'
  value: string
  /** It must last so many seconds. */
  seconds?: string
}

/** The first trigger: a property of all devices of a product. */
export async function whenProperty(page: Page, { product, property, sign, value, seconds }: Limit): Promise<void> {
  const card = part(page, '触发')
  await choose(page, card.getByLabel('产品'), product)
  await choose(page, card.getByLabel('属性', { exact: true }), property)
  await choose(page, card.getByLabel('比较', { exact: true }), sign)
  await card.getByLabel('比较值').fill(value)
  if (seconds === undefined) return
  await card.getByLabel('防抖').getByText('持续', { exact: true }).click()
  await card.getByLabel('持续时间', { exact: true }).fill(seconds)
}

/** Every day between two times; over midnight when the end is the earlier one. */
export async function betweenTimes(page: Page, start: string, end: string): Promise<void> {
  const card = part(page, '条件')
  await card.getByRole('button', { name: /添加条件$/ }).click()
  await choose(page, card.getByLabel('条件类型'), '系统时间')
  await choose(page, card.getByLabel('哪些天'), '每天')
  for (const [label, time] of [
    ['开始时间', start],
    ['结束时间', end],
  ] as const) {
    await card.getByLabel(label).click()
    await card.getByLabel(label).fill(time)
    await card.getByLabel(label).press('Enter')
    await sentence(page).filter({ hasText: time }).waitFor()
  }
}

export async function addStep(page: Page, kind: string): Promise<Locator> {
  const card = part(page, '动作')
  await card
    .locator('.step-adds')
    .getByRole('button', { name: new RegExp(`${kind}$`) })
    .click()
  return card.getByRole('listitem').last()
}

/** Calls an action of the device that started the scene. */
export async function callAction(page: Page, action: string): Promise<void> {
  const step = await addStep(page, '设备输出')
  await step.getByText('行为调用', { exact: true }).last().click()
  await choose(page, step.getByLabel('要调用的行为'), action)
}

export async function notifyBy(page: Page, channel: string): Promise<void> {
  const step = await addStep(page, '通知')
  await choose(page, step.getByLabel('通知渠道'), channel)
  await page.keyboard.press('Escape')
}

/** Saves, and says under which number; a new scene gets its address by that. */
export async function saveScene(page: Page): Promise<number> {
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.waitForURL(/[?&]id=\d+/)
  return Number(new URL(page.url()).searchParams.get('id'))
}
