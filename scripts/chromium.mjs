// The browser of the walks: the system's Chromium, and a font with Chinese characters for what it draws.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { Refusal, run, step, tail } from './step.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macApplications = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome']

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram)

/** Path of a Chromium, or undefined. */
export function findChromium() {
  const wish = process.env.CHROMIUM_PATH
  if (wish) return isAbsolute(wish) ? (isProgram(wish) ? wish : undefined) : onPath(wish)
  const found = names.map(onPath).find(Boolean)
  if (found || process.platform !== 'darwin') return found
  return macApplications.map((path) => join('/Applications', path)).find(isProgram)
}

/** Ubuntu's chromium-browser may be a mere note that the snap is missing. */
const runs = (path) => path !== undefined && spawnSync(path, ['--version'], { timeout: 30_000 }).status === 0

function hasChineseFont() {
  const list = spawnSync('fc-list', [':lang=zh', 'file'], { encoding: 'utf8' })
  return list.error === undefined && list.stdout.trim() !== ''
}

const mayInstall = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && onPath('apt-get') !== undefined

const advice = `The browser tests need Chromium or Google Chrome and a Chinese font.
  Debian:  sudo apt-get install chromium fonts-noto-cjk
  Fedora:  sudo dnf install chromium google-noto-sans-cjk-fonts
  macOS:   brew install --cask chromium
If it is installed elsewhere, set CHROMIUM_PATH to the program.`

export async function ensureChromium() {
  if (process.env.CHROMIUM_PATH && !findChromium()) {
    throw new Refusal(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, but there is no such program.`)
  }
  const missing = [...(findChromium() ? [] : ['chromium']), ...(needsFont() ? ['fonts-noto-cjk'] : [])]
  if (missing.length > 0 && mayInstall()) await aptInstall(missing)
  if (!runs(findChromium())) throw new Refusal(advice)
}

// Only Linux comes without one.
const needsFont = () => process.platform === 'linux' && !hasChineseFont()

async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await step(`Installing ${packages.join(' and ')}`, async () => {
    await run('apt-get', ['update', '-qq'], { env, minutes: 5 })
    const { code, output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
      env,
      minutes: 10,
    })
    if (code !== 0) throw new Refusal(`${tail(output, 15)}\n\n${advice}`)
  })
}
