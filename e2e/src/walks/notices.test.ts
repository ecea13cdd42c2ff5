/** What the console says when something goes wrong around it (spec 4, 8, 9). */
import { listRoles } from '@ithings/contract/features/roles.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { accountMenu, firstScreen, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, answered, openPage, soon, unreachable } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const refresh = (page: Page) => page.getByRole('button', { name: '刷新' })
const notices = (page: Page, title: string) => page.locator('.ant-notification-notice').filter({ hasText: title })

test('an unreachable server is told once, however often it fails (spec 8)', async () => {
  const page = await openPage(browser, platform, { allowErrors: [unreachable] })
  await signInAt(page, platform, '/systemMangers/role/index')
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  await page.route(`**${listRoles.path}`, (route) => route.abort('connectionrefused'))
  await refresh(page).click()
  const notice = notices(page, '网络异常')
  await notice.getByText('您的网络发生异常，无法连接服务器').waitFor()
  // Under the pointer it stays, so that it is still there when the next call fails.
  await notice.hover()
  await refresh(page).press('Enter')
  await notice.getByText('共 2 次').waitFor()
  expect(await notice.count()).toBe(1)
  // spec 9: width 384, top offset 8.
  const box = await notice.boundingBox()
  expect(box?.width).toBe(384)
  expect(box?.y).toBeCloseTo(8, 0)

  // spec 9: it goes by itself once the pointer left it.
  await page.unroute(`**${listRoles.path}`)
  await refresh(page).click()
  await notice.waitFor({ state: 'detached' })
})

test('a body code other than 200 is a failure whatever the HTTP status (spec 8)', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(502)] })
  await signInAt(page, platform, '/systemMangers/role/index')
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  const answerWith = async (status: number, contentType: string, body: string) => {
    await page.unroute(`**${listRoles.path}`)
    await page.route(`**${listRoles.path}`, (route) => route.fulfill({ status, contentType, body }))
    await refresh(page).click()
  }
  await answerWith(200, 'application/json', JSON.stringify({ code: 100008, msg: '数据库错误', requestID: 'req-1' }))
  const refused = notices(page, '请求错误, 错误码:100008')
  await refused.getByText('数据库错误').waitFor()
  await refused.getByText('req-1').waitFor()

  // A proxy that answers for the platform speaks no JSON: the status is the code, the text is shown as it came.
  await answerWith(502, 'text/plain', 'upstream is down')
  await notices(page, '请求错误, 错误码:502').getByText('upstream is down').waitFor()
})

test('going offline shows a warning that goes when the network is back (spec 4)', async () => {
  const page = await openPage(browser, platform, { allowErrors: [unreachable] })
  await signInAt(page, platform, '/systemMangers/role/index')
  await page.context().setOffline(true)
  await page.getByText('当前处于离线状态').waitFor()
  await page.context().setOffline(false)
  await page.getByText('当前处于离线状态').waitFor({ state: 'detached' })
})

test('an unknown path shows the 404 page without layout (spec 2)', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/account/index')
  await page.goto(addressOf(platform, '/no/such/page'))
  await page.getByText('路径不存在').waitFor()
  await page.getByText('/no/such/page').waitFor()
  expect(await accountMenu(page).count()).toBe(0)
  await page.getByRole('button', { name: '回到首页' }).click()
  await page.waitForURL(addressOf(platform, firstScreen))
})

test('a screen whose script does not come says so in place and recovers (spec 8)', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(404), /页面资源加载失败/, /ChunkLoadError/] })
  await signInAt(page, platform, '/systemMangers/role/index')
  const script = '**/assets/menu-list-*.js'
  await page.route(script, (route) => route.fulfill({ status: 404, body: 'gone' }))
  await page.getByRole('link', { name: '菜单管理' }).click()
  await page.getByText('页面加载失败').waitFor()
  await page.unroute(script)
  await page.getByRole('button', { name: '刷新重试' }).click()
  await page.getByRole('heading', { name: '菜单管理' }).waitFor()
  expect(page.url()).toBe(addressOf(platform, '/systemMangers/menu/index'))
})

test('the choices of the settings drawer work at once and survive a reload', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/systemMangers/role/index')
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  const rowHeight = async () => (await page.getByRole('row', { name: /供应商/ }).boundingBox())?.height ?? 0
  const roomy = await rowHeight()
  await page.getByRole('button', { name: '界面设置' }).click()
  const drawer = page.getByRole('dialog', { name: '界面设置' })
  for (const choice of ['深色', '紧凑', '20', '垂直']) await drawer.getByText(choice, { exact: true }).click()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  const look = async () => {
    await soon(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
    await soon(rowHeight).toBeLessThan(roomy)
    await page.getByText('20 条/页').first().waitFor()
    await page.getByRole('button', { name: '新增角色' }).click()
    const dialog = page.getByRole('dialog', { name: '新增角色' })
    await dialog.waitFor()
    const label = await dialog.locator('label', { hasText: '角色名称' }).boundingBox()
    const field = await dialog.getByLabel('角色名称').boundingBox()
    // Vertical: the label stands above its field.
    expect((label?.y ?? 0) + (label?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0)
    await dialog.getByRole('button', { name: '取消' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await look()
  await page.reload()
  await look()
})
