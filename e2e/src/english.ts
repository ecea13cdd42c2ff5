/** Somebody who reads no Chinese, for walks in English. */
import type { Page } from 'playwright-core'
import type { Platform } from './platform.ts'
import { administrator } from './program.ts'
import { addressOf } from './visit.ts'

export const english = { locale: 'en-US' }

export async function signInInEnglish(page: Page, platform: Platform): Promise<void> {
  await page.goto(addressOf(platform, '/user/login'))
  await page.getByLabel('Username', { exact: true }).fill(administrator.account)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
}

/** The screens of every day. */
export const everydayPlaces = [
  ...['product/index', 'device/index', 'group/index', 'createDeviceTask/index'].map((path) => `/deviceMangers/${path}`),
  ...['firmwareUpgrade', 'firmwareManger', 'remoteConfiguration', 'onlineDebugs', 'logService'].map(
    (path) => `/operationsMonitorings/${path}/index`,
  ),
  ...['/ruleEngine/scene/index', '/ruleEngine/scene/detail?type=device', '/home', '/account/index'],
  ...['alarmConfiguration/index', 'alarmConfiguration/log', 'alarmConfiguration/save', 'notify/index'].map(
    (path) => `/alarmMangers/${path}`,
  ),
  ...['/systemMangers/setting/index', '/systemMangers/cluster/index'],
]

/** The other language, in its own, and the name that the administrator has from the start. */
const allowed = new Set(['简体中文', '管', '管理员'])

/** Lines that somebody who reads no Chinese cannot read. */
export async function chineseOn(page: Page): Promise<string[]> {
  const words = await page.locator('body').innerText()
  return words.split('\n').filter((line) => /\p{Script=Han}/u.test(line) && !allowed.has(line.trim()))
}
