// Pictures of the README, taken from the demo fleet: npm run screenshots -- [origin of a platform that runs]
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { buildConsole } from './build-console.mjs'
import { ensureChromium, findChromium } from './chromium.mjs'
import { nodeProgram, root } from './repository.mjs'
import { Refusal } from './step.mjs'

const images = join(root, 'docs/images')
const minute = 60_000
const pump = '/deviceMangers/device/detail/DemoPump001/pump-001'

/** @typedef {{ name: string, path: string, size?: [number, number], dark?: boolean, jpeg?: boolean, ready: (page: import('playwright-core').Page) => Promise<unknown> }} Picture */

const seen = (text) => (page) => page.getByText(text).filter({ visible: true }).first().waitFor()

/** Clicks one thing after the other. */
const after = (steps, ready) => async (page) => {
  for (const step of steps) await step(page).first().click()
  await ready(page)
}
const button = (name) => (page) => page.getByRole('button', { name, exact: true })
const link = (name) => (page) => page.getByRole('link', { name, exact: true })
const drawn = async (page) => {
  await page.locator('canvas').first().waitFor()
  // The curve is drawn from left to right.
  await page.waitForTimeout(2_000)
}

/** @type {Picture[]} */
const pictures = [
  {
    name: 'large-screen',
    path: '/home',
    size: [1920, 1080],
    dark: true,
    jpeg: true,
    ready: after([button('全屏显示')], async (page) => {
      await page.getByRole('region', { name: '离线率最高的城市' }).waitFor()
      await drawn(page)
    }),
  },
  { name: 'device-state', path: `${pump}/9`, ready: seen('出口压力') },
  { name: 'device-history', path: `${pump}/10?props=motorTemp&props=flow&time=4`, ready: drawn },
  {
    name: 'alarm-queue',
    path: '/alarmMangers/alarmConfiguration/log',
    ready: after([button('冷链货舱超温')], drawn),
  },
  { name: 'scene-editor', path: '/ruleEngine/scene/index', ready: after([link('电机过热降载')], seen('设定压力')) },
  { name: 'thing-model', path: '/deviceMangers/product/detail/DemoPump001?tab=model', ready: seen('outletPressure') },
  {
    name: 'upgrade-detail',
    path: '/operationsMonitorings/firmwareUpgrade/index',
    ready: after([link(/2\.1\.0/)], seen('升级漏斗')),
  },
  { name: 'message-trace', path: `${pump}/2`, ready: after([button('跟踪')], seen('回复')) },
  { name: 'device-state-dark', path: `${pump}/9`, dark: true, ready: seen('出口压力') },
  { name: 'phone-devices', path: '/deviceMangers/device/index', size: [390, 844], ready: seen('在线') },
  { name: 'phone-device-dark', path: `${pump}/9`, size: [390, 844], dark: true, ready: seen('出口压力') },
]

/** The program itself with the demo fleet, on free ports and a folder that goes with it. */
async function startPlatform(password) {
  await buildConsole()
  const dataDir = mkdtempSync(join(tmpdir(), 'ithings-pictures-'))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  chmodSync(dataDir, 0o711)
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(nodeProgram, ['apps/server/src/main.ts', '--demo'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...inherited,
      PORT: '0',
      MQTT_PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      CAPTCHA: 'off',
      ADMIN_PASSWORD: password,
      TZ: 'Asia/Shanghai',
      LOG_LEVEL: 'warn',
    },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const origin = await new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const found = /ready:\s+(\S+)\/front\/iThingsCore\//.exec(printed)
      if (found) resolve(found[1])
    })
    void ended.then(() => reject(new Refusal(`${printed}\nThe platform did not start.`)))
  })
  return {
    origin,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const addressOf = (origin, path) => `${origin}/front/iThingsCore${path}`

async function signIn(page, origin, password) {
  await page.goto(addressOf(origin, '/user/login'))
  await page.getByLabel('用户名', { exact: true }).fill('administrator')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: /登录$/ }).click()
  await page.waitForURL((url) => !url.pathname.includes('/user/login'))
}

/** Online, and long enough for curves to have begun. */
async function waitForFleet(page, origin) {
  await page.goto(addressOf(origin, '/home'))
  await page.getByRole('link', { name: /^在线设备 1\d\d 台/ }).waitFor({ timeout: 5 * minute })
}

/** Nothing is on its way any more: neither data nor a part of the page. */
async function settle(page) {
  await page.waitForLoadState('networkidle', { timeout: minute / 2 }).catch(() => undefined)
  await page
    .locator('.ant-skeleton, .ant-spin-spinning')
    .first()
    .waitFor({ state: 'detached', timeout: minute / 2 })
}

async function take(browser, origin, session, { name, path, size = [1440, 900], dark = false, jpeg = false, ready }) {
  const [width, height] = size
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    storageState: session,
  })
  context.setDefaultTimeout(minute)
  const page = await context.newPage()
  await page.addInitScript(
    (theme) => localStorage.setItem('iThings-preferences', JSON.stringify({ theme })),
    dark ? 'dark' : 'light',
  )
  await page.goto(addressOf(origin, path))
  await settle(page)
  await ready(page)
  await settle(page)
  await page.screenshot({
    path: join(images, `${name}.${jpeg ? 'jpeg' : 'png'}`),
    ...(jpeg && { type: 'jpeg', quality: 82 }),
  })
  console.log(name)
  await context.close()
}

/** @param {string[]} args the address of a running platform (without: one is started), then names of single pictures */
async function main([running, ...names]) {
  await ensureChromium()
  mkdirSync(images, { recursive: true })
  const password = running ? (process.env.ADMIN_PASSWORD ?? '') : `Aa1-${randomBytes(9).toString('hex')}`
  const platform = running ? { origin: running, stop: async () => undefined } : await startPlatform(password)
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  })
  try {
    const context = await browser.newContext({ locale: 'zh-CN' })
    const page = await context.newPage()
    await signIn(page, platform.origin, password)
    await waitForFleet(page, platform.origin)
    const session = await context.storageState()
    const wanted = pictures.filter(({ name }) => names.length === 0 || names.includes(name))
    for (const picture of wanted) await take(browser, platform.origin, session, picture)
  } finally {
    await browser.close()
    await platform.stop()
  }
}

await main(process.argv.slice(2))
