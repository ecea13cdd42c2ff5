/**
 * Every route of the console, full of the demo fleet, on a desk, in a pocket and on a wall, by day and by night: a title,
 * no complaint, nothing that scrolls sideways, nothing that jumps, and no text that is more than text. SHOTS=<folder> keeps
 * the pictures for people to look at.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDemo } from '@ithings/contract/features/demo.ts'
import { countDevices, listDevices } from '@ithings/contract/features/devices/info.ts'
import { createChannel } from '@ithings/contract/features/notify.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { createRole } from '@ithings/contract/features/roles.ts'
import { createUser } from '@ithings/contract/features/users.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { barriersOf } from '#barriers.ts'
import { launchBrowser } from '#browser.ts'
import { type FleetFacts, readFleetFacts } from '#fleet-facts.ts'
import { homeFaults } from '#home-look.ts'
import { spoilTexts, traceOf } from '#hostile-texts.ts'
import { actsOf, changesAmong, makeReader } from '#offered-acts.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { mostRequests, watchRequests } from '#requests.ts'
import { forgetShift, type Measures, measure, watchRest, watchShift } from '#settled.ts'
import { administrator, knownAdmin, signInAt, signInHere } from '#sign-in.ts'
import { type Stop, stopsOf } from '#stops.ts'
import { addressOf, desk, goInside, goToScreen, openPage, pocket, soon } from '#visit.ts'

const wall = { width: 3840, height: 2160 }
/** On a machine that does other work meanwhile. */
const longest = 20 * 60_000
/** What the browser's makers call good (Core Web Vitals); a page at rest is drawn once. */
const shiftLimit = 0.1
/** And what they still do not call poor: a name of two lines pushes down what stands below it. */
const spoiltLimit = 0.25
const shots = process.env.SHOTS
const soak = process.env.SOAK === 'on'
const consoleFile = (name: string) => readFile(new URL(`../../../apps/console/src/${name}`, import.meta.url), 'utf8')

let platform: Platform
let browser: Browser
let call: Caller
let facts: FleetFacts
let stops: Stop[]

/** May only read. */
const reader = { account: 'viewer_qian', password: 'Qian-viewer-1' }
/** Stops where an administrator has much to do. */
const actful =
  /^(product-list|product-script|device-list|device-credentials|device-topics|scene-list|alarm-notify|notify-channels)$/

/** What people have made besides the fleet. */
async function makeOffice(call: Caller) {
  await makeReader(call, reader)
  for (let n = 1; n <= 12; n++) {
    await call(createUser, {
      userName: `operator_${String(n).padStart(2, '0')}`,
      password: 'Operator-123',
      role: n % 3 === 0 ? 2 : 3,
      nickName: `值班员 ${n}`,
      phone: `1380000${String(n).padStart(4, '0')}`,
      email: `operator${n}@plant.example`,
    })
  }
  await call(createRole, { name: '水厂夜班值班长', remark: '夜间负责三号水厂的全部设备，可以下发指令但不能修改产品' })
  await call(createChannel, { name: '值班群', type: 'webhook', settings: { url: 'https://hook.invalid/duty' } })
}

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin, args: ['--demo'] })
  expect(platform.output()).toContain('The demo fleet is being loaded')
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await makeOffice(call)
  // Its devices come online one after the other once it is loaded; while they do, a busy machine may turn calls away.
  const readLoaded = async () => {
    expect((await call(readDemo, {})).state).toBe('loaded')
    // On a crowded machine some of the 176 lose their connection for a while.
    expect((await call(countDevices, {})).deviceCount.online).toBeGreaterThan(99)
    return readFleetFacts(call)
  }
  facts = await vi.waitFor(readLoaded, { timeout: longest / 2, interval: 500 })
  stops = stopsOf(facts)
  if (shots) await mkdir(shots, { recursive: true })
}, longest)
afterAll(async () => {
  if (platform) await discard(platform)
})

test('no screen of the route table is left out', async () => {
  const names = [...(await consoleFile('app/routes.tsx')).matchAll(/^ {4}path: paths\.(\w+)/gm)].map(([, name]) => name)
  const paths = new Map(
    [...(await consoleFile('kit/paths.ts')).matchAll(/^ {2}(\w+): '([^']+)'/gm)].map(([, name, path]) => [name, path]),
  )
  const table = names.map((name) => paths.get(name) ?? `no address of ${name}`)
  expect(table).toContain('/deviceMangers/product/index')
  const visited = stops.map(({ path }) => path.replace(/\?.*/, ''))
  const leftOut = table.filter((path) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
    return !visited.some((one) => pattern.test(one))
  })
  expect(leftOut).toEqual([])
})

test('every route that is loaded from nothing is there after few requests', { timeout: longest }, async () => {
  const page = await openPage(browser, platform)
  const rest = watchRest(page)
  const requests = watchRequests(page)
  await signInAt(page, platform, '/account/index')
  const crowded: string[] = []
  for (const { path, name, title } of stops) {
    await page.goto(addressOf(platform, path))
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await rest()
    const asked = requests()
    if (asked.length > mostRequests) crowded.push(`${name} asks ${asked.length} times:`, ...asked)
  }
  expect(crowded.join('\n')).toBe('')
})

/** The own account's acts, and chapters that are called like what they tell of. */
const withoutActs = /^profile$|^own-key-list$|^help-/

test('who may only read is offered no act that would be refused', { timeout: longest }, async () => {
  const page = await openPage(browser, platform)
  const rest = watchRest(page)
  await signInAt(page, platform, '/account/index', reader)
  const found: string[] = []
  for (const { path, name, title } of stops.filter((one) => !withoutActs.test(one.name))) {
    await goInside(page, platform, path)
    await page.getByRole('heading', { name: title, level: 1 }).or(page.getByText('你没有')).first().waitFor()
    await rest()
    for (const act of changesAmong(await actsOf(page))) found.push(`${name}: ${act}`)
    // A form that has an address says so instead of being filled in for nothing.
    if (/^(alarm|scene)-new$/.test(name)) await page.getByText(/你没有「新\S+」的权限/).waitFor()
  }
  expect(found.join('\n')).toBe('')

  await goToScreen(page, platform, '/deviceMangers/product/index', '产品')
  await page.getByRole('button', { name: /^告警(，|$)/ }).click()
  await page.getByText('查看全部告警').waitFor()
  expect(changesAmong(await actsOf(page))).toEqual([])
  await page.keyboard.press('Control+k')
  const entries = page.getByRole('dialog').getByRole('option')
  await entries.filter({ hasText: '固件升级' }).first().waitFor()
  // Those screens are the administrators'.
  expect(await entries.filter({ hasText: '系统管理' }).count()).toBe(0)
})

test('who may change things is offered them by the same look', { timeout: longest }, async () => {
  const page = await openPage(browser, platform)
  const rest = watchRest(page)
  await signInAt(page, platform, '/account/index')
  const offered: string[] = []
  for (const { path, title } of stops.filter((one) => actful.test(one.name))) {
    await goToScreen(page, platform, path, title)
    await rest()
    offered.push(...changesAmong(await actsOf(page)))
  }
  expect(offered).toEqual(
    expect.arrayContaining([
      '新增产品',
      'field 解析脚本',
      '新增设备',
      '重新生成',
      '发送测试',
      '新增场景',
      '保存',
      '新增渠道',
    ]),
  )
})

/** Its tabs and drawers are addresses below. */
const screenOf = (path: string) => path.replace(/\?.*/, '').split('/').slice(0, 5).join('/')

const faultsOf = ({ overflow, shift }: Measures, limit: number): string[] => [
  ...(overflow > 0 ? [`${overflow} px too wide`] : []),
  ...(shift > limit ? [`jumps by ${shift.toFixed(3)}`] : []),
]

interface Look {
  size: string
  viewport: typeof desk
  theme: 'light' | 'dark'
  /** Names of the stops; all of them by default. */
  only?: RegExp
  /** After the texts of everything were spoilt, so the last one. */
  spoilt?: true
}

/** A wall shows the large screen; of all others one of each kind, since nothing is narrow there. */
const forWall = /^home|^(device-list|device-status|scene-device|alarm-queue|help-operator)$/

/**
 * Each size and each theme once, the desk with spoilt texts: what is too wide is so by day and by night, and what holds
 * with those texts does with others. The soak takes all of it.
 */
const plainLooks: Look[] = soak
  ? Object.entries({ desk, pocket, wall }).flatMap(([size, viewport]) => [
      { size, viewport, theme: 'light' },
      { size, viewport, theme: 'dark' },
    ])
  : [
      ...(shots ? [{ size: 'desk', viewport: desk, theme: 'light' } as const] : []),
      { size: 'pocket', viewport: pocket, theme: 'dark' },
      { size: 'wall', viewport: wall, theme: 'dark', only: forWall },
    ]
const looks: Look[] = [...plainLooks, { size: 'desk', viewport: desk, theme: 'light', spoilt: true }]

for (const { size, viewport, theme, only = /./, spoilt } of looks) {
  const look = `${size}-${theme}${spoilt ? '-spoilt' : ''}`
  // The soak loads each screen from nothing in one look; otherwise one follows the other as links do it.
  const allAnew = soak && look === 'desk-light'

  test(`every route shows its title, fits and stands still: ${look}`, { timeout: longest }, async () => {
    if (spoilt) stops = stopsOf(await spoilTexts(platform, call, facts))
    const page = await openPage(browser, platform, { viewport, dark: theme === 'dark' })
    const rest = watchRest(page)
    await watchShift(page)
    const faults: string[] = []
    const judge = async (name: string) => {
      await rest()
      if (shots) await page.screenshot({ path: join(shots, `${name}-${look}.png`) })
      const seen = faultsOf(await measure(page), spoilt ? spoiltLimit : shiftLimit)
      // Each rule once, on a desk by day: a barrier there is one everywhere.
      const barriers = spoilt ? await barriersOf(page) : []
      for (const fault of [...seen, ...barriers, ...(await traceOf(page))]) faults.push(`${name}: ${fault}`)
    }

    await page.goto(addressOf(platform, '/user/login'))
    await page.getByRole('heading', { name: '用户登录' }).waitFor()
    await judge('login')
    await signInHere(page)
    await page.getByRole('heading', { name: '产品', level: 1 }).waitFor()
    await rest()
    expect(await page.locator('html').getAttribute('data-theme')).toBe(theme)
    let before = ''
    for (const { path, name, title, anew } of stops.filter((one) => only.test(one.name))) {
      if (anew || (allAnew && screenOf(path) !== before)) await page.goto(addressOf(platform, path))
      else {
        await forgetShift(page)
        await goInside(page, platform, path)
      }
      before = screenOf(path)
      const heading = page.getByRole('heading', { name: title, level: 1 })
      await heading.waitFor().catch(() => faults.push(`${name}: no heading ${title}`))
      await judge(name)
      if (path.startsWith('/home')) await soon(() => homeFaults(page)).toEqual([])
    }
    await forgetShift(page)
    await goInside(page, platform, '/no/such/page')
    await page.getByText('路径不存在').waitFor()
    await judge('not-found')
    // As one text: of a list a failure tells only how long it is.
    expect(faults.join('\n')).toBe('')
  })
}

test('a start with --remove-demo takes the fleet away, and what was added to it', { timeout: longest }, async () => {
  await platform.kill('SIGTERM')
  platform = await startPlatform({ dataDir: platform.dataDir, env: knownAdmin, args: ['--remove-demo'] })
  expect(platform.output()).toContain('The demo fleet is being removed')
  call = await makeCaller(platform, administrator)
  await expect.poll(async () => (await call(readDemo, {})).state, { timeout: longest / 2, interval: 500 }).toBe('none')
  expect(await call(listProducts, {})).toMatchObject({ list: [], total: 0 })
  expect(await call(listDevices, {})).toMatchObject({ list: [], total: 0 })
})
