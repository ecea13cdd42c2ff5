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

/**
 * What somebody who reads no Chinese cannot read: on the page, in the names and hints of its elements, in what the style
 * sheet puts before and behind them, and in short messages, which may be gone by now.
 */
export async function chineseOn(page: Page): Promise<string[]> {
  const said = await page.evaluate(() => {
    const names = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt', 'data-label']
    const texts = [document.title, ...window.walkMessages, ...document.body.innerText.split('\n')]
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility()) continue
      for (const name of names) texts.push(element.getAttribute(name) ?? '')
      for (const place of ['::before', '::after'])
        texts.push(getComputedStyle(element, place).content.replaceAll('"', ''))
    }
    return texts
  })
  return [...new Set(said.filter((text) => /\p{Script=Han}/u.test(text) && !allowed.has(text.trim())))]
}
