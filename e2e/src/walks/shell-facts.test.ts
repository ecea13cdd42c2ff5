/** What the specification says of the shell, measured in the built console (spec 2, 3, 4, 7, 8, 9). */
import { readFile } from 'node:fs/promises'
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { createMenu, deleteMenu, listMenus, menuIcons, rootMenuID } from '@ithings/contract/features/menus.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { listRoles } from '@ithings/contract/features/roles.ts'
import { readConfig } from '@ithings/contract/features/settings.ts'
import { listUsers, readResources } from '@ithings/contract/features/users.ts'
import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { accountMenu, administrator, giveSession, knownAdmin, signInAt, signInButton } from '#sign-in.ts'
import { addressOf, answered, goToScreen, openPage, soon } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const roleList = '/systemMangers/role/index'
const styleOf = (locator: Locator, name: string) =>
  locator.evaluate((node, property) => getComputedStyle(node).getPropertyValue(property), name)

function record(page: Page): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  return requests
}
const callsOf = (requests: Request[], path: string) => requests.filter((one) => new URL(one.url()).pathname === path)

/** The scripts of a screen as the build weighed them, without the texts that only who reads English loads. */
async function scriptsOf(screen: string): Promise<string[]> {
  const text = await readFile(new URL('../../../apps/console/dist/script-sizes.json', import.meta.url), 'utf8')
  const weighed: { page: string; files: string[] }[] = JSON.parse(text)
  const found = weighed.find(({ page }) => page === `src/features/${screen} in English`)
  if (!found) throw new Error(`the build weighs no ${screen}`)
  return found.files.filter((file) => !/^assets\/(en|english|frame|later)-/.test(file))
}

/** Keeps the requests to these addresses back until they are released. */
async function holdBack(page: Page, address: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}

/** spec 2: a large centred spinner with top padding 100. */
async function seeSpinner(page: Page): Promise<void> {
  const spinner = page.locator('.page-spinner')
  await spinner.locator('.ant-spin-lg').waitFor()
  expect(await styleOf(spinner, 'padding-top')).toBe('100px')
  expect(await styleOf(spinner, 'text-align')).toBe('center')
}

test('spec 7: at startup two calls with empty payloads are made', async () => {
  const page = await openPage(browser, platform)
  const requests = record(page)
  await signInAt(page, platform, roleList)
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  for (const { path } of [readResources, readConfig]) {
    const calls = callsOf(requests, path).map((call) => [call.method(), call.postData()])
    expect(calls, path).toEqual([['POST', '{}']])
  }
})

test('spec 2: on the login route no session is loaded, not even a stored one', async () => {
  const page = await openPage(browser, platform)
  await giveSession(page, platform)
  const requests = record(page)
  await page.goto(addressOf(platform, '/user/login'))
  await signInButton(page).waitFor()
  await page.waitForLoadState('networkidle')
  expect(callsOf(requests, readConfig.path)).toHaveLength(1)
  expect(callsOf(requests, readResources.path)).toEqual([])
})

test('spec 4: while the session loads nothing but the spinner is shown, then user and menu', async () => {
  const page = await openPage(browser, platform)
  await giveSession(page, platform)
  const release = await holdBack(page, `**${readResources.path}`)
  await page.goto(addressOf(platform, roleList))
  await seeSpinner(page)
  expect(await accountMenu(page).count()).toBe(0)
  expect(page.url()).toBe(addressOf(platform, roleList))
  release()
  await accountMenu(page).getByText('管理员').waitFor()
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '角色管理' }).waitFor()
  await page.locator('.page-spinner').waitFor({ state: 'detached' })
})

test('spec 8: a session that cannot be loaded leads to the login page without a message', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(500)] })
  await giveSession(page, platform)
  const json = { code: 100008, msg: '数据库错误' }
  await page.route(`**${readResources.path}`, (route) => route.fulfill({ status: 500, json }))
  await page.goto(addressOf(platform, roleList))
  await signInButton(page).waitFor()
  expect(page.url()).toBe(addressOf(platform, `/user/login?redirect=${encodeURIComponent(roleList)}`))
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.ant-notification-notice, .ant-message-notice').count()).toBe(0)
  expect(await page.getByText(json.msg).count()).toBe(0)
})

test.each(['iThings-token', 'iThings-UID'])(
  'spec 2: without the stored %s the way leads to the login page',
  async (key) => {
    const page = await openPage(browser, platform)
    await giveSession(page, platform, administrator, key)
    const requests = record(page)
    await page.goto(addressOf(platform, roleList))
    await signInButton(page).waitFor()
    expect(callsOf(requests, readResources.path)).toEqual([])
  },
)

test('spec 2: the part of a screen is fetched on entering it, and the spinner is shown meanwhile', async () => {
  const page = await openPage(browser, platform)
  const requests = record(page)
  await signInAt(page, platform, roleList)
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  const fetched = () => requests.map((one) => one.url().replace(/^.*\/(?=assets\/)/, ''))
  const shared = await scriptsOf('roles/screens/role-list.tsx')
  const ofMenus = (await scriptsOf('menus/screens/menu-list.tsx')).filter((file) => !shared.includes(file))
  expect(ofMenus).not.toEqual([])
  expect(shared.filter((file) => !fetched().includes(file))).toEqual([])
  expect(fetched().filter((file) => ofMenus.includes(file))).toEqual([])

  const released = await Promise.all(ofMenus.map((file) => holdBack(page, `**/${file}`)))
  await page.getByRole('link', { name: '菜单管理' }).click()
  await seeSpinner(page)
  expect(await page.getByRole('heading', { name: '菜单管理' }).count()).toBe(0)
  for (const release of released) release()
  await page.getByRole('heading', { name: '菜单管理' }).waitFor()
  expect(await page.locator('.page-spinner').count()).toBe(0)
  expect(ofMenus.filter((file) => !fetched().includes(file))).toEqual([])
})

test('spec 2: the six screens of system management open at their routes', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, roleList)
  const titles = { user: '用户管理', role: '角色管理', menu: '菜单管理', api: '接口管理' }
  const logs = { 'log/loginLog': '登录日志', 'log/operationLog': '操作日志' }
  for (const [name, title] of Object.entries({ ...titles, ...logs }))
    await goToScreen(page, platform, `/systemMangers/${name}/index`, title)
})

test('spec 2: the thirteen menu icons are drawn, each in its own way, 14 by 14 with margins of 5', async () => {
  const call = await makeCaller(platform, administrator)
  for (const icon of menuIcons) await call(createMenu, { name: icon, parentID: rootMenuID, type: 2, icon, order: 900 })
  try {
    const page = await openPage(browser, platform)
    await signInAt(page, platform, roleList)
    const sider = page.getByRole('navigation', { name: '主菜单' })
    const drawings = new Set<string>()
    for (const name of menuIcons) {
      const icon = sider.getByRole('menuitem', { name }).locator('svg')
      await icon.waitFor()
      drawings.add(await icon.innerHTML())
      const look = ['width', 'height', 'margin-right', 'margin-bottom', 'margin-left', 'margin-top']
      const sizes = await Promise.all(look.map((property) => styleOf(icon, property)))
      expect(sizes, name).toEqual(['14px', '14px', '5px', '5px', '0px', '0px'])
    }
    expect(drawings.size).toBe(13)
  } finally {
    const { list } = await call(listMenus, {})
    const made = list.filter(({ name }) => (menuIcons as readonly string[]).includes(name))
    for (const { id } of made) await call(deleteMenu, { id })
  }
})

test('spec 3: by default the layout is light, mixed, fluid, with a fixed sider and a header that scrolls away', async () => {
  // A browser that asks for dark pages still gets the default.
  const page = await openPage(browser, platform, { viewport: { width: 2400, height: 420 }, darkSystem: true })
  await signInAt(page, platform, '/systemMangers/api/index')
  await page.getByRole('row').nth(8).waitFor()
  const [header, sider, menu] = [page.locator('.header'), page.locator('.sider'), page.locator('.sider-fixed')]
  const box = async (part: Locator) => (await part.boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN }
  const width = await page.evaluate(() => document.documentElement.clientWidth)

  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
  expect(await styleOf(sider, 'background-color')).toBe('rgb(255, 255, 255)')
  expect(await styleOf(page.getByRole('button', { name: '新增接口' }), 'background-color')).toBe('rgb(47, 84, 235)')

  // Mixed: the header lies over the whole width, the sider below it. Fluid: the content takes what is left.
  const top = await box(header)
  expect([top.x, top.y, top.width]).toEqual([0, 0, width])
  const side = await box(sider)
  expect([side.x, side.y]).toEqual([0, top.height])
  const content = await box(page.locator('main'))
  expect([content.x, content.width]).toEqual([side.width, width - side.width])

  // No split menus: the header has none, the sider has the groups and their entries.
  expect(await header.getByRole('menuitem').count()).toBe(0)
  await menu.getByRole('menuitem', { name: '系统管理' }).waitFor()
  await menu.getByRole('link', { name: '接口管理' }).waitFor()

  for (const part of ['html', 'body', '#root', '.shell'])
    expect(await styleOf(page.locator(part), 'filter')).toBe('none')

  expect(await page.locator('link[rel=manifest]').count()).toBe(0)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)

  await page.evaluate(() => window.scrollTo(0, 200))
  await soon(async () => (await box(header)).y).toBe(-200)
  expect((await box(menu)).y).toBe(0)
})

test('another screen begins at its top, with its entry of the menu in sight, and the way back leads to where one was', async () => {
  const page = await openPage(browser, platform, { viewport: { width: 1440, height: 420 } })
  await signInAt(page, platform, '/systemMangers/api/index')
  await page.getByRole('row').nth(10).waitFor()
  const menu = page.getByRole('navigation', { name: '主菜单' })
  const box = async (part: Locator) => (await part.boundingBox()) ?? { y: Number.NaN, height: Number.NaN }
  const inSight = async (name: string) => {
    const [entry, seen] = [await box(menu.getByRole('link', { name })), await box(menu)]
    return entry.y >= seen.y && entry.y + entry.height <= seen.y + seen.height
  }
  await soon(() => inSight('接口管理')).toBe(true)

  const place = () => page.evaluate(() => window.scrollY)
  await page.locator('.ant-pagination-item-2').click()
  await soon(() => page.url()).toContain('page=2')
  await page.evaluate(() => window.scrollTo(0, 300))
  await soon(place).toBe(300)

  await page.getByRole('link', { name: '角色管理' }).click()
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  expect(await place()).toBe(0)
  await page.evaluate(() => window.scrollTo(0, 40))
  await menu.getByRole('menuitem', { name: '规则引擎' }).click()
  await menu.getByRole('link', { name: '场景联动' }).click()
  await page.getByRole('heading', { name: '场景联动', level: 1 }).waitFor()
  expect(await place()).toBe(0)

  await page.goBack()
  await page.getByRole('heading', { name: '角色管理', level: 1 }).waitFor()
  await soon(place).toBe(40)
  // Though somebody had looked around in the menu here.
  await soon(() => inSight('角色管理')).toBe(true)
  await page.goBack()
  await page.getByRole('heading', { name: '接口管理', level: 1 }).waitFor()
  await soon(place).toBe(300)
})

test('the tabs of a device stay where the page was scrolled to', async () => {
  const call = await makeCaller(platform, administrator)
  const { productID } = await call(createProduct, { productName: '换页签' })
  await call(createDevice, { productID, deviceName: 'tabs-1' })
  const page = await openPage(browser, platform, { viewport: { width: 1440, height: 420 } })
  await signInAt(page, platform, `/deviceMangers/device/detail/${productID}/tabs-1/1`)
  await page.getByText('设备密钥').waitFor()
  await page.evaluate(() => window.scrollTo(0, 60))
  for (const name of ['设备影子', '日志', '设备信息']) {
    const tab = page.getByRole('tab', { name, exact: true })
    await tab.click()
    await soon(() => tab.getAttribute('aria-selected')).toBe('true')
    expect(await page.evaluate(() => window.scrollY)).toBe(60)
  }
})

test('spec 9: a message is shown for 3 seconds, a notification for 4.5', async () => {
  const page = await openPage(browser, platform)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await signInAt(page, platform, roleList)
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  const json = { code: 100008, msg: '数据库错误', requestID: 'req-1' }
  await page.route(`**${listRoles.path}`, (route) => route.fulfill({ json }))

  /** Gone means that it leaves; how long the leaving takes is the animation's matter. */
  const staysFor = async (notice: Locator, ms: number) => {
    await notice.waitFor()
    await page.clock.runFor(ms - 100)
    expect(await notice.count()).toBe(1)
    expect(await notice.getAttribute('class')).not.toContain('leave')
    await page.clock.runFor(200)
    await soon(() => notice.evaluateAll((shown) => shown.every((one) => one.className.includes('leave')))).toBe(true)
    await page.clock.runFor(1000)
    await notice.waitFor({ state: 'detached' })
  }
  const notification = page.locator('.ant-notification-notice', { hasText: json.msg })
  await page.getByRole('button', { name: '刷新' }).press('Enter')
  await staysFor(notification, 4500)

  await page.getByRole('button', { name: '刷新' }).press('Enter')
  await notification.getByRole('button', { name: '复制请求编号' }).click()
  await staysFor(page.locator('.ant-message-notice', { hasText: '复制成功' }), 3000)
})

// Beside the console, and like it without the Internet.
test('/api/docs shows every endpoint, complains about nothing and asks no other host', async () => {
  const page = await openPage(browser, platform)
  await page.goto(`${platform.origin}/api/docs`)
  // Beyond a hundred operations the page draws only those in sight: look at all of them on the way down.
  const seen = new Set<string>()
  await soon(async () => {
    const paths = await page
      .locator('.opblock [data-path]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-path')))
    for (const path of paths) if (path) seen.add(path)
    // From above again: what is passed by too quickly is not drawn.
    await page.evaluate(() => {
      const { scrollTop, clientHeight, scrollHeight } = document.documentElement
      window.scrollTo(0, scrollTop + clientHeight < scrollHeight - 1 ? scrollTop + 400 : 0)
    })
    return seen.size
  }).toBe(allEndpoints.length)
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.locator(`.opblock [data-path="${listUsers.path}"]`).click()
  await page.getByText('Request body').first().waitFor()
})
