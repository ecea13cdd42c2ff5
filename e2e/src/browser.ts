/** The system's Chromium for every browser test (decisions.md 3): CHROMIUM_PATH, else the first one on the PATH. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

export function findChromium(): string {
  const given = process.env.CHROMIUM_PATH
  if (given) return given
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
  if (!found) throw new Error('No Chromium on the PATH: install it or set CHROMIUM_PATH')
  return found
}

/** The list that playwright-core switches off itself: a second switch of this name replaces the first. */
const playwrightsList = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** The suggestions of an address bar that nobody sees: two pages for each window, a third of its time. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI']

/** Headless, quiet on the network; as root Chromium needs --no-sandbox. */
const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      `--disable-features=${[...playwrightsList, ...addressBar].join(',')}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
    ],
  })

let launched: Promise<Browser> | undefined

/** One for all walks of a worker; each visit has a profile of its own. It ends with the worker. */
export function launchBrowser(): Promise<Browser> {
  launched ??= launch()
  return launched
}
