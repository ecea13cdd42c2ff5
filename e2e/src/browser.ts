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

/** Headless, quiet on the network; as root Chromium needs --no-sandbox. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
    ],
  })
