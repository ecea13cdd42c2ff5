/** The system's Chromium for every browser test. */
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'

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
function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium on the PATH: install it or set CHROMIUM_PATH')
  return chromium.launch({
    executablePath,
    args: [
      `--disable-features=${[...playwrightsList, ...addressBar].join(',')}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
      // No page lives long enough to earn back what the optimizing compiler takes: an eighth of the browser's time.
      '--js-flags=--no-opt',
    ],
  })
}

let launched: Promise<Browser> | undefined

/** One for all walks of a worker; each visit has a profile of its own. It ends with the worker. */
export function launchBrowser(): Promise<Browser> {
  launched ??= launch()
  return launched
}
