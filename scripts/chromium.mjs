// The browser of the walks: the system's Chromium, and a font with Chinese characters for what it draws.
import { spawnSync } from 'node:child_process'
import { posix, win32 } from 'node:path'
import { isDebian, isProgram, isRoot, onPath, thisPlace } from './programs.mjs'
import { Refusal, run, step, tail } from './step.mjs'

// The shell has no windows to draw and takes a quarter less time for each page.
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macApplications = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
// Edge comes with Windows, so it is the last choice there and nearly always the one that is found.
const windowsPrograms = [
  'Chromium/Application/chrome.exe',
  'Google/Chrome/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
]

/** @typedef {import('./programs.mjs').Place} Place */

/**
 * Where a Chromium may be, the best place first.
 * @param {Place} place
 * @returns {string[]}
 */
export function chromiumPlaces(place) {
  const { platform, env } = place
  const wish = env.CHROMIUM_PATH
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix
  if (wish) return isAbsolute(wish) ? [wish] : onPath(place, wish)
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((folder) => folder)
    return windowsPrograms.flatMap((path) => folders.map((folder) => join(/** @type {string} */ (folder), path)))
  }
  const found = names.flatMap((name) => onPath(place, name))
  return platform === 'darwin' ? [...found, ...macApplications.map((path) => join('/Applications', path))] : found
}

/** Path of a Chromium, or undefined. */
export const findChromium = () => chromiumPlaces(thisPlace()).find(isProgram)

/** Ubuntu's chromium-browser may be a mere note that the snap is missing. On Windows the question opens a window. */
const runs = (path) =>
  path !== undefined &&
  (process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 30_000 }).status === 0)

function hasChineseFont() {
  const list = spawnSync('fc-list', [':lang=zh', 'file'], { encoding: 'utf8' })
  return list.error === undefined && list.stdout.trim() !== ''
}

const mayInstall = () => isRoot() && isDebian()

const advice = `The browser tests need Chromium or Google Chrome and a Chinese font.
  Debian:  sudo apt-get install ${shell} fonts-noto-cjk
  Fedora:  sudo dnf install chromium google-noto-sans-cjk-fonts
  macOS:   brew install --cask chromium
  Windows: Microsoft Edge is there already and will do, or winget install Google.Chrome
If it is installed elsewhere, set CHROMIUM_PATH to the program.`

export async function ensureChromium() {
  if (process.env.CHROMIUM_PATH && !findChromium()) {
    throw new Refusal(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, but there is no such program.`)
  }
  const needs = { browser: !findChromium(), font: needsFont() }
  if ((needs.browser || needs.font) && mayInstall()) await aptInstall(needs)
  if (!runs(findChromium())) throw new Refusal(advice)
}

// Only Linux comes without one.
const needsFont = () => process.platform === 'linux' && !hasChineseFont()

/** @param {{ browser: boolean, font: boolean }} needs */
async function aptInstall({ browser, font }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => run('apt-get', [...args], { env, minutes: 10 })
  const title = ['Installing', browser && 'Chromium', browser && font && 'and', font && 'a Chinese font']
  await step(title.filter(Boolean).join(' '), async () => {
    await apt('update', '-qq')
    // Systems that are made from Debian may have the browser without its shell.
    const { code: noShell } = await run('apt-cache', ['show', shell], { env, minutes: 1 })
    const packages = [...(browser ? [noShell ? 'chromium' : shell] : []), ...(font ? ['fonts-noto-cjk'] : [])]
    const { code, output } = await apt('install', '-y', '-qq', '--no-install-recommends', ...packages)
    if (code !== 0) throw new Refusal(`${tail(output, 15)}\n\n${advice}`)
  })
}
