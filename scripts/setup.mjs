// Runs before every npm command, on whatever Node the machine has (20 or newer), with no package installed yet.
import { buildConsole } from './build-console.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensurePrograms } from './debian-programs.mjs'
import { installGitHook } from './git-hook.mjs'
import { installPackages, provesParts } from './install.mjs'
import { endChildrenOnSignal, Refusal } from './step.mjs'
import { isChineseTerminal, say, speakChinese } from './words.mjs'

const product = [installPackages, provesParts('product', 'database')]

/** What waits for the network goes on while the console is built. */
async function prepareTests() {
  const fetched = ensureChromium().then(ensurePrograms)
  await Promise.all([buildConsole(), fetched])
}

/** Whoever runs these works on the code. */
const installHook = async () => installGitHook()

const needs = {
  start: [...product, buildConsole],
  bench: [...product, buildConsole],
  test: [installHook, installPackages, provesParts('product', 'database', 'tools'), prepareTests],
  dev: [installHook, ...product],
  check: [installHook, installPackages, provesParts('product', 'tools')],
  backup: product,
  restore: product,
  'audit-check': product,
  'rotate-secret-key': product,
  psql: product,
  // Nothing but JavaScript.
  simulate: [installPackages],
  ithings: [installPackages],
}

async function main(command) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20)
    throw new Refusal(
      say('Node 20 or newer is needed; this is {version}. See https://nodejs.org', { version: process.versions.node }),
    )
  const parts = needs[command]
  if (!parts) throw new Refusal(`usage: node scripts/setup.mjs ${Object.keys(needs).join('|')}`)
  for (const part of parts) await part()
}

const systemLocale = () => Intl.DateTimeFormat().resolvedOptions().locale
speakChinese(isChineseTerminal({ env: process.env, platform: process.platform, systemLocale }))
endChildrenOnSignal()
try {
  await main(process.argv[2])
} catch (error) {
  console.error(error instanceof Refusal ? `\n${error.message}` : error)
  process.exitCode = 1
}
