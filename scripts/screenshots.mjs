// Pictures of both READMEs, taken from the demo fleet: npm run screenshots -- [zh or en] [origin of a platform that runs] [names]
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { buildConsole } from './build-console.mjs'
import { ensureChromium, findChromium } from './chromium.mjs'
import { nodeProgram, root } from './repository.mjs'
import { Refusal } from './step.mjs'

/**
 * @typedef {{ images: string, demo: string, locale: string, zone: string, words: (text: string) => string, names: (text: string) => string }} Edition
 * `words`: of the console, `names`: of the demo fleet, by their Chinese
 */

/** All catalogues below a folder, as one. @param {string} folder @returns {Record<string, string>} */
function cataloguesBelow(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return Object.assign(
    {},
    ...files
      .filter((path) => /(^|[\\/])en(-[a-z-]+)?\.json$/.test(path))
      .map((path) => JSON.parse(readFileSync(join(root, folder, path), 'utf8'))),
  )
}

/** @param {string[]} folders */
function englishOf(...folders) {
  const texts = Object.assign({}, ...folders.map(cataloguesBelow))
  return (/** @type {string} */ text) => {
    const english = texts[text]
    if (english === undefined) throw new Refusal(`No catalogue below ${folders.join(' and ')} has “${text}”.`)
    return english
  }
}

const same = (/** @type {string} */ text) => text
/** Made when it is asked for: whoever takes Chinese pictures needs no catalogue. @type {Record<string, () => Edition>} */
const editions = {
  zh: () => ({
    images: join(root, 'docs/images'),
    demo: '--demo',
    locale: 'zh-CN',
    zone: 'Asia/Shanghai',
    words: same,
    names: same,
  }),
  en: () => ({
    images: join(root, 'docs/images/en'),
    demo: '--demo=en',
    locale: 'en-US',
    zone: 'Europe/London',
    words: englishOf('packages/contract/src', 'apps/console/src'),
    names: englishOf('apps/server/src/features/demo'),
  }),
}

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

/** @param {Edition} edition @returns {Picture[]} */
const picturesOf = ({ words, names }) => [
  {
    name: 'large-screen',
    path: '/home',
    size: [1920, 1080],
    dark: true,
    jpeg: true,
    ready: after([button(words('全屏显示'))], async (page) => {
      await page.getByRole('region', { name: words('离线率最高的城市') }).waitFor()
      await drawn(page)
    }),
  },
  { name: 'device-state', path: `${pump}/9`, ready: seen(names('出口压力')) },
  { name: 'device-history', path: `${pump}/10?props=motorTemp&props=flow&time=4`, ready: drawn },
  {
    name: 'alarm-queue',
    path: '/alarmMangers/alarmConfiguration/log',
    ready: after([button(names('冷链货舱超温'))], drawn),
  },
  {
    name: 'scene-editor',
    path: '/ruleEngine/scene/index',
    ready: after([link(names('电机过热降载'))], seen(words('规则预览'))),
  },
  { name: 'thing-model', path: '/deviceMangers/product/detail/DemoPump001?tab=model', ready: seen('outletPressure') },
  {
    name: 'upgrade-detail',
    path: '/operationsMonitorings/firmwareUpgrade/index',
    ready: after([link(/2\.1\.0/)], seen(words('升级漏斗'))),
  },
  { name: 'message-trace', path: `${pump}/2`, ready: after([button(words('跟踪'))], seen(words('回复'))) },
  { name: 'device-state-dark', path: `${pump}/9`, dark: true, ready: seen(names('出口压力')) },
  { name: 'phone-devices', path: '/deviceMangers/device/index', size: [390, 844], ready: seen(words('在线')) },
  { name: 'phone-device-dark', path: `${pump}/9`, size: [390, 844], dark: true, ready: seen(names('出口压力')) },
]

/** The program itself with the demo fleet, on free ports and a folder that goes with it. */
async function startPlatform({ demo, zone }, password) {
  await buildConsole()
  const dataDir = mkdtempSync(join(tmpdir(), 'ithings-pictures-'))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  chmodSync(dataDir, 0o711)
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(nodeProgram, ['apps/server/src/main.ts', demo], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...inherited,
      LC_ALL: 'C',
      PORT: '0',
      MQTT_PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      CAPTCHA: 'off',
      ADMIN_PASSWORD: password,
      TZ: zone,
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

async function signIn(page, { words }, origin, password) {
  await page.goto(addressOf(origin, '/user/login'))
  await page.getByLabel(words('用户名'), { exact: true }).fill('administrator')
  await page.getByLabel(words('密码'), { exact: true }).fill(password)
  await page.getByRole('button', { name: new RegExp(`${words('登录')}$`) }).click()
  await page.waitForURL((url) => !url.pathname.includes('/user/login'))
}

/** Online, and long enough for curves to have begun. */
async function waitForFleet(page, { words }, origin) {
  await page.goto(addressOf(origin, '/home'))
  await page.getByRole('link', { name: new RegExp(`^${words('在线设备')} 1\\d\\d `) }).waitFor({ timeout: 5 * minute })
}

/** Nothing is on its way any more: neither data nor a part of the page. */
async function settle(page) {
  await page.waitForLoadState('networkidle', { timeout: minute / 2 }).catch(() => undefined)
  await page
    .locator('.ant-skeleton, .ant-spin-spinning')
    .first()
    .waitFor({ state: 'detached', timeout: minute / 2 })
}

async function take(browser, { images, locale, zone }, origin, session, picture) {
  const { name, path, size = [1440, 900], dark = false, jpeg = false, ready } = picture
  const [width, height] = size
  const context = await browser.newContext({
    viewport: { width, height },
    locale,
    timezoneId: zone,
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

/** @param {Edition} edition @param {string | undefined} running address of a platform; without: one is started @param {string[]} names */
async function takeAll(edition, running, names) {
  mkdirSync(edition.images, { recursive: true })
  const password = running ? (process.env.ADMIN_PASSWORD ?? '') : `Aa1-${randomBytes(9).toString('hex')}`
  const platform = running ? { origin: running, stop: async () => undefined } : await startPlatform(edition, password)
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  })
  try {
    // Who has chosen no language reads that of the browser.
    const context = await browser.newContext({ locale: edition.locale })
    const page = await context.newPage()
    await signIn(page, edition, platform.origin, password)
    await waitForFleet(page, edition, platform.origin)
    const session = await context.storageState()
    const wanted = picturesOf(edition).filter(({ name }) => names.length === 0 || names.includes(name))
    for (const picture of wanted) await take(browser, edition, platform.origin, session, picture)
  } finally {
    await browser.close()
    await platform.stop()
  }
}

/** A fleet has one language, so that a platform that runs needs the word. @param {string[]} args */
async function main(args) {
  const running = args.find((arg) => /^https?:\/\//.test(arg))
  const languages = Object.keys(editions).filter((language) => args.includes(language))
  const names = args.filter((arg) => arg !== running && !languages.includes(arg))
  if (running && languages.length !== 1) throw new Refusal('Which language does that platform show: zh or en?')
  await ensureChromium()
  for (const language of languages.length > 0 ? languages : Object.keys(editions)) {
    const edition = editions[language]?.()
    if (edition) await takeAll(edition, running, names)
  }
}

await main(process.argv.slice(2))
